"""What every view of a comparison says, so that a terminal and a pull request never tell two stories."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from gate.comparison.records import Compared, Difference, MovedTopic
from gate.comparison.trec_files import ARM
from gate.figures import count, figure, figures_apart
from gate.records import NO_FAULT
from gate.stats.maxt import ENUMERATED
from gate.stats.rule import ALPHA, LEAST, TOLERANCE

OUTCOMES = ("worse", "uncertain", "better", "churned", "same")
HEAD = ("slice", "mode", "measure", "topics", "A", "B", "B - A", "95% interval", "p", "won", "lost", "outcome")
DETAILS = ("slice", "mode", "measure", "A, Wilson", "B, Wilson", "McNemar", "two-sided", "Holm", "BH", "p, two-sided")
NONE = "-"


@dataclass(frozen=True, slots=True)
class Table:
    """The cells of one store, corpus and arm. `numbers` are the columns of figures.

    `left_out` counts the cells in which no rank moved, and which are not shown.
    """

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: frozenset[int]
    left_out: int = 0


def headline(compared: Compared) -> str:
    """What the verdict rests on, in one line."""
    found = compared.differences
    gaps = len(compared.pairing.gaps)
    unmeasured = f"{count(gaps, 'thing')} could not be compared" if gaps else ""
    if not found:
        return unmeasured or "nothing was compared"
    outcomes = Counter(difference.judged.outcome for difference in found)
    if set(outcomes) == {"same"}:
        what = "no rank of a judged document" if compared.unjudged else "no rank"
        told = f"{what} moved in {_cells(len(found), 'any')}"
    else:
        told = (
            ", ".join(f"{outcomes[name]} {name}" for name in OUTCOMES if outcomes[name]) + f" of {_cells(len(found))}"
        )
    return "; ".join(part for part in (told, unmeasured) if part)


def _cells(number: int, word: str = "") -> str:
    if not word:
        return count(number, "cell")
    return "the one cell" if number == 1 else f"{word} of {number} cells"


def tables(compared: Compared, *, every_cell: bool) -> tuple[Table, ...]:
    """A table a store, corpus and arm: cells that moved, or all."""
    margin = compared.margin
    head = (*HEAD, f"within {figure(margin)}") if margin is not None else HEAD
    made = []
    for title, group in _groups(compared).items():
        shown = [d for d in group if every_cell or d.judged.outcome != "same"]
        shown.sort(key=lambda difference: OUTCOMES.index(difference.judged.outcome))
        rows = tuple(_row(d, with_margin=margin is not None) for d in shown)
        made.append(Table(title, head, rows, frozenset(range(3, 11)), len(group) - len(shown)))
    return tuple(made)


def detail_tables(compared: Compared) -> tuple[Table, ...]:
    """The same cells by other methods: proportions, McNemar's test, and other corrections."""
    return tuple(
        Table(f"{title}, by other methods", DETAILS, tuple(map(_details, group)), frozenset(range(3, len(DETAILS))))
        for title, group in _groups(compared).items()
    )


def _groups(compared: Compared) -> dict[str, list[Difference]]:
    groups: dict[str, list[Difference]] = {}
    for difference in compared.differences:
        a, b = difference.a, difference.b
        stores = b.store if a.store == b.store else f"{a.store} -> {b.store}"
        # The name of a TREC file, which may be long, is told above.
        title = f"{stores}  {b.corpus}@{b.tier}  {b.arm}" if b.arm != ARM else f"{b.corpus}@{b.tier}"
        groups.setdefault(title, []).append(difference)
    return groups


def _place(difference: Difference) -> tuple[str, str, str]:
    cell = difference.b
    return cell.slice, cell.mode if cell.fault == NO_FAULT else f"{cell.mode}/{cell.fault}", cell.measure


def _details(difference: Difference) -> tuple[str, ...]:
    exact = difference.mcnemar
    wilson = (difference.wilson_a, difference.wilson_b)
    return (
        *_place(difference),
        *(NONE if bounds is None else "..".join(map(figure, bounds)) for bounds in wilson),
        NONE if exact is None else f"-{exact.lost} +{exact.gained}",
        chance(exact.two_sided if exact is not None else None),
        *map(chance, (difference.holm, difference.benjamini_hochberg, difference.two_sided)),
    )


def _row(difference: Difference, *, with_margin: bool) -> tuple[str, ...]:
    judged = difference.judged
    a, b = figures_apart((difference.mean_a, difference.mean_b))
    row = (
        *_place(difference),
        str(difference.topics),
        a,
        b,
        signed(difference.mean_b - difference.mean_a),
        interval(difference.interval),
        p_of_direction(difference),
        str(difference.won),
        str(difference.lost),
        f"{judged.outcome} ({judged.cause})" if judged.cause else judged.outcome,
    )
    return (*row, equivalence(difference)) if with_margin else row


def signed(value: float) -> str:
    """A difference with its sign: `+0.013`, `-1.000`, `0.000`."""
    text = figure(value)
    return f"+{text}" if value > 0 else text


def interval(bounds: tuple[float, float] | None) -> str:
    return f"{signed(bounds[0])}..{signed(bounds[1])}" if bounds is not None else NONE


def chance(p: float | None) -> str:
    """A p-value: never 0 or 1 where it is not."""
    if p is None:
        return NONE
    if p < 0.00005:
        return "<0.0001"
    return ">0.999" if 0.9995 <= p < 1 else figure(p)


def p_of_direction(difference: Difference) -> str:
    """The joint p-value of a loss where the mean fell short, else that of a gain."""
    judged = difference.judged
    p = judged.p_better if judged.mean > 0 else judged.p
    return chance(p)


def equivalence(difference: Difference) -> str:
    """What the test of equivalence says, with its p-value where it was made."""
    tost = difference.tost
    return f"{difference.equivalence}, p {chance(tost.p)}" if tost is not None else difference.equivalence


def values_moved(topic: MovedTopic) -> str:
    """`R@5 1.000 -> 0.000, nDCG@10 0.914 -> 0.387`, or that no value moved."""
    told = []
    for measure, values in topic.values.items():
        before, after = figures_apart(values)
        told.append(f"{measure} {before} -> {after}")
    return ", ".join(told) or "no value moved"


def moved_title(compared: Compared) -> str:
    runs = len(compared.pairing.pairs)
    return f"{compared.moved_count}{f' in {runs} runs' if runs > 1 else ''}"


def topics_left(compared: Compared) -> str:
    more = compared.moved_count - len(compared.moved)
    return f"and {count(more, 'more topic')}: --all shows them" if more else ""


def remarks(compared: Compared) -> tuple[str, ...]:
    """What a reader must know of how the figures were made, unescaped."""
    test = compared.test
    lines = list(compared.pairing.notes)
    lines += [
        f"{key}: on {count(number, 'topic')} only documents moved that nobody judged"
        for key, number in compared.unjudged.items()
    ]
    if test.clusters:
        patterns = f"all {test.flips:,}" if test.clusters <= ENUMERATED else f"{test.flips:,} seeded"
        lines.append(
            f"p: the chance of so lopsided a change anywhere among {count(test.cells, 'cell')},"
            f" over {patterns} reshuffles of {count(test.clusters, 'cluster')} of topics that moved;"
            " one-sided, of the direction in which the mean moved, so a two-sided reading doubles it"
        )
        lines.append(
            f"worse: p at most {ALPHA:g} and a mean loss above {TOLERANCE:g} on {LEAST} topics or more"
            " (significant), or a fifth lost and at least 5 topics (collapse), or something forbidden came back (leak)"
        )
        lines.append("interval: t-interval of the mean difference, clusters kept whole, of this cell alone")
    small = sorted({d.b.slice for d in compared.differences if d.topics < LEAST and d.judged.moved})
    if small:
        lines.append(
            f"fewer than {LEAST} topics, which have no interval and can only collapse or leak: {', '.join(small)}"
        )
    return tuple(lines)


def paired_on(compared: Compared) -> Sequence[str]:
    """How much was paired, a line a corpus: `seeded@smoke: paired on 200 topics in 4 runs`."""
    groups: dict[str, list[int]] = {}
    for one in compared.pairing.pairs:
        groups.setdefault(one.corpus.label, []).append(len(one.topics))
    lines = []
    for label, sizes in groups.items():
        low, high = min(sizes), max(sizes)
        topics = count(high, "topic") if low == high else f"{low} to {high} topics"
        lines.append(f"{label}: paired on {topics}, in {count(len(sizes), 'run')}")
    return lines
