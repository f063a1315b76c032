"""An embedder that says that it failed: always, on some texts, or for a while."""

from __future__ import annotations

from collections.abc import Sequence

from gate.faults.embedder import BrokenEmbedder, EmbedderFault
from gate.protocols import Vectors

# Characters. Questions are short: of the seeded ones every fifth is longer.
LONG = 40
# Calls that fail before an embedder is well again by itself.
FAILING_CALLS = 10


class RaisingEmbedder(BrokenEmbedder):
    """Raises what HTTP clients raise: an error of no type that a store could have been told about."""

    def fail(self, texts: Sequence[str], kind: str, number: int) -> Vectors:  # noqa: ARG002 - the others look at them
        self.fails()
        raise RuntimeError(f"the embedding service did not answer a request of {len(texts)} texts: connection refused")


class LongTextEmbedder(BrokenEmbedder):
    """Refuses a request that holds a text longer than `LONG`, as a service does beyond its context window."""

    def fail(self, texts: Sequence[str], kind: str, number: int) -> Vectors:  # noqa: ARG002 - the others count
        longest = max(map(len, texts), default=0)
        if longest <= LONG:
            return self.healthy.embed(texts, kind)
        self.fails()
        raise RuntimeError(f"the embedding service refuses a text of {longest} characters: {LONG} are its limit")


class RecoveringEmbedder(BrokenEmbedder):
    """Raises on its first calls and is well from then on, as a service does that was restarted."""

    def fail(self, texts: Sequence[str], kind: str, number: int) -> Vectors:
        if number > FAILING_CALLS:
            return self.healthy.embed(texts, kind)
        self.fails()
        raise RuntimeError("the embedding service is starting: try again later")


EMBEDDER_ERRORS = (
    EmbedderFault("embedder-raises", "every call of the embedder raises", RaisingEmbedder, topics=0),
    EmbedderFault(
        "embedder-long-text", f"the embedder raises on texts of more than {LONG} characters", LongTextEmbedder
    ),
    EmbedderFault(
        "embedder-recovers", f"the embedder raises {FAILING_CALLS} times and is well from then on", RecoveringEmbedder
    ),
)
