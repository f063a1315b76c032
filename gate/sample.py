"""Which topics a fault is asked on: all of a mode, or an even spread over them where a few show as much.

What a failing part leaves of an answer is alike from topic to topic, so that a sample shows it, and each
fault costs a store opened anew already. A sample has cells of the slice `all` alone: it is spread over the
others too thinly.
"""

from __future__ import annotations

from collections.abc import Sequence

from gate.faults import FAULTS
from gate.records import ALL_TOPICS, Slice, Topic


def is_sampled(fault: str) -> bool:
    """Whether a fault is asked on a sample of the topics. Health, which is no fault, is not."""
    return fault in FAULTS and bool(FAULTS[fault].topics)


def has_cells(part: Slice | str, fault: str) -> bool:
    """Whether a slice has cells under a fault."""
    name = part if isinstance(part, str) else part.name
    return name == ALL_TOPICS or not is_sampled(fault)


def asked_under(fault: str, topics: Sequence[Topic]) -> tuple[Topic, ...]:
    """Those of a mode's topics that are asked under a fault, in their order: the middles of equal stretches."""
    many = FAULTS[fault].topics if is_sampled(fault) else 0
    if not many or many >= len(topics):
        return tuple(topics)
    return tuple(topics[(2 * number + 1) * len(topics) // (2 * many)] for number in range(many))
