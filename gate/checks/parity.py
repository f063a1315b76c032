"""The same models on two devices: the rankings have to be alike, near-ties aside, and no document may be lost.

Two arms are held against each other where their embedder and reranker are the same, by name, files
and settings. What one device ranks in its first ten, the other has to have there too, unless it
scores that document as high as its own tenth, to within the width of a tie, or has it further down
where the first device has it in its ten by no more than a tie.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from gate.figures import count
from gate.records import NO_FAULT, Check, Run, TopicResult
from gate.stats.rbo import rank_biased_overlap

FIRST = 10
LEAST = 0.99  # of the mean rank-biased overlap
# Scores closer than this share of the highest are one: devices sum in other orders, in single precision.
TIE = 1e-4
SHOWN = 3


@dataclass(frozen=True, slots=True)
class Measurement:
    """The runs of one store and corpus on one arm; `models` tells its embedder and reranker, `device` where it ran.

    `jitter` is how far a score of its models moves when nothing changes.
    """

    place: str
    arm: str
    device: str
    models: tuple[str, str]
    runs: Sequence[Run]
    jitter: float = 0.0


@dataclass(frozen=True, slots=True)
class Alike:
    """Two answers to one topic: rank-biased overlap, the share of the first ten, and what one of them lost."""

    overlap: float
    shared: float
    lost: tuple[str, ...]


def twins(measurements: Sequence[Measurement]) -> Iterator[tuple[Measurement, Measurement]]:
    """The pairs that differ in their device alone."""
    for one, other in combinations(measurements, 2):
        if one.place == other.place and one.models == other.models and one.device != other.device:
            yield one, other


def parity_checks(measurements: Sequence[Measurement]) -> list[Check]:
    """Two checks a pair of arms and mode: how alike the rankings are, and that nothing is lost."""
    return [
        check
        for one, other in twins(measurements)
        for run, against in _pairs(one.runs, other.runs)
        for check in _compared(one, other, run, against)
    ]


def _pairs(runs: Sequence[Run], others: Sequence[Run]) -> Iterator[tuple[Run, Run]]:
    by_mode = {run.key.mode: run for run in others if run.key.fault == NO_FAULT}
    for run in runs:
        if run.key.fault == NO_FAULT and run.key.mode in by_mode:
            yield run, by_mode[run.key.mode]


def _compared(one: Measurement, other: Measurement, run: Run, against: Run) -> Iterator[Check]:
    arms = f"{one.arm}~{other.arm}"
    place = f"{one.place}/{arms}/{run.key.mode}"
    failure = next((f"{each.key.arm}: {each.failure}" for each in (run, against) if each.failure), "")
    found = alike(run.results, against.results, max(TIE, one.jitter, other.jitter)) if not failure else {}
    if not found:
        yield _check(place, "overlap", LEAST, None, "not measured", failure or "no topic was answered on both arms")
        return
    overlap = sum(each.overlap for each in found.values()) / len(found)
    shared = sum(each.shared for each in found.values()) / len(found)
    told = f"{arms}: the first {FIRST} agree to {shared:.4f}, over {count(len(found), 'topic')}"
    yield _check(place, "overlap", LEAST, overlap, "pass" if overlap >= LEAST else "fail", told)
    lost = {topic: each.lost for topic, each in found.items() if each.lost}
    named = "; ".join(f"{topic}: {', '.join(lost[topic][:SHOWN])}" for topic in list(lost)[:SHOWN])
    told = f"{arms}: {count(len(lost), 'topic')} lost documents ({named})" if lost else f"{arms}: nothing is lost"
    yield _check(place, "lost", 0.0, float(len(lost)), "fail" if lost else "pass", told)


def _check(place: str, what: str, expected: float, actual: float | None, status: str, message: str) -> Check:
    return Check(
        check_id=f"parity {place} {what}",
        source="parity",
        cell=place,
        operator=">=" if what == "overlap" else "<=",
        expected=expected,
        actual=actual,
        status=status,
        level="error",
        message=message,
    )


def alike(results: Mapping[str, TopicResult], others: Mapping[str, TopicResult], tie: float = TIE) -> dict[str, Alike]:
    """How alike two arms answer each topic that both were asked. `tie` is a share of the highest score."""
    return {topic: _alike(results[topic], others[topic], tie) for topic in results if topic in others}


def _alike(one: TopicResult, other: TopicResult, tie: float) -> Alike:
    first, second = one.doc_ids, _settled(other, one, tie)
    top, against = set(first[:FIRST]), set(second[:FIRST])
    size = max(len(top), len(against))
    return Alike(
        rank_biased_overlap(first, second),
        len(top & against) / size if size else 1.0,
        tuple(sorted({*_lost(one, other, tie), *_lost(other, one, tie)})),
    )


def _settled(ranking: TopicResult, other: TopicResult, tie: float) -> tuple[str, ...]:
    """A ranking with its near-ties in the order that another ranking has them in."""
    if not ranking.scores:
        return ranking.doc_ids
    place = {doc_id: at for at, doc_id in enumerate(other.doc_ids)}
    settled: list[str] = []
    group: list[str] = []
    width, before = _width(ranking, tie), ranking.scores[0]
    for doc_id, score in zip(ranking.doc_ids, ranking.scores, strict=True):
        if before - score > width:
            settled += sorted(group, key=lambda doc_id: place.get(doc_id, len(place)))
            group = []
        group.append(doc_id)
        before = score
    return (*settled, *sorted(group, key=lambda doc_id: place.get(doc_id, len(place))))


def _lost(one: TopicResult, other: TopicResult, tie: float) -> Iterator[str]:
    """What stands in the first ten of one and not in those of the other, although that is no near-tie there."""
    scores = dict(zip(other.doc_ids, other.scores, strict=True)) if other.scores else {}
    last = other.scores[:FIRST][-1] if other.scores else 0.0
    # At the end of its own first ten a document may be there by a near-tie: then nothing is lost either.
    own = dict(zip(one.doc_ids, one.scores, strict=True)) if one.scores else {}
    edge = one.scores[FIRST] + _width(one, tie) if len(one.scores) > FIRST else None
    for doc_id in one.doc_ids[:FIRST]:
        if doc_id in other.doc_ids[:FIRST]:
            continue
        if scores.get(doc_id, float("-inf")) >= last - _width(other, tie):
            continue
        if edge is not None and doc_id in own and own[doc_id] <= edge and doc_id in scores:
            continue
        yield doc_id


def _width(ranking: TopicResult, tie: float) -> float:
    return tie * max((abs(score) for score in ranking.scores), default=0.0)
