"""A baseline that says two things at once is compared with nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import RunGate

SETTINGS = "corpora: [seeded@smoke]\nslices: [zh-Hans]\nmodes: [keyword]\nfail_open: {faults: []}\n"
BASELINE = Path("baselines/reference/seeded@smoke.cpu-hash.jsonl")


def lost_by_hand(row: dict[str, Any]) -> None:
    row["runs"]["keyword/none"] = {"ranks": {}}


def repeated_by_hand(row: dict[str, Any]) -> None:
    row["runs"]["keyword/none"]["repeats"] = [{"ranks": {}}]


@pytest.fixture
def accepted(run_gate: RunGate, tmp_path: Path) -> Path:
    (tmp_path / "gate.yml").write_text(SETTINGS, encoding="utf-8")
    run_gate("run", "-q")
    done = run_gate("accept", "--reason", "first", "--by", "a reader")
    assert done.returncode == 0, done.stdout + done.stderr
    return tmp_path / BASELINE


@pytest.mark.parametrize(
    ("edit", "says"), [(lost_by_hand, "and its ranks give"), (repeated_by_hand, "`noisy` is not declared")]
)
def test_a_baseline_edited_by_hand_is_not_compared_with(
    run_gate: RunGate, accepted: Path, edit: Callable[[dict[str, Any]], None], says: str
) -> None:
    assert run_gate("run", "-q").returncode == 0
    first, *rest = accepted.read_text(encoding="utf-8").removesuffix("\n").split("\n")
    rows = [json.loads(line) for line in rest]
    for row in rows:
        edit(row)
    accepted.write_text("\n".join((first, *map(json.dumps, rows))) + "\n", encoding="utf-8")
    done = run_gate("run", "-q")
    assert done.returncode == 2, done.stdout
    assert says in " ".join(done.stdout.split())
