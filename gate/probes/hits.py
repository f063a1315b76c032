"""Hits: what an answer looks like, whatever was asked."""

from __future__ import annotations

import math
from itertools import pairwise

from gate.probes.bench import Opened
from gate.probes.documents import GRADED, GRADED_QUERY, QUERIES
from gate.probes.paging import LONG, OnShelf
from gate.probes.probe import EVERY_MODE, Finding
from gate.probes.ties import above, apart


class NoDuplicates(OnShelf):
    name = "no-duplicates"
    family = "hits"
    says = "a document comes back at most once"
    stands_for = "several rows of one document, or two lists put together without looking"
    modes = EVERY_MODE

    def look(self, prepared: Opened, mode: str) -> Finding | None:
        for query in QUERIES:
            answer = prepared.search(query, LONG, mode)
            twice = next((doc_id for doc_id in answer.ids if answer.ids.count(doc_id) > 1), None)
            if twice is not None:
                times = answer.ids.count(twice)
                says = f"{twice} came back {times} times for '{query}'"
                return prepared.finding(says, (f"ids({answer.code}).count({twice!r})", times))
        return None


class Scores(OnShelf):
    name = "scores"
    family = "hits"
    says = "scores are finite and never rise from one hit to the next"
    stands_for = "a distance given out as a score, hits sorted by something else, a division by zero"
    modes = EVERY_MODE

    def look(self, prepared: Opened, mode: str) -> Finding | None:
        for query in QUERIES:
            answer = prepared.search(query, LONG, mode)
            if not all(map(math.isfinite, answer.scores)):
                says = f"a score that is not finite came back for '{query}'"
                return prepared.finding(says, answer.shown_scores)
            rising = next((at for at, (one, two) in enumerate(pairwise(answer.scores)) if above(two, one)), None)
            if rising is not None:
                says = f"hit {rising + 2} for '{query}' has a higher score than hit {rising + 1}"
                code, part = f"scores({answer.code})[{rising}:{rising + 2}]", answer.scores[rising : rising + 2]
                return prepared.finding(says, (code, part))
        return None


class ScoresTell(OnShelf):
    """A reranker's scores are of its own making, and a table of facts needs none."""

    name = "scores-differ"
    family = "hits"
    says = "documents that hold all, most and few of a question's words do not all have one score"
    stands_for = "a score that is constant, so that the order of hits is that of the table"
    modes = ("keyword", "vector", "hybrid")

    def look(self, prepared: Opened, mode: str) -> Finding | None:
        answer = prepared.search(GRADED_QUERY, LONG, mode)
        graded = [answer.score_of(one.doc_id) for one in GRADED.documents if one.doc_id in answer.ids]
        if len(graded) > 1 and not apart(max(graded), min(graded)):
            says = f"{len(graded)} documents that hold 4, 3, 2 and 1 words of '{GRADED_QUERY}' have one score"
            return prepared.finding(says, (f"scores({answer.code})[:{len(graded)}]", answer.scores[: len(graded)]))
        return None
