"""What a run is on: arms, each a device, an embedder and perhaps a reranker. Adding one is a line in `ARMS`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gate.errors import UsageError

if TYPE_CHECKING:
    from gate.protocols import Embedder, Reranker


@dataclass(frozen=True, slots=True)
class Arm:
    """`name` stands in cells; `device` is `cpu` or `cuda`; `says` is the sentence that lists of arms show.

    Both parts are opened anew for each store that gets them.
    """

    name: str
    device: str
    open_embedder: Callable[[], Embedder]
    open_reranker: Callable[[], Reranker] | None
    says: str


def _hashed() -> Embedder:
    from gate.models.hashed import HashedEmbedder

    return HashedEmbedder()


ARMS: Mapping[str, Arm] = {
    "cpu-hash": Arm(
        name="cpu-hash",
        device="cpu",
        open_embedder=_hashed,
        open_reranker=None,
        says="feature hashing of words and character trigrams: no model, the same numbers on every machine",
    ),
}


def arm(name: str) -> Arm:
    """The arm of that name. Raises UsageError, with the nearest known one."""
    try:
        return ARMS[name]
    except KeyError:
        from gate.files import nearest

        raise UsageError("arm-unknown", f"there is no arm '{name}'", hint=nearest(name, ARMS)) from None
