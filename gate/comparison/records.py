"""The records of a comparison, in the order of its flow."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from gate.records import CellKey, Corpus, Run, RunKey, Topic, TopicMove, Verdict
from gate.stats.rule import Judged
from gate.stats.tost import Equivalence


@dataclass(frozen=True, slots=True)
class Side:
    """One of the results compared: A, B, or a repeat.

    `name` is how the reports call it, `place` where it was read from, `about` what made it. `runs`
    are all that were planned; `load` reads one, which has a failure where it is not whole.
    `subject` is the gated store, which may be called otherwise on the other side; other stores
    are controls. `measures` are the per-topic measures that its settings ask for.
    """

    name: str
    place: str
    about: str
    subject: str
    runs: tuple[RunKey, ...]
    slices: Mapping[RunKey, tuple[str, ...]]
    measures: tuple[str, ...]
    methodology: Mapping[RunKey, Mapping[str, str]]
    corpora: Mapping[str, Corpus]
    load: Callable[[RunKey], Run]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Pair:
    """The same run of both sides. `topics` were asked on both; `only_a` and `only_b` on one."""

    a: Run
    b: Run
    corpus: Corpus
    topics: tuple[Topic, ...]
    only_a: tuple[str, ...]
    only_b: tuple[str, ...]
    slices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Gap:
    """Something that cannot be compared, and why: `subject` is a run, a slice of it or a store on a corpus."""

    subject: str
    reason: str


@dataclass(frozen=True, slots=True)
class Pairing:
    pairs: tuple[Pair, ...]
    gaps: tuple[Gap, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class McNemar:
    """Topics that went from 1 to 0 (where 1 is good) and back, and the exact p-values of a loss and of either."""

    lost: int
    gained: int
    one_sided: float
    two_sided: float


@dataclass(frozen=True, slots=True)
class Difference:
    """One cell on both sides.

    `mean_a`, `mean_b` and `interval`, the 95% interval of their difference B - A, are in the
    measure's own direction; fewer topics than `gate.stats.rule.LEAST` have no interval. `judged`,
    `won` and `lost` count what is better as a gain; of leaks `lost` counts the topics on which
    something came back. `two_sided` doubles the smaller of the joint p-values. `holm` and
    `benjamini_hochberg` correct the p-value of a loss in this cell alone; None where the cell was not
    tested. `mcnemar` and the Wilson intervals stand where every value is 0 or 1. `equivalence` is
    a sentence where a margin was given, `tost` its figures where the test could be made.
    """

    a: CellKey
    b: CellKey
    mean_a: float
    mean_b: float
    interval: tuple[float, float] | None
    judged: Judged
    won: int
    lost: int
    two_sided: float | None
    holm: float | None
    benjamini_hochberg: float | None
    mcnemar: McNemar | None
    wilson_a: tuple[float, float] | None
    wilson_b: tuple[float, float] | None
    tost: Equivalence | None
    equivalence: str

    @property
    def topics(self) -> int:
        return self.judged.topics

    @property
    def tied(self) -> int:
        return self.topics - self.won - self.lost


@dataclass(frozen=True, slots=True)
class MovedTopic:
    """A topic whose judged documents moved in one run. `values[measure]` are those of A and B."""

    run: RunKey
    values: Mapping[str, tuple[float, float]]
    move: TopicMove


@dataclass(frozen=True, slots=True)
class JointTest:
    """What the joint test rests on, for whoever wants to repeat it."""

    cells: int
    clusters: int
    flips: int
    critical: float


@dataclass(frozen=True, slots=True)
class Compared:
    """A whole comparison.

    `moved` holds the topics shown, of `moved_count` in all; `unjudged[run]` counts those on which
    only documents moved that nobody judged. `margin` is that of the test of equivalence.
    """

    a: Side
    b: Side
    pairing: Pairing
    differences: tuple[Difference, ...]
    test: JointTest
    moved: tuple[MovedTopic, ...]
    moved_count: int
    unjudged: Mapping[RunKey, int]
    margin: float | None
    verdict: Verdict
