"""The fail-open contract, rule by rule: each goes red when it is broken, and stays green when it is kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from fakes import Switches, declared, fruit_corpus, make_subject

from gate.checks.fail_open import fail_open_checks
from gate.faults import FAULTS
from gate.measures import parse_measure
from gate.measures.rankings import mean
from gate.progress import Silent
from gate.records import Check, Run, RunKey, TopicResult
from gate.score import score
from gate.settings import FailOpen
from gate.trial import plan_trial, run_trial

FAULT = "embedder-raises"
DOCS = ("a", "b", "c", "d", "e", "f")
EMBEDDER = frozenset({"embedder"})
NONE: frozenset[str] = frozenset()
RULES = {"reached", "answers", "within", "floor", "agreement", "declared", "recovery"}


def key(mode: str, fault: str = "none") -> RunKey:
    return RunKey("fake", "tiny", "smoke", "cpu-hash", mode, fault)


def result(doc_ids: tuple[str, ...] = DOCS, *, degraded: frozenset[str] = NONE, ms: float = 1.0) -> TopicResult:
    return TopicResult(doc_ids, 0, 0, not doc_ids, degraded, ms)


def run(run_key: RunKey, one: TopicResult, topics: int = 4) -> Run:
    return Run(run_key, {f"t{number}": one for number in range(topics)})


HEALTHY = run(key("vector"), result(("f", "e", "d", "c", "b", "a")))
KEYWORD = run(key("keyword"), result())
BROKEN = replace(run(key("vector", FAULT), result(degraded=EMBEDDER)), part_calls=4, recovered="")


def checked(
    broken: Run = BROKEN,
    healthy: Run | None = HEALTHY,
    keyword: Run | None = KEYWORD,
    recall: float | None = 0.5,
    rules: FailOpen | None = None,
) -> Mapping[str, Check]:
    """The checks of one mode under one fault, by rule."""
    runs = {one.key: one for one in (keyword, healthy, broken) if one is not None}
    values = {} if recall is None else {broken.key: recall}
    found = fail_open_checks(runs, values, {FAULT: "embedder"}, rules or FailOpen())
    assert all(check.source == "fail-open" and check.check_id.startswith("fail-open ") for check in found)
    return {check.check_id.rsplit(" ", 1)[1]: check for check in found if check.cell == str(broken.key)}


def with_topic(one: Run, topic: str, changed: TopicResult) -> Run:
    return replace(one, results={**one.results, topic: changed})


def test_a_store_that_keeps_the_contract_passes_every_rule() -> None:
    checks = checked()
    assert set(checks) == RULES
    assert {check.status for check in checks.values()} == {"pass"}
    assert {check.level for check in checks.values()} == {"error"}


# --- health ------------------------------------------------------------------------------------


def health(one: Run) -> list[Check]:
    return fail_open_checks({one.key: one}, {}, {}, FailOpen())


def test_nothing_degraded_in_health_is_well() -> None:
    (check,) = health(HEALTHY)
    assert (check.status, check.cell) == ("pass", str(HEALTHY.key))


def test_anything_degraded_in_health_fails() -> None:
    (check,) = health(with_topic(HEALTHY, "t2", result(degraded=frozenset({"reranker", "embedder"}))))
    assert check.status == "fail"
    assert check.message == "in health, 1 of 4 searches said that they went without embedder, reranker"


def test_health_is_not_judged_on_a_run_that_is_not_measured() -> None:
    assert health(replace(HEALTHY, failure="it raised")) == []


# --- reached -----------------------------------------------------------------------------------


@pytest.mark.parametrize("calls", [0, None])
def test_a_fault_that_no_call_reached_is_not_measured(calls: int | None) -> None:
    checks = checked(replace(BROKEN, part_calls=calls))
    assert set(checks) == {"reached"}
    assert checks["reached"].status == "not measured"
    assert "no call reached the failing embedder" in checks["reached"].message


# --- answers -----------------------------------------------------------------------------------


def test_a_store_that_raises_once_the_part_fails_does_not_survive() -> None:
    checks = checked(replace(BROKEN, results={}, failure="fake, mode vector, topic t0: RuntimeError: refused"))
    assert set(checks) == {"answers"}
    assert checks["answers"].status == "fail"
    assert "RuntimeError: refused" in checks["answers"].message


@pytest.mark.parametrize("calls", [0, None])
def test_a_failure_before_the_part_was_called_is_not_blamed_on_the_fault(calls: int | None) -> None:
    checks = checked(replace(BROKEN, failure="fake, open: OSError: disk full", part_calls=calls))
    assert set(checks) == {"answers"}
    assert checks["answers"].status == "not measured"
    assert checks["answers"].message == "fake, open: OSError: disk full"


@pytest.mark.parametrize(
    "failure", ["stopped by SIGTERM after 0 topics", "stopped after 3 of 4 topics: the store hung in another mode"]
)
def test_a_run_that_was_stopped_is_not_blamed_on_the_fault(failure: str) -> None:
    checks = checked(replace(BROKEN, failure=failure))
    assert {check.status for check in checks.values()} == {"not measured"}


@pytest.mark.parametrize("healthy", [None, replace(HEALTHY, failure="it raised")])
def test_a_mode_that_is_not_measured_in_health_is_not_judged_under_a_fault(healthy: Run | None) -> None:
    for broken in (BROKEN, replace(BROKEN, failure="it raised here too")):
        checks = checked(broken, healthy=healthy)
        assert {rule: check.status for rule, check in checks.items()} == {"answers": "not measured"}


# --- within ------------------------------------------------------------------------------------


def test_the_delay_is_the_slowest_search_less_the_usual_one_in_health() -> None:
    # In health 100, 100, 100 and 900 ms: the median is 100. Slowest under the fault 2,100 ms.
    healthy = with_topic(run(key("vector"), result(ms=100.0)), "t3", result(ms=900.0))
    broken = with_topic(BROKEN, "t1", result(degraded=EMBEDDER, ms=2100.0))
    check = checked(broken, healthy=healthy, rules=FailOpen(within=2.0))["within"]
    assert (check.status, check.operator, check.expected, check.actual) == ("pass", "<=", 2.0, 2.0)


def test_one_search_that_is_delayed_too_long_fails() -> None:
    broken = with_topic(BROKEN, "t1", result(degraded=EMBEDDER, ms=2110.0))
    check = checked(broken, rules=FailOpen(within=2.0))["within"]
    assert (check.status, check.actual) == ("fail", 2.109)


def test_a_fallback_faster_than_health_is_no_delay() -> None:
    healthy = run(key("vector"), result(ms=500.0))
    assert checked(healthy=healthy)["within"].actual == 0.0


# --- floor -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("value", "status"), [(0.30, "pass"), (0.299, "fail"), (float("nan"), "fail"), (0.0, "fail")])
def test_the_fallback_has_a_floor_of_its_own(value: float, status: str) -> None:
    check = checked(recall=value, rules=FailOpen(floor=0.30))["floor"]
    assert (check.status, check.operator, check.expected) == (status, ">=", 0.30)


def test_a_floor_without_relevant_documents_is_not_measured() -> None:
    assert checked(recall=None)["floor"].status == "not measured"


# --- agreement ---------------------------------------------------------------------------------


def test_a_fallback_that_returns_what_keyword_search_does_agrees() -> None:
    # The first five in any order: a, b, c, d, e. What comes after does not count.
    broken = run(key("vector", FAULT), result(("e", "d", "c", "b", "a", "z"), degraded=EMBEDDER))
    check = checked(replace(broken, part_calls=4, recovered=""))["agreement"]
    assert (check.status, check.actual) == ("pass", 1.0)


def test_a_fallback_that_returns_something_else_fails() -> None:
    # Two topics share 5 of 5, two share 2 of 5: (1 + 1 + 0.4 + 0.4) / 4 = 0.7.
    other = result(("a", "b", "x", "y", "z"), degraded=EMBEDDER)
    broken = with_topic(with_topic(BROKEN, "t0", other), "t1", other)
    check = checked(broken, rules=FailOpen(agreement=0.8))["agreement"]
    assert (check.status, check.expected) == ("fail", 0.8)
    assert check.actual == pytest.approx(0.7)


def test_a_fallback_that_returns_nothing_fails() -> None:
    empty = replace(run(key("vector", FAULT), result((), degraded=EMBEDDER)), part_calls=4, recovered="")
    checks = checked(empty, recall=0.0)
    assert (checks["agreement"].status, checks["agreement"].actual) == ("fail", 0.0)
    assert checks["floor"].status == "fail"


def test_topics_that_keyword_search_finds_nothing_for_do_not_count() -> None:
    keyword = with_topic(KEYWORD, "t0", result(()))
    broken = with_topic(BROKEN, "t0", result(("x",), degraded=EMBEDDER))
    assert checked(broken, keyword=keyword)["agreement"].actual == 1.0


@pytest.mark.parametrize("keyword", [replace(KEYWORD, failure="it raised"), run(key("keyword"), result(()))])
def test_agreement_with_a_keyword_search_that_shows_nothing_is_not_measured(keyword: Run) -> None:
    check = checked(keyword=keyword)["agreement"]
    assert (check.status, check.level) == ("not measured", "error")


def test_agreement_is_not_asked_for_where_keyword_search_is_not() -> None:
    check = checked(keyword=None)["agreement"]
    assert (check.status, check.level) == ("not measured", "info")


# --- declared ----------------------------------------------------------------------------------


def test_an_answer_that_hides_that_it_was_degraded_fails() -> None:
    check = checked(with_topic(BROKEN, "t2", result()))["declared"]
    assert check.status == "fail"
    assert check.message == "1 of 4 answers did not say that they went without the embedder, topic t2 first"


def test_naming_another_part_is_not_saying_so() -> None:
    check = checked(with_topic(BROKEN, "t0", result(degraded=frozenset({"reranker"}))))["declared"]
    assert check.status == "fail"


# --- recovery ----------------------------------------------------------------------------------


def test_a_store_that_is_not_healthy_again_fails() -> None:
    check = checked(replace(BROKEN, recovered="topic t0 is still degraded: embedder"))["recovery"]
    assert check.status == "fail"
    assert "topic t0 is still degraded: embedder" in check.message


def test_a_recovery_that_was_not_looked_at_is_not_measured() -> None:
    assert checked(replace(BROKEN, recovered=None))["recovery"].status == "not measured"


# --- stores that break one rule each -----------------------------------------------------------


def contract(switches: Switches, folder: Path) -> dict[str, str]:
    """A fake store measured and held against the contract: what is not a pass, `mode rule` to its status."""
    trial = plan_trial(
        make_subject(switches),
        declared(switches),
        fruit_corpus(),
        slices=("*",),
        modes=("keyword", "vector", "hybrid"),
        faults=(FAULTS[FAULT],),
        measures=[parse_measure("R@5")],
    )
    outcome = run_trial(trial, folder, 10, Silent())
    recall = {}
    for run_key, one in outcome.runs.items():
        values = score(one, trial.topics(run_key.mode), trial.corpus, [parse_measure("R@5")]).values
        if values:
            recall[run_key] = mean(list(values["R@5"].values()))
    found = fail_open_checks(outcome.runs, recall, {FAULT: "embedder"}, FailOpen())
    ids = {check.check_id.split("cpu-hash/")[1]: check.status for check in found}
    return {name: status for name, status in ids.items() if status != "pass"}


VECTOR, HYBRID = f"vector/{FAULT}", f"hybrid/{FAULT}"


def test_a_faithful_store_breaks_nothing(tmp_path: Path) -> None:
    assert contract(Switches(), tmp_path) == {}


@pytest.mark.parametrize(
    ("switches", "broken"),
    [
        (Switches(silent=True), {f"{VECTOR} declared": "fail", f"{HYBRID} declared": "fail"}),
        (
            Switches(always_degraded=True),
            {
                "keyword/none health": "fail",
                "vector/none health": "fail",
                "hybrid/none health": "fail",
                f"{VECTOR} recovery": "fail",
                f"{HYBRID} recovery": "fail",
            },
        ),
        (
            Switches(empty_fallback=True),
            {
                f"{VECTOR} floor": "fail",
                f"{HYBRID} floor": "fail",
                f"{VECTOR} agreement": "fail",
                f"{HYBRID} agreement": "fail",
            },
        ),
        (Switches(memoises_vectors=True), {f"{VECTOR} reached": "not measured", f"{HYBRID} reached": "not measured"}),
        (Switches(memoises_answers=True), {f"{VECTOR} recovery": "fail", f"{HYBRID} recovery": "fail"}),
        (Switches(raises_without_embedder=True), {f"{VECTOR} answers": "fail", f"{HYBRID} answers": "fail"}),
    ],
    ids=["silent", "always-degraded", "empty-fallback", "memoised-vectors", "poisoned-cache", "raises"],
)
def test_a_store_that_breaks_a_rule_is_caught_by_that_rule(
    switches: Switches, broken: dict[str, str], tmp_path: Path
) -> None:
    assert contract(switches, tmp_path) == broken
