"""`gate.yml`: what to gate, with what, and how strictly. Every key is optional."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gate.budgets import canonical_cell, cell_problems, read_budgets
from gate.corpus import READERS, parse_spec
from gate.data import data_path
from gate.errors import GateError, Problem, UsageError
from gate.faults import faults_matching
from gate.files import LinedData, nearest, read_yaml
from gate.measures import DEFAULT_MEASURES, parse_measure
from gate.models import ARMS, HASHED, NONE, Choice, arm

FILE_NAME = "gate.yml"
PATH_CORPORA = tuple(f"{reader}:" for reader in READERS)


@dataclass(frozen=True, slots=True)
class FailOpen:
    """How a store has to survive its parts.

    `faults` are globs over the known faults. `within` is the delay in seconds that a failing
    part may cause. `floor` is the least R@5 of a fallback, and `agreement` the least mean
    share of keyword search's first five that it returns.
    """

    faults: tuple[str, ...] = ("*",)
    within: float = 2.0
    floor: float = 0.30
    agreement: float = 0.80


@dataclass(frozen=True, slots=True)
class Settings:
    """All of `gate.yml`, with paths made absolute. `path` is None where no file was read.

    `modes` is empty where all that the store declares are meant; `budgets` is None where there
    is no budget file. `probes` is off, fast or full. `pins` are the digests of corpora that are
    read from a path, by their spec; `renames` are pairs of a slice's old and new name; `models` are
    what an arm has in place of its own, by its name.
    """

    path: Path | None = None
    store: str = "reference"
    corpora: tuple[str, ...] = ("seeded@smoke",)
    slices: tuple[str, ...] = ("*",)
    modes: tuple[str, ...] = ()
    arms: tuple[str, ...] = ("cpu-hash",)
    measures: tuple[str, ...] = DEFAULT_MEASURES
    depth: int = 100
    granularity: str = "turn"
    dedup: bool = False
    budgets: Path | None = None
    baselines: Path = Path("baselines")
    baseline: str = "required"
    fail_open: FailOpen = FailOpen()
    require: tuple[str, ...] = ()
    timeout: float = 60.0
    noisy: bool = False
    probes: str = "fast"
    renames: tuple[tuple[str, str], ...] = ()
    pins: Mapping[str, str] = field(default_factory=dict)
    models: Mapping[str, Choice] = field(default_factory=dict)


def find_settings(explicit: Path | None) -> Path:
    """The settings file: the one given, else `gate.yml` in this folder, else the one that ships with the gate."""
    if explicit is not None:
        return explicit
    here = Path(FILE_NAME)
    return here if os.path.lexists(here) else data_path(FILE_NAME)


def shipped_settings(path: Path | None) -> bool:
    """Whether these are the settings that ship with the gate, found because a folder has none of its own."""
    return path == data_path(FILE_NAME)


def read_settings(path: Path) -> Settings:
    """Settings from a file. Raises UsageError with every problem and its line, those of its budget file included."""
    lined = read_yaml(path, "settings", "settings", _problems)
    data: dict[str, Any] = lined.data
    folder = path.resolve().parent
    fail_open = data.get("fail_open", {})
    default = Settings()
    corpora = [(_absolute(_spec(entry), folder), entry) for entry in data.get("corpora", default.corpora)]
    return Settings(
        path=path,
        store=data.get("store", default.store),
        corpora=tuple(spec for spec, _ in corpora),
        pins={spec: entry["sha256"] for spec, entry in corpora if not isinstance(entry, str) and "sha256" in entry},
        slices=tuple(data.get("slices", default.slices)),
        modes=tuple(data.get("modes", default.modes)),
        arms=tuple(data.get("arms", default.arms)),
        measures=tuple(parse_measure(name).label for name in data.get("measures", default.measures)),
        depth=int(data.get("depth", default.depth)),
        granularity=data.get("granularity", default.granularity),
        dedup=data.get("dedup", default.dedup),
        budgets=folder / data["budgets"] if "budgets" in data else None,
        baselines=folder / data.get("baselines", default.baselines),
        baseline=data.get("baseline", default.baseline),
        fail_open=FailOpen(
            faults=tuple(fail_open.get("faults", default.fail_open.faults)),
            within=float(fail_open.get("within", default.fail_open.within)),
            floor=float(fail_open.get("floor", default.fail_open.floor)),
            agreement=float(fail_open.get("agreement", default.fail_open.agreement)),
        ),
        require=tuple(canonical_cell(cell) for cell in data.get("require", default.require)),
        timeout=float(data.get("timeout", default.timeout)),
        noisy=data.get("noisy", default.noisy),
        probes=data.get("probes", default.probes),
        renames=tuple(data.get("renames", {}).items()),
        models={name: _choice(given, folder) for name, given in data.get("models", {}).items()},
    )


def _choice(given: Mapping[str, Any], folder: Path) -> Choice:
    """The models of an arm, a folder taken from that of the settings."""
    from gate.models.named import is_folder
    from gate.models.paths import at_home

    def placed(name: str) -> str:
        return str(folder / at_home(name)) if name and is_folder(name) else name

    return Choice(
        placed(given.get("embedder", "")),
        placed(given.get("reranker", "")),
        int(given.get("threads", 0)),
        given.get("vectors") == "live",
    )


def _spec(entry: str | Mapping[str, str]) -> str:
    """A corpus as flags name it, of an entry that may name reader and path apart, beside the digest."""
    if isinstance(entry, str):
        return entry
    readers = [reader for reader in READERS if reader in entry]
    if len(readers) != 1:
        what = "two readers stand in one corpus" if readers else "no reader stands in this corpus"
        raise UsageError("corpus-entry", what, hint=f"one of {', '.join(READERS)}, such as {{beir: path/to/folder}}")
    return f"{readers[0]}:{entry[readers[0]]}"


def _absolute(spec: str, folder: Path) -> str:
    """A corpus given by path, with the path taken from the folder of the settings."""
    for prefix in PATH_CORPORA:
        if spec.startswith(prefix) and spec != prefix:
            return prefix + str(folder / spec.removeprefix(prefix))
    return spec


def _problems(lined: LinedData) -> Iterator[Problem]:
    """What the schema cannot see: names that nothing answers to, and things asked for twice.

    Where anything is wrong, what is wrong with the budget file comes along; where nothing is,
    whoever reads that file says so.
    """
    found = [*_name_problems(lined), *_require_problems(lined), *_rename_problems(lined), *_model_problems(lined)]
    yield from found
    if (found or lined.broken) and lined.sound("budgets"):
        try:
            read_budgets(lined.path.resolve().parent / lined.data["budgets"])
        except UsageError as error:
            yield from error.problems or (Problem(error.what, error.where, error.hint),)


def _name_problems(lined: LinedData) -> Iterator[Problem]:
    folder = lined.path.resolve().parent

    def corpus(entry: Any) -> str:
        return parse_spec(_absolute(_spec(entry), folder)).label

    def measure(name: str) -> str:
        return parse_measure(name).label

    def fault(glob: str) -> str:
        faults_matching((glob,))
        return glob

    # What stands for what is asked: two that stand for the same would be measured under one name.
    keys: tuple[tuple[tuple[str, ...], Callable[[Any], str]], ...] = (
        (("corpora",), corpus),
        (("arms",), lambda name: arm(name).name),
        (("measures",), measure),
        (("fail_open", "faults"), fault),
    )
    for at, name_of in keys:
        seen: dict[str, str] = {}
        for index, entry in _texts(lined, *at):
            where = lined.where(*at, index)
            try:
                name, value = name_of(entry), _spec(entry)
            except GateError as error:
                yield Problem(error.what, where, error.hint)
                yield from error.problems
                continue
            if name in seen:
                yield Problem(f"'{value}' is {name}, and so is '{seen[name]}'", where, "keep one of them")
            seen.setdefault(name, value)


def _require_problems(lined: LinedData) -> Iterator[Problem]:
    for index, cell in _texts(lined, "require"):
        yield from cell_problems(cell, lined.where("require", index))


def _model_problems(lined: LinedData) -> Iterator[Problem]:
    """An arm that does not exist, a model that nobody knows by that name, and one of another kind than its place."""
    from gate.models.named import is_folder, models, unknown_name
    from gate.models.spec import EMBEDDER

    given = lined.data.get("models") if isinstance(lined.data, dict) else None
    given = given if isinstance(given, dict) else {}
    kinds = "`gate models list` shows the kind of each"
    for name in given:
        if name not in ARMS:
            yield Problem(f"there is no arm '{name}'", lined.where("models", name), nearest(str(name), ARMS))
        for part in ("embedder", "reranker"):
            if not lined.sound("models", name, part):
                continue
            model, where = given[name][part], lined.where("models", name, part)
            if model == NONE or is_folder(model):
                continue
            if model == HASHED:
                if part != EMBEDDER:
                    yield Problem(f"'{HASHED}' is an embedder, and stands where a reranker should", where, kinds)
            elif model not in models():
                yield Problem(f"there is no model '{model}'", where, unknown_name(model, (*models(), HASHED, NONE)))
            elif (models()[model].kind == EMBEDDER) != (part == EMBEDDER):
                kind = models()[model].kind
                yield Problem(f"'{model}' is a model of the kind {kind}, and stands where {part} should", where, kinds)


def _rename_problems(lined: LinedData) -> Iterator[Problem]:
    """A new name stands for one old one, and is no old name itself."""
    if not lined.sound("renames"):
        return
    renames: dict[str, str] = lined.data["renames"]
    seen: dict[str, str] = {}
    for old, new in renames.items():
        where = lined.where("renames", old)
        if new in renames:
            yield Problem(f"'{new}' is a new name of '{old}', and an old name too", where, "name each slice once")
        elif new in seen:
            yield Problem(f"'{new}' is the new name of '{old}' and of '{seen[new]}'", where, "keep one of them")
        seen.setdefault(new, old)


def _texts(lined: LinedData, *at: str) -> Iterator[tuple[int, Any]]:
    """The items of a list that the schema finds sound, with their index: texts, but of corpora mappings too."""
    values: Any = lined.data
    for part in at:
        values = values.get(part) if isinstance(values, dict) else None
    for index, value in enumerate(values if isinstance(values, list) else ()):
        if lined.sound(*at, index):
            yield index, value
