"""Looking at stores that raise, hang or are stopped: the cause is told, and the others are looked at."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from fakes import Switches, declared, make_subject

from gate.guard import Guard
from gate.plan import Declared
from gate.probes.plan import plan_probes
from gate.probes.run import run_probes
from gate.records import Check, SearchResult
from gate.stop import Stop

NAMES = ("k-prefix", "k-beyond", "no-duplicates", "environment", "ingest-twice")


@pytest.fixture
def switches() -> Iterable[Switches]:
    made = Switches(modes=frozenset({"keyword", "vector"}), abilities=frozenset({"embedder"}))
    yield made
    made.release.set()


def looked(
    switches: Switches, folder: Path, names: Iterable[str] = NAMES, *, timeout: float = 30.0, stop: Stop | None = None
) -> dict[str, Check]:
    """Checks by `probe/mode`."""
    subject = make_subject(switches, timeout=timeout, stop=stop)
    plan = plan_probes(declared(switches), names)
    checks = run_probes(subject, declared(switches), plan, folder)
    return {"/".join((check.cell.split("/")[6], check.cell.split("/")[4])): check for check in checks}


def test_the_sound_fake_passes(switches: Switches, tmp_path: Path) -> None:
    checks = looked(switches, tmp_path)
    assert len(checks) == 9
    assert {check.status for check in checks.values()} == {"pass"}


def test_stores_are_closed_and_their_folders_are_gone(switches: Switches, tmp_path: Path) -> None:
    looked(switches, tmp_path)
    assert switches.opened == switches.closed > 1
    assert list(tmp_path.iterdir()) == []


def test_a_mode_that_raises_is_not_measured_with_the_cause_and_the_other_is(switches: Switches, tmp_path: Path) -> None:
    switches.raises["vector"] = ConnectionError("the index is down")
    checks = looked(switches, tmp_path)
    assert checks["k-prefix/vector"].status == "not measured"
    assert "mode vector: ConnectionError: the index is down" in checks["k-prefix/vector"].message
    # What raises where a probe asks for no more than an answer is what that probe sees.
    assert checks["k-beyond/vector"].status == "fail"
    assert checks["k-prefix/keyword"].status == checks["environment/-"].status == "pass"


def test_a_store_that_cannot_store_is_not_measured(switches: Switches, tmp_path: Path) -> None:
    switches.raises["add"] = OSError("the disk is full")
    checks = looked(switches, tmp_path)
    assert {check.status for check in checks.values()} == {"not measured"}
    assert "OSError: the disk is full" in checks["ingest-twice/keyword"].message


def test_a_mode_that_hangs_is_waited_for_once(switches: Switches, tmp_path: Path) -> None:
    switches.hangs.add("vector")
    checks = looked(switches, tmp_path, timeout=0.3)
    assert "no answer within 0.3 s" in checks["k-prefix/vector"].message
    assert "the store hung in this mode before" in checks["no-duplicates/vector"].message
    assert {check.status for name, check in checks.items() if not name.endswith("/vector")} == {"pass"}


def test_a_mode_that_hangs_while_a_probe_prepares_costs_only_itself(switches: Switches, tmp_path: Path) -> None:
    switches.hangs.add("vector")
    checks = looked(switches, tmp_path, ["add-only", "k-prefix"], timeout=0.3)
    assert {name: check.status for name, check in checks.items()} == {
        "add-only/keyword": "pass",
        "add-only/vector": "not measured",
        "k-prefix/keyword": "pass",
        "k-prefix/vector": "not measured",
    }


def test_a_store_that_hangs_when_it_stores_is_waited_for_once(switches: Switches, tmp_path: Path) -> None:
    switches.hangs.add("add")
    checks = looked(switches, tmp_path, timeout=0.3)
    assert {check.status for check in checks.values()} == {"not measured"}
    assert switches.opened == 1


def test_a_wish_to_stop_leaves_the_rest_not_measured(switches: Switches, tmp_path: Path) -> None:
    stop = Stop()
    stop.signal = "SIGTERM"
    checks = looked(switches, tmp_path, stop=stop)
    assert {check.status for check in checks.values()} == {"not measured"}
    assert {check.message for check in checks.values()} == {"not measured: stopped by SIGTERM"}


def test_a_store_that_declares_something_else_now_is_not_measured(switches: Switches, tmp_path: Path) -> None:
    before = declared(switches)
    switches.modes = frozenset({"keyword"})
    checks = run_probes(make_subject(switches), before, plan_probes(before, ["k-prefix"]), tmp_path)
    assert {check.status for check in checks} == {"not measured"}
    assert "it declares another name" in checks[0].message


def test_a_score_too_large_for_a_float_is_no_crash(
    switches: Switches, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    search = Guard.search

    def huge(self: Guard, *asked: object) -> tuple[SearchResult, float]:
        answer, seconds = search(self, *asked)  # type: ignore[arg-type]
        return replace(answer, hits=tuple(replace(hit, score=10**400) for hit in answer.hits)), seconds

    monkeypatch.setattr(Guard, "search", huge)
    checks = looked(switches, tmp_path, ["scores"])
    assert {check.status for check in checks.values()} == {"fail"}
    assert "not finite" in checks["scores/keyword"].message


def test_nothing_planned_opens_nothing(switches: Switches, tmp_path: Path) -> None:
    plan = plan_probes(Declared("fake", frozenset(), frozenset()), ["k-prefix"])
    assert run_probes(make_subject(switches), declared(switches), plan, tmp_path) == []
    assert switches.opened == 0
