from __future__ import annotations

from dataclasses import replace

from builders import cell_key, check, measured, run_of, waived

from gate.checks.coverage import waived_runs
from gate.judge import _distinct, _excused, _still
from gate.records import Run
from gate.verdict import decide


def test_a_broken_contract_of_a_run_that_is_waived_whole_is_waived() -> None:
    key = cell_key(fault="embedder-raises")
    excused = waived_runs([waived(None, key), waived(0.1, replace(key, slice="th"))])
    broken = replace(check("fail", source="fail-open"), cell=str(key.run))
    assert _excused(broken, excused.get(broken.cell, "")).status == "waived"
    assert _excused(replace(broken, status="pass"), excused[broken.cell]).status == "pass"
    partly = waived_runs([waived(None, key), measured(0.1, replace(key, slice="th"))])
    assert _excused(broken, partly.get(broken.cell, "")).status == "fail"


def test_checks_have_ids_of_their_own() -> None:
    ids = [one.check_id for one in _distinct([check(), check(check_id="other"), check()])]
    assert ids == ["budget", "other", "budget #2"]


def test_what_a_control_measured_does_not_stand_for_the_gated_store() -> None:
    control = measured(1.0, cell_key(store="oracle"))
    assert decide([check("pass")], [control], gated="reference", not_measured="allow").verdict == "NOT_MEASURED"
    assert decide([check("pass")], [control, measured(1.0)], gated="reference").verdict == "PASS"


def test_a_warning_that_is_to_fail_is_told_among_the_failures() -> None:
    verdict = decide([check("fail", "warn")], [measured(0.5)], fail_on="warn")
    assert (verdict.verdict, verdict.checks[0].level) == ("REGRESSION", "error")


def measured_in(results: list[dict[str, list[str]]]) -> Run:
    first, *further = (run_of(one) for one in results)
    return replace(first, repeats=tuple(run.results for run in further))


def test_a_declared_noise_that_is_none_is_seen() -> None:
    assert _still(measured_in([{"q": ["a", "b"]}] * 5))
    assert not _still(measured_in([{"q": ["a", "b"]}] * 4 + [{"q": ["b", "a"]}]))
    assert not _still(replace(measured_in([{"q": ["a"]}] * 5), repeats_moved=("q",)))
