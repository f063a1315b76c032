"""A reranker that answers with scores that mean nothing, and calls it success."""

from __future__ import annotations

from collections.abc import Sequence

from gate.faults.reranker import RerankerFault, WrongReranker


class ConstantReranker(WrongReranker):
    """Gives every text the same score, as a model does whose input was cut before the text."""

    def wrong(self, right: list[float]) -> Sequence[float]:
        return [0.5] * len(right)


class IdleReranker(WrongReranker):
    """Leaves the texts in the order in which they came, as a stub does."""

    def wrong(self, right: list[float]) -> Sequence[float]:
        return [1.0 / rank for rank in range(1, len(right) + 1)]


class FewerReranker(WrongReranker):
    """Scores the first half of the texts, as a service does that has a limit."""

    def wrong(self, right: list[float]) -> Sequence[float]:
        return right[: len(right) // 2]


class SomeReranker(WrongReranker):
    """Gives every third text NaN, as half precision does where it overflows."""

    def wrong(self, right: list[float]) -> Sequence[float]:
        return [float("nan") if number % 3 == 0 else score for number, score in enumerate(right)]


class OrderReranker(WrongReranker):
    """Gives the scores best first, as services do that name the text beside each, which a client then ignores."""

    def wrong(self, right: list[float]) -> Sequence[float]:
        return sorted(right, reverse=True)


RERANKER_SCORES = (
    RerankerFault("reranker-constant", "the reranker gives every text the same score", ConstantReranker),
    RerankerFault("reranker-idle", "the reranker leaves the texts in the order in which they came", IdleReranker),
    RerankerFault("reranker-fewer", "the reranker scores the first half of the texts alone", FewerReranker),
    RerankerFault("reranker-some", "the reranker gives every third text NaN for a score", SomeReranker),
    RerankerFault(
        "reranker-order", "the reranker gives its scores best first, whatever the texts' order", OrderReranker
    ),
)
