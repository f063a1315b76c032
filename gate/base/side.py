"""One of the two sides that are compared: what settings, budgets, recipes and baselines ask for together."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from gate.corpus import corpus_slices, parse_spec
from gate.corpus.recipe import load_recipe
from gate.files import LinedData, from_here, read_yaml
from gate.globs import chosen
from gate.paired import GATED, LEAK
from gate.records import ALL_TOPICS, MODES, Budgets, Slice
from gate.settings import Settings


@dataclass(frozen=True, slots=True, order=True)
class BaselineName:
    """Which baseline: one per store, corpus, tier and arm. `label` is corpus@tier."""

    store: str
    label: str
    arm: str

    def __str__(self) -> str:
        return f"{self.store}/{self.label}.{self.arm}"


@dataclass(frozen=True, slots=True)
class AskedCorpus:
    """A corpus of one side. `slices` is None where they are known only once it is read; `pin` is empty without one."""

    spec: str
    label: str
    slices: tuple[Slice, ...] | None
    pin: str
    recipe: Path | None


@dataclass(frozen=True, slots=True)
class Side:
    """What one side asks for. `shown` makes of `file:line` what a person can find it by."""

    settings: Settings
    budgets: Budgets
    corpora: Mapping[str, AskedCorpus]
    baselines: Mapping[BaselineName, Path]
    lined: LinedData | None
    shown: Callable[[str], str] = from_here

    def says(self, key: str) -> bool:
        """Whether the settings file has that key."""
        return self.lined is not None and key in self.lined.data

    def where(self, *key: str | int) -> str:
        """File and line of a key of the settings."""
        return self.shown(self.lined.where(*key)) if self.lined is not None else ""

    def slices(self, label: str) -> dict[str, Slice] | None:
        """The slices asked of a corpus, by name, `all` first; None where only reading the corpus tells them."""
        known = self.corpora[label].slices
        if known is None:
            return None
        every = {s.name: s for s in (Slice(ALL_TOPICS, "every topic"), *known)}
        return {name: every[name] for name in chosen(every, self.settings.slices)}

    def modes(self, declared: Collection[str]) -> tuple[str, ...]:
        """The modes asked: those of the settings, else all that the store declares."""
        return self.settings.modes or tuple(mode for mode in MODES if mode in declared)

    @property
    def measures(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.settings.measures, *GATED, LEAK)))


def side_of(
    settings: Settings, budgets: Budgets, shown: Callable[[str], str] = from_here, *, lined: bool = True
) -> Side:
    """A side as it stands on disk. Raises UsageError where its files cannot be used."""
    asked = [_corpus(spec, settings.pins.get(spec, "")) for spec in settings.corpora]
    corpora = {one.label: one for one in asked}
    return Side(
        settings,
        budgets,
        corpora,
        _baselines(settings, corpora),
        read_yaml(settings.path, "settings", "settings") if lined and settings.path is not None else None,
        shown,
    )


def _corpus(spec: str, pin: str) -> AskedCorpus:
    parsed = parse_spec(spec)
    if parsed.reader:
        return AskedCorpus(spec, parsed.label, None, pin, None)
    recipe = load_recipe(parsed.name)
    tier = recipe.tier(parsed.tier)
    return AskedCorpus(spec, parsed.label, corpus_slices(spec), tier.pin.digest if tier.pin else "", recipe.path)


def _baselines(settings: Settings, corpora: Collection[str]) -> dict[BaselineName, Path]:
    """The baselines of all stores that speak of a corpus and arm of the settings."""
    found = {}
    for path in sorted(settings.baselines.glob("*/*.jsonl")):
        label, _, arm = path.stem.rpartition(".")
        if label in corpora and arm in settings.arms and path.is_file():
            found[BaselineName(path.parent.name, label, arm)] = path
    return found
