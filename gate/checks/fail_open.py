"""The fail-open contract: a store whose embedder or reranker fails still answers, well, in time, and says so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from statistics import median

from gate.checks.limits import meets
from gate.checks.went_without import WentWithout, went_without
from gate.faults.fault import Fault
from gate.figures import count, figure
from gate.records import NO_FAULT, Check, Run, RunKey
from gate.sample import is_sampled
from gate.settings import FailOpen

OVERLAP = 5
KEYWORD_SHARE = 0.9
# What a fallback is held against, in health: of several that are measured, the one that it is most like.
KEYWORD, RERANKED, UNRANKED = ("keyword",), ("keyword", "rerank"), ("hybrid", "vector", "keyword")


def fail_open_checks(
    runs: Mapping[RunKey, Run],
    recall: Mapping[RunKey, Mapping[str, float]],
    faults: Mapping[str, Fault],
    rules: FailOpen,
) -> list[Check]:
    """All checks of the contract over all runs of one store, corpus and arm.

    `recall[run][topic_id]` is R@5 in the runs that were measured, of topics with relevant documents.
    """
    calls: Counter[str] = Counter()
    for key, run in runs.items():
        calls[key.fault] += run.part_calls or 0
    found = []
    for key, run in runs.items():
        if key.fault == NO_FAULT:
            if not run.failure:
                found.append(_healthy(run))
            continue
        fault = faults[key.fault]
        modes = dict.fromkeys((key.mode, "keyword", *_left(key.mode, fault.part)))
        healthy = {mode: runs[well] for mode in modes if (well := replace(key, mode=mode, fault=NO_FAULT)) in runs}
        found += _Contract(run, healthy, recall, fault, rules, calls[key.fault]).checks()
    return found


def _left(mode: str, part: str) -> tuple[str, ...]:
    """The modes whose answers a mode without the part should be like: what is left of it may still be reranked."""
    if part == "reranker":
        return UNRANKED
    return RERANKED if mode == "rerank" else KEYWORD


def _check(
    key: RunKey,
    rule: str,
    status: str,
    message: str,
    operator: str = "",
    expected: float | None = None,
    actual: float | None = None,
    level: str = "error",
) -> Check:
    return Check(
        check_id=f"fail-open {key} {rule}",
        source="fail-open",
        cell=str(key),
        operator=operator,
        expected=expected,
        actual=actual,
        status=status,
        level=level,
        message=message,
    )


def _healthy(run: Run) -> Check:
    told = [topic for topic, result in run.results.items() if result.degraded]
    if not told:
        return _check(run.key, "health", "pass", "nothing is reported degraded in health")
    parts = sorted({part for topic in told for part in run.results[topic].degraded})
    return _check(
        run.key,
        "health",
        "fail",
        f"in health, {len(told)} of {len(run.results)} searches said that they went without {', '.join(parts)}",
    )


class _Contract:
    """One mode under one fault, held against the same mode in health and against what is left without the part."""

    def __init__(
        self,
        run: Run,
        healthy: Mapping[str, Run],
        recall: Mapping[RunKey, Mapping[str, float]],
        fault: Fault,
        rules: FailOpen,
        calls: int,
    ) -> None:
        self.run, self.all_healthy, self.recall, self.fault, self.rules = run, healthy, recall, fault, rules
        # A part that is held in one mode is held in all: a store that knows need not ask again.
        self.calls = calls if fault.holds else run.part_calls or 0
        self.healthy, self.keyword = healthy.get(run.key.mode), healthy.get("keyword")
        self.part = fault.part

    def checks(self) -> Sequence[Check]:
        run = self.run
        if self.healthy is None or self.healthy.failure:
            return [self._unknown("answers", "this mode is not measured in health")]
        if run.failure:
            # What was stopped, or failed before the part did, says nothing about surviving its failure.
            if run.failure.startswith("stopped ") or not self.calls:
                return [self._unknown("answers", run.failure)]
            return [_check(run.key, "answers", "fail", f"it does not survive the fault: {run.failure}")]
        if not self.calls:
            return [
                self._unknown(
                    "reached",
                    f"no call reached the failing {self.part}, so nothing is known of how its failure is survived",
                )
            ]
        met = went_without(run, self.fault)
        return [
            self._reached(met),
            _check(run.key, "answers", "pass", f"it answers all {len(run.results)} topics"),
            self._in_time(self.healthy),
            self._floor(met),
            self._agreement(met),
            self._declared(met),
            *self._spared(met, self.healthy),
            self._recovery(),
        ]

    def _unknown(self, rule: str, message: str, level: str = "error") -> Check:
        return _check(self.run.key, rule, "not measured", message, level=level)

    def _reached(self, met: WentWithout) -> Check:
        calls = self.run.part_calls or 0
        if not calls:
            told = f"the {self.part} still holds a call of another mode, and was not asked again"
            return _check(self.run.key, "reached", "pass", told)
        if not met.failed and not self.fault.delays:
            told = f"none of {calls} calls of the {self.part} failed: no topic that was asked meets this fault"
            return self._unknown("reached", told, level="info")
        return _check(self.run.key, "reached", "pass", f"{calls} calls reached the failing {self.part}")

    def _in_time(self, healthy: Run) -> Check:
        """The slowest search under the fault, less the median one in health: what a failing part may delay."""
        slowest = max(result.milliseconds for result in self.run.results.values()) / 1000
        usual = median(result.milliseconds for result in healthy.results.values()) / 1000
        delay = max(0.0, slowest - usual)
        well = meets(delay, "<=", self.rules.within)
        return _check(
            self.run.key,
            "within",
            "pass" if well else "fail",
            f"the failing part delays a search by at most {delay:.3f} s, {self.rules.within:g} s are allowed",
            "<=",
            self.rules.within,
            round(delay, 3),
        )

    def _nothing_without(self, rule: str) -> Check:
        return _check(self.run.key, rule, "pass", f"no answer went without the {self.part}")

    def _floor(self, met: WentWithout) -> Check:
        if not met.without:
            return self._nothing_without("floor")
        value = _mean(self.recall.get(self.run.key, {}), met.without)
        if value is None:
            # A few topics that were chosen for a fault may be such; all of them would say that nothing is measured.
            level = "info" if is_sampled(self.run.key.fault) else "error"
            return self._unknown("floor", "no topic of this mode has relevant documents", level)
        floor = self.rules.floor
        keyword = _mean(self.recall.get(self.keyword.key, {}), met.without) if self.keyword is not None else None
        if keyword is not None:
            # Where keyword search itself is that weak, its fallback need not be stronger.
            floor = min(floor, KEYWORD_SHARE * keyword)
        well = meets(value, ">=", floor)
        return _check(
            self.run.key,
            "floor",
            "pass" if well else "fail",
            f"the fallback's R@5 over the topics asked is {figure(value)}, its floor {figure(floor)}",
            ">=",
            floor,
            value,
        )

    def _agreement(self, met: WentWithout) -> Check:
        """The mean share of the first five of a search without the part that the fallback has in its own first five."""
        if not met.without:
            return self._nothing_without("agreement")
        left = _left(self.run.key.mode, self.part)
        searches = f"{' or '.join(left)} search"
        known = [self.all_healthy[mode] for mode in left if mode in self.all_healthy]
        if not known:
            message = f"{searches} is not asked for, so there is nothing for the fallback to agree with"
            return self._unknown("agreement", message, level="info")
        measured = [run for run in known if not run.failure]
        if not measured:
            return self._unknown("agreement", f"{searches}, which the fallback should agree with, is not measured")
        shares = {run.key.mode: share for run in measured if (share := self._shared(run, met.without)) is not None}
        if not shares:
            return self._unknown("agreement", f"{searches} found nothing to agree with")
        mode = max(shares, key=lambda name: shares[name])
        value = shares[mode]
        well = meets(value, ">=", self.rules.agreement)
        return _check(
            self.run.key,
            "agreement",
            "pass" if well else "fail",
            f"the fallback returns {figure(value)} of {mode} search's first five,"
            f" at least {figure(self.rules.agreement)} are asked for",
            ">=",
            self.rules.agreement,
            value,
        )

    def _shared(self, other: Run, topics: Iterable[str]) -> float | None:
        shares = []
        for topic in topics:
            theirs = other.results.get(topic)
            if theirs is not None and theirs.doc_ids:
                first = set(theirs.doc_ids[:OVERLAP])
                shares.append(len(first & set(self.run.results[topic].doc_ids[:OVERLAP])) / len(first))
        return sum(shares) / len(shares) if shares else None

    def _declared(self, met: WentWithout) -> Check:
        if met.silent:
            return _check(
                self.run.key,
                "declared",
                "fail",
                f"{len(met.silent)} of {len(self.run.results)} answers did not say that they went without the"
                f" {self.part}, topic {met.silent[0]} first",
            )
        if met.wrongly:
            return _check(
                self.run.key,
                "declared",
                "fail",
                f"{count(len(met.wrongly), 'answer')} said without need to have gone without the {self.part}, whose"
                f" calls were answered well meanwhile, topic {met.wrongly[0]} first",
            )
        if not met.without:
            return self._nothing_without("declared")
        if len(met.without) == len(self.run.results):
            return _check(self.run.key, "declared", "pass", f"every answer says that it went without the {self.part}")
        told = f"{len(met.without)} of {len(self.run.results)} answers went without the {self.part}, and say so"
        return _check(self.run.key, "declared", "pass", told)

    def _spared(self, met: WentWithout, healthy: Run) -> Sequence[Check]:
        """Answers that had the part are those of health. Ranks are not compared where they moved in health too."""
        spared = [topic for topic in met.spared if topic in healthy.results]
        if not spared or healthy.repeats_moved or healthy.repeats:
            return ()
        other = [t for t in spared if self.run.results[t].doc_ids != healthy.results[t].doc_ids]
        if other:
            message = (
                f"{len(other)} of {len(spared)} answers that say nothing of going without the {self.part}"
                f" are not those of health, topic {other[0]} first"
            )
            return [_check(self.run.key, "spared", "fail", message)]
        message = f"{count(len(spared), 'answer')} with the {self.part}, as in health"
        return [_check(self.run.key, "spared", "pass", message)]

    def _recovery(self) -> Check:
        if self.run.recovered is None:
            return self._unknown("recovery", "the store could not be looked at after the fault had ended")
        if self.run.recovered:
            return _check(
                self.run.key, "recovery", "fail", f"after the fault ended it is not healthy again: {self.run.recovered}"
            )
        return _check(self.run.key, "recovery", "pass", "after the fault ends it is healthy again")


def _mean(values: Mapping[str, float], topics: Iterable[str]) -> float | None:
    """The mean over those of the topics that have a value, None where none has."""
    own = [values[topic] for topic in topics if topic in values]
    return sum(own) / len(own) if own else None
