"""The files of the base that say how high its bar was, brought into a folder and read as those of the head are."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from gate.base.repository import Entry, NoBase, Repository
from gate.base.side import Side, side_of
from gate.budgets import read_budgets
from gate.corpus import READERS
from gate.corpus.recipe import recipes_in
from gate.data import data_path
from gate.errors import UsageError
from gate.files import read_text
from gate.settings import FILE_NAME, read_settings
from gate.yaml_source import parse


@dataclass(frozen=True, slots=True)
class Extracted:
    """The side of the base. `notes` are what a reader must know; `moved_from` is where its settings stood, if moved."""

    side: Side
    notes: tuple[str, ...] = ()
    moved_from: str = ""
    own_recipes: bool = False


class Base:
    """The files of one commit, as they are needed, in an empty folder of their own."""

    def __init__(self, repository: Repository, commit: str, folder: Path) -> None:
        self.repository, self.commit = repository, commit
        self._scratch = folder.resolve()
        # As deep as the repository itself, so that a path that leads out of it does not lead out of the scratch folder.
        self.folder = self._scratch.joinpath(*repository.root.parts[1:])
        self.folder.mkdir(parents=True, exist_ok=True)

    def shown(self, place: str) -> str:
        """A place in the folder, as git names it: `3f2a9c1d04:gate.yml:3`."""
        return place.replace(f"{self.folder}{os.sep}", f"{self.commit[:10]}:")

    def read(self, settings: Path) -> Extracted | None:
        """What the base asks for by the settings file that stands at a path of the head; None if it had none.

        Raises NoBase where its files cannot be read.
        """
        path = self.repository.relative(settings)
        if path is None:
            return None
        entry = self.repository.find(self.commit, path)
        moved = ""
        if entry is None:
            moved = self._moved(path)
            entry = self.repository.find(self.commit, moved) if moved else None
        if entry is None:
            return None
        if entry.is_folder:
            raise NoBase("base-invalid", "the settings file of the base is a folder", where=self._named(path))
        with self._plainly(), recipes_in(self._recipes()):
            return replace(self._extracted(entry), moved_from=moved)

    def _moved(self, path: str) -> str:
        """The settings file of the base that is gone from the work tree, where exactly one is."""
        names = {FILE_NAME, posixpath.basename(path)}
        gone = [
            entry.path
            for entry in self.repository.files(self.commit, "")
            if posixpath.basename(entry.path) in names and not os.path.lexists(self.repository.root / entry.path)
        ]
        return gone[0] if len(gone) == 1 else ""

    def _extracted(self, entry: Entry) -> Extracted:
        path = self._write([entry])[0]
        self._make_corpus_folders(path)
        settings = read_settings(path)
        notes = []
        if settings.budgets is not None:
            inside = self._inside(settings.budgets)
            found = self.repository.find(self.commit, inside) if inside else None
            if inside is None:
                settings = replace(settings, budgets=self._outside(settings.budgets))
                notes.append("the budget file of the base is outside of the repository, and read as it is now")
            elif found is not None and not found.is_folder:
                self._write([replace(found, path=inside)])
        inside = self._inside(settings.baselines)
        if inside is None:
            settings = replace(settings, baselines=self._outside(settings.baselines))
            notes.append("the baselines of the base are outside of the repository, and read as they are now")
        else:
            self._write_baselines(inside)
        side = side_of(settings, read_budgets(settings.budgets), self.shown)
        return Extracted(side, tuple(notes), own_recipes=self._recipes_path() is not None)

    def _write_baselines(self, path: str) -> None:
        found = self.repository.find(self.commit, path)
        if found is None or not found.is_folder:
            return
        wanted = []
        for entry in self.repository.files(self.commit, found.path):
            inner = entry.path.removeprefix(f"{found.path}/") if found.path else entry.path
            if inner.count("/") == 1 and inner.endswith(".jsonl"):
                wanted.append(replace(entry, path=posixpath.join(path, inner)))
        self._write(wanted)

    def _write(self, entries: Sequence[Entry]) -> list[Path]:
        written = []
        for entry, data in zip(entries, self.repository.blobs(entries), strict=True):
            path = self.folder / entry.path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            written.append(path)
        return written

    def _inside(self, path: Path) -> str | None:
        """A path of the extracted files as the repository names it; None for one outside of it."""
        inner = posixpath.normpath(Path(os.path.relpath(path, self.folder)).as_posix())
        return None if inner == ".." or inner.startswith("../") else "" if inner == "." else inner

    def _outside(self, path: Path) -> Path:
        """A path that leads out of the extracted files, as it leads out of the repository."""
        if not path.is_relative_to(self.folder):
            return path
        return Path(os.path.normpath(self.repository.root / os.path.relpath(path, self.folder)))

    def _make_corpus_folders(self, settings: Path) -> None:
        """What corpora given by path are named after: a folder, a file, or what a link leads to.

        What the commit does not hold, because git ignores it or because it is elsewhere, is what it is now.
        """
        data, *_ = parse(read_text(settings, "settings"), settings, "settings")
        corpora = data.get("corpora") if isinstance(data, dict) else None
        for entry in corpora if isinstance(corpora, list) else ():
            place = _place(entry)
            # What is no path at all is for the reader of the settings to refuse.
            if place and "\0" not in place and not os.path.isabs(place):
                self._make_corpus_folder(settings.parent / place)

    def _make_corpus_folder(self, path: Path) -> None:
        inside = self._inside(path)
        target = self._outside(path).resolve()
        if inside is not None:
            try:
                found = self.repository.find(self.commit, inside)
            except NoBase:
                found = None  # a submodule, or a link that leads out: neither is in the commit
            if found is not None:
                target = self.folder / found.path
                if found.is_folder:
                    target.mkdir(parents=True, exist_ok=True)
        stand_in = Path(os.path.normpath(path))
        if stand_in != target and stand_in.is_relative_to(self._scratch) and not os.path.lexists(stand_in):
            stand_in.parent.mkdir(parents=True, exist_ok=True)
            stand_in.symlink_to(target)

    def _recipes_path(self) -> str | None:
        """Where the recipes stand in the repository; None where they came with an installed gate."""
        folder = self.repository.relative(data_path("corpora"))
        found = self.repository.find(self.commit, folder) if folder else None
        return folder if found is not None and found.is_folder else None

    def _recipes(self) -> Path | None:
        folder = self._recipes_path()
        if folder is None:
            return None
        own = [e for e in self.repository.files(self.commit, folder) if posixpath.dirname(e.path) == folder]
        self._write(own)
        return self.folder / folder

    @contextmanager
    def _plainly(self) -> Iterator[None]:
        """What a reader refuses, with the places as git names them."""
        try:
            yield
        except UsageError as error:
            said = self.shown(str(error)).replace("\n", " ")
            raise NoBase("base-invalid", f"the base cannot be read: {said}") from None
        except OSError as error:
            raise NoBase("base-unwritable", f"the base cannot be read: {error.strerror}") from None

    def _named(self, path: str) -> str:
        return f"{self.commit[:10]}:{path}"


def _place(entry: object) -> str:
    """The path of an entry of `corpora`, as `reader:path` or as a mapping; empty for anything else."""
    if isinstance(entry, dict):
        named = next((entry[reader] for reader in READERS if reader in entry), "")
        return named if isinstance(named, str) else ""
    reader, _, place = str(entry).partition(":")
    return place if reader in READERS else ""
