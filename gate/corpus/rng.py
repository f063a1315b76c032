"""A small seeded generator whose numbers are the same on every machine and Python.

`random.Random` promises that only for `random()`; the ways in which `choice` and `shuffle` use
it have changed between versions of Python. SplitMix64: Steele, Lea and Flood, "Fast Splittable
Pseudorandom Number Generators", OOPSLA 2014.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from hashlib import blake2b
from typing import TypeVar

T = TypeVar("T")
_MASK = (1 << 64) - 1


class Rng:
    """Numbers from a seed and a path of keys: `Rng(7, "memory", 3)` never depends on any other stream."""

    __slots__ = ("_keys", "_state")

    def __init__(self, *keys: int | str) -> None:
        self._keys = keys
        path = "\x1f".join(str(key) for key in keys).encode()
        self._state = int.from_bytes(blake2b(path, digest_size=8).digest(), "big")

    def child(self, *keys: int | str) -> Rng:
        """A stream of its own below this one, whatever was drawn from this one before."""
        return Rng(*self._keys, *keys)

    def bits(self) -> int:
        """64 random bits."""
        self._state = (self._state + 0x9E3779B97F4A7C15) & _MASK
        z = self._state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
        return z ^ (z >> 31)

    def below(self, n: int) -> int:
        """An integer in [0, n). The bias of the multiplication is below n / 2**64."""
        return (self.bits() * n) >> 64

    def choice(self, items: Sequence[T]) -> T:
        return items[self.below(len(items))]

    def shuffle(self, items: MutableSequence[T]) -> None:
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]

    def sample(self, items: Sequence[T], n: int) -> list[T]:
        """`n` distinct positions of `items`, in random order."""
        pool = list(items)
        self.shuffle(pool)
        return pool[:n]
