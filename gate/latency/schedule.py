"""How many topics a pair asks, how often, and in blocks of what size: enough to tell, and no more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from math import gcd

from gate.latency.records import BASE, HEAD

BLOCK_SECONDS = 0.05
# A side asks at least so many blocks, however fast it is: in fewer, nothing would alternate.
LEAST_BLOCKS = 4
# A side that is this many times slower than planned is asked fewer rounds: nobody waits to hear how slow it is.
PATIENCE = 4.0


@dataclass(frozen=True, slots=True)
class Effort:
    """`seconds` is what one side of a pair may spend on the rounds of a mode, if that is enough for the least of them.

    `least_topics` are asked though each takes long.
    """

    seconds: float = 0.25
    most_topics: int = 151
    least_topics: int = 21
    least_rounds: int = 5
    most_rounds: int = 15


@dataclass(frozen=True, slots=True)
class Schedule:
    """What a pair asks in a mode: indices of topics, and for each side the rounds and the searches in a block."""

    at: tuple[int, ...]
    rounds: Mapping[str, int]
    block: Mapping[str, int]

    def blocks(self, side: str) -> list[tuple[int, ...]]:
        """All searches of a side, round after round, cut into blocks."""
        every, size = self.at * self.rounds[side], self.block[side]
        return [every[start : start + size] for start in range(0, len(every), size)]

    def turns(self, *, base_first: bool) -> list[tuple[str, tuple[int, ...]]]:
        """Blocks of base and head by turns. Who begins changes from turn to turn, so that no drift favours one."""
        found = []
        for number, (base, head) in enumerate(zip_longest(self.blocks(BASE), self.blocks(HEAD))):
            both = [(BASE, base), (HEAD, head)]
            if (number % 2 == 0) != base_first:
                both.reverse()
            found += [(side, block) for side, block in both if block]
        return found


def spread(many: int, wanted: int) -> tuple[int, ...]:
    """So many of `many` indices, the middles of equal stretches; all of them where there are no more."""
    if wanted >= many:
        return tuple(range(many))
    return tuple((2 * number + 1) * many // (2 * wanted) for number in range(wanted))


def topics_for(many: int, seconds: float, effort: Effort) -> int:
    """How many topics to ask, of `many`, where a search of the base takes so many seconds.

    Neither 2 nor 5 divides the number, where there are more than two: what a store does every second, fifth or tenth
    search meets other topics in each round, and no median counts it in full.
    """
    affordable = int(4 * effort.seconds / ((effort.least_rounds + 1) * max(seconds, 1e-9)))
    found = min(many, effort.most_topics, max(effort.least_topics, affordable))
    return next((n for n in range(found, 2, -1) if gcd(n, 10) == 1), found)


def schedule(at: Sequence[int], seconds: Mapping[str, float], effort: Effort) -> Schedule:
    """The schedule of a mode: `at` are the topics, `seconds[side]` is what a search of a side takes."""
    n = len(at)
    afforded = int(effort.seconds / (n * max(seconds[BASE], 1e-9)))
    planned = min(effort.most_rounds, max(effort.least_rounds, afforded))
    longest = PATIENCE * max(effort.seconds, planned * n * seconds[BASE])
    rounds, block = {}, {}
    for side, each in seconds.items():
        fit = planned if planned * n * each <= longest else int(longest / (n * each))
        rounds[side] = max(1, fit)
        size = min(round(BLOCK_SECONDS / max(each, 1e-9)), -(-n * rounds[side] // LEAST_BLOCKS))
        block[side] = max(1, size)
    return Schedule(tuple(at), rounds, block)
