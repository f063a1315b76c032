from __future__ import annotations

import pytest

from gate.defects import Defect
from gate.exit_codes import ExitCode
from gate.prove.false_alarms import AlarmRun, Alarms, changes
from gate.prove.outline import HEAD, escapes, headline, matrix, weaker
from gate.prove.prove import DOSES, in_order
from gate.prove.records import DIED, STOPPED, Proof, Row, Sight, Worst

WORST = Worst("reference/seeded@smoke/vi/cpu-hash/keyword/none/R@5", 1.0, 0.875, 8, 1)
RED = Sight(1.0, 1, {"budget": 2}, first={"budget": "a floor is broken"}, changed=True, worst=WORST)
UNKNOWN = Sight(1.0, 2, unknown={"plan": 1}, first={"plan": "the store raised"}, changed=True, odd="it raised")
SILENT = Sight(1.0, 0, changed=True, worst=WORST)
STILL = Sight(1.0, 0)


def defect(name: str = "ascii-only", *, benign: bool = False, undosed: str = "", unmeasurable: bool = False) -> Defect:
    return Defect(
        name, "text", "a tokenizer written for English", undosed=undosed, benign=benign, unmeasurable=unmeasurable
    )


def proof(*rows: Row) -> Proof:
    return Proof("reference", ("seeded@smoke",), ("cpu-hash",), ("keyword",), rows)


@pytest.mark.parametrize(
    ("row", "outcome"),
    [
        (Row(defect(), sights=(RED,)), "caught"),
        (Row(defect(), sights=(SILENT,)), "escaped"),
        (Row(defect(), sights=(STILL,)), "harmless here"),
        (Row(defect(), "no mode of it is asked"), "not planted"),
        (Row(defect(), sights=(UNKNOWN,)), "not judged"),
        (Row(defect(unmeasurable=True), sights=(UNKNOWN,)), "caught"),
        (Row(defect(benign=True), sights=(UNKNOWN,)), "false alarm"),
        (Row(defect(), STOPPED), "not reached"),
        (Row(defect(), DIED), "not reached"),
        (Row(defect(benign=True), sights=(SILENT,)), "green"),
        (Row(defect(benign=True), sights=(RED,)), "false alarm"),
    ],
)
def test_what_was_seen_at_the_full_dose_is_the_outcome(row: Row, outcome: str) -> None:
    assert row.outcome == outcome


def test_a_weak_dose_that_is_missed_ends_what_is_caught() -> None:
    strong, weak = RED, Sight(0.2, 1, {"budget": 1})
    assert Row(defect(), sights=(strong, weak)).weakest == 0.2
    assert Row(defect(), sights=(strong, Sight(0.2, 0), Sight(0.05, 1, {"budget": 1}))).weakest == 1.0
    assert Row(defect(), sights=(SILENT,)).weakest is None


@pytest.mark.parametrize(
    ("rows", "code"),
    [
        ((Row(defect(), sights=(RED,)),), ExitCode.PASS),
        ((Row(defect(), sights=(RED,)), Row(defect("han-only"), sights=(SILENT,))), ExitCode.REGRESSION),
        ((Row(defect(), sights=(RED,)), Row(defect("jitter", benign=True), sights=(RED,))), ExitCode.REGRESSION),
        ((Row(defect(), sights=(RED,), command_exit=0),), ExitCode.REGRESSION),
        ((Row(defect(), sights=(RED,), command_exit=2),), ExitCode.PASS),
        # A bug of ours, a wrong command line, a signal: nobody knows what the gate would have said.
        ((Row(defect(), sights=(RED,), command_exit=70),), ExitCode.NOT_MEASURED),
        ((Row(defect(), sights=(RED,), command_exit=3),), ExitCode.NOT_MEASURED),
        ((Row(defect(), sights=(RED,), command_exit=-9),), ExitCode.NOT_MEASURED),
        ((Row(defect(), sights=(RED,)), Row(defect("han-only"), sights=(UNKNOWN,))), ExitCode.NOT_MEASURED),
        ((Row(defect(), sights=(RED,)), Row(defect("han-only"), DIED)), ExitCode.NOT_MEASURED),
        ((Row(defect(), sights=(STILL,)),), ExitCode.NOT_MEASURED),
        ((), ExitCode.NOT_MEASURED),
    ],
)
def test_an_escape_or_a_false_alarm_is_red_and_nothing_shown_is_no_pass(rows: tuple[Row, ...], code: ExitCode) -> None:
    assert proof(*rows).exit_code == code


def test_a_stopped_proof_is_no_proof() -> None:
    stopped = Proof("reference", (), (), (), (Row(defect(), sights=(RED,)),), interrupted=True)
    assert stopped.exit_code == ExitCode.INTERRUPTED


def test_the_headline_counts_each_outcome() -> None:
    rows = (
        Row(defect(), sights=(RED,)),
        Row(defect("han-only"), sights=(SILENT,)),
        Row(defect("text-cut"), sights=(STILL,)),
        Row(defect("duplicates"), "no mode"),
        Row(defect("jitter", benign=True), sights=(STILL,)),
    )
    assert headline(proof(*rows)) == (
        "1 of 2 defects caught; 1 escaped; 1 of 1 harmless change stayed green; 1 cost nothing that is asked;"
        " 1 could not be planted"
    )


def test_an_escape_names_what_it_cost_and_the_budget_that_would_catch_it() -> None:
    ((_, told),) = escapes(proof(Row(defect(), sights=(SILENT,))))
    assert told == (
        "stands for a tokenizer written for English",
        "it cost most in reference/seeded@smoke/vi/cpu-hash/keyword/none/R@5: 1.000 -> 0.875, 1 of 8 topics worse",
        f'a budget would catch it: {{cell: "{WORST.cell}", min: 1}}',
    )


def test_a_floor_that_would_catch_is_one_that_health_meets_too() -> None:
    close = Worst("c", 0.9512, 0.9488, 400, 1)
    ((_, told),) = escapes(proof(Row(defect(), sights=(Sight(1.0, 0, changed=True, worst=close),))))
    assert told[-1].endswith("min: 0.951}")


def test_a_floor_lets_one_topic_go_where_the_defect_costs_more() -> None:
    large = Worst("c", 0.9, 0.4, 20, 10)
    ((_, told),) = escapes(proof(Row(defect(), sights=(Sight(1.0, 0, changed=True, worst=large),))))
    assert told[-1].endswith("min: 0.85}")


def test_a_ceiling_is_asked_for_where_less_is_better_and_oddness_is_told() -> None:
    leak = Worst("c/Forbidden@10", 0.0, 0.5, 8, 4, "<=")
    sight = Sight(1.0, 0, changed=True, odd="a part is said to be missing", worst=leak)
    ((_, told),) = escapes(proof(Row(defect(), sights=(sight,))))
    assert told[-2:] == (
        'a budget would catch it: {cell: "c/Forbidden@10", max: 0}',
        "no measure sees that a part is said to be missing",
    )


def test_answers_that_change_and_cost_nothing_are_no_escape() -> None:
    assert Row(defect(), sights=(Sight(1.0, 0, changed=True),)).outcome == "harmless here"


@pytest.mark.parametrize(
    "source", ["budget", "contrast", "baseline", "fail-open", "probe", "parity", "plan", "latency"]
)
def test_whatever_turns_red_has_a_column(source: str) -> None:
    (row,) = matrix(proof(Row(defect(), sights=(Sight(1.0, 1, {source: 3}, changed=True),))))
    assert len(row) == len(HEAD)
    assert row[HEAD.index(source)] == "3"


def test_the_matrix_has_no_row_of_what_shows_nothing() -> None:
    rows = matrix(proof(Row(defect(), sights=(RED,)), Row(defect("text-cut"), sights=(STILL,))))
    assert rows == (("ascii-only", "text", "2", "-", "-", "-", "-", "-", "-", "-", "1", "-"),)


def test_a_weak_dose_that_is_missed_is_told_with_its_reason() -> None:
    missed = Sight(0.2, 0, changed=True, worst=WORST)
    rows = (
        Row(defect(), sights=(RED, missed)),
        Row(defect("k-ignored", undosed="a wrong k is wrong for all"), sights=(RED,)),
        Row(defect("han-only"), sights=(RED, Sight(0.2, 0))),
        Row(defect("text-cut"), sights=(RED, Sight(0.2, 1, {"budget": 1}))),
    )
    assert [says for _, says in weaker(proof(*rows))] == [
        f"is not caught at 0.2: the most it costs is {WORST.cell}: 1.000 -> 0.875, 1 of 8 topics worse",
        "has no weaker dose: a wrong k is wrong for all",
        "is not caught at 0.2: no answer changes: nothing that is asked shows it, or the store does so by itself",
    ]


def test_doses_fall_from_the_full_one() -> None:
    assert in_order(()) == DOSES
    assert in_order((0.05, 0.5, 0.5)) == (1.0, 0.5, 0.05)
    assert in_order((1.0,)) == (1.0,)


def test_runs_where_nothing_is_wrong_take_turns_at_doses_of_their_own() -> None:
    jitter, order = defect("jitter", benign=True), defect("other-order", benign=True)
    assert changes(5, (jitter, order)) == [
        ("healthy", 1),
        ("jitter=0.4", 2),
        ("other-order=0.6", 3),
        ("healthy", 4),
        ("jitter=1", 5),
    ]


def test_one_false_alarm_is_red_with_the_interval_of_its_rate() -> None:
    runs = tuple(AlarmRun("healthy", seed, 0) for seed in range(19))
    assert Alarms(runs).exit_code == ExitCode.PASS
    alarmed = Alarms((*runs, AlarmRun("jitter=0.5", 20, 1, "a cell: it is worse")))
    assert alarmed.exit_code == ExitCode.REGRESSION
    broken = Alarms((*runs, AlarmRun("healthy", 20, 130)))
    assert (broken.exit_code, len(broken.red), len(broken.broken)) == (ExitCode.NOT_MEASURED, 0, 1)
    # Wilson's 95% interval of 19 of 20, mirrored: the figures that tests of that method are held against.
    assert alarmed.interval == pytest.approx((1 - 0.991119, 1 - 0.763869), abs=1e-6)
