"""A reranker that says that it failed, or never answers."""

from __future__ import annotations

from collections.abc import Sequence

from gate.faults.fault import FEW
from gate.faults.reranker import BrokenReranker, RerankerFault


class RaisingReranker(BrokenReranker):
    """Raises what HTTP clients raise: an error of no type that a store could have been told about."""

    def fail(self, query: str, texts: Sequence[str]) -> Sequence[float]:  # noqa: ARG002 - the others look at it
        self.fails()
        raise RuntimeError(f"the reranking service did not answer a request of {len(texts)} texts: connection refused")


class HangingReranker(BrokenReranker):
    """Holds every call until the fault ends, and answers well then, which is late."""

    def fail(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        self.fails()
        self.hold()
        return self.healthy.score(query, texts)


RERANKER_ERRORS = (
    RerankerFault("reranker-raises", "every call of the reranker raises", RaisingReranker),
    RerankerFault(
        "reranker-hangs", "no call of the reranker returns while it lasts", HangingReranker, topics=FEW, holds=True
    ),
)
