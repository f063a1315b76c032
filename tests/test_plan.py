from __future__ import annotations

from datetime import date

import pytest

from gate.errors import UsageError
from gate.faults import FAULTS, faults_matching
from gate.globs import chosen
from gate.measures import MEASURES, RUN_MEASURES, parse_measure
from gate.plan import (
    Declared,
    Flags,
    Request,
    ask_measures,
    ask_slices,
    ask_topics,
    check_globs,
    has_value,
    plan_cells,
    plan_runs,
)
from gate.records import Corpus, RunKey, Slice, Topic
from gate.settings import Settings

PLAIN = Slice("plain", "says", modes=frozenset({"keyword", "vector"}))
SCOPED = Slice("scoped", "says", needs=frozenset({"scope"}), modes=frozenset({"keyword"}))
FACTS = Slice("facts", "says", modes=frozenset({"facts"}))

TOPICS = (
    Topic("found", "?", slices=("plain",)),
    Topic("unanswerable", "?", slices=("plain",)),
    Topic("kept-out", "?", slices=("plain", "scoped")),
)


def corpus(
    qrels: dict[str, dict[str, int]] | None = None, forbidden: dict[str, dict[str, str]] | None = None
) -> Corpus:
    return Corpus(
        "mine",
        "tiny",
        lambda: iter(()),
        TOPICS,
        {"found": {"d1": 2, "d2": 0}, "unanswerable": {"d2": 0}, "kept-out": {"d1": 1}} if qrels is None else qrels,
        {"kept-out": {"d3": "other scope"}} if forbidden is None else forbidden,
        (PLAIN, SCOPED, FACTS),
    )


# --- globs -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("globs", "kept"),
    [
        (["*"], ["all", "zh-Hans", "zh-Hant", "th"]),
        ([], []),
        (["zh-*"], ["zh-Hans", "zh-Hant"]),
        (["th", "all"], ["all", "th"]),
        (["*", "!th"], ["all", "zh-Hans", "zh-Hant"]),
        (["!th"], ["all", "zh-Hans", "zh-Hant"]),
        (["*", "!zh-*", "zh-Hant"], ["all", "zh-Hant", "th"]),
        (["zh-Hant", "!*"], []),
        (["ZH-*"], []),
    ],
)
def test_globs_choose_in_the_order_of_the_names_and_the_last_match_wins(globs: list[str], kept: list[str]) -> None:
    assert chosen(["all", "zh-Hans", "zh-Hant", "th"], globs) == kept


def test_a_glob_without_a_match_is_refused_with_the_nearest_name() -> None:
    check_globs(["zh-*", "!th"], ["zh-Hans", "th"], "slice")
    for glob in ("zh-hans", "!zh-hans"):
        with pytest.raises(UsageError) as caught:
            check_globs(["*", glob], ["zh-Hans", "th"], "slice")
        assert (caught.value.slug, caught.value.what) == ("slice-unknown", "no slice is called 'zh-hans'")
        assert caught.value.hint == "did you mean 'zh-Hans'?"


# --- slices and topics -----------------------------------------------------------------------


def test_slices_that_need_what_a_store_does_not_declare_are_listed_and_not_asked() -> None:
    asked, missing = ask_slices((PLAIN, SCOPED), ["*"], frozenset())
    assert [part.name for part in asked] == ["all", "plain"]
    assert missing == ["scoped"]
    asked, missing = ask_slices((PLAIN, SCOPED), ["*"], frozenset({"scope", "update"}))
    assert [part.name for part in asked] == ["all", "plain", "scoped"]
    assert missing == []


def test_slices_that_were_not_asked_for_are_not_missing() -> None:
    asked, missing = ask_slices((PLAIN, SCOPED), ["plain"], frozenset())
    assert [part.name for part in asked] == ["plain"]
    assert missing == []


def test_the_slice_of_all_topics_is_asked_in_every_mode_but_facts() -> None:
    everything = ask_slices((), ["*"], frozenset())[0][0]
    assert everything.modes == {"keyword", "vector", "hybrid", "rerank"}


def test_a_topic_that_needs_a_missing_ability_counts_in_no_slice() -> None:
    asked, _ = ask_slices((PLAIN, SCOPED), ["*"], frozenset())
    members = ask_topics(corpus(), asked, frozenset())
    assert {name: [t.topic_id for t in topics] for name, topics in members.items()} == {
        "all": ["found", "unanswerable"],
        "plain": ["found", "unanswerable"],
    }
    asked, _ = ask_slices((PLAIN, SCOPED), ["*"], frozenset({"scope"}))
    members = ask_topics(corpus(), asked, frozenset({"scope"}))
    assert [t.topic_id for t in members["scoped"]] == ["kept-out"]
    assert len(members["all"]) == 3


# --- measures --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("measure", "topics", "applied"),
    [
        ("R@5", "found", True),
        ("R@5", "unanswerable", False),
        ("R@5", "kept-out", True),
        ("Refused", "found", False),
        ("Refused", "unanswerable", True),
        ("Forbidden@10", "found", False),
        ("Forbidden@10", "kept-out", True),
        ("Coverage", "found", True),
        ("Coverage", "unanswerable", True),
        ("latency-p50", "unanswerable", True),
    ],
)
def test_a_measure_applies_where_one_topic_gives_it_something_to_look_at(
    measure: str, topics: str, applied: bool
) -> None:
    one = [topic for topic in TOPICS if topic.topic_id == topics]
    assert has_value(parse_measure(measure), one, corpus()) is applied
    assert has_value(parse_measure(measure), [], corpus()) is False


def test_topics_without_judgements_are_unanswerable() -> None:
    assert has_value(parse_measure("Refused"), TOPICS, corpus(qrels={}, forbidden={}))
    assert not has_value(parse_measure("nDCG@10"), TOPICS, corpus(qrels={}, forbidden={}))


# --- runs and cells --------------------------------------------------------------------------


def test_each_mode_is_planned_in_health_then_under_each_fault_it_can_suffer() -> None:
    faults = faults_matching(("embedder-raises", "embedder-nan"))
    declared = Declared("mine", frozenset({"keyword", "vector"}), frozenset({"embedder"}))
    runs = plan_runs(declared, "seeded", "1k", "cpu-hash", ["keyword", "vector", "hybrid"], faults)
    assert [(run.mode, run.fault) for run in runs] == [
        ("keyword", "none"),
        ("vector", "none"),
        ("hybrid", "none"),
        ("vector", "embedder-raises"),
        ("hybrid", "embedder-raises"),
        ("vector", "embedder-nan"),
        ("hybrid", "embedder-nan"),
    ]


def test_a_store_that_takes_no_embedder_suffers_no_fault_of_it() -> None:
    declared = Declared("mine", frozenset({"vector"}), frozenset({"scope"}))
    runs = plan_runs(declared, "seeded", "1k", "cpu-hash", ["vector"], tuple(FAULTS.values()))
    assert runs == [RunKey("mine", "seeded", "1k", "cpu-hash", "vector")]


def test_every_slice_mode_and_measure_is_a_cell_where_they_make_sense_together() -> None:
    everything = ask_slices((PLAIN, FACTS), ["*"], frozenset())[0]
    runs = [RunKey("mine", "c", "t", "cpu-hash", mode) for mode in ("keyword", "facts")]
    cells = plan_cells(runs, everything, [parse_measure("R@5"), parse_measure("latency-p50")])
    assert [str(cell) for cell in cells] == [
        "mine/c@t/all/cpu-hash/keyword/none/R@5",
        "mine/c@t/all/cpu-hash/keyword/none/latency-p50",
        "mine/c@t/plain/cpu-hash/keyword/none/R@5",
        "mine/c@t/facts/cpu-hash/facts/none/R@5",
    ]


def test_measures_of_a_whole_run_are_not_planned_under_a_fault() -> None:
    everything = ask_slices((), ["*"], frozenset())[0]
    run = RunKey("mine", "c", "t", "cpu-hash", "vector", "embedder-raises")
    assert plan_cells([run], everything, [parse_measure(name) for name in RUN_MEASURES]) == []


def test_no_cell_is_planned_for_a_measure_without_topics_to_look_at() -> None:
    data = corpus()
    members = {"plain": (TOPICS[1],)}
    run = RunKey("mine", "mine", "tiny", "cpu-hash", "keyword")
    measures = [parse_measure(name if not measure.takes_cutoff else f"{name}@5") for name, measure in MEASURES.items()]
    cells = plan_cells([run], [PLAIN], measures, members, data)
    assert [cell.measure for cell in cells] == ["Refused", "Coverage"]
    assert len(plan_cells([run], [PLAIN], measures)) == len(MEASURES)


def test_what_a_store_says_of_its_evidence_is_planned_only_where_it_declares_any() -> None:
    measures = [parse_measure(name) for name in ("R@5", "Coverage", "latency-p50")]
    assert [one.label for one in ask_measures(measures, frozenset({"scope"}))] == ["R@5", "latency-p50"]
    assert ask_measures(measures, frozenset({"evidence"})) == measures


# --- requests --------------------------------------------------------------------------------


def test_a_flag_goes_before_the_settings_depth() -> None:
    day = date(2027, 1, 1)
    assert Request(Settings(depth=40), Flags(), day).depth == 40
    assert Request(Settings(depth=40), Flags(depth=7), day).depth == 7


@pytest.mark.parametrize(
    ("settings", "flags", "units"),
    [
        (Settings(), Flags(), ("turn", False)),
        (Settings(granularity="session", dedup=True), Flags(), ("session", True)),
        (Settings(granularity="session", dedup=True), Flags(granularity="chunk", dedup=False), ("chunk", False)),
        (Settings(), Flags(dedup=True), ("turn", True)),
    ],
)
def test_a_flag_goes_before_the_settings_units(settings: Settings, flags: Flags, units: tuple[str, bool]) -> None:
    request = Request(settings, flags, date(2027, 1, 1))
    assert (request.granularity, request.dedup) == units
