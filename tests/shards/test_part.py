"""Which topics a shard asks: every topic once, in stretches, as many searches in one as in another."""

from __future__ import annotations

import pytest
from fakes import FRUITS, Switches, declared, make_corpus, make_subject

from gate.errors import UsageError
from gate.faults import FAULTS
from gate.measures import parse_measure
from gate.records import Slice, Topic
from gate.sample import is_sampled
from gate.shards.part import Part, parse_part, share_of, topics_of
from gate.trial import Trial, plan_trial


def trial(only: frozenset[str] | None = None) -> Trial:
    """Twelve topics; the last four are asked in facts mode alone, the others in three modes and under three faults."""
    slices = (
        Slice("words", "all but facts"),
        Slice("facts", "facts alone", modes=frozenset({"facts"})),
    )
    topics = [Topic(f"t{n:02}", f"{fruit} orchard", slices=(slices[n >= 8].name,)) for n, fruit in enumerate(FRUITS)]
    corpus = make_corpus(
        {"d0": "the apple orchard"}, topics, {topic.topic_id: {"d0": 1} for topic in topics}, slices=slices
    )
    switches = Switches()
    return plan_trial(
        make_subject(switches),
        declared(switches),
        corpus,
        slices=("words", "facts"),
        modes=("keyword", "vector", "hybrid", "facts"),
        faults=tuple(FAULTS.values()),
        measures=[parse_measure("R@5")],
        only=only,
    )


def parts(planned: Trial, of: int) -> list[list[str]]:
    return [sorted(topics_of(planned, Part(number, of))) for number in range(1, of + 1)]


@pytest.mark.parametrize("of", [1, 2, 3, 5, 12, 40])
def test_every_topic_is_asked_once_and_in_order(of: int) -> None:
    asked = [topic for part in parts(trial(), of) for topic in part]
    assert asked == [f"t{number:02}" for number in range(12)]


def test_parts_hold_as_many_searches_not_as_many_topics() -> None:
    planned = trial()
    keys = [key for key in planned.keys if not is_sampled(key.fault)]
    searches = [
        sum(topic.topic_id in part for key in keys for topic in planned.topics(key.mode))
        for part in map(set, parts(planned, 2))
    ]
    most = max(sum(t in planned.topics(key.mode) for key in keys) for t in planned.corpus.topics)
    assert abs(searches[0] - searches[1]) <= most
    assert [len(part) for part in parts(planned, 2)] == [4, 8]


@pytest.mark.parametrize("of", [1, 2, 3, 5, 12, 40])
def test_every_search_is_made_by_one_part(of: int) -> None:
    planned = trial()
    shares = [share_of(planned, Part(number, of)) for number in range(1, of + 1)]
    for key in planned.keys:
        asked = [topic.topic_id for share in shares for topic in planned.question(key, share).own]
        assert sorted(asked) == sorted(topic.topic_id for topic in planned.topics(key.mode, key.fault))


def test_faults_that_are_asked_on_a_sample_are_dealt_out_whole() -> None:
    planned = trial()
    few = {key.fault for key in planned.keys if is_sampled(key.fault)}
    shares = [share_of(planned, Part(number, 3)) for number in (1, 2, 3)]
    assert sorted(name for share in shares for name in share.faults) == sorted(few)
    assert max(len(share.faults) for share in shares) - min(len(share.faults) for share in shares) <= 1


def test_a_limited_trial_is_parted_as_it_is() -> None:
    asked = [topic for part in parts(trial(frozenset({"t01", "t05", "t10"})), 2) for topic in part]
    assert asked == ["t01", "t05", "t10"]


@pytest.mark.parametrize("text", ["1/1", "2/5", "1000/1000"])
def test_a_shard_is_named_by_number_and_count(text: str) -> None:
    part = parse_part(text)
    assert f"{part.number}/{part.of}" == text


@pytest.mark.parametrize("text", ["0/3", "4/3", "3", "1/0", "1/1001", "a/b", "-1/2", "1/2/3", "1 / 2", "１/２"])
def test_anything_else_names_no_shard(text: str) -> None:
    with pytest.raises(UsageError, match="names no shard"):
        parse_part(text)
