"""An embedder that answers too late, or not at all."""

from __future__ import annotations

from collections.abc import Sequence

from gate.faults.embedder import BrokenEmbedder, EmbedderFault
from gate.faults.fault import FEW
from gate.protocols import Vectors

# Seconds: longer than a store should wait for a vector, and shorter than a search may be delayed.
DELAY = 1.0


class HangingEmbedder(BrokenEmbedder):
    """Holds every call until the fault ends, as a connection does that nobody reads from.

    What was held is answered well then, and late: whoever takes it for the answer to a later
    question is found out.
    """

    def fail(self, texts: Sequence[str], kind: str, number: int) -> Vectors:  # noqa: ARG002 - the others count
        self.fails()
        self.hold()
        return self.healthy.embed(texts, kind)


class SlowEmbedder(BrokenEmbedder):
    """Answers well, a second late, as a service under load does. What is held when the fault ends comes at once."""

    def fail(self, texts: Sequence[str], kind: str, number: int) -> Vectors:  # noqa: ARG002 - the others count
        self.hold(DELAY)
        return self.healthy.embed(texts, kind)


EMBEDDER_TIME = (
    EmbedderFault(
        "embedder-hangs", "no call of the embedder returns while it lasts", HangingEmbedder, topics=FEW, holds=True
    ),
    EmbedderFault(
        "embedder-slow",
        f"every call of the embedder takes {DELAY:g} s longer",
        SlowEmbedder,
        topics=FEW,
        holds=True,
        delays=True,
    ),
)
