"""What is worked out once a process, up to a size: a gate fills and opens store after store with the same documents."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

T = TypeVar("T")


class Kept(Generic[T]):
    """Values by all that they are made of. Before more than `limit` of size would be kept, all are forgotten."""

    def __init__(self, limit: int) -> None:
        self._limit, self._size = limit, 0
        self._values: dict[Hashable, T] = {}

    def get(self, key: Hashable, size: int, make: Callable[[], T]) -> T:
        """The value of a key: the one that is kept, or else what `make` gives. It is not to be changed."""
        value = self._values.get(key)
        if value is None:
            value = make()
            if self._size + size > self._limit:
                self.clear()
            self._values[key] = value
            self._size += size
        return value

    def clear(self) -> None:
        self._values.clear()
        self._size = 0
