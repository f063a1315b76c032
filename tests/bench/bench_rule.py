"""How often three rules cry wolf, and what they find: `python tests/bench/bench_rule.py [ROUNDS] [--case GLOB]`.

300 topics in `all` and 15 slices of 200 of them, five modes on three arms, two measures: 480 cells.
The rules are the gate's own (gate.stats.rule), a flat tolerance of 0.02 on each cell, and Holm's
correction at 0.01 over exact one-sided McNemar tests of the first measure's 240 cells.

A harmless change: in every run a share of the topics (the churn) moves, as often up as down, by a
third, a half or a whole topic in the first measure, and by 0.1 to 0.7 in the second. `clusters of 5`
moves five topics of one template together, in one direction. Real losses are laid on top, in one run
alone. Prints the first table of docs/statistics.md, with 95% Wilson intervals; then the second: how
often a slice of n topics collapses by chance where churn moves whole topics, n times the churn of them.

`--parts` prints, in place of both, which part of the rule raised each alarm (a change of several counts in
each column), and how often the joint test's smallest p-value reached 0.01 and 0.05 whatever the tolerance.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

import numpy as np
from numpy.typing import NDArray

from gate.stats.collapse import CLUSTERS, SHARE
from gate.stats.corrections import holm
from gate.stats.mcnemar import one_sided
from gate.stats.rule import ALPHA, WARN, Judged, Paired, judge
from gate.stats.wilson import interval

TOPICS, SLICES, SLICE, RUNS, MEASURES = 300, 15, 200, 15, 2
FLAT = 0.02
SEED = 20_260_101
CAUSES = ("significant", "collapse", "leak")
Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Case:
    """A row of the table. `churn` is a share; `lost` lays a loss into the differences of one run, topics x measures."""

    says: str
    churn: float
    size: int = 1
    lost: Callable[[np.random.Generator, Matrix], None] | None = None


def nine(rng: np.random.Generator, run: Matrix) -> None:
    run[rng.choice(TOPICS, 9, replace=False)] = -1.0


def binomial(rng: np.random.Generator, run: Matrix) -> None:
    run[rng.random(TOPICS) < 0.03] = -1.0


def graded(rng: np.random.Generator, run: Matrix) -> None:
    """Each topic hit loses 0.25, 0.5, 0.75 or all: twice as many hit as in `binomial`, for less each."""
    hit = rng.random(TOPICS) < 0.03 / 0.625
    run[hit] = -rng.choice([0.25, 0.5, 0.75, 1.0], int(hit.sum()))[:, None]


CASES = (
    Case("harmless, churn 1%", 0.01),
    Case("harmless, churn 5%", 0.05),
    Case("harmless, churn 20%", 0.20),
    Case("harmless, churn 1%, clusters of 5", 0.01, 5),
    Case("harmless, churn 5%, clusters of 5", 0.05, 5),
    Case("harmless, churn 20%, clusters of 5", 0.20, 5),
    Case("nine of 300 lost, none gained, nothing else moved", 0.0, 1, nine),
    Case("nine of 300 lost, churn 1% of all others", 0.01, 1, nine),
    Case("each topic lost with a chance of 0.03, nothing else moved", 0.0, 1, binomial),
    Case("each topic lost with a chance of 0.03, churn 1%", 0.01, 1, binomial),
    Case("a mean loss of 0.03 in parts of topics, nothing else moved", 0.0, 1, graded),
    Case("a mean loss of 0.03 in parts of topics, churn 1%", 0.01, 1, graded),
)


def differences(case: Case, rng: np.random.Generator) -> NDArray[np.float64]:
    """Topics x runs x measures: head - base."""
    groups = TOPICS // case.size
    moved = rng.random((groups, RUNS)) < case.churn
    sign = np.where(rng.random((groups, RUNS)) < 0.5, -1.0, 1.0) * moved
    sign = np.repeat(sign, case.size, axis=0)
    recall, gain = rng.choice([1 / 3, 1 / 2, 1.0], sign.shape), rng.uniform(0.1, 0.7, sign.shape)
    both = np.stack([sign * recall, sign * gain], axis=2)
    if case.lost is not None:
        run = np.zeros((TOPICS, MEASURES))
        case.lost(rng, run)
        both[:, 0] = np.where(run != 0, run, both[:, 0])
    return both


Counted = Callable[[NDArray[np.float64], list[NDArray[np.int64]], Case], tuple[bool, ...]]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = ArgumentParser(description="How often three rules cry wolf, and what they find.")
    parser.add_argument("rounds", type=int, nargs="?", default=1000, help="changes a row (default: 1000)")
    parser.add_argument("--case", default="*", metavar="GLOB", help="only the rows so called")
    parser.add_argument("--seed", type=int, default=SEED, help=f"of each row (default: {SEED})")
    parser.add_argument("--parts", action="store_true", help="which part of the rule raised the alarm")
    asked = parser.parse_args(arguments)
    cases = [case for case in CASES if fnmatchcase(case.says, asked.case)]
    if asked.parts:
        table(cases, asked.rounds, asked.seed, parts, ("worse", *CAUSES, f"p <= {ALPHA}", f"p <= {WARN}"))
        return
    table(cases, asked.rounds, asked.seed, found, ("the gate's rule", "a flat 0.02", "Holm, McNemar"))
    if len(cases) == len(CASES):
        print()
        small()


def table(cases: Sequence[Case], rounds: int, seed: int, counted: Counted, columns: tuple[str, ...]) -> None:
    """One row a case: the share of the rounds in which each of `counted` was so."""
    print(f"| what happens | {' | '.join(columns)} |")
    print("| --- " * (len(columns) + 1) + "|", flush=True)
    for case in cases:
        rng = np.random.default_rng(seed)
        seen = np.zeros(len(columns), dtype=int)
        for _ in range(rounds):
            members = [np.arange(TOPICS), *(part(rng, case.size) for _ in range(SLICES))]
            seen += np.array(counted(differences(case, rng), members, case))
        print(f"| {case.says} | {' | '.join(shown(int(n), rounds) for n in seen)} |", flush=True)


def small() -> None:
    """The chance of a collapse in one slice of one run under churn of whole topics, each a cluster."""
    print("| topics in the slice | churn 5% | churn 10% | churn 20% |")
    print("| --- | --- | --- | --- |")
    rounds = 1_000_000
    for topics in (20, 50, 100, 150, 300):
        rng = np.random.default_rng(SEED)
        needed = max(CLUSTERS, SHARE * topics)
        chances = []
        for churn in (0.05, 0.10, 0.20):
            moved = rng.binomial(topics, churn, rounds)
            net = 2 * rng.binomial(moved, 0.5) - moved
            chances.append(float((net >= needed).mean()))
        print(f"| {topics} | {' | '.join(f'{100 * chance:.3f}%' for chance in chances)} |")


def part(rng: np.random.Generator, size: int) -> NDArray[np.int64]:
    """The topics of a slice: whole clusters."""
    chosen = np.sort(rng.choice(TOPICS // size, SLICE // size, replace=False))
    return (chosen[:, None] * size + np.arange(size)).ravel()


def found(both: NDArray[np.float64], members: list[NDArray[np.int64]], case: Case) -> tuple[bool, ...]:
    """Whether each rule calls anything a loss: of the run with a loss where there is one, else of any run."""
    watched = range(1) if case.lost is not None else range(RUNS)
    judged = judged_cells(both, members, case)
    ours = any(one.outcome == "worse" for (run, _, _), one in judged.items() if run in watched)
    flat = any(one.mean < -FLAT for (run, _, _), one in judged.items() if run in watched)
    tests = [(run, topics) for run in range(RUNS) for topics in members]
    p = [one_sided(*counts(both[topics, run, 0])) for run, topics in tests]
    corrected = any(value <= 0.01 for (run, _), value in zip(tests, holm(p), strict=True) if run in watched)
    return ours, flat, corrected


def parts(both: NDArray[np.float64], members: list[NDArray[np.int64]], case: Case) -> tuple[bool, ...]:
    """Whether anything is worse, whether by each part of the rule, and whether the smallest p is at most each level."""
    watched = range(1) if case.lost is not None else range(RUNS)
    judged = [one for (run, _, _), one in judged_cells(both, members, case).items() if run in watched]
    causes = {one.cause for one in judged if one.outcome == "worse"}
    smallest = min((one.p for one in judged if one.p is not None), default=1.0)
    return bool(causes), *(cause in causes for cause in CAUSES), smallest <= ALPHA, smallest <= WARN


def judged_cells(
    both: NDArray[np.float64], members: list[NDArray[np.int64]], case: Case
) -> Mapping[tuple[int, int, int], Judged]:
    """Every cell by run, slice and measure, judged together."""
    clusters = {str(topic): f"c{topic // case.size}" for topic in range(TOPICS)}
    cells = {
        (run, number, measure): Paired({str(t): float(both[t, run, measure]) for t in topics})
        for run in range(RUNS)
        for number, topics in enumerate(members)
        for measure in range(MEASURES)
    }
    return judge(cells, clusters).cells


def counts(differences: Matrix) -> tuple[int, int]:
    return int((differences < 0).sum()), int((differences > 0).sum())


def shown(seen: int, rounds: int) -> str:
    low, high = interval(seen, rounds)
    # As many digits as so many rounds can tell apart.
    digits = 1 if rounds <= 1000 else 2
    return f"{100 * seen / rounds:.{digits}f}% ({100 * low:.{digits}f} to {100 * high:.{digits}f})"


if __name__ == "__main__":
    main()
