"""The stage that holds results against a baseline: all cells at once, topic by topic.

A deterministic store has no noise: every rank that moved is real, and is named. Whether it is a
loss worth failing is decided by `gate.stats.rule` over all gated cells of all runs together.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import is_
from typing import Any

from gate.baselines import Baseline, Standing, judged_ids, standing_in
from gate.figures import count
from gate.measures import ParsedMeasure, parse_measure, score_topics
from gate.measures.rankings import mean
from gate.methodology import first_difference
from gate.moves import SHOWN, topic_move
from gate.paired import PairedCell, clusters_of, judge_cells, pair_cell
from gate.records import CellKey, Comparison, Corpus, JudgedRanking, Run, Topic, TopicMove
from gate.stats.collapse import SHARE
from gate.stats.rule import TOLERANCE, Judged


@dataclass(frozen=True, slots=True)
class Pair:
    """One run, and the same run in the baseline.

    What is `waived` is compared, and takes no part in the joint test: it must not make losses elsewhere
    harder to see. `topics` are those of its mode, `cells` the gated ones to compare, `members[slice]` the
    topics of a slice. The run has not failed.
    """

    ran: Run
    stood: Mapping[str, Standing]
    corpus: Corpus
    topics: tuple[Topic, ...]
    cells: tuple[CellKey, ...]
    members: Mapping[str, Sequence[Topic]]
    waived: frozenset[CellKey] = frozenset()


@dataclass(frozen=True, slots=True)
class PairedRuns:
    """The cells of many pairs, as `judge_cells` takes them. `unpaired` says why a cell is not among them."""

    cells: Mapping[CellKey, PairedCell]
    clusters: Mapping[str, str]
    unpaired: Mapping[CellKey, str]


def incomparable(methodology: Mapping[str, str], repeats: int, baseline: Baseline) -> str:
    """Why what was measured so, so many times, is not held against a baseline; empty where it is."""
    difference = first_difference(methodology, baseline.methodology)
    if difference:
        return f"it cannot be compared with its baseline: {difference}"
    if repeats == 1 and baseline.repeated:
        return "its baseline was measured in repeats, and `noisy` is not declared"
    return ""


def pair_runs(pairs: Iterable[Pair]) -> PairedRuns:
    """What `compare_runs` judges, before it is judged."""
    held, clusters = _held(pairs)
    return PairedRuns(
        {cell: one.paired for cell, one in held.items() if isinstance(one, _Held)},
        clusters,
        {cell: one.reason for cell, one in held.items() if isinstance(one, Comparison)},
    )


def compare_runs(pairs: Iterable[Pair]) -> dict[CellKey, Comparison]:
    """Every gated cell of every run against its baseline, judged together, in the order of the pairs and cells."""
    held, clusters = _held(pairs)
    judged = judge_cells({cell: one.paired for cell, one in held.items() if isinstance(one, _Held)}, clusters)
    return {cell: one.comparison(judged.cells[cell]) if isinstance(one, _Held) else one for cell, one in held.items()}


def _held(pairs: Iterable[Pair]) -> tuple[dict[CellKey, _Held | Comparison], dict[str, str]]:
    """Every gated cell before it is judged, or that it cannot be; and the cluster of each row."""
    clusters: dict[str, str] = {}
    held: dict[CellKey, _Held | Comparison] = {}
    for pair in pairs:
        key = _Key((pair.ran, pair.stood, pair.corpus), (pair.topics, pair.cells, pair.members, pair.waived))
        of_cells, of_rows = _held_in(key)
        held.update(of_cells)
        clusters.update(of_rows)
    return held, clusters


class _Key:
    """What is judged over and over, as in a proof: the very `same` objects, and others that are `equal`.

    It keeps them, so that no other object comes to stand where one of them stood.
    """

    def __init__(self, same: tuple[Any, ...], equal: tuple[Any, ...]) -> None:
        self.same, self.equal = same, equal

    def __hash__(self) -> int:
        return hash(tuple(map(id, self.same)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Key):
            return NotImplemented
        return all(map(is_, self.same, other.same)) and self.equal == other.equal


@lru_cache(maxsize=16)
def _held_in(key: _Key) -> tuple[Mapping[CellKey, _Held | Comparison], Mapping[str, str]]:
    pair = Pair(*key.same, *key.equal)
    both, held = _Both(pair), {}
    for cell in pair.cells:
        gated = cell not in pair.waived
        held[cell] = both.held(cell, parse_measure(cell.measure), pair.members[cell.slice], gated=gated)
    return held, both.clusters


@dataclass(frozen=True, slots=True)
class _Held:
    """One cell on the topics that both sides have, before it is judged.

    It `straddles` where a noisy store's repeats fall on both sides of what they are compared with;
    its value is `known` where the baseline's own repeats reach as far.
    """

    cell: CellKey
    paired: PairedCell
    before: float
    after: float
    moves: tuple[TopicMove, ...]
    straddles: bool
    known: bool

    def comparison(self, judged: Judged) -> Comparison:
        topics, moved, outcome = judged.topics, len(self.paired.moved), judged.outcome
        if self.straddles and not self.paired.leaks_only and (judged.mean > -SHARE or self.known):
            # A fifth lost, to a mean that the baseline's own repeats never came near, is no noise of theirs.
            outcome = {"worse": "uncertain", "better": "churned"}.get(outcome, outcome)
        return Comparison(
            self.cell,
            outcome,
            self.before,
            self.after,
            topics,
            lost=len(self.paired.lost),
            gained=len(self.paired.gained),
            reason=f"{moved} of {topics} answers changed" if moved else "",
            cause="straddles" if outcome == "uncertain" and self.straddles else judged.cause,
            clusters=judged.clusters,
            p=judged.p_better if judged.outcome == "better" else judged.p,
            moves=self.moves,
        )


@dataclass(frozen=True, slots=True)
class _Values:
    """The values of a measure by topic, for each repeat, and their means; a deterministic store has one."""

    repeats: tuple[Mapping[str, float], ...]
    means: Mapping[str, float]

    def over(self, topics: Sequence[str]) -> tuple[float, ...]:
        """The mean over some topics, for each repeat."""
        return tuple(mean([values[topic] for topic in topics]) for values in self.repeats)


def _values(repeats: Sequence[Mapping[str, JudgedRanking]], measure: ParsedMeasure) -> _Values:
    each = tuple(score_topics(rankings, measure) for rankings in repeats)
    if len(each) == 1:
        return _Values(each, each[0])
    return _Values(each, {topic: mean([values[topic] for values in each]) for topic in each[0]})


def _overlap(before: Sequence[float], after: Sequence[float]) -> bool:
    """Whether a noisy store's repeats fall on both sides of what they are compared with, the tolerance included."""
    if len(before) == len(after) == 1:
        return False
    return max(after) >= min(before) - TOLERANCE and min(after) <= max(before) + TOLERANCE


def _reached(before: Sequence[float], after: float) -> bool:
    """Whether a mean lies within what the repeats of the baseline have shown, the tolerance included."""
    return min(before) - TOLERANCE <= after <= max(before) + TOLERANCE


class _Side:
    """Where the judged documents of some topics stand in one run, as the measures see them."""

    def __init__(self, corpus: Corpus, standings: Mapping[str, Standing]) -> None:
        qrels, forbidden = corpus.qrels, corpus.forbidden
        self.standings = standings
        self._values: dict[ParsedMeasure, _Values] = {}
        # The answers, for each repeat.
        self._judged: list[dict[str, JudgedRanking]] = []
        for number in range(max((len(standing.repeats) for standing in standings.values()), default=0) + 1):
            # A topic with fewer repeats than others counts with its last.
            stood = {t: (one, *one.repeats)[min(number, len(one.repeats))] for t, one in standings.items()}
            self._judged.append({t: one.judged(qrels.get(t, {}), forbidden.get(t, {})) for t, one in stood.items()})

    def values(self, measure: ParsedMeasure) -> _Values:
        if measure not in self._values:
            self._values[measure] = _values(self._judged, measure)
        return self._values[measure]


@lru_cache(maxsize=16)
def _stood(key: _Key) -> _Side:
    """The side of the baseline."""
    (stood, corpus), (topic_ids,) = key.same, key.equal
    return _Side(corpus, {t: stood[t] for t in topic_ids})


class _Both:
    """Where the judged documents of one run stood and stand, on the topics that both sides have."""

    def __init__(self, pair: Pair) -> None:
        self.corpus, self.results = pair.corpus, pair.ran.results
        self.topics = {t.topic_id: t for t in pair.topics if t.topic_id in pair.stood}
        self.then = _stood(_Key((pair.stood, pair.corpus), (tuple(self.topics),)))
        now = {t: standing_in(pair.ran, t, judged_ids(pair.corpus, t)) for t in self.topics}
        self.now = _Side(pair.corpus, now)

    @property
    def clusters(self) -> dict[str, str]:
        return clusters_of(self.corpus, self.topics.values())

    def held(
        self, cell: CellKey, measure: ParsedMeasure, members: Sequence[Topic], *, gated: bool
    ) -> _Held | Comparison:
        before, after = self.then.values(measure), self.now.values(measure)
        old, new = before.means, after.means
        topics = [t.topic_id for t in members if t.topic_id in old and t.topic_id in new]
        if not topics:
            reason = "the baseline has no topic of this slice that the measure looks at"
            return Comparison(cell, "not measured", None, None, 0, reason=reason)
        standings = self.then.standings, self.now.standings
        paired = pair_cell(self.corpus, measure, standings, (old, new), topics, gated=gated)
        shown = sorted(paired.lost or paired.moved, key=lambda t: (-abs(paired.change[t]), t))[:SHOWN]
        return _Held(
            cell,
            paired,
            mean([old[t] for t in topics]),
            mean([new[t] for t in topics]),
            tuple(self._move(t, measure, old[t], new[t]) for t in shown),
            straddles=paired.leaks_straddle if paired.leaks_only else _overlap(before.over(topics), after.over(topics)),
            known=_reached(before.over(topics), mean([new[t] for t in topics])),
        )

    def _move(self, topic: str, measure: ParsedMeasure, before: float, after: float) -> TopicMove:
        now = {doc: rank for rank, doc in enumerate(self.results[topic].doc_ids, start=1)}
        stood = self.then.standings[topic].ranks
        return topic_move(self.topics[topic], self.corpus, measure, stood, now, before, after)


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
