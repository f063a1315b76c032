"""One cell on both sides, as the rule of the verdict takes it: for a run beside its baseline, and for two results.

`gate run` and `gate compare` both judge what is paired here, so that they say the same of the same answers.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from gate.baselines import Standing, forbidden_within
from gate.measures import ParsedMeasure
from gate.measures.forbidden import Forbidden
from gate.records import Corpus, Topic
from gate.stats.rule import NOISE, Judgement, Paired, judge

GATED = ("R@5", "nDCG@10", "Refused", "FalseRefused")
LEAK = f"{Forbidden.name}@10"

CellT = TypeVar("CellT", bound=Hashable)


@dataclass(frozen=True, slots=True)
class PairedCell:
    """A cell before it is judged. `change[topic_id]` is above 0 where the topic got better.

    `moved` are the topics on which what the measure looks at changed, `lost` those that got
    worse, which for a measure of leaks are those on which something forbidden came back, `gained`
    those that got better. `leaks_only` marks such a measure; its leaks straddle where what came
    back did so in some repeats of a noisy store and not in others.
    """

    paired: Paired
    change: Mapping[str, float]
    moved: tuple[str, ...]
    lost: tuple[str, ...]
    gained: tuple[str, ...]
    leaks_only: bool

    @property
    def leaks_straddle(self) -> bool:
        return self.leaks_only and bool(self.lost) and not self.paired.leaks


def pair_cell(
    corpus: Corpus,
    measure: ParsedMeasure,
    standings: tuple[Mapping[str, Standing], Mapping[str, Standing]],
    values: tuple[Mapping[str, float], Mapping[str, float]],
    topics: Sequence[str],
    *,
    gated: bool = True,
) -> PairedCell:
    """Pairs the topics of a cell: `standings` and `values` are those of both sides by topic, of every topic named.

    Leaks are counted and not tested, as is a cell that is not `gated`. Ranks say nothing of whether
    a store refuses or repeats itself, so that where the measure takes no cutoff only values move.
    """
    then, now = standings
    old, new = values
    sign = 1.0 if measure.higher_is_better else -1.0
    change = {t: sign * (new[t] - old[t]) for t in topics}
    gained = [t for t in topics if change[t] > NOISE]
    leaks_only, leaks = measure.name == Forbidden.name, 0
    if leaks_only:
        before, after, always = (
            {t: forbidden_within(side[t], corpus.forbidden.get(t, {}), measure.cutoff, always=always) for t in topics}
            for side, always in ((then, False), (now, False), (now, True))
        )
        leaks = sum(bool(always[t] - before[t]) for t in topics)
        moved = [t for t in topics if before[t] != after[t]]
        # One that comes back is a leak, whatever left.
        lost = [t for t in topics if after[t] - before[t]]
    else:
        moved = [t for t in topics if (ranks_moved(then[t], now[t]) if measure.cutoff else abs(change[t]) > NOISE)]
        lost = [t for t in topics if change[t] < -NOISE]
    return PairedCell(
        Paired(
            {row_of(corpus, t): change[t] for t in topics},
            len(moved),
            leaks,
            gated=gated and not leaks_only,
        ),
        change,
        tuple(moved),
        tuple(lost),
        tuple(gained),
        leaks_only,
    )


def judge_cells(cells: Mapping[CellT, PairedCell], clusters: Mapping[str, str]) -> Judgement[CellT]:
    """All cells together, as `gate.stats.rule.judge`. Forbidden documents that are gone are `better`, untested."""
    found = judge({cell: one.paired for cell, one in cells.items()}, clusters)
    judged = {cell: replace(one, outcome=_of_leaks(cells[cell], one.outcome)) for cell, one in found.cells.items()}
    return replace(found, cells=judged)


def _of_leaks(cell: PairedCell, outcome: str) -> str:
    """What is untested of a cell of leaks: none came back for sure, so those that moved are gone, or come and go."""
    if not cell.leaks_only or outcome != "churned":
        return outcome
    return "uncertain" if cell.leaks_straddle else "better" if cell.moved else "churned"


def row_of(corpus: Corpus, topic_id: str) -> str:
    """The name of a topic among those of all corpora that are judged together."""
    return f"{corpus.label} {topic_id}"


def clusters_of(corpus: Corpus, topics: Iterable[Topic]) -> dict[str, str]:
    """The cluster of each row, named so that no two corpora share one; a topic without cluster stands alone.

    The tiers of one corpus are made of the same templates, so they share their clusters.
    """
    rows = {row_of(corpus, topic.topic_id): topic for topic in topics}
    return {row: f"{corpus.name} {topic.cluster}" if topic.cluster else row for row, topic in rows.items()}


def ranks_moved(then: Standing, now: Standing) -> bool:
    """Whether a judged document stands elsewhere, in any answer of a repeated run."""
    if not then.repeats and not now.repeats:
        return then.ranks != now.ranks
    return _ranks(then) != _ranks(now)


def _ranks(standing: Standing) -> list[Mapping[str, int]]:
    return [answer.ranks for answer in (standing, *standing.repeats)]
