"""What a store answers in a new interpreter, started with another hash seed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from gate.errors import StoreError
from gate.ingest import Subject

SEEDS = ("4242", "2424")
# Beyond what a call of the store may take: an interpreter has to start.
_STARTING = 30.0


def ranked_elsewhere(
    subject: Subject, planted: str, queries: Sequence[str], depth: int
) -> Mapping[str, Mapping[str, list[str]]]:
    """The ids that the shelf gives in a new interpreter, by mode and query. Raises StoreError where there are none."""
    seed = SEEDS[os.environ.get("PYTHONHASHSEED") == SEEDS[0]]
    with tempfile.TemporaryDirectory(prefix="gate-fresh-", ignore_cleanup_errors=True) as folder:
        answered = Path(folder) / "answer.json"
        asked = {
            "spec": subject.spec,
            "arm": subject.arm.name,
            "plant": planted,
            "queries": list(queries),
            "depth": depth,
            "answer": str(answered),
            "store": str(Path(folder) / "store"),
        }
        try:
            done = subprocess.run(
                [sys.executable, "-m", "gate.probes.fresh", json.dumps(asked)],
                env={**os.environ, "PYTHONHASHSEED": seed},
                timeout=subject.timeout + _STARTING,
                stdin=subprocess.DEVNULL,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise StoreError("store-elsewhere", "another process did not end", where=subject.spec) from None
        try:
            answer: dict[str, dict[str, list[str]]] = json.loads(answered.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            raise StoreError(
                "store-elsewhere",
                f"another process gave no answers and ended with {done.returncode}; what it printed may say why",
                where=subject.spec,
            ) from None
        return answer
