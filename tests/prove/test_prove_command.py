"""`gate prove` from the outside, on the embedded store and on stores of a user's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import RunGate
from jsonschema import Draft202012Validator
from user_project import STORE, user_project

from gate.data import data_path

SETTINGS = """
schema: 1
store: reference
corpora: [seeded@smoke]
slices: [all, memory, zh-Hans]
modes: [keyword]
fail_open: {faults: []}
baseline: optional
"""
FLOOR = """
schema: 1
budgets:
  - cell: "*/seeded@smoke/zh-Hans/*/keyword/none/R@5"
    min: 0.9
"""


def project(folder: Path, *, budgets: str = FLOOR, probes: str = "off") -> None:
    (folder / "gate.yml").write_text(f"{SETTINGS}budgets: budgets.yml\nprobes: {probes}\n", encoding="utf-8")
    (folder / "budgets.yml").write_text(budgets, encoding="utf-8")


def proof_in(folder: Path) -> Any:
    proof = json.loads((folder / "gate-proof" / "proof.json").read_text(encoding="utf-8"))
    Draft202012Validator(json.loads(data_path("schemas", "proof.schema.json").read_text(encoding="utf-8"))).validate(
        proof
    )
    return proof


def test_a_floor_on_a_slice_catches_what_loses_it_and_the_command_exits_with_it(
    tmp_path: Path, run_gate: RunGate
) -> None:
    project(tmp_path)
    done = run_gate("prove", "--quiet", "--defect", "ascii-only", "--workers", "1")
    assert done.returncode == 0, done.stdout + done.stderr
    (row,) = proof_in(tmp_path)["defects"]
    assert (row["outcome"], row["weakest"], row["command_exit"]) == ("caught", 0.2, 1)
    assert row["sights"][0]["red_checks"] == {"budget": 1}
    assert "PASS  1 of 1 defect caught  (exit 0)" in done.stdout
    assert "| ascii-only | text | 1 |" in (tmp_path / "gate-proof" / "proof.md").read_text(encoding="utf-8")


def test_the_budget_that_is_suggested_catches(tmp_path: Path, run_gate: RunGate) -> None:
    project(tmp_path, budgets="schema: 1\nbudgets: []\n")
    done = run_gate("prove", "--quiet", "--defect", "ascii-only", "--dose", "1")
    told = " ".join(done.stdout.split())
    suggested = told.partition("a budget would catch it: ")[2].partition("}")[0] + "}"
    (tmp_path / "budgets.yml").write_text(f"schema: 1\nbudgets:\n  - {suggested}\n", encoding="utf-8")
    done = run_gate("prove", "--quiet", "--defect", "ascii-only", "--dose", "1")
    assert (done.returncode, proof_in(tmp_path)["defects"][0]["outcome"]) == (0, "caught"), done.stdout + done.stderr


def test_runs_that_are_red_in_health_are_no_false_alarms(tmp_path: Path, run_gate: RunGate) -> None:
    project(tmp_path, budgets=FLOOR.replace("0.9", "1").replace("zh-Hans", "all"))
    done = run_gate("prove", "--quiet", "--aa", "2")
    assert (done.returncode, "[prove-not-green]" in done.stderr) == (2, True), done.stdout + done.stderr


def test_what_no_rule_sees_escapes_with_the_budget_that_would_catch_it(tmp_path: Path, run_gate: RunGate) -> None:
    project(tmp_path, budgets="schema: 1\nbudgets: []\n")
    done = run_gate("prove", "--quiet", "--defect", "ascii-only")
    assert done.returncode == 1
    assert "ESCAPED  ascii-only  (text)" in done.stdout
    assert "a budget would catch it: {cell: " in done.stdout
    assert proof_in(tmp_path)["defects"][0]["outcome"] == "escaped"


def test_a_probe_catches_what_no_budget_sees(tmp_path: Path, run_gate: RunGate) -> None:
    project(tmp_path, budgets="schema: 1\nbudgets: []\n", probes="fast")
    done = run_gate("prove", "--quiet", "--defect", "ascii-only")
    assert done.returncode == 0, done.stdout + done.stderr
    (row,) = proof_in(tmp_path)["defects"]
    assert (row["outcome"], set(row["sights"][0]["red_checks"])) == ("caught", {"probe"})


def test_nothing_is_shown_by_a_gate_that_is_red_in_health(tmp_path: Path, run_gate: RunGate) -> None:
    project(tmp_path, budgets=FLOOR.replace("0.9", "1").replace("zh-Hans", "all"))
    done = run_gate("prove", "--quiet", "--defect", "ascii-only")
    assert done.returncode == 2
    assert "Error [prove-not-green]" in done.stderr
    assert not (tmp_path / "gate-proof" / "proof.json").exists()


def test_a_defect_that_costs_nothing_that_is_asked_shows_nothing(tmp_path: Path, run_gate: RunGate) -> None:
    project(tmp_path)
    done = run_gate("prove", "--quiet", "--slice", "memory", "--defect", "ascii-only")
    assert done.returncode == 2
    assert "1 cost nothing that is asked" in done.stdout
    assert proof_in(tmp_path)["defects"][0]["outcome"] == "harmless here"


def test_runs_where_nothing_is_wrong_are_counted_with_their_interval(tmp_path: Path, run_gate: RunGate) -> None:
    project(tmp_path)
    done = run_gate("prove", "--quiet", "--aa", "2", "--slice", "zh-Hans")
    assert done.returncode == 0, done.stdout + done.stderr
    # Wilson's 95% interval of none in two: 0 to z^2 / (2 + z^2).
    assert "PASS  0 false alarms in 2 runs: 0.0%, 95% interval 0.0% to 65.8%" in done.stdout
    assert [run["exit_code"] for run in proof_in(tmp_path)["runs"]] == [0, 0]


@pytest.mark.parametrize(
    ("arguments", "slug"),
    [
        (("--defect", "ascii-onyl"), "defect-unknown"),
        (("--aa", "3", "--defect", "ascii-only"), "prove-aa"),
        (("--config", "other.yml"), "file-missing"),
    ],
)
def test_a_wrong_command_line_is_a_sentence(
    tmp_path: Path, run_gate: RunGate, arguments: tuple[str, ...], slug: str
) -> None:
    project(tmp_path)
    done = run_gate("prove", *arguments)
    assert done.returncode == 3
    assert f"[{slug}]" in done.stderr


def test_the_folder_of_a_run_is_not_written_over(tmp_path: Path, run_gate: RunGate) -> None:
    project(tmp_path)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("kept", encoding="utf-8")
    done = run_gate("prove", "--quiet", "--out", "mine")
    assert (done.returncode, "results of a proof" in done.stderr) == (3, True)


def test_a_loss_of_time_in_a_store_of_ones_own_is_caught_by_turns(tmp_path: Path, run_gate: RunGate) -> None:
    project = user_project(tmp_path / "project")
    # It moves the clock of its process on, by one millisecond a search: no machine is too busy to tell.
    ticking = f"import gate.guard\n\nTICKS = [0.0]\ngate.guard.now = lambda: TICKS[0]\n{STORE}"
    for work in ("hits = [", "self.words |= "):
        ticking = ticking.replace(f"        {work}", f"        TICKS[0] += 0.001\n        {work}")
    project.write({"recall.py": ticking})
    done = run_gate("prove", "--quiet", "--defect", "slower-2x", "--dose", "1", cwd=project.folder)
    assert done.returncode == 0, done.stdout + done.stderr
    proof = proof_in(project.folder)
    (row,) = proof["defects"]
    assert (row["outcome"], row["sights"][0]["red_checks"]) == ("caught", {"latency": 1})
    assert row["sights"][0]["timed"] == "keyword takes 2.00 times as long (90% interval 2.00 to 2.00) in 7 pairs"
    assert (proof["itself"]["outcome"], proof["itself"]["pairs"]) == ("pass", [0.0] * 3)
