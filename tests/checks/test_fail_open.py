"""The fail-open contract, rule by rule: each goes red when it is broken, and stays green when it is kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from fakes import Switches, declared, fruit_corpus, make_subject

from gate.bench import run_trial
from gate.checks.fail_open import fail_open_checks
from gate.faults import FAULTS
from gate.measures import parse_measure
from gate.progress import Silent
from gate.records import Calls, Check, Run, RunKey, TopicResult
from gate.score import score
from gate.settings import FailOpen
from gate.trial import plan_trial

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
    values = {} if recall is None else {broken.key: dict.fromkeys(broken.results, recall)}
    found = fail_open_checks(runs, values, FAULTS, rules or FailOpen())
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
    recall = {
        run_key: score(one, trial.topics(run_key.mode), trial.corpus, [parse_measure("R@5")]).values["R@5"]
        for run_key, one in outcome.runs.items()
        if not one.failure
    }
    found = fail_open_checks(outcome.runs, recall, FAULTS, FailOpen())
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


# --- faults that strike some searches ----------------------------------------------------------

PARTIAL = "embedder-recovers"
WELL, BAD, TRIED_AGAIN, UNASKED = Calls(1, 0), Calls(1, 1), Calls(2, 1), Calls(0, 0)
FALLBACK = result(degraded=EMBEDDER)
HEALTHY_ANSWER = HEALTHY.results["t0"]


def partly(*topics: tuple[Calls, TopicResult], fault: str = PARTIAL) -> Run:
    """A run of topics, each with the calls that it made and its answer."""
    calls = {f"t{number}": one for number, (one, _) in enumerate(topics)}
    results = {f"t{number}": answer for number, (_, answer) in enumerate(topics)}
    made = sum(one.made for one in calls.values())
    return Run(key("vector", fault), results, part_calls=made, recovered="", topic_calls=calls)


def test_a_store_that_goes_without_where_the_part_failed_alone_passes_every_rule() -> None:
    checks = checked(partly((BAD, FALLBACK), (WELL, HEALTHY_ANSWER), (BAD, FALLBACK), (WELL, HEALTHY_ANSWER)))
    assert set(checks) == RULES | {"spared"}
    assert {check.status for check in checks.values()} == {"pass"}
    assert checks["declared"].message == "2 of 4 answers went without the embedder, and say so"
    assert checks["spared"].message == "2 answers with the embedder, as in health"


def test_an_answer_must_say_so_where_every_call_failed() -> None:
    check = checked(partly((BAD, result()), (WELL, HEALTHY_ANSWER)))["declared"]
    assert check.status == "fail"
    assert check.message == "1 of 2 answers did not say that they went without the embedder, topic t0 first"


def test_an_answer_must_not_say_so_where_the_part_worked() -> None:
    check = checked(partly((BAD, FALLBACK), (WELL, FALLBACK)))["declared"]
    assert check.status == "fail"
    assert check.message == (
        "1 answer said without need to have gone without the embedder, whose calls were answered well meanwhile,"
        " topic t1 first"
    )


@pytest.mark.parametrize("answer", [FALLBACK, HEALTHY_ANSWER])
@pytest.mark.parametrize("calls", [TRIED_AGAIN, UNASKED])
def test_where_a_call_was_tried_again_or_none_was_made_a_store_may_say_either(
    calls: Calls, answer: TopicResult
) -> None:
    checks = checked(partly((calls, answer), (BAD, FALLBACK), (WELL, HEALTHY_ANSWER)))
    assert {check.status for check in checks.values()} == {"pass"}


def test_where_no_call_of_the_run_worked_a_search_without_a_call_went_without_too() -> None:
    assert checked(partly((BAD, FALLBACK), (UNASKED, FALLBACK)))["declared"].status == "pass"
    assert checked(partly((BAD, FALLBACK), (UNASKED, result())))["declared"].status == "fail"


def test_an_answer_that_the_fault_spared_ranks_as_in_health() -> None:
    check = checked(partly((BAD, FALLBACK), (WELL, result())))["spared"]
    assert check.status == "fail"
    assert check.message == (
        "1 of 1 answers that say nothing of going without the embedder are not those of health, topic t1 first"
    )


def test_ranks_that_move_in_health_are_not_compared() -> None:
    broken = partly((BAD, FALLBACK), (WELL, result()))
    assert "spared" not in checked(broken, healthy=replace(HEALTHY, repeats_moved=("t3",)))


def test_floor_and_agreement_are_those_of_the_answers_that_went_without() -> None:
    # The spared answer is nothing like keyword search, and its recall is nothing to a fallback.
    broken = partly((BAD, FALLBACK), (WELL, HEALTHY_ANSWER))
    runs = {one.key: one for one in (KEYWORD, HEALTHY, broken)}
    found = fail_open_checks(runs, {broken.key: {"t0": 0.2, "t1": 1.0}, KEYWORD.key: {"t0": 1.0}}, FAULTS, FailOpen())
    checks = {check.check_id.rsplit(" ", 1)[1]: check for check in found if check.cell == str(broken.key)}
    assert (checks["floor"].status, checks["floor"].actual) == ("fail", 0.2)
    assert (checks["agreement"].status, checks["agreement"].actual) == ("pass", 1.0)


def test_the_floor_is_no_higher_than_keyword_search_on_the_same_topics() -> None:
    broken = partly((BAD, FALLBACK), (WELL, HEALTHY_ANSWER))
    runs = {one.key: one for one in (KEYWORD, HEALTHY, broken)}
    found = fail_open_checks(
        runs, {broken.key: {"t0": 0.2, "t1": 1.0}, KEYWORD.key: {"t0": 0.2, "t1": 1.0}}, FAULTS, FailOpen()
    )
    (floor,) = (check for check in found if check.check_id.endswith(" floor"))
    assert floor.status == "pass"
    assert floor.expected == pytest.approx(0.18)


def test_a_fault_that_no_topic_met_is_told_and_holds_nothing_against_the_store() -> None:
    checks = checked(partly((WELL, HEALTHY_ANSWER), (WELL, HEALTHY_ANSWER), fault="embedder-long-text"))
    assert (checks["reached"].status, checks["reached"].level) == ("not measured", "info")
    assert checks["reached"].message.startswith("none of 2 calls of the embedder failed")
    assert {check.status for rule, check in checks.items() if rule != "reached"} == {"pass"}
    assert checks["floor"].message == "no answer went without the embedder"


# --- faults of time ----------------------------------------------------------------------------


@pytest.mark.parametrize("answer", [FALLBACK, HEALTHY_ANSWER])
def test_a_part_that_is_late_may_be_waited_for_or_not(answer: TopicResult) -> None:
    checks = checked(partly((WELL, answer), (WELL, FALLBACK), fault="embedder-slow"))
    assert {check.status for check in checks.values()} == {"pass"}


def test_a_store_that_did_not_wait_for_a_late_part_must_say_so() -> None:
    checks = checked(partly((WELL, result()), (WELL, FALLBACK), fault="embedder-slow"))
    assert {rule for rule, check in checks.items() if check.status == "fail"} == {"spared"}


def test_a_part_that_holds_a_call_of_one_mode_need_not_be_asked_again_in_another() -> None:
    hung = partly((BAD, FALLBACK), (UNASKED, FALLBACK), fault="embedder-hangs")
    healthy = run(key("hybrid"), HEALTHY_ANSWER)
    other = replace(hung, key=key("hybrid", "embedder-hangs"), part_calls=0, topic_calls={"t0": UNASKED, "t1": UNASKED})
    runs = {one.key: one for one in (KEYWORD, HEALTHY, healthy, hung, other)}
    recall = {one.key: {"t0": 1.0, "t1": 1.0} for one in (hung, other)}
    found = {check.check_id: check for check in fail_open_checks(runs, recall, FAULTS, FailOpen())}
    reached = found[f"fail-open {other.key} reached"]
    assert (reached.status, reached.message) == (
        "pass",
        "the embedder still holds a call of another mode, and was not asked again",
    )
    assert {check.status for check in found.values()} == {"pass"}
    runs[other.key] = replace(other, failure="fake, mode hybrid, topic t0: RuntimeError: it hangs")
    found = {check.check_id: check for check in fail_open_checks(runs, recall, FAULTS, FailOpen())}
    assert found[f"fail-open {other.key} answers"].status == "fail"
    runs[other.key] = other
    del runs[hung.key]
    alone = {check.check_id: check.status for check in fail_open_checks(runs, recall, FAULTS, FailOpen())}
    assert alone[f"fail-open {other.key} reached"] == "not measured"


# --- faults of the reranker --------------------------------------------------------------------


def test_what_is_not_reranked_is_like_one_of_the_searches_that_are_left() -> None:
    reranked, hybrid = run(key("rerank"), HEALTHY_ANSWER), run(key("hybrid"), result(("f", "b", "c", "d", "e")))
    fallback = result(("e", "d", "c", "b", "f"), degraded=frozenset({"reranker"}))
    broken = replace(run(key("rerank", "reranker-raises"), fallback), part_calls=4, recovered="")
    runs = {one.key: one for one in (KEYWORD, reranked, hybrid, broken)}
    recall = {broken.key: dict.fromkeys(broken.results, 0.5)}
    found = {check.check_id.rsplit(" ", 1)[1]: check for check in fail_open_checks(runs, recall, FAULTS, FailOpen())}
    # Keyword search has four of the five, hybrid search all.
    assert found["agreement"].actual == 1.0
    assert "of hybrid search's first five" in found["agreement"].message
    del runs[hybrid.key]
    found = {check.check_id.rsplit(" ", 1)[1]: check for check in fail_open_checks(runs, recall, FAULTS, FailOpen())}
    assert found["agreement"].actual == 0.8
    assert "of keyword search's first five" in found["agreement"].message


def test_reranking_without_the_embedder_is_like_keyword_search_or_like_itself() -> None:
    reranked = run(key("rerank"), HEALTHY_ANSWER)
    broken = replace(run(key("rerank", FAULT), replace(HEALTHY_ANSWER, degraded=EMBEDDER)), part_calls=4, recovered="")
    runs = {one.key: one for one in (run(key("keyword"), result(("x", "y"))), reranked, broken)}
    found = {check.check_id: check for check in fail_open_checks(runs, {}, FAULTS, FailOpen())}
    assert found[f"fail-open {broken.key} agreement"].actual == 1.0
