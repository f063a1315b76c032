"""What a model gave when it was pinned, and whether it still does.

A file with the right hash may still be used wrongly: with another pooling, prefix, tokenizer or
length. A few vectors or scores, kept beside the model, show that at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from gate.errors import NotMeasured
from gate.models.spec import EMBEDDER, ModelSpec

# Kernels and devices move vectors by some 1e-5, those of int8 weights by more, since processors round sums of small
# numbers differently; another pooling, prefix, length or model moves them further than this.
FAR = 1e-3
FAR_INT8 = 1e-2
# Of scores, which have no common scale: this share of the widest distance between two of the pinned ones.
FAR_SCORE = 0.02

# Longer than any usual limit, and no two parts alike: it shows where a text is cut.
LONG = " ".join(map(str, range(700)))
EMBEDDED: Sequence[tuple[str, str]] = (
    ("query", "Where did we leave the spare key?"),
    ("document", "The spare key hangs behind the blue door, next to the bicycle pump."),
    ("document", "备用钥匙挂在蓝色门后面。"),
    ("document", "ERR_0x8F2A at /srv/app/main.py:42"),
    ("document", LONG),
)
ASKED = "Where did we leave the spare key?"
SCORED: Sequence[str] = (
    "The spare key hangs behind the blue door, next to the bicycle pump.",
    "The bicycle was sold in spring.",
    "备用钥匙挂在蓝色门后面。",
)


def golden(model: Any, spec: ModelSpec) -> list[dict[str, Any]]:
    """What a model gives for our texts: vectors of an embedder, scores of a reranker. To 6 significant digits."""
    if spec.kind == EMBEDDER:
        return [
            {"kind": kind, "text": text, "values": [_short(one) for one in model.embed([text], kind)[0]]}
            for kind, text in EMBEDDED
        ]
    scores = model.score(ASKED, list(SCORED))
    return [
        {"kind": "pair", "query": ASKED, "text": text, "values": [_short(score)]}
        for text, score in zip(SCORED, scores, strict=True)
    ]


def check(model: Any, spec: ModelSpec, pinned: Sequence[Mapping[str, Any]]) -> float:
    """How far the model is from what was pinned, 0 where it gives the same. Raises NotMeasured where it is too far.

    Of vectors it is half the square of their distance over the product of their lengths: 1 less the
    cosine where both are as long. Of scores it is a share of the widest distance between two that were pinned.
    """
    if spec.kind == EMBEDDER:
        # NumPy's maximum: Python's passes over what is no number.
        found = float(np.max([_apart(model, spec, one) for one in pinned]))
        limit = FAR_INT8 if spec.precision == "int8" else FAR
    else:
        found, limit = _scores_apart(model, pinned), FAR_SCORE
    if not found <= limit:
        raise NotMeasured(
            "model-not-golden",
            f"it does not give what it gave when it was pinned: {found:.3g} apart, at most {limit:g} is allowed",
            where=spec.name,
            hint="Another pooling, prefix, tokenizer, length or file. Is everything as it was?",
        )
    return found


def _short(number: float) -> float:
    return float(f"{number:.6g}")


def _apart(model: Any, spec: ModelSpec, one: Mapping[str, Any]) -> float:
    made = np.asarray(model.embed([one["text"]], one["kind"])[0], dtype=np.float64)
    known = np.asarray(one["values"], dtype=np.float64)
    if made.shape != known.shape:
        raise NotMeasured(
            "model-dimension", f"its vectors have {made.size} numbers; {known.size} were pinned", where=spec.name
        )
    away = float(((made - known) ** 2).sum())
    lengths = float(np.sqrt((made * made).sum() * (known * known).sum()))
    if not lengths:
        return 0.0 if away == 0 else 1.0
    return away / (2 * lengths)


def _scores_apart(model: Any, pinned: Sequence[Mapping[str, Any]]) -> float:
    known = np.array([one["values"][0] for one in pinned])
    made = np.array([model.score(one["query"], [one["text"]])[0] for one in pinned])
    width = float(known.max() - known.min()) or max(1.0, abs(float(known[0])))
    return float(np.abs(made - known).max()) / width
