"""A latency report as text and as JSON, which holds to `latency.schema.json`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gate.exit_codes import ExitCode
from gate.figures import count
from gate.files import canonical_json
from gate.latency.records import LatencyReport, Timed
from gate.report.escape import spelled, visible
from gate.report.page import Page
from gate.stats.paired_latency import FAIL, NOT_MEASURED

SCHEMA = 1
_WORDS = {
    ExitCode.PASS: ("PASS", "bold green"),
    ExitCode.REGRESSION: ("SLOWER", "bold red"),
    ExitCode.NOT_MEASURED: ("NOT MEASURED", "bold yellow"),
}
_HEAD = ("mode", "base p50", "head p50", "ratio", "90% interval", "pairs", "topics", "verdict")
_LEFT = frozenset({0, 7})


def latency_text(report: LatencyReport, width: int = 100, *, colour: bool = False) -> str:
    """The report as text of `width` columns, with ANSI escapes only if `colour`."""
    page = Page(width, colour)
    word, style = _WORDS[report.exit_code]
    page.line((word, style), (f"  {_headline(report)}", ""), (f"  (exit {int(report.exit_code)})", "dim"))
    page.paragraph(f"base: {visible(report.base)}", hanging=6)
    page.paragraph(f"head: {visible(report.head)}", hanging=6)
    for place in dict.fromkeys((one.corpus, one.arm) for one in report.timed):
        modes = [one for one in report.timed if (one.corpus, one.arm) == place]
        page.blank()
        page.line((f"{visible(report.store)} on {visible(', '.join(place))}", "bold"))
        _table(page, [_HEAD, *map(_row, modes)])
        for one in modes:
            if one.outcome == NOT_MEASURED:
                page.paragraph(f"{one.mode}: {visible(_why(one))}", indent=2, hanging=2)
    if report.problems:
        page.blank()
    for problem in report.problems:
        page.paragraph(f"not measured: {visible(problem)}", hanging=2)
    return page.text()


def latency_json(report: LatencyReport) -> str:
    """All of a report."""
    data = {
        "schema": SCHEMA,
        "exit_code": int(report.exit_code),
        "store": report.store,
        "base": report.base,
        "head": report.head,
        "problems": list(report.problems),
        "modes": [_mode(one) for one in report.timed],
    }
    return spelled(canonical_json(data)) + "\n"


def _headline(report: LatencyReport) -> str:
    outcomes = [one.outcome for one in report.timed]
    told = [f"{outcomes.count(FAIL)} of {count(len(outcomes), 'mode')} slower"]
    if unknown := outcomes.count(NOT_MEASURED):
        told.append(f"{unknown} not measured")
    return ", ".join(told)


def _row(one: Timed) -> tuple[str, ...]:
    p50, ratio = one.p50, one.ratio
    if p50 is None or ratio is None:
        return (one.mode, "-", "-", "-", "-", "0", str(one.topics), one.outcome)
    mean, low, high = ratio
    interval = "-" if low is None or high is None else f"{low:.2f} to {high:.2f}"
    milliseconds = (f"{each:.3g} ms" for each in p50)
    pairs, topics = str(len(one.pairs)), str(one.topics)
    return (one.mode, *milliseconds, f"{mean:.2f}", interval, pairs, topics, one.outcome)


def _why(one: Timed) -> str:
    if one.reason:
        return one.reason
    return f"{count(len(one.pairs), 'pair')} vary too much to tell: let nothing else run on this machine meanwhile"


def _table(page: Page, rows: list[tuple[str, ...]]) -> None:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (
            cell.ljust(width) if at in _LEFT else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        page.line((("  " + "  ".join(cells)).rstrip(), ""))


def _mode(one: Timed) -> dict[str, Any]:
    judged = one.judged
    mean, low, high = one.ratio or (None, None, None)
    base, head = one.p50 or (None, None)
    return {
        "corpus": one.corpus,
        "arm": one.arm,
        "mode": one.mode,
        "outcome": one.outcome,
        "reason": _why(one) if one.outcome == NOT_MEASURED else "",
        "topics": one.topics,
        "rounds": {"base": one.rounds[0], "head": one.rounds[1]},
        "p50": {"base": base, "head": head},
        "ratio": mean,
        "interval": None if low is None or high is None else [low, high],
        "surely_above_equal": judged is not None and judged.sure > 0,
        "pairs": list(_pairs(one)),
    }


def _pairs(one: Timed) -> Iterator[dict[str, float]]:
    for pair in one.pairs:
        yield {"base_seconds": pair.base, "head_seconds": pair.head, "log_ratio": pair.v}
