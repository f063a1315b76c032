"""A comparison as canonical JSON, which holds to `comparison.schema.json`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from gate.comparison.records import Compared, Difference, MovedTopic, Side
from gate.files import canonical_json
from gate.records import Verdict
from gate.report.escape import spelled
from gate.stats.rule import ALPHA, LEAST, TOLERANCE, WARN

SCHEMA = 1


def to_json(compared: Compared) -> str:
    """All of a comparison. Equal comparisons give equal bytes; what a terminal would obey is written as escapes."""
    test = compared.test
    return document(
        {
            **head(compared.verdict, "comparison", compared.pairing.notes),
            "a": _side(compared.a),
            "b": _side(compared.b),
            "rule": {"alpha": ALPHA, "warn": WARN, "tolerance": TOLERANCE, "least_topics": LEAST},
            "test": asdict(test),
            "margin": compared.margin,
            "pairs": [
                {
                    "a": str(pair.a.key),
                    "b": str(pair.b.key),
                    "topics": len(pair.topics),
                    "only_a": list(pair.only_a),
                    "only_b": list(pair.only_b),
                    "unjudged_moves": compared.unjudged.get(pair.b.key, 0),
                }
                for pair in compared.pairing.pairs
            ],
            "gaps": [asdict(gap) for gap in compared.pairing.gaps],
            "cells": [_cell(difference) for difference in compared.differences],
            "moved_topics": compared.moved_count,
            "moved": [_moved(topic) for topic in compared.moved],
        }
    )


def document(data: Mapping[str, Any]) -> str:
    """Keys sorted, the items of each list a line."""
    return "{\n" + ",\n".join(f' "{key}": {_member(data[key])}' for key in sorted(data)) + "\n}\n"


def head(verdict: Verdict, kind: str, notes: Sequence[str]) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "kind": kind,
        "verdict": verdict.verdict,
        "exit_code": verdict.exit_code,
        "notes": list(notes),
    }


def _member(value: Any) -> str:
    if not isinstance(value, list) or not value:
        return spelled(canonical_json(value))
    return "[\n" + ",\n".join(f"  {spelled(canonical_json(item))}" for item in value) + "\n ]"


def _side(side: Side) -> dict[str, str]:
    return {"place": side.place, "about": side.about, "store": side.subject}


def _plain(value: float) -> float:
    # Adding zero turns -0.0 into 0.0, which is equal and has to give equal bytes.
    return float(value) + 0.0


def _interval(bounds: tuple[float, float] | None) -> list[float] | None:
    return None if bounds is None else [_plain(bound) for bound in bounds]


def _cell(difference: Difference) -> dict[str, Any]:
    judged = difference.judged
    tost = difference.tost
    return {
        "a": str(difference.a),
        "b": str(difference.b),
        "topics": difference.topics,
        "mean_a": _plain(difference.mean_a),
        "mean_b": _plain(difference.mean_b),
        "difference": _plain(difference.mean_b - difference.mean_a),
        "interval": _interval(difference.interval),
        "outcome": judged.outcome,
        "cause": judged.cause,
        "p_loss": judged.p,
        "p_gain": judged.p_better,
        "p_two_sided": difference.two_sided,
        "p_alone": judged.alone,
        "holm": difference.holm,
        "benjamini_hochberg": difference.benjamini_hochberg,
        "won": difference.won,
        "lost": difference.lost,
        "tied": difference.tied,
        "topics_moved": judged.moved,
        "clusters_moved": judged.clusters,
        "mcnemar": None if difference.mcnemar is None else asdict(difference.mcnemar),
        "wilson_a": _interval(difference.wilson_a),
        "wilson_b": _interval(difference.wilson_b),
        "equivalence": {
            "says": difference.equivalence,
            "p": None if tost is None else tost.p,
            "interval_90": None if tost is None else [_plain(tost.low), _plain(tost.high)],
        }
        if difference.equivalence
        else None,
    }


def _moved(topic: MovedTopic) -> dict[str, Any]:
    return {
        "run": str(topic.run),
        "topic": topic.move.topic_id,
        "query": topic.move.query,
        "values": {measure: [_plain(value) for value in values] for measure, values in topic.values.items()},
        "documents": [
            {"id": doc.doc_id, "grade": doc.grade, "a": doc.before, "b": doc.after, "forbidden": doc.forbidden}
            for doc in topic.move.moved
        ],
        "ahead": [{"id": doc.doc_id, "rank": doc.rank} for doc in topic.move.ahead],
    }
