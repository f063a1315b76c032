"""The stage that holds results against a baseline: cell by cell, topic by topic.

A deterministic store has no noise: every rank that moved is real, and is named. A cell is
`worse` when its mean loss is beyond the tolerance, or when a forbidden document comes back on
a topic where the baseline kept it out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from gate.baselines import Baseline, Standing, judged_ids, standing_of
from gate.figures import count
from gate.measures import ParsedMeasure, parse_measure, score_topics
from gate.measures.rankings import mean
from gate.moves import SHOWN, topic_move
from gate.records import CellKey, Comparison, Corpus, JudgedRanking, Run, Topic, TopicMove

GATED = ("R@5", "nDCG@10", "Refused", "FalseRefused")
LEAK = "Forbidden@10"
TOLERANCE = 0.005
NOISE = 1e-9


@dataclass(frozen=True, slots=True)
class Pair:
    """One run and the same run in the baseline, over the topics of its mode. `ran` has not failed."""

    ran: Run
    stood: Mapping[str, Standing]
    corpus: Corpus
    topics: tuple[Topic, ...]


def compare_run(pair: Pair, cells: Iterable[CellKey], members: Mapping[str, Sequence[Topic]]) -> list[Comparison]:
    """Each gated cell of one run against its baseline. `members[slice]` are the topics of the slice."""
    both = _Both(pair)
    return [both.comparison(cell, parse_measure(cell.measure), members[cell.slice]) for cell in cells]


class _Both:
    """Where the judged documents stood and stand, on the topics that both sides have."""

    def __init__(self, pair: Pair) -> None:
        self.corpus, self.results = pair.corpus, pair.ran.results
        self.topics = {t.topic_id: t for t in pair.topics if t.topic_id in pair.stood}
        self.then = {t: pair.stood[t] for t in self.topics}
        self.now = {t: standing_of(self.results[t], judged_ids(pair.corpus, t)) for t in self.topics}
        self.judged = self._judged(self.then), self._judged(self.now)
        self.values: dict[ParsedMeasure, tuple[dict[str, float], dict[str, float]]] = {}

    def comparison(self, cell: CellKey, measure: ParsedMeasure, members: Sequence[Topic]) -> Comparison:
        old, new = self._scored(measure)
        topics = [t.topic_id for t in members if t.topic_id in old and t.topic_id in new]
        if not topics:
            reason = "the baseline has no topic of this slice that the measure looks at"
            return Comparison(cell, "not measured", None, None, 0, reason=reason)
        better = 1.0 if measure.higher_is_better else -1.0
        change = {t: better * (new[t] - old[t]) for t in topics}
        if cell.measure == LEAK:
            moved = [
                t for t in topics if self._forbidden(self.then, t, measure) != self._forbidden(self.now, t, measure)
            ]
            lost = [t for t in topics if self._forbidden(self.now, t, measure) - self._forbidden(self.then, t, measure)]
            outcome = "worse" if lost else "better" if moved else "same"
        else:
            # Ranks say nothing of whether a store refuses.
            moved = [t for t in topics if (self.then[t] != self.now[t] if measure.cutoff else abs(change[t]) > NOISE)]
            lost = [t for t in topics if change[t] < -NOISE]
            outcome = _outcome(mean(list(change.values())), moved)
        shown = sorted(lost or moved, key=lambda t: (-abs(change[t]), t))[:SHOWN]
        return Comparison(
            cell,
            outcome,
            mean([old[t] for t in topics]),
            mean([new[t] for t in topics]),
            len(topics),
            lost=len(lost),
            reason=f"{len(moved)} of {len(topics)} answers changed" if moved else "",
            moves=tuple(self._move(t, measure, old[t], new[t]) for t in shown),
        )

    def _scored(self, measure: ParsedMeasure) -> tuple[dict[str, float], dict[str, float]]:
        if measure not in self.values:
            old, new = self.judged
            self.values[measure] = score_topics(old, measure), score_topics(new, measure)
        return self.values[measure]

    def _judged(self, standings: Mapping[str, Standing]) -> dict[str, JudgedRanking]:
        qrels, forbidden = self.corpus.qrels, self.corpus.forbidden
        return {t: standing.judged(qrels.get(t, {}), forbidden.get(t, {})) for t, standing in standings.items()}

    def _forbidden(self, standings: Mapping[str, Standing], topic: str, measure: ParsedMeasure) -> set[str]:
        """The forbidden documents within the cutoff. One that was kept out and comes back is a leak, whatever left."""
        ranks = standings[topic].ranks
        return {
            doc for doc in self.corpus.forbidden.get(topic, {}) if ranks.get(doc, measure.cutoff + 1) <= measure.cutoff
        }

    def _move(self, topic: str, measure: ParsedMeasure, before: float, after: float) -> TopicMove:
        now = {doc: rank for rank, doc in enumerate(self.results[topic].doc_ids, start=1)}
        stood = self.then[topic].ranks
        return topic_move(self.topics[topic], self.corpus, measure, stood, now, before, after)


def _outcome(change: float, moved: Sequence[str]) -> str:
    """What a mean difference says of a gain. A loss of just the tolerance is none."""
    if change < -TOLERANCE - NOISE:
        return "worse"
    if change > TOLERANCE + NOISE:
        return "better"
    return "churned" if moved else "same"


def unpaired(
    baseline: Baseline,
    asked: Mapping[str, Sequence[str]],
    whole: Iterable[str],
    *,
    narrowed: bool,
    full: Collection[CellKey] = (),
) -> list[str]:
    """What stands on one side only, in words.

    `asked[run]` are the topics asked in each run made; `whole` names the runs of the plan before
    flags narrowed it: a run that flags left out is no finding, nor are its topics. `full` are
    the cells of that plan: a slice of the baseline that has none any more is a finding, though
    its topics may still be asked in others.
    """
    planned = set(whole)
    told = [f"{name} is not in the baseline" for name in asked if name not in baseline.runs]
    for name, stood in baseline.runs.items():
        if name not in planned:
            told.append(f"{name} is in the baseline, and the plan has no such run any more")
        elif name in asked:
            gone, new = len(stood.keys() - set(asked[name])), len(set(asked[name]) - stood.keys())
            told += [f"{name}: {count(gone, 'topic')} of the baseline not asked"] * bool(gone and not narrowed)
            told += [f"{name}: {count(new, 'topic')} not in the baseline"] * bool(new)
    return told + (_slices_gone(baseline, planned, full) if full else [])


def _slices_gone(baseline: Baseline, planned: Collection[str], full: Collection[CellKey]) -> list[str]:
    known = {(f"{cell.mode}/{cell.fault}", cell.slice) for cell in full}
    told = []
    for cell in baseline.header["scores"]:
        *_, part, _arm, mode, fault, _measure = cell.split("/")
        run = f"{mode}/{fault}"
        if run in planned and (run, part) not in known:
            told.append(f"{run}: the slice {part} is in the baseline, and the plan has no such slice any more")
    return list(dict.fromkeys(told))
