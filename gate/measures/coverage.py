"""Coverage: how much of a question the store says that its evidence covers."""

from __future__ import annotations

from gate.records import JudgedRanking


class Coverage:
    """Coverage: the share of the question that the store's own evidence claims to cover, from 0 to 1.

    Over topics for which the store gave evidence, answerable or not. Where it gave hits and no
    evidence there is nothing to measure; an answer without hits covers nothing. High where there
    is an answer and low where there is none is what makes a refusal trustworthy: compare slices. A
    claim of the store's, so it is reported and not gated. Cf. the answerability score of P.
    Rajpurkar, R. Jia and P. Liang, "Know What You Don't Know: Unanswerable Questions for SQuAD",
    ACL 2018.
    """

    name = "Coverage"
    takes_cutoff = False
    cutoff_optional = False
    higher_is_better = True
    without_results = 0.0
    highest = 1.0
    applies_to = "evidence"
    from_ranks = False
    version = 1
    source = "Rajpurkar, Jia and Liang, ACL 2018"

    def score(self, ranking: JudgedRanking, cutoff: int) -> float:  # noqa: ARG002 - the protocol's signature
        if ranking.coverage is None:
            raise ValueError("a topic without evidence has no coverage")
        return ranking.coverage
