"""What is adopted: the settings in place, or those of a first `gate.yml`, and the figures that go with them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from gate.adopt.place import Place
from gate.baselines import baseline_path
from gate.corpus import load_corpus, parse_spec
from gate.errors import GateError, UsageError
from gate.files import read_text
from gate.pins import unpinned
from gate.settings import FILE_NAME, PATH_CORPORA, Settings, read_settings

SEEDED = "seeded"
FASTEST = "smoke"


@dataclass(frozen=True, slots=True)
class Asked:
    """`settings` as a run takes them; `entries` are their corpora as a new gate.yml has them, empty where one is kept.

    `kept` says that the gate.yml in place stays, and speaks for what is not asked otherwise.
    """

    settings: Settings
    entries: tuple[str, ...] = ()
    kept: bool = False

    @property
    def push_tiers(self) -> tuple[str, ...]:
        """The tiers that a push waits for: the smallest alone, unless a corpus from a path has to be measured too."""
        specs = [spec for spec in self.settings.corpora if not spec.startswith(PATH_CORPORA)]
        whole = len(specs) == len(self.settings.corpora)
        return (FASTEST,) if whole and any(parse_spec(spec).tier == FASTEST for spec in specs) else ()

    @property
    def has_baselines(self) -> bool:
        """Whether each corpus and arm has a baseline, of whatever store: its name is known when it is opened."""
        return all(
            any(self.settings.baselines.glob(str(baseline_path(Path(), "*", spec.name, spec.tier, arm))))
            for spec in map(parse_spec, self.settings.corpora)
            for arm in self.settings.arms
        )


def in_place(place: Place, store: str, corpora: Sequence[str]) -> Asked:
    """The settings that stand in the folder. Raises UsageError where they say otherwise than what is asked for now."""
    settings = read_settings(place.folder / FILE_NAME)
    asked = tuple(_absolute(spec, place.folder) for spec in corpora)
    for what, wanted, known in (
        ("store", store, settings.store),
        ("corpora", ", ".join(asked), ", ".join(settings.corpora)),
    ):
        if wanted and wanted != known:
            raise UsageError(
                "init-settings-differ",
                f"{what} here: {known}; asked for: {wanted}",
                where=FILE_NAME,
                hint="Change it there and run `gate init` again, or give --force to have the file written anew.",
            )
    return Asked(settings, kept=True)


def names_store(place: Place) -> bool:
    """Whether the settings in place say which store is gated. Raises UsageError where they cannot be read."""
    text = read_text(place.folder / FILE_NAME, "settings")
    return re.search(r"""^["']?store["']?\s*:""", text, re.MULTILINE) is not None


def before(place: Place) -> Settings | None:
    """The settings that are replaced, whose store and corpora go on where nothing else is asked; None without any."""
    path = place.folder / FILE_NAME
    try:
        return read_settings(path) if path.is_file() else None
    except GateError:
        return None


def first(place: Place, store: str, corpora: Sequence[str]) -> Asked:
    """The settings of a first gate.yml. A corpus that is read from a path is read once, for its pin."""
    own = Settings(path=place.folder / FILE_NAME, store=store, baselines=place.folder / "baselines")
    specs, entries, pins = [], [], {}
    for named in corpora:
        spec = _absolute(named, place.folder)
        found = unpinned(spec, load_corpus(spec), own)
        specs.append(spec)
        entries.append(found.line.removeprefix("- ") if found else named)
        if found:
            pins[spec] = found.digest
    return Asked(replace(own, corpora=tuple(specs), pins=pins), tuple(entries))


def _absolute(spec: str, folder: Path) -> str:
    for reader in PATH_CORPORA:
        if spec.startswith(reader) and spec != reader:
            return f"{reader}{folder / spec.removeprefix(reader)}"
    return spec
