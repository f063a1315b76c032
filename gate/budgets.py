"""Budget files: absolute limits, contrasts and waivers, kept by hand and matched on cells."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator
from datetime import date
from fnmatch import translate
from functools import cached_property, lru_cache
from operator import attrgetter
from pathlib import Path
from typing import Any

from gate.errors import GateError, Problem
from gate.files import LinedData, read_yaml
from gate.measures import ALIASES, MEASURES, parse_measure
from gate.records import Budgets, CellKey, Contrast, Limit, Waiver

PARTS = ("store", "corpus@tier", "slice", "arm", "mode", "fault", "measure")
_GLOB = re.compile(r"[*?\[]")
# The other side of a contrast, by its kind.
_PARTNER = {"difference": "minus", "ratio": "over"}


_READERS: tuple[Callable[[CellKey], str], ...] = (
    attrgetter("store"),
    lambda cell: f"{cell.corpus}@{cell.tier}",
    *map(attrgetter, ("slice", "arm", "mode", "fault", "measure")),
)


@lru_cache(maxsize=4096)
def _rules(glob: str) -> tuple[tuple[Callable[[CellKey], str], str | re.Pattern[str]], ...] | None:
    """What a glob asks of a cell: plain texts first, the last parts before all, since they tell most cells apart."""
    parts = glob.split("/")
    if len(parts) != len(_READERS):
        return None
    asked = [(read, part) for read, part in reversed(list(zip(_READERS, parts, strict=True))) if part != "*"]
    plain = [(read, part) for read, part in asked if not _GLOB.search(part)]
    return (*plain, *((read, re.compile(translate(part))) for read, part in asked if _GLOB.search(part)))


def matches(glob: str, cell: CellKey) -> bool:
    """Whether a cell is one that `glob` speaks of. Globs hold within a part: `*` never crosses a `/`."""
    rules = _rules(glob)
    if rules is None:
        return False
    for read, wanted in rules:
        part = read(cell)
        if part != wanted and (isinstance(wanted, str) or not wanted.match(part)):
            return False
    return True


def matching(glob: str, cells: Iterable[CellKey]) -> list[CellKey]:
    """The cells that `glob` speaks of, in the order given."""
    return [cell for cell in cells if matches(glob, cell)]


class CellIndex:
    """Cells that many globs are held against, by their measures: most globs speak of a single one."""

    def __init__(self, cells: Iterable[CellKey]) -> None:
        self._of: dict[str, list[tuple[int, CellKey]]] = {}
        for place, cell in enumerate(cells):
            self._of.setdefault(cell.measure, []).append((place, cell))
        self._has: dict[str, bool] = {}

    @cached_property
    def names(self) -> frozenset[str]:
        """The cells as they are written."""
        return frozenset(str(cell) for own in self._of.values() for _, cell in own)

    def matching(self, glob: str) -> list[CellKey]:
        """The cells that `glob` speaks of, in the order given."""
        return [cell for _, cell in sorted(pair for own in self._near(glob) for pair in own if matches(glob, pair[1]))]

    def has(self, glob: str) -> bool:
        """Whether `glob` speaks of any cell."""
        if glob not in self._has:
            self._has[glob] = any(matches(glob, cell) for own in self._near(glob) for _, cell in own)
        return self._has[glob]

    def _near(self, glob: str) -> list[list[tuple[int, CellKey]]]:
        measure = glob.rpartition("/")[2]
        if _GLOB.search(measure):
            return list(self._of.values())
        return [self._of[measure]] if measure in self._of else []


@lru_cache(maxsize=8)
def index_of(cells: frozenset[CellKey]) -> CellIndex:
    """The index of cells that are asked again and again, as those of a full plan are wherever results are judged."""
    return CellIndex(cells)


def partner_of(contrast: Contrast, cell: CellKey) -> str:
    """The partner's cell for one cell that `contrast.of` matched: globs take what they matched there."""
    return "/".join(
        own if _GLOB.search(part) else part
        for part, own in zip(contrast.partner.split("/"), str(cell).split("/"), strict=True)
    )


def canonical_cell(cell: str) -> str:
    """A cell, or a glob of cells, with its measure as it prints: `MRR` is accepted as a name for `RR`."""
    head, _, measure = cell.rpartition("/")
    if _GLOB.search(measure):
        name, at, cutoff = measure.partition("@")
        return f"{head}/{ALIASES.get(name, name)}{at}{cutoff}"
    try:
        return f"{head}/{parse_measure(measure).label}"
    except GateError:
        return cell


def cell_problems(cell: str, where: str) -> Iterator[Problem]:
    """What keeps a cell, or a glob of cells, from ever being one. Whether the plan has it is for the plan to say."""
    parts = cell.split("/")
    if len(parts) != len(PARTS):
        yield Problem(
            f"'{cell}' has {len(parts)} part{'s' * (len(parts) != 1)}, a cell has {len(PARTS)}", where, "/".join(PARTS)
        )
        return
    for name, part in zip(PARTS, parts, strict=True):
        if not part.strip() or part != part.strip():
            fault = "padded with spaces" if part.strip() else "empty"
            yield Problem(f"the {name} of '{cell}' is {fault}", where, "write * for any")
    if "@" not in parts[1] and not _GLOB.search(parts[1]):
        yield Problem(f"the corpus '{parts[1]}' of '{cell}' names no tier", where, f"such as {parts[1]}@1k, or @*")
    # Probes are named by a waiver in the place of a measure; only a plan knows their names.
    if not _GLOB.search(parts[-1]) and parts[5] != "probe":
        try:
            parse_measure(parts[-1])
        except GateError as error:
            yield Problem(error.what, where, error.hint)


def read_budgets(path: Path | None) -> Budgets:
    """All of a budget file; no file, no budgets. Raises UsageError with every problem and its line."""
    if path is None:
        return Budgets()
    lined = read_yaml(path, "budgets", "budgets", _problems)
    limits: list[Limit] = []
    contrasts: list[Contrast] = []
    for index, entry in enumerate(lined.data.get("budgets", ())):
        if entry.get("level") == "off":
            continue
        common = {
            "minimum": entry.get("min"),
            "maximum": entry.get("max"),
            "level": entry.get("level", "error"),
            "reason": entry.get("reason", ""),
            "where": lined.where("budgets", index),
        }
        if "cell" in entry:
            needs = entry.get("needs_package", "")
            limits.append(Limit(cell=canonical_cell(entry["cell"]), needs_package=needs, **common))
        else:
            partner = entry[_PARTNER[entry["contrast"]]]
            contrasts.append(
                Contrast(
                    kind=entry["contrast"], of=canonical_cell(entry["of"]), partner=canonical_cell(partner), **common
                )
            )
    waivers = tuple(
        Waiver(canonical_cell(entry["cell"]), entry["until"], entry["reason"], lined.where("waivers", index))
        for index, entry in enumerate(lined.data.get("waivers", ()))
    )
    return Budgets(tuple(limits), tuple(contrasts), waivers, str(path))


def _problems(lined: LinedData) -> Iterator[Problem]:
    """What the schema cannot see, of every entry that it finds sound."""
    for section, problems in (("budgets", _entry_problems), ("waivers", _waiver_problems)):
        entries = lined.data.get(section) if isinstance(lined.data, dict) else None
        for index, entry in enumerate(entries if isinstance(entries, list) else ()):
            if lined.sound(section, index):
                yield from problems(entry, lined, (section, index))


def _waiver_problems(entry: dict[str, Any], lined: LinedData, at: tuple[str | int, ...]) -> Iterator[Problem]:
    yield from cell_problems(entry["cell"], lined.where(*at, "cell"))
    try:
        date.fromisoformat(entry["until"])
    except ValueError:
        yield Problem(f"'{entry['until']}' is not a day", lined.where(*at, "until"), "as in 2027-03-31")


def _entry_problems(entry: dict[str, Any], lined: LinedData, at: tuple[str | int, ...]) -> Iterator[Problem]:
    if ("cell" in entry) == ("contrast" in entry):
        yield Problem(
            "a budget is either a 'cell' or a 'contrast'",
            lined.where(*at),
            'such as  - cell: "*/seeded@*/all/*/keyword/none/R@5"  with  min: 0.90',
        )
        return
    sides = ["cell"] if "cell" in entry else ["of", _PARTNER[entry["contrast"]]]
    missing = [key for key in sides if key not in entry]
    if missing:
        yield Problem(
            f"a {entry['contrast']} needs {' and '.join(map(repr, sides))}",
            lined.where(*at),
            f"missing: {', '.join(missing)}",
        )
        return
    for key in ("of", "minus", "over", *(("needs_package",) if "contrast" in entry else ())):
        if key in entry and key not in sides:
            what = f"a {entry['contrast']}" if "contrast" in entry else "a limit on cells"
            yield Problem(f"{what} has no '{key}'", lined.where(*at, key), f"it has {' and '.join(map(repr, sides))}")
    found = [problem for key in sides for problem in cell_problems(entry[key], lined.where(*at, key))]
    yield from found
    if len(sides) == 2 and not found:
        yield from _side_problems(entry["of"], entry[sides[1]], sides[1], lined.where(*at, sides[1]))
    yield from _number_problems(entry, lined, at)


def _side_problems(of: str, partner: str, key: str, where: str) -> Iterator[Problem]:
    """A contrast is between two cells, or as many pairs as its globs have matches, and of one measure."""
    own, other = canonical_cell(of).split("/"), canonical_cell(partner).split("/")
    for name, left, right in zip(PARTS, own, other, strict=True):
        if left != right and (_GLOB.search(left) or _GLOB.search(right)):
            yield Problem(
                f"the {name} is '{left}' in 'of' and '{right}' in '{key}'",
                where,
                "globs of both sides have to expand to the same cells: write the same glob, or names without one",
            )
    if own[-1] != other[-1] and not _GLOB.search(own[-1] + other[-1]):
        yield Problem(f"'of' is {own[-1]} and '{key}' is {other[-1]}", where, "a contrast is of one measure")
    if own == other:
        yield Problem(f"'of' and '{key}' are the same cell", where, "let them differ in mode, fault, slice or store")


def _number_problems(entry: dict[str, Any], lined: LinedData, at: tuple[str | int, ...]) -> Iterator[Problem]:
    bounds = {key: entry[key] for key in ("min", "max") if key in entry}
    if not bounds:
        yield Problem("a budget needs 'min' or 'max'", lined.where(*at), "such as  min: 0.90")
    lowest, highest = _range(entry)
    for key, value in bounds.items():
        if not lowest <= value <= highest:
            yield Problem(
                f"'{key}' is {value:g}, but this {'measure' if 'cell' in entry else 'contrast'}"
                f" runs from {lowest:g} {f'to {highest:g}' if math.isfinite(highest) else 'up'}",
                lined.where(*at, key),
                f"write {value / 100:g} for {value:g}%" if 1 < value <= 100 else "choose a number in that range",
            )
    if len(bounds) == 2 and bounds["min"] > bounds["max"]:
        yield Problem(
            f"'min' ({bounds['min']:g}) is above 'max' ({bounds['max']:g})", lined.where(*at, "min"), "swap them"
        )


def _range(entry: dict[str, Any]) -> tuple[float, float]:
    """What a limit on cells, a difference or a ratio can be: shares run from 0 to 1, no measure goes below 0."""
    measure = canonical_cell(entry.get("cell") or entry["of"]).rpartition("/")[2]
    if entry.get("contrast") == "ratio":
        return 0.0, math.inf
    known = MEASURES.get(measure.partition("@")[0])
    highest = known.highest if known is not None else math.inf
    return (0.0, highest) if "cell" in entry else (-highest, highest)
