"""The topics of a slice and the clusters they belong to, from the corpora themselves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from gate.corpus import load_corpus, parse_spec
from gate.errors import GateError
from gate.measures import MEASURES
from gate.measures.judgement import looks_at
from gate.records import ALL_TOPICS, CellKey, Corpus, Topic


class Slices:
    """Corpora by label, loaded when first asked for. One that cannot be loaded, or is another, has no topics.

    `specs` are where corpora may be found; `digests[label]` is what was measured: a corpus pinned
    to other bytes is not that one.
    """

    def __init__(self, specs: Iterable[str], digests: Mapping[str, str]) -> None:
        self._specs, self._digests = tuple(specs), digests
        self._loaded: dict[str, Corpus | None] = {}

    def has(self, label: str) -> bool:
        """Whether the corpus of that label is known."""
        return self._corpus(label) is not None

    def topics(self, cell: CellKey) -> tuple[Topic, ...] | None:
        """The topics of a cell's slice that its measure looks at; None where the corpus is not known.

        A store that lacks an ability is asked fewer.
        """
        corpus = self._corpus(f"{cell.corpus}@{cell.tier}")
        if corpus is None or (cell.slice != ALL_TOPICS and cell.slice not in {part.name for part in corpus.slices}):
            return None
        measure = MEASURES.get(cell.measure.partition("@")[0])
        return tuple(
            topic
            for topic in corpus.topics
            if (cell.slice == ALL_TOPICS or cell.slice in topic.slices)
            and (measure is None or looks_at(measure, topic.topic_id, corpus))
        )

    def clusters(self, cell: CellKey, topics: int) -> tuple[int, ...] | None:
        """How many topics of a cell each cluster has, the largest first.

        None where the corpus is not known, or does not give the cell as many `topics` as were measured.
        """
        found = self.topics(cell)
        if found is None or len(found) != topics:
            return None
        sizes = Counter(topic.cluster or f"topic {topic.topic_id}" for topic in found)
        return tuple(sorted(sizes.values(), reverse=True))

    def _corpus(self, label: str) -> Corpus | None:
        if label not in self._loaded:
            self._loaded[label] = self._load(label)
        return self._loaded[label]

    def _load(self, label: str) -> Corpus | None:
        for spec in (*self._specs, label):
            try:
                if parse_spec(spec).label != label:
                    continue
                corpus = load_corpus(spec)
            except GateError:
                continue
            measured = self._digests.get(label, "")
            return corpus if not (measured and corpus.pinned) or corpus.pinned == measured else None
        return None
