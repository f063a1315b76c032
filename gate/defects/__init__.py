"""The defects that can be planted in a store, in a registry, and how people ask for them."""

from __future__ import annotations

from collections.abc import Mapping

from gate.defects.benign import BENIGN_DEFECTS
from gate.defects.caching import CACHE_DEFECTS
from gate.defects.defect import Defect
from gate.defects.durability import DURABILITY_DEFECTS
from gate.defects.fallback import FALLBACK_DEFECTS
from gate.defects.freshness import FRESHNESS_DEFECTS
from gate.defects.fusion import FUSION_DEFECTS
from gate.defects.latency import LATENCY_DEFECTS
from gate.defects.pool import POOL_DEFECTS
from gate.defects.ranking import RANKING_DEFECTS
from gate.defects.reranking import RERANKING_DEFECTS
from gate.defects.scope import SCOPE_DEFECTS
from gate.defects.shadows import SHADOW_DEFECTS
from gate.defects.text import TEXT_DEFECTS
from gate.defects.vectors import VECTOR_DEFECTS
from gate.errors import UsageError
from gate.files import nearest

__all__ = ["DEFECTS", "Defect", "parse_plant"]

_ALL: tuple[Defect, ...] = (
    *TEXT_DEFECTS,
    *POOL_DEFECTS,
    *RANKING_DEFECTS,
    *FUSION_DEFECTS,
    *RERANKING_DEFECTS,
    *VECTOR_DEFECTS,
    *FALLBACK_DEFECTS,
    *FRESHNESS_DEFECTS,
    *SHADOW_DEFECTS,
    *CACHE_DEFECTS,
    *SCOPE_DEFECTS,
    *DURABILITY_DEFECTS,
    *LATENCY_DEFECTS,
    *BENIGN_DEFECTS,
)

DEFECTS: Mapping[str, Defect] = {defect.name: defect for defect in _ALL}


def parse_plant(text: str) -> tuple[Defect, float]:
    """Reads `NAME[=DOSE]`: the defect, and its dose in (0, 1], which is 1 where none is given.

    Raises UsageError where the name is unknown or the dose is no such number.
    """
    name, equals, written = text.partition("=")
    if name not in DEFECTS:
        hint = nearest(name, DEFECTS)
        raise UsageError("plant-unknown", f"no defect is called '{name}'", hint=f"{hint[0].upper()}{hint[1:]}")
    if not equals:
        return DEFECTS[name], 1.0
    try:
        dose = float(written)
    except ValueError:
        dose = 0.0
    # Also false for NaN.
    if not 0 < dose <= 1:
        raise UsageError(
            "plant-dose",
            f"the dose of '{name}' has to be above 0 and at most 1, not '{written}'",
            hint=f"It is the share of queries or documents that the defect touches: '{name}=0.25'.",
        )
    return DEFECTS[name], dose
