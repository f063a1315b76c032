"""One run on two devices: a device that answers otherwise fails a run whose budgets all hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from types import MappingProxyType

import pytest

import gate.models
from gate.exit_codes import ExitCode
from gate.models import ARMS
from gate.models.hashed import HashedEmbedder
from gate.pipeline import run_gate
from gate.plan import Flags, Request
from gate.progress import Silent
from gate.protocols import Vectors
from gate.records import Verdict
from gate.settings import read_settings
from gate.stop import Stop

SETTINGS = """
schema: 1
store: reference
corpora: [seeded@smoke]
slices: [memory]
modes: [keyword, vector]
arms: [cpu-hash, cuda-hash]
fail_open: {faults: [embedder-raises]}
baseline: optional
probes: off
"""


class Tilted(HashedEmbedder):
    """An embedder whose first dimensions drown the others: what another precision never does."""

    def embed(self, texts: Sequence[str], kind: str) -> Vectors:
        made = super().embed(texts, kind)
        made[:, :8] *= 9
        return made


def run(
    folder: Path, monkeypatch: pytest.MonkeyPatch, embedder: HashedEmbedder, arms_of_flags: tuple[str, ...] = ()
) -> Verdict:
    arms = {**ARMS, "cuda-hash": replace(ARMS["cpu-hash"], name="cuda-hash", device="cuda")}
    monkeypatch.setattr(gate.models, "ARMS", MappingProxyType(arms))
    monkeypatch.setattr("gate.settings.ARMS", MappingProxyType(arms))
    opened = gate.models.open_parts
    twin = gate.models.Parts(embedder, None, {"device": "a GPU"})

    def open_parts(on: gate.models.Arm, choice: gate.models.Choice) -> gate.models.Parts:
        return twin if on.device == "cuda" else opened(on, choice)

    monkeypatch.setattr("gate.opening.open_parts", open_parts)
    settings = SETTINGS.replace("[cpu-hash, cuda-hash]", "[cpu-hash]") if arms_of_flags else SETTINGS
    (folder / "gate.yml").write_text(settings, encoding="utf-8")
    request = Request(read_settings(folder / "gate.yml"), Flags(arms=arms_of_flags), date(2026, 11, 30), base="none")
    return run_gate(request, folder / "out", Stop(), Silent())


def test_a_device_that_answers_alike_passes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    verdict = run(tmp_path, monkeypatch, HashedEmbedder())
    found = {check.check_id: check.status for check in verdict.checks if check.source == "parity"}
    assert len(found) == 4
    assert set(found.values()) == {"pass"}
    assert verdict.exit_code == ExitCode.PASS


def test_devices_that_flags_name_are_compared_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    verdict = run(tmp_path, monkeypatch, HashedEmbedder(), ("cpu-hash", "cuda-hash"))
    assert len([check for check in verdict.checks if check.source == "parity"]) == 4


def test_a_device_that_answers_otherwise_fails_in_the_modes_that_use_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    verdict = run(tmp_path, monkeypatch, Tilted())
    checks = [check for check in verdict.checks if check.source == "parity" and check.status == "fail"]
    failed = {check.cell.rpartition("/")[2] for check in checks}
    assert failed == {"vector"}
    assert verdict.exit_code == ExitCode.REGRESSION
