"""A proof as canonical JSON, which holds to `proof.schema.json`."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from gate.files import canonical_json
from gate.latency.records import Timed
from gate.prove.false_alarms import Alarms
from gate.prove.records import Proof, Row, Sight
from gate.prove.timed import in_words
from gate.report.escape import spelled

SCHEMA = 1


def to_json(proof: Proof) -> str:
    """All of a proof. Equal proofs give equal bytes."""
    data = {
        "schema": SCHEMA,
        "kind": "proof",
        "exit_code": int(proof.exit_code),
        "interrupted": proof.interrupted,
        "store": proof.store,
        "corpora": list(proof.corpora),
        "arms": list(proof.arms),
        "modes": list(proof.modes),
        "notes": list(proof.notes),
        "itself": None if proof.itself is None else _timed(proof.itself),
        "defects": [_row(row) for row in proof.rows],
    }
    return spelled(canonical_json(data)) + "\n"


def alarms_json(alarms: Alarms) -> str:
    """All of the runs in which nothing was wrong."""
    data = {
        "schema": SCHEMA,
        "kind": "false-alarms",
        "exit_code": int(alarms.exit_code),
        "alarms": len(alarms.red),
        "interval": list(alarms.interval) if alarms.runs else None,
        "runs": [asdict(run) for run in alarms.runs],
    }
    return spelled(canonical_json(data)) + "\n"


def _timed(timed: Timed) -> dict[str, Any]:
    return {"outcome": timed.outcome, "said": in_words(timed), "pairs": [pair.v for pair in timed.pairs]}


def _row(row: Row) -> dict[str, Any]:
    return {
        "name": row.defect.name,
        "family": row.defect.family,
        "stands_for": row.defect.stands_for,
        "benign": row.defect.benign,
        "undosed": row.defect.undosed,
        "outcome": row.outcome,
        "reason": row.reason,
        "weakest": row.weakest,
        "command_exit": row.command_exit,
        "sights": [_sight(sight) for sight in row.sights],
    }


def _sight(sight: Sight) -> dict[str, Any]:
    return {
        "dose": sight.dose,
        "exit_code": sight.exit_code,
        "red_checks": dict(sight.by),
        "unmeasured_checks": dict(sight.unknown),
        "first": dict(sight.first),
        "changed": sight.changed,
        "odd": sight.odd,
        "timed": sight.timed,
        "worst": None if sight.worst is None else asdict(sight.worst),
    }
