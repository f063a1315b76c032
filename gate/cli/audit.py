"""`gate corpus audit`: does each slice measure what it says?"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import click

from gate.cli.table import echo_table
from gate.errors import UsageError
from gate.report.escape import visible

if TYPE_CHECKING:
    from gate.audit import Audit, Finding

_HEAD = (
    "slice", "topics", "clusters", "relevant", "confusable", "shared", "repeated",
    "R@5", "good engine", "R@5", "other good engine", "R@5", "wrong engine", "verdict",
)  # fmt: skip
_NUMBERS = (1, 2, 3, 4, 5, 6, 7, 9, 11)
_NONE = "-"


@click.command(epilog="Exit codes: 0 proved, 1 a slice is not, 2 something was not measured, 3 usage.")
@click.argument("spec", metavar="[SPEC]", default="seeded@1k")
@click.option("--slice", "slices", multiple=True, metavar="GLOB", help="Only these slices; !GLOB leaves out.")
@click.pass_context
def audit(context: click.Context, spec: str, slices: tuple[str, ...]) -> None:
    """Show whether each slice measures what it says. SPEC is seeded@1k unless given.

    Two good engines that are not ours (BM25 by bm25s, over tokens that suit the slice) have to
    find its answers, R@5 at least 0.8, and its natural wrong one has to miss them, at most 0.4.
    Where both good ones find everything the slice is too easy, unless it is an invariant.

    \b
    relevant    relevant documents a topic
    confusable  documents a topic that hold half of the question's tokens and answer nothing
    shared      share of the question's tokens that the relevant documents hold together
    repeated    topics that another one repeats, but for case, accents and a tenth of the tokens
    """
    from gate.audit import audit as audit_corpus
    from gate.corpus import load_corpus
    from gate.globs import chosen
    from gate.plan import check_globs
    from gate.records import ALL_TOPICS

    loaded = load_corpus(spec)
    names = [part.name for part in loaded.slices] or [ALL_TOPICS]
    check_globs(slices, names, "slice")
    wanted = chosen(names, slices or ("*",))
    if not wanted:
        raise UsageError(
            "slice-none", f"no slice of {loaded.label} is left", hint="Leave out less with --slice '!GLOB'."
        )
    made = audit_corpus(loaded, wanted, _told)
    if sys.stderr.isatty():
        click.echo("\r\x1b[K", nl=False, err=True)
    _show(made)
    context.exit(made.exit_code)


def _told(engine: str) -> None:
    """Names the engine at work on standard error, where that is a terminal."""
    if sys.stderr.isatty():
        click.echo(f"\r\x1b[K{visible(engine)}", nl=False, err=True)


def _show(made: Audit) -> None:
    echo_table([_HEAD, *(_row(finding) for finding in made.findings)], right=_NUMBERS)
    click.echo()
    for reason, slices in _by_reason(made.findings):
        click.echo(click.wrap_text(visible(f"{', '.join(slices)}: {reason}"), 100, "  ", "    "))
    if made.missing:
        packages = " ".join(made.missing)
        click.echo(visible(f"Engines were left out, since this cannot be imported: {packages}. pip install {packages}"))
    click.echo(visible(f"{made.corpus}: {_counts(made)}"))


def _row(finding: Finding) -> tuple[str, ...]:
    part = finding.anatomy
    row = (
        part.slice,
        f"{part.topics:,}",
        f"{part.clusters:,}",
        f"{part.relevant:.2f}",
        f"{part.confusable:.2f}",
        _figure(part.answered),
        f"{part.near_duplicates:,}",
        _figure(finding.good),
        finding.good_name or _NONE,
        _figure(finding.other),
        finding.other_name or _NONE,
        _figure(finding.wrong),
        finding.wrong_name or _NONE,
        finding.status,
    )
    return tuple(map(visible, row))


def _figure(value: float | None) -> str:
    from gate.figures import figure

    return _NONE if value is None else figure(value)


def _by_reason(findings: Iterable[Finding]) -> list[tuple[str, list[str]]]:
    """The slices of which there is something to say, those with the same reason together, in the table's order."""
    slices: dict[str, list[str]] = {}
    for finding in findings:
        if finding.reason:
            slices.setdefault(f"{finding.status}, {finding.reason}", []).append(finding.anatomy.slice)
    return list(slices.items())


def _counts(made: Audit) -> str:
    from gate.audit import FAILED, NOT_MEASURED, PROVED, UNJUDGED

    statuses: Sequence[str] = [finding.status for finding in made.findings]
    return ", ".join(
        f"{statuses.count(status)} {status}"
        for status in (PROVED, FAILED, NOT_MEASURED, UNJUDGED)
        if status in (PROVED, FAILED) or status in statuses
    )
