"""Accepting: a run's results become the baseline, with who, why and on what.

Only what was measured whole is accepted: not a run that flags narrowed, that had a defect
planted, that was interrupted, or in which something planned was not measured.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gate.baselines import Baseline, Standing, baseline_path, parse_baseline, read_baseline
from gate.checks.coverage import DEAD_BUDGET
from gate.errors import NotMeasured, Problem, UsageError
from gate.figures import count
from gate.files import canonical_json, nearest, read_text, write_atomic
from gate.measures import MEASURES
from gate.methodology import first_difference
from gate.partial import laid_into, runs_named
from gate.records import Check, Verdict

_MOST_PROBLEMS = 5


@dataclass(frozen=True, slots=True)
class Change:
    """One score that differs. `before` is None for a cell that is new, `after` for one that is gone."""

    cell: str
    before: float | None
    after: float | None

    @property
    def goes_down(self) -> bool:
        """Whether less is found, or more that is forbidden."""
        if self.before is None or self.after is None:
            return self.after is None
        measure = MEASURES.get(self.cell.rpartition("/")[2].partition("@")[0])
        upward = measure is None or measure.higher_is_better
        return self.after < self.before if upward else self.after > self.before


@dataclass(frozen=True, slots=True)
class Acceptance:
    """One baseline file to be written: its text, to where, and what changes by it.

    `text` lacks only who, why and on what. `old` is None where there is none yet, or where it
    cannot be read: `unreadable` then says why. `moved` counts the rankings, by run and topic,
    in which a judged document stands elsewhere or which only one side has.
    """

    text: str
    target: Path
    new: Baseline
    old: Baseline | None
    changes: tuple[Change, ...]
    moved: int
    unreadable: str = ""

    @property
    def otherwise(self) -> str:
        """In what the methodology differs, with both values; empty where it does not."""
        return first_difference(self.new.methodology, self.old.methodology) if self.old is not None else ""

    @property
    def same(self) -> bool:
        """Whether nothing that a baseline judges by would change."""
        return (
            self.old is not None
            and not self.changes
            and not self.moved
            and not self.otherwise
            and dict(self.old.clusters) == dict(self.new.clusters)
            and self.old.runs.keys() == self.new.runs.keys()
        )


def acceptable(verdict: Verdict, results: Path) -> None:
    """Raises UsageError or NotMeasured where the results of a run may not become a baseline."""
    where = str(results)
    if verdict.planted:
        raise UsageError("accept-planted", f"a defect was planted in this run: {verdict.planted}", where=where)
    if verdict.verdict == "INTERRUPTED":
        raise NotMeasured("accept-partial", "this run was interrupted", where=where, hint="Run it again to its end.")
    if verdict.narrowed:
        raise UsageError(
            "accept-narrowed",
            f"this run was narrowed by {', '.join(verdict.narrowed)}",
            where=where,
            hint="Run without these flags, then accept.",
        )
    # A waived cell without a value was not measured either: its waiver excuses a check, not a baseline.
    cells = [Problem(f"{cell.key}: {cell.reason}") for cell in verdict.cells if cell.value is None]
    if cells or not verdict.cells:
        raise NotMeasured(
            "accept-unmeasured",
            f"not measured in this run: {count(len(cells), 'cell')}" if cells else "no cell of this run was measured",
            where=where,
            hint="A baseline is made only from a run in which everything was measured.",
            problems=tuple(cells[:_MOST_PROBLEMS]),
        )
    gaps = [Problem(check.message) for check in verdict.checks if _is_gap(check)]
    if gaps:
        raise NotMeasured(
            "accept-incomplete",
            "this run did not measure all that it was asked for",
            where=where,
            hint="A baseline is made only from a run in which everything was measured.",
            problems=tuple(gaps[:_MOST_PROBLEMS]),
        )


def _is_gap(check: Check) -> bool:
    """Whether planning or measuring left something out. A budget that speaks of nothing leaves the run whole."""
    return check.source == "plan" and check.status == "not measured" and not check.check_id.startswith(DEAD_BUDGET)


def acceptances(results: Path, baselines: Path, only: Sequence[str] = ()) -> list[Acceptance]:
    """What would be written, in the order of the paths. Raises UsageError where there is nothing, or a file is bad.

    `only` are globs over the names of runs: the others then stay as they were accepted. A
    baseline in place that cannot be read is no obstacle: it is what has to be replaced.
    """
    folder = results / "baseline"
    sources = sorted(folder.rglob("*.jsonl")) if folder.is_dir() else []
    if not sources:
        raise UsageError(
            "accept-nothing",
            "these results hold nothing to accept",
            where=str(results),
            hint="Run `gate run` first; a trial that was not measured whole leaves nothing to accept.",
        )
    found = [_acceptance(source, baselines) for source in sources]
    return _parts(found, only) if only else found


def _acceptance(source: Path, baselines: Path) -> Acceptance:
    text = read_text(source, "baseline")
    new = parse_baseline(text, source)
    header = new.header
    target = baseline_path(baselines, header["store"], header["corpus"], header["tier"], header["arm"])
    old, unreadable = None, ""
    if target.is_file():
        try:
            old = read_baseline(target)
        except UsageError as error:
            unreadable = error.what
    return Acceptance(text, target, new, old, tuple(_changes(old, new)), _moved(old, new), unreadable)


def _parts(found: Sequence[Acceptance], only: Sequence[str]) -> list[Acceptance]:
    """Of each baseline the chosen runs alone. Raises UsageError where nothing is chosen, or nothing to lay it into."""
    names = {one.target: run_label(one.new) for one in found}
    chosen = {one.target: runs_named(names[one.target], one.new.header["runs"], only) for one in found}
    for glob in only:
        if not any(runs_named(names[one.target], one.new.header["runs"], (glob,)) for one in found):
            known = [f"{names[one.target]}/{run}" for one in found for run in one.new.header["runs"]]
            raise UsageError("accept-only-unknown", f"no run here is called '{glob}'", hint=nearest(glob, known))
    return [_part(one, chosen[one.target]) for one in found if chosen[one.target]]


def _part(whole: Acceptance, chosen: Sequence[str]) -> Acceptance:
    if whole.old is None:
        raise UsageError(
            "accept-only-first",
            "there is no baseline yet that a part could be laid into",
            where=str(whole.target),
            hint="Accept the whole run first, without --only.",
        )
    if whole.otherwise:
        raise UsageError(
            "accept-only-otherwise",
            f"a part cannot be laid into a baseline that another question was asked for: {whole.otherwise}",
            where=str(whole.target),
            hint="Accept the whole run, without --only.",
        )
    for key in ("fingerprint", "versions"):
        then, now = whole.old.header.get(key, {}), whole.new.header.get(key, {})
        if then != now:
            raise UsageError(
                "accept-only-otherwise",
                f"a part cannot be laid into a baseline whose {key} differs: {_apart(then, now)}",
                where=str(whole.target),
                hint="Accept the whole run, without --only.",
            )
    text = laid_into(read_text(whole.target, "baseline"), whole.text, chosen)
    new = parse_baseline(text, whole.target)
    return replace(whole, text=text, new=new, changes=tuple(_changes(whole.old, new)), moved=_moved(whole.old, new))


def _apart(then: Mapping[str, object], now: Mapping[str, object]) -> str:
    """The first entry in which two mappings differ."""
    key = next(key for key in sorted({*then, *now}) if then.get(key) != now.get(key))
    return f"{key} was {then.get(key, 'not given')} and is {now.get(key, 'not given')}"


def run_label(baseline: Baseline) -> str:
    """`STORE/CORPUS@TIER/ARM`: what the names of a baseline's runs begin with."""
    header = baseline.header
    return f"{header['store']}/{header['corpus']}@{header['tier']}/{header['arm']}"


def _changes(old: Baseline | None, new: Baseline) -> Iterable[Change]:
    before: dict[str, float] = dict(old.header["scores"]) if old is not None else {}
    after: dict[str, float] = new.header["scores"]
    # A score under another definition of its measure is another figure, not a change of this one.
    for cell in [cell for cell in before if old is not None and _version(old, cell) != _version(new, cell)]:
        del before[cell]
    for cell in dict.fromkeys((*after, *before)):
        if before.get(cell) != after.get(cell):
            yield Change(cell, before.get(cell), after.get(cell))


def _version(baseline: Baseline, cell: str) -> int:
    versions: dict[str, int] = baseline.header.get("versions", {})
    return versions.get(cell.rpartition("/")[2], 1)


def _moved(old: Baseline | None, new: Baseline) -> int:
    before, after = _rankings(old) if old is not None else {}, _rankings(new)
    return sum(before.get(at) != after.get(at) for at in before.keys() | after.keys())


def _rankings(baseline: Baseline) -> dict[tuple[str, str], Standing]:
    return {(name, topic): standing for name, topics in baseline.runs.items() for topic, standing in topics.items()}


def write(accepted: Sequence[Acceptance], *, who: str, why: str, date: str, commit: str) -> None:
    """Writes baselines: all of them, or none where one cannot be written.

    Each file is replaced in one step. What was already replaced is put back when a later one
    fails, so that only a process killed in between leaves some new and some old.
    """
    texts = [_stamped(one.text, who=who, why=why, date=date, commit=commit) for one in accepted]
    before = [_bytes(one.target) for one in accepted]
    written = 0
    try:
        for one, text in zip(accepted, texts, strict=True):
            write_atomic(one.target, text)
            written += 1
    except BaseException:
        for one, old in zip(accepted[:written], before[:written], strict=True):
            with suppress(OSError):
                if old is None:
                    one.target.unlink()
                else:
                    one.target.write_bytes(old)
        raise


def _stamped(text: str, **stamp: str) -> str:
    first, _, rest = text.partition("\n")
    header: dict[str, Any] = {**json.loads(first), **stamp}
    return f"{canonical_json(header)}\n{rest}"


def _bytes(path: Path) -> bytes | None:
    """What stands in a file now; None where there is none."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UsageError(
            "file-unreadable",
            f"the baseline in place cannot be read, so it could not be put back: {error.strerror}",
            where=str(path),
        ) from None
