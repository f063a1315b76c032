"""What can be said of a slice without any engine: how its questions, answers and confusable documents share tokens."""

from __future__ import annotations

import math
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gate.corpus.tokens import folded, pairs
from gate.records import ALL_TOPICS, Corpus, Topic

CONFUSABLE = 0.5  # the least share of a question's tokens in a document that can be taken for an answer
NEAR_DUPLICATE = 0.9  # the least overlap (Jaccard) of the tokens of two questions that ask the same


@dataclass(frozen=True, slots=True)
class Anatomy:
    """One slice. Means are over its topics, those of answers over topics with relevant documents, else None.

    `relevant` and `confusable` are documents a topic: confusable ones are not relevant and hold at
    least half of the question's distinct tokens. `answered` is the share of those tokens that the
    relevant documents hold together. `near_duplicates` counts topics that another one of the slice,
    asked of the same scope, repeats but for case, accents and at most a tenth of the tokens.
    """

    slice: str
    topics: int
    clusters: int
    relevant: float
    confusable: float
    answered: float | None
    near_duplicates: int


def topics_of(corpus: Corpus, slice_name: str) -> tuple[Topic, ...]:
    """The topics of a slice, or every topic for `all`."""
    return tuple(topic for topic in corpus.topics if slice_name == ALL_TOPICS or slice_name in topic.slices)


def anatomy(corpus: Corpus, slices: Sequence[str]) -> tuple[Anatomy, ...]:
    """The anatomy of each slice, in the order given; documents are streamed once."""
    by_slice = {name: topics_of(corpus, name) for name in slices}
    asked = {topic.topic_id: _tokens(topic.text) for topics in by_slice.values() for topic in topics}
    relevant = {
        topic_id: frozenset(doc for doc, grade in corpus.qrels.get(topic_id, {}).items() if grade > 0)
        for topic_id in asked
    }
    sharing = _Sharing(corpus, asked)
    shares = {topic_id: sharing.of(tokens, relevant[topic_id]) for topic_id, tokens in asked.items()}
    return tuple(_anatomy(name, topics, asked, relevant, shares) for name, topics in by_slice.items())


def _anatomy(
    name: str,
    topics: Sequence[Topic],
    asked: Mapping[str, frozenset[str]],
    relevant: Mapping[str, frozenset[str]],
    shares: Mapping[str, tuple[int, float]],
) -> Anatomy:
    answerable = [topic for topic in topics if relevant[topic.topic_id]]
    return Anatomy(
        slice=name,
        topics=len(topics),
        clusters=len({topic.cluster for topic in topics}),
        relevant=_mean(len(relevant[topic.topic_id]) for topic in topics) or 0.0,
        confusable=_mean(shares[topic.topic_id][0] for topic in topics) or 0.0,
        answered=_mean(shares[topic.topic_id][1] for topic in answerable),
        near_duplicates=len(near_duplicates(topics, asked)),
    )


def near_duplicates(topics: Sequence[Topic], asked: Mapping[str, frozenset[str]]) -> set[str]:
    """The ids of topics that another one of the same scope repeats. `asked` are the distinct tokens of each.

    Only topics that share one of their rarest tokens are compared: two sets with an overlap of
    t have one in common among the first n - ceil(t n) + 1 of each, in any one order of all tokens
    (prefix filter: Chaudhuri, Ganti and Kaushik, "A Primitive Operator for Similarity Joins in
    Data Cleaning", ICDE 2006).
    """
    repeated: set[str] = set()
    texts: dict[tuple[str, frozenset[str]], str] = {}
    for topic in topics:
        other = texts.setdefault((folded(topic.text), topic.scope), topic.topic_id)
        if other != topic.topic_id:
            repeated |= {other, topic.topic_id}
    frequency = Counter(token for topic in topics for token in asked[topic.topic_id])
    seen: dict[str, list[Topic]] = defaultdict(list)
    for topic in topics:
        tokens = sorted(asked[topic.topic_id], key=lambda token: (frequency[token], token))
        # The small margin keeps 0.9 * 10 from being a little more than 9.
        prefix = tokens[: len(tokens) - math.ceil(NEAR_DUPLICATE * len(tokens) - 1e-9) + 1]
        for token in prefix:
            for other_topic in seen[token]:
                if other_topic.scope == topic.scope and _overlap(asked, topic, other_topic) >= NEAR_DUPLICATE:
                    repeated |= {other_topic.topic_id, topic.topic_id}
        for token in prefix:
            seen[token].append(topic)
    return repeated


def _overlap(asked: Mapping[str, frozenset[str]], one: Topic, other: Topic) -> float:
    first, second = asked[one.topic_id], asked[other.topic_id]
    return len(first & second) / len(first | second)


class _Sharing:
    """Which documents hold which of the tokens that are asked."""

    def __init__(self, corpus: Corpus, asked: Mapping[str, frozenset[str]]) -> None:
        wanted = {token for tokens in asked.values() for token in tokens}
        judged = {doc for topic_id in asked for doc in corpus.qrels.get(topic_id, {})}
        postings: dict[str, array[int]] = {token: array("l") for token in wanted}
        self._judged: dict[str, tuple[int, set[str]]] = {}
        self._count = 0
        for number, document in enumerate(corpus.documents()):
            held = _tokens(document.text) & wanted
            for token in held:
                postings[token].append(number)
            if document.doc_id in judged:
                self._judged[document.doc_id] = number, set(held)
            self._count = number + 1
        self._postings: dict[str, NDArray[np.int64]] = {
            token: np.array(numbers, dtype=np.int64) for token, numbers in postings.items()
        }

    def of(self, tokens: frozenset[str], relevant: frozenset[str]) -> tuple[int, float]:
        """The number of confusable documents, and the share of the tokens that the relevant ones hold together."""
        if not tokens:
            return 0, 0.0
        counts = np.zeros(self._count, dtype=np.int64)
        for token in tokens:
            counts[self._postings[token]] += 1
        together: set[str] = set()
        for doc in relevant & self._judged.keys():
            number, held = self._judged[doc]
            counts[number] = 0
            together |= held
        return int((counts >= CONFUSABLE * len(tokens)).sum()), len(tokens & together) / len(tokens)


def _tokens(text: str) -> frozenset[str]:
    return frozenset(pairs(folded(text)))


def _mean(values: Iterable[float]) -> float | None:
    listed = list(values)
    return sum(listed) / len(listed) if listed else None
