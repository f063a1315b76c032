"""What a measure is: a file, a class, a line in the registry."""

from __future__ import annotations

from typing import Protocol

from gate.records import JudgedRanking, Timing


class TopicMeasure(Protocol):
    """A measure with one value a topic, averaged over a slice.

    `name` is the field's name for it (`nDCG`), without the cutoff; `takes_cutoff` says whether
    `@k` belongs to it, `cutoff_optional` whether it means something without; values run from 0 to
    `highest`; `higher_is_better` tells a loss from a gain; `without_results` is its
    value for a topic that got no results, filled in one place by whoever counts topics;
    `applies_to` is `relevant` (topics with relevant documents), `unanswerable` (topics without),
    `forbidden` (topics with forbidden documents) or `evidence` (topics for which the store gave
    evidence, or no hits; planned only where it declares that ability); `from_ranks` says whether
    documents, ranks and grades alone give the value, which is all that TREC files hold; `version` rises
    when the definition changes; `source` cites it.
    """

    name: str
    takes_cutoff: bool
    cutoff_optional: bool
    highest: float
    higher_is_better: bool
    without_results: float
    applies_to: str
    from_ranks: bool
    version: int
    source: str

    def score(self, ranking: JudgedRanking, cutoff: int) -> float:
        """The value for one topic. `cutoff` is 0 where the measure takes none."""
        ...


class RunMeasure(Protocol):
    """A measure of a whole run, such as a percentile of its search times. `unit` is printed with it."""

    name: str
    unit: str
    higher_is_better: bool
    version: int
    source: str

    def over(self, timing: Timing) -> float | None:
        """The value, or None where nothing was timed."""
        ...
