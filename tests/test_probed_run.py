"""Probes in a run of the gate: their checks, waivers, settings and notes, and what shards make of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from builders import pinned_beir
from conftest import RunGate
from user_project import STORE

CAPPED = STORE.replace("tuple(found[:k])", "tuple(found[:min(k, 3)])")
FILLS = "recall/probes@fast/paging/cpu-hash/keyword/probe/fills-k"
WAIVER = """schema: 1
waivers:
  - cell: "{}"
    until: {}
    reason: three are enough for now
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A store that gives three hits at most, four documents, and settings without a baseline."""
    corpus = tmp_path / "notes"
    (corpus / "qrels").mkdir(parents=True)
    words = ("ladder", "kettle", "printer", "router")
    files = {
        "corpus.jsonl": "".join(json.dumps({"_id": f"d{n}", "text": f"the {w}"}) + "\n" for n, w in enumerate(words)),
        "queries.jsonl": "".join(json.dumps({"_id": f"q{n}", "text": w}) + "\n" for n, w in enumerate(words)),
        "qrels/test.tsv": "query-id\tcorpus-id\tscore\n" + "".join(f"q{n}\td{n}\t1\n" for n in range(len(words))),
    }
    for name, text in files.items():
        (corpus / name).write_text(text, encoding="utf-8")
    (tmp_path / "recall.py").write_text(CAPPED, encoding="utf-8")
    settings(tmp_path)
    return tmp_path


def settings(folder: Path, more: str = "", budgets: str = "") -> None:
    text = "store: recall:Recall\nbaseline: optional\nmeasures: [R@5]\n" + pinned_beir(folder / "notes") + more
    if budgets:
        (folder / "budgets.yml").write_text(budgets, encoding="utf-8")
        text += "budgets: budgets.yml\n"
    (folder / "gate.yml").write_text(text, encoding="utf-8")


def ran(run_gate: RunGate, code: int, *arguments: str, out: str = "gate-results") -> str:
    """What a run with this exit code printed."""
    done = run_gate("run", "--today", "2026-11-30", "--out", out, "--quiet", *arguments)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


def verdict_in(folder: Path) -> dict[str, Any]:
    verdict: dict[str, Any] = json.loads((folder / "verdict.json").read_text(encoding="utf-8"))
    return verdict


def probes(verdict: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    return {check["cell"]: check for check in verdict["checks"] if check["source"] == "probe"}


def test_a_probe_that_finds_something_fails_the_run_with_the_lines_that_show_it(
    run_gate: RunGate, project: Path
) -> None:
    said = ran(run_gate, 1)
    assert f"  FAIL probe  {FILLS}\n    k = 5 gave 3 hits" in said
    assert "      from recall import Recall; from gate.probes.by_hand import ids, opened; " in said
    verdict = verdict_in(project / "gate-results")
    assert {cell for cell, check in probes(verdict).items() if check["status"] == "fail"} == {FILLS}
    assert probes(verdict)[FILLS]["level"] == "error"
    assert len(probes(verdict)) > 15
    (note,) = [note for note in verdict["notes"] if "not asked the probes" in note]
    assert note.startswith("recall is not asked the probes reopen, update, update-each, delete")


def test_probes_off_asks_nothing_and_says_so(run_gate: RunGate, project: Path) -> None:
    settings(project, "probes: off\n")
    ran(run_gate, 0)
    verdict = verdict_in(project / "gate-results")
    assert probes(verdict) == {}
    assert "no probes are looked at: they are off in the settings" in verdict["notes"]


def test_a_waiver_excuses_a_probe_until_it_runs_out(run_gate: RunGate, project: Path) -> None:
    settings(project, budgets=WAIVER.format("*/probes@*/*/*/*/probe/fills-k", "2026-12-31"))
    ran(run_gate, 0)
    verdict = verdict_in(project / "gate-results")
    waived = probes(verdict)[FILLS]
    assert waived["status"] == "waived"
    assert waived["message"].endswith(", waived: until 2026-12-31: three are enough for now")
    assert not [check for check in verdict["checks"] if check["id"].startswith("waiver ")]
    settings(project, budgets=WAIVER.format("*/probes@*/*/*/*/probe/fills-k", "2026-11-29"))
    ran(run_gate, 1)
    settings(project, budgets=WAIVER.format("*/probes@*/*/*/*/probe/nothing", "2026-12-31"))
    ran(run_gate, 1)
    unused = [check for check in verdict_in(project / "gate-results")["checks"] if check["id"].startswith("waiver ")]
    assert "this waiver is unused" in unused[0]["message"]


def test_flags_that_choose_slices_leave_probes_out_and_a_control_has_none(run_gate: RunGate, project: Path) -> None:
    ran(run_gate, 0, "--slice", "all")
    verdict = verdict_in(project / "gate-results")
    assert probes(verdict) == {}
    assert "no probes are looked at: --slice chooses what is" in verdict["notes"]
    ran(run_gate, 0, "--store", "oracle", "--mode", "keyword")
    assert "no probes are looked at: oracle is a control" in verdict_in(project / "gate-results")["notes"]


def test_a_required_probe_has_to_be_planned(run_gate: RunGate, project: Path) -> None:
    (project / "recall.py").write_text(STORE, encoding="utf-8")
    settings(project, f'require: ["{FILLS}"]\n')
    ran(run_gate, 0)
    settings(project, f'require: ["{FILLS}"]\nprobes: off\n')
    ran(run_gate, 2)


def test_the_first_shard_looks_for_all_and_the_merge_says_what_the_whole_run_says(
    run_gate: RunGate, project: Path
) -> None:
    ran(run_gate, 1, out="whole")
    for number in (1, 2):
        done = run_gate("run", "--shard", f"{number}/2", "--quiet")
        assert done.returncode == 0, done.stdout + done.stderr
    done = run_gate("merge", "gate-shard-1-of-2", "gate-shard-2-of-2", "--today", "2026-11-30", "--out", "merged")
    assert done.returncode == 1, done.stdout + done.stderr
    assert probes(verdict_in(project / "merged")) == probes(verdict_in(project / "whole"))
    # More is asked where it is merged than was looked at where it was run.
    settings(project, "probes: full\n")
    done = run_gate("merge", "gate-shard-1-of-2", "gate-shard-2-of-2", "--today", "2026-11-30", "--out", "merged")
    assert done.returncode == 2, done.stdout + done.stderr
    unlooked = [check for check in probes(verdict_in(project / "merged")).values() if check["status"] == "not measured"]
    assert {check["message"] for check in unlooked} == {"not measured: nobody looked"}
