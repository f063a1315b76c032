"""The fail-open contract: a store whose embedder or reranker fails still answers, well, in time, and says so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import median

from gate.checks.limits import meets
from gate.figures import figure
from gate.records import NO_FAULT, Check, Run, RunKey
from gate.settings import FailOpen

OVERLAP = 5
KEYWORD_SHARE = 0.9


def fail_open_checks(
    runs: Mapping[RunKey, Run], recall: Mapping[RunKey, float], parts: Mapping[str, str], rules: FailOpen
) -> list[Check]:
    """All checks of the contract over all runs of one store, corpus and arm.

    `recall[run]` is R@5 over all topics of the runs that were measured; `parts[fault]` names
    the part that a fault breaks.
    """
    found = []
    for key, run in runs.items():
        if key.fault == NO_FAULT:
            if not run.failure:
                found.append(_healthy(run))
            continue
        healthy, keyword = (runs.get(replace(key, mode=mode, fault=NO_FAULT)) for mode in (key.mode, "keyword"))
        found += _Contract(run, healthy, keyword, recall, parts[key.fault], rules).checks()
    return found


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
    """One mode under one fault, held against the same mode in health and against keyword search."""

    def __init__(
        self,
        run: Run,
        healthy: Run | None,
        keyword: Run | None,
        recall: Mapping[RunKey, float],
        part: str,
        rules: FailOpen,
    ) -> None:
        self.run, self.healthy, self.keyword = run, healthy, keyword
        self.recall, self.part, self.rules = recall, part, rules

    def checks(self) -> Sequence[Check]:
        run = self.run
        if self.healthy is None or self.healthy.failure:
            return [self._unknown("answers", "this mode is not measured in health")]
        if run.failure:
            # What was stopped, or failed before the part did, says nothing about surviving its failure.
            if run.failure.startswith("stopped ") or not run.part_calls:
                return [self._unknown("answers", run.failure)]
            return [_check(run.key, "answers", "fail", f"it does not survive the fault: {run.failure}")]
        if not run.part_calls:
            return [
                self._unknown(
                    "reached",
                    f"no call reached the failing {self.part}, so nothing is known of how its failure is survived",
                )
            ]
        return [
            _check(run.key, "reached", "pass", f"{run.part_calls} calls reached the failing {self.part}"),
            _check(run.key, "answers", "pass", f"it answers all {len(run.results)} topics"),
            self._in_time(self.healthy),
            self._floor(),
            self._agreement(),
            self._declared(),
            self._recovery(),
        ]

    def _unknown(self, rule: str, message: str, level: str = "error") -> Check:
        return _check(self.run.key, rule, "not measured", message, level=level)

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

    def _floor(self) -> Check:
        value = self.recall.get(self.run.key)
        if value is None:
            return self._unknown("floor", "no topic of this mode has relevant documents")
        floor = self.rules.floor
        keyword = self.recall.get(self.keyword.key) if self.keyword is not None else None
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

    def _agreement(self) -> Check:
        """The mean share of keyword search's first five that the fallback has in its own first five."""
        if self.keyword is None:
            message = "keyword search is not asked for, so there is nothing for the fallback to agree with"
            return self._unknown("agreement", message, level="info")
        if self.keyword.failure:
            return self._unknown("agreement", "keyword search, which the fallback should agree with, is not measured")
        shares = []
        for topic, result in self.run.results.items():
            other = self.keyword.results.get(topic)
            if other is not None and other.doc_ids:
                first = set(other.doc_ids[:OVERLAP])
                shares.append(len(first & set(result.doc_ids[:OVERLAP])) / len(first))
        if not shares:
            return self._unknown("agreement", "keyword search found nothing to agree with")
        value = sum(shares) / len(shares)
        well = meets(value, ">=", self.rules.agreement)
        return _check(
            self.run.key,
            "agreement",
            "pass" if well else "fail",
            f"the fallback returns {figure(value)} of keyword search's first five,"
            f" at least {figure(self.rules.agreement)} are asked for",
            ">=",
            self.rules.agreement,
            value,
        )

    def _declared(self) -> Check:
        silent = [topic for topic, result in self.run.results.items() if self.part not in result.degraded]
        if not silent:
            return _check(self.run.key, "declared", "pass", f"every answer says that it went without the {self.part}")
        return _check(
            self.run.key,
            "declared",
            "fail",
            f"{len(silent)} of {len(self.run.results)} answers did not say that they went without the {self.part},"
            f" topic {silent[0]} first",
        )

    def _recovery(self) -> Check:
        if self.run.recovered is None:
            return self._unknown("recovery", "the store could not be looked at after the fault had ended")
        if self.run.recovered:
            return _check(
                self.run.key, "recovery", "fail", f"after the fault ended it is not healthy again: {self.run.recovered}"
            )
        return _check(self.run.key, "recovery", "pass", "after the fault ends it is healthy again")
