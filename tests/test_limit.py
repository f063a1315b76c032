"""A short run asks topics of every slice, and all that it asks is asked by every longer one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from conftest import RunGate
from fakes import Switches, declared, make_corpus, make_subject

from gate.corpus import load_corpus
from gate.limit import first_topics, in_turns, limited_trial
from gate.measures import parse_measure
from gate.records import Slice, Topic
from gate.trial import Trial, plan_trial

SLICES = (Slice("a", "the first"), Slice("b", "the second"), Slice("facts", "facts", modes=frozenset({"facts"})))


def topics(**numbers: int) -> tuple[Topic, ...]:
    return tuple(
        Topic(f"{name}{number}", f"{name} {number}", slices=(name,) if name != "loose" else ())
        for name, many in numbers.items()
        for number in range(many)
    )


def planned(
    asked: tuple[Topic, ...], *, modes: Sequence[str] = ("keyword", "facts"), only: frozenset[str] | None = None
) -> Trial:
    switches = Switches()
    corpus = make_corpus({"d": "text"}, asked, {topic.topic_id: {"d": 1} for topic in asked}, slices=SLICES)
    return plan_trial(
        make_subject(switches),
        declared(switches),
        corpus,
        slices=("*",),
        modes=modes,
        faults=(),
        measures=[parse_measure("R@5")],
        only=only,
    )


def test_slices_take_turns_until_none_has_any_left() -> None:
    order = list(in_turns(topics(a=5, b=2), SLICES))
    assert [name[0] for name in order] == ["a", "b", "a", "b", "a", "a", "a"]
    assert sorted(order) == ["a0", "a1", "a2", "a3", "a4", "b0", "b1"]


def test_within_a_slice_the_order_is_that_of_a_digest_of_the_ids() -> None:
    # By `printf a2 | sha256sum`: a2 is 2c3a.., a0 is 4e11.., a1 is f55f...
    assert list(in_turns(topics(a=3), SLICES)) == ["a2", "a0", "a1"]


def test_the_order_of_the_corpus_changes_nothing() -> None:
    asked = topics(a=9, b=4, loose=3)
    assert list(in_turns(asked, SLICES)) == list(in_turns(asked[::-1], SLICES))


def test_topics_of_no_slice_take_turns_too() -> None:
    assert [name[0] for name in in_turns(topics(loose=3, a=1), SLICES)] == ["a", "l", "l", "l"]


def test_a_topic_counts_in_its_first_slice_alone() -> None:
    asked = (Topic("x", "x", slices=("b", "a")), Topic("y", "y", slices=("a",)))
    assert list(in_turns(asked, SLICES)) == ["y", "x"]


@pytest.mark.parametrize("number", range(1, 20))
def test_the_first_topics_are_among_those_of_every_larger_number(number: int) -> None:
    trial = planned(topics(a=9, b=4, facts=3, loose=2))
    assert len(first_topics(trial, number)) == min(number, 18)
    assert first_topics(trial, number) <= first_topics(trial, number + 1)


def test_only_topics_that_are_asked_count() -> None:
    trial = planned(topics(a=2, facts=5), modes=("keyword",))
    assert first_topics(trial, 10) == {"a0", "a1"}


def test_a_limit_that_leaves_nothing_out_is_none() -> None:
    asked = topics(a=3, b=1)
    whole = planned(asked)
    assert limited_trial(whole, planned(asked, only=first_topics(whole, 4))) is whole
    limited = limited_trial(whole, planned(asked, only=first_topics(whole, 3)))
    assert limited.unlimited is whole
    assert len(limited.topics("keyword")) == 3


def test_the_corpus_s_own_order_would_be_of_one_slice_and_ours_is_of_all() -> None:
    corpus = load_corpus("seeded@smoke")
    assert len({topic.slices[0] for topic in corpus.topics[:10]}) == 1
    by_id = {topic.topic_id: topic for topic in corpus.topics}
    slices = {topic.slices[0] for topic in corpus.topics}
    first = list(in_turns(corpus.topics, corpus.slices))[: 3 * len(slices)]
    assert Counter(by_id[name].slices[0] for name in first) == dict.fromkeys(slices, 3)


def test_a_limited_run_is_narrowed_and_the_next_extends_it(run_gate: RunGate, tmp_path: Path) -> None:
    # Budgets that speak of whole slices may break on so few topics.
    done = run_gate("run", "--tier", "smoke", "--mode", "keyword", "--limit", "20", "--fail-on", "never")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "narrowed by --mode keyword, --limit 20" in " ".join(done.stdout.split())
    assert not (tmp_path / "gate-results" / "baseline").exists()
    done = run_gate("run", "--tier", "smoke", "--mode", "keyword")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "resumed: 20 of " in " ".join(done.stdout.split())
    assert not (tmp_path / "gate-results" / "checkpoints").exists()


def test_a_limit_is_a_number_of_topics(run_gate: RunGate) -> None:
    done = run_gate("run", "--limit", "0")
    assert done.returncode == 3
    assert "--limit" in done.stderr
