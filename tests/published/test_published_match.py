from __future__ import annotations

from dataclasses import replace

import pytest
from builders import cell_key

from gate.published.file import ANSWERS, RETRIEVAL, Entry, Protocol, Published
from gate.published.match import Local, groups, locals_of, protocol_verdict, same_dataset
from gate.records import Cell, CellKey

KEY = CellKey("mine", "longmemeval-s", "full", "all", "cpu-hash", "hybrid", "none", "Hit@5")
LOCAL = Local(KEY, 0.91, 470, "session", "first", "shared", 100)
ENTRY = Entry(
    "LongMemEval-S",
    RETRIEVAL,
    "vectors",
    "Hit@5",
    "R@5",
    0.966,
    Protocol("session", 5, 470, "first", "shared"),
    "https://example.org",
    "2026-11-30",
)
TRIAL = {
    "store": "mine",
    "corpus": "longmemeval-s@full",
    "arm": "cpu-hash",
    "protocol": {"granularity": "session", "depth": 100, "dedup": False},
}


def with_protocol(protocol: Protocol) -> Entry:
    return replace(ENTRY, protocol=protocol)


def test_a_protocol_matches_where_all_is_known_and_the_same() -> None:
    assert protocol_verdict(ENTRY, LOCAL) == "matches"


@pytest.mark.parametrize(
    ("protocol", "says"),
    [
        (Protocol("turn", 5, 470, "first"), "differs: granularity is session here, turn there"),
        (Protocol("session", 50, 470, "first"), "differs: cutoff is 5 here, 50 there"),
        (Protocol("session", 5, 500, "first"), "differs: topics is 470 here, 500 there"),
        (Protocol("session", 5, 470, "best"), "differs: dedup is first here, best there"),
        (Protocol("session", 5, 470, "first", "own"), "differs: haystack is shared here, own there"),
        # What is known to differ is told before what is not known.
        (Protocol(None, 5, 500, None), "differs: topics is 470 here, 500 there"),
    ],
)
def test_the_first_field_that_differs_is_named(protocol: Protocol, says: str) -> None:
    assert protocol_verdict(with_protocol(protocol), LOCAL) == says


@pytest.mark.parametrize(
    ("protocol", "says"),
    [
        (Protocol(None, 5, 470, "first"), "not known: granularity is not published"),
        (Protocol("session", None, 470, "first"), "not known: cutoff is not published"),
        (Protocol("session", 5, None, "first"), "not known: topics is not published"),
        (Protocol("session", 5, 470, None), "not known: dedup is not published"),
        (Protocol("session", 5, 470, "first"), "not known: haystack is not published"),
        (Protocol(), "not known: granularity is not published"),
    ],
)
def test_what_is_not_published_never_matches(protocol: Protocol, says: str) -> None:
    assert protocol_verdict(with_protocol(protocol), LOCAL) == says


def test_what_this_run_does_not_say_never_matches() -> None:
    assert protocol_verdict(ENTRY, replace(LOCAL, granularity=None)) == "not known: granularity of this run"
    assert protocol_verdict(ENTRY, replace(LOCAL, dedup=None)) == "not known: dedup of this run"
    whole = replace(LOCAL, key=replace(KEY, measure="Duplicates"), depth=None)
    assert protocol_verdict(ENTRY, whole) == "not known: cutoff of this run"


@pytest.mark.parametrize(
    ("published", "corpus", "same"),
    [
        ("LongMemEval-S", "longmemeval-s", True),
        ("LoCoMo", "locomo", True),
        ("LongMemEval_S", "longmemeval-s", True),
        ("LongMemEval-S", "longmemeval", False),
        ("LongMemEval-S", "longmemeval-m", False),
        ("LoCoMo", "locomo10", False),
    ],
)
def test_datasets_are_told_by_their_names(published: str, corpus: str, same: bool) -> None:
    assert same_dataset(published, corpus) is same


def test_local_figures_are_those_of_all_topics_in_health() -> None:
    cells = [
        Cell(KEY, "measured", 0.91, 470),
        Cell(replace(KEY, slice="temporal"), "measured", 0.5, 100),
        Cell(replace(KEY, fault="embedder-raises"), "measured", 0.5, 470),
        Cell(replace(KEY, measure="latency-p95"), "measured", 9.0, 470),
        Cell(replace(KEY, mode="vector"), "not measured", None, 0, "the store raised"),
        Cell(replace(KEY, mode="keyword"), "waived", 0.5, 470, "until 2027-03-31: later"),
    ]
    assert locals_of(cells, {"trials": [TRIAL]}) == (LOCAL,)


@pytest.mark.parametrize(
    "manifest",
    [
        {},
        {"trials": None},
        {"trials": [3, {}, {"store": "mine"}, {**TRIAL, "protocol": 1}]},
        {"trials": [{**TRIAL, "store": "other"}]},
    ],
)
def test_a_manifest_that_says_nothing_leaves_the_protocol_unknown(manifest: dict[str, object]) -> None:
    (one,) = locals_of([Cell(KEY, "measured", 0.91, 470)], manifest)
    assert (one.granularity, one.dedup, one.haystack, one.depth) == (None, None, None, None)


def test_a_run_of_turns_matches_turns_and_one_of_chunks_chunks() -> None:
    for unit in ("turn", "session", "chunk"):
        manifest = {"trials": [{**TRIAL, "protocol": {"granularity": unit, "depth": 100, "dedup": False}}]}
        (one,) = locals_of([Cell(KEY, "measured", 0.91, 470)], manifest)
        assert protocol_verdict(with_protocol(Protocol(unit, 5, 470, "first", "shared")), one) == "matches"


def test_no_more_results_count_than_were_asked_for() -> None:
    assert protocol_verdict(ENTRY, replace(LOCAL, depth=3)) == "differs: cutoff is 3 here, 5 there"
    assert replace(LOCAL, key=replace(KEY, measure="Duplicates")).k == 100


def test_figures_stand_together_only_for_one_dataset_and_measure() -> None:
    answers = replace(ENTRY, kind=ANSWERS, measure="accuracy")
    other = replace(ENTRY, measure="R@5")
    found = list(groups(Published((), (ENTRY, answers, other)), [LOCAL]))
    assert [(group.measure, len(group.local), group.verdicts) for group in found] == [
        ("Hit@5", 1, ("matches",)),
        ("R@5", 0, ("not measured here",)),
    ]


def test_answers_are_in_no_group_even_under_the_name_of_a_measure() -> None:
    answers = replace(ENTRY, kind=ANSWERS)
    assert list(groups(Published((), (answers,)), [LOCAL])) == []


def test_modes_with_the_same_protocol_share_a_verdict() -> None:
    vector = replace(LOCAL, key=replace(KEY, mode="vector"))
    fewer = replace(LOCAL, key=replace(KEY, mode="facts"), topics=20)
    (group,) = groups(Published((), (ENTRY,)), [LOCAL, vector])
    assert group.verdicts == ("matches",)
    (group,) = groups(Published((), (ENTRY,)), [LOCAL, fewer])
    assert group.verdicts == ("matches; differs: topics is 20 here, 470 there",)


def test_another_corpus_is_another_dataset() -> None:
    assert locals_of([Cell(cell_key("Hit@5"), "measured", 0.9, 20)], {})[0].key.corpus == "seeded"
    (group,) = groups(Published((), (ENTRY,)), [replace(LOCAL, key=cell_key("Hit@5"))])
    assert group.local == ()
