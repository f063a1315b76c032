"""Recipes: the data that a seeded corpus is made from, as people keep it in `corpora/`.

`corpora/NAME.yml` says seed, slices, tiers and the pinned digests; `corpora/NAME/FAMILY.yml`
holds the word lists and templates of one family.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from gate.corpus.source import Loader, WordLists
from gate.data import data_path
from gate.errors import Problem, UsageError
from gate.files import LinedData, nearest, read_text, read_yaml
from gate.records import ALL_TOPICS, Slice


@dataclass(frozen=True, slots=True)
class Pin:
    """What a tier has to be: its digest and its counts."""

    digest: str
    documents: int
    topics: int
    qrels: int


@dataclass(frozen=True, slots=True)
class Tier:
    """A size: `distractors` come on top of the judged documents, `column` picks the topic counts."""

    name: str
    distractors: int
    column: str
    pin: Pin | None = None


@dataclass(frozen=True, slots=True)
class SliceRecipe:
    """A slice, the family that makes it, and its topics per column. One that `covers` others has no family.

    `where` is the file and line that ask for it.
    """

    slice: Slice
    family: str
    topics: Mapping[str, int]
    covers: tuple[str, ...] = ()
    where: str = ""


@dataclass(frozen=True, slots=True)
class Recipe:
    """All of one recipe. `distractors` are families with their shares; `folder` holds the families' data."""

    name: str
    seed: int
    licence: str
    slices: tuple[SliceRecipe, ...]
    tiers: tuple[Tier, ...]
    distractors: tuple[tuple[str, int], ...]
    path: Path
    folder: Path

    def tier(self, name: str) -> Tier:
        """The tier of that name. Raises UsageError with the nearest known one."""
        for tier in self.tiers:
            if tier.name == name:
                return tier
        raise UsageError(
            "tier-unknown",
            f"the corpus '{self.name}' has no tier '{name}'" if name else f"the corpus '{self.name}' needs a tier",
            where=f"{self.name}@{name}" if name else self.name,
            hint=nearest(name, [tier.name for tier in self.tiers])
            if name
            else f"Say for example {self.name}@{self.tiers[0].name}; "
            f"known: {', '.join(tier.name for tier in self.tiers)}.",
        )

    def asks_for(self, family: str) -> str:
        """Where the recipe first names a family: file and line, or the file alone."""
        return next((entry.where for entry in self.slices if entry.family == family and entry.where), str(self.path))

    @property
    def families(self) -> tuple[str, ...]:
        """Every family that makes topics or distractors, in the order of the recipe."""
        named = [entry.family for entry in self.slices if entry.family]
        return tuple(dict.fromkeys([*named, *(family for family, _ in self.distractors)]))

    def wanted(self, family: str, column: str) -> dict[str, int]:
        """How many topics a family is to make for each of its slices."""
        return {entry.slice.name: entry.topics[column] for entry in self.slices if entry.family == family}


NO_RECIPE = "models.yml"  # the models by name, which stand in the same folder

_FOLDER: ContextVar[Path | None] = ContextVar("recipes", default=None)


@contextmanager
def recipes_in(folder: Path | None) -> Iterator[None]:
    """Within it recipes are those of a folder, such as of another commit, in place of those that ship with the gate."""
    token = _FOLDER.set(folder)
    try:
        yield
    finally:
        _FOLDER.reset(token)


def _recipes() -> Path:
    return _FOLDER.get() or data_path("corpora")


def recipe_names() -> tuple[str, ...]:
    """The recipes that ship with the gate."""
    return tuple(sorted(path.stem for path in _recipes().glob("*.yml") if path.name != NO_RECIPE))


def load_recipe(name: str) -> Recipe:
    """The recipe of that name. Raises UsageError where there is none, or where it cannot be used."""
    known = recipe_names()
    if name not in known:
        raise UsageError("corpus-unknown", f"there is no corpus '{name}'", hint=nearest(name, known))
    path = _recipes() / f"{name}.yml"
    state = path.stat()
    return _read_once(path, state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=64)
def _read_once(path: Path, _changed: int, _size: int) -> Recipe:
    """A recipe is asked for many times in a run, and checked against its schema once."""
    return read_recipe(path)


def read_recipe(path: Path) -> Recipe:
    """A recipe file, whole. Raises UsageError with everything that is wrong with it, each with its line."""
    lined = read_yaml(path, "recipe", "recipe", _contradictions)
    data = lined.data
    return Recipe(
        name=data["name"],
        seed=data["seed"],
        licence=data["licence"],
        slices=tuple(_slice(entry, lined.where("slices", index)) for index, entry in enumerate(data["slices"])),
        tiers=tuple(_tier(name, entry) for name, entry in data["tiers"].items()),
        distractors=tuple(data["distractors"].items()),
        path=path,
        folder=path.parent / data["name"],
    )


def read_family(recipe: Recipe, family: str) -> Mapping[str, Any]:
    """The word lists and templates of one family. Raises UsageError where they cannot be read.

    They stand in one file, `FAMILY.yml`, or in a folder `FAMILY` with one file a slice, as if each
    stood under its name in `slices`; of a folder only what the recipe has slices for is read.
    """
    place = family_path(recipe, family)
    if not place.is_dir():
        return _read_words(place)
    names = sorted(entry.slice.name for entry in recipe.slices if entry.family == family)
    return WordLists({"slices": {name: _read_words(place / f"{name}.yml") for name in names}}, place)


def family_path(recipe: Recipe, family: str) -> Path:
    """The file of a family, or its folder."""
    folder = recipe.folder / family
    return folder if folder.is_dir() else recipe.folder / f"{family}.yml"


def _read_words(path: Path) -> WordLists:
    text = read_text(path, "word list")
    try:
        data = yaml.load(text, Loader=Loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        said = getattr(error, "problem", None) or str(error)
        raise UsageError(
            "yaml-syntax",
            f"the word list file is not valid YAML: {said}",
            where=f"{path}:{mark.line + 1}" if mark is not None else str(path),
        ) from None
    if not isinstance(data, dict):
        raise UsageError("family-invalid", "a word list file has to be a mapping", where=str(path))
    return WordLists(data, path)


def _slice(entry: Mapping[str, Any], where: str) -> SliceRecipe:
    described = Slice(entry["name"], entry["says"], frozenset(entry.get("needs", ())))
    if "modes" in entry:
        described = Slice(described.name, described.says, described.needs, frozenset(entry["modes"]))
    covers = tuple(entry.get("covers", ()))
    return SliceRecipe(described, entry.get("family", ""), entry.get("topics", {}), covers, where)


def _tier(name: str, entry: Mapping[str, Any]) -> Tier:
    pin = Pin(**entry["pin"]) if "pin" in entry else None
    return Tier(name, entry["distractors"], entry["topics"], pin)


def _contradictions(lined: LinedData) -> Iterator[Problem]:
    """What no schema can say: names that are used twice, or that nothing answers to."""
    data = lined.data
    if lined.sound("name") and data["name"] != lined.path.stem:
        said = f"the recipe is called '{data['name']}' but its file '{lined.path.name}'"
        yield Problem(said, lined.where("name"), "name both alike")
    if not lined.sound("slices"):
        return
    made = [entry["name"] for entry in data["slices"] if "family" in entry]
    columns = sorted({tier["topics"] for tier in data["tiers"].values()}) if lined.sound("tiers") else []
    seen: set[str] = set()
    for index, entry in enumerate(data["slices"]):
        name, where = entry["name"], lined.where("slices", index, "name")
        if name == ALL_TOPICS:
            yield Problem(f"the slice '{name}' always exists", where, "leave it out")
        if name in seen:
            yield Problem(f"the slice '{name}' stands twice", where, "keep one of them")
        seen.add(name)
        for part in entry.get("covers", ()):
            if part not in made:
                said = f"no family makes the slice '{part}'"
                yield Problem(said, lined.where("slices", index, "covers"), nearest(part, made))
        for column in columns:
            if "family" in entry and column not in entry["topics"]:
                said = f"the slice '{name}' gives no number of topics for '{column}'"
                yield Problem(said, lined.where("slices", index, "topics"), "a tier asks for it")
