"""How many processes plant defects, where nobody says."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from gate.defects import DEFECTS
from gate.plan import Flags, Request
from gate.progress import Silent
from gate.prove import prove as proving
from gate.prove.prove import Wanted, prove
from gate.settings import Settings
from gate.stop import Stop


@pytest.mark.parametrize(("asked", "used"), [(0, 2), (5, 5)])
def test_as_many_as_every_arm_of_the_store_survives(
    asked: int, used: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trials = tuple(
        SimpleNamespace(
            subject=SimpleNamespace(survives=many, arm=SimpleNamespace(name="a")),
            corpus=SimpleNamespace(label="c"),
            keys=(),
        )
        for many in (4, 2)
    )
    plan = SimpleNamespace(scope=SimpleNamespace(subject_name="s", notes=()))
    bench = SimpleNamespace(trials=trials, unfit=lambda _: "")
    seen: list[int] = []

    def spread(work: Any, task: Any, workers: int, *_: Any) -> Iterator[Any]:
        seen.append(workers)
        return iter(())

    monkeypatch.setattr(proving, "plan_gate", lambda *_: plan)
    monkeypatch.setattr(proving, "in_health", lambda *_: bench)
    monkeypatch.setattr(proving, "green", lambda _: True)
    monkeypatch.setattr(proving, "stand_of", lambda *_: None)
    monkeypatch.setattr(proving, "workers_for", lambda subject: subject.survives)
    monkeypatch.setattr(proving, "spread", spread)
    request = Request(Settings(), Flags(), date(2026, 11, 30), base="none")
    wanted = Wanted((DEFECTS["no-case-folding"],), workers=asked, through_command=False)
    prove(request, wanted, tmp_path, Stop(), Silent())
    assert seen == [used]
