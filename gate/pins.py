"""Pins of corpora that are read from a path: the same figures need the same bytes.

A recipe of this project carries its digests. A corpus in a folder or a file of somebody's carries
none, so the settings do: `{beir: path/to/folder, sha256: ...}`. The digest is the corpus's, of all that is
stored, asked and judged, which `gate corpus verify` prints too; a comment or a line end that
changes none of that changes no digest.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path

from gate.corpus import parse_spec
from gate.corpus.digest import CorpusDigest
from gate.files import from_here, read_text
from gate.records import Check, Corpus
from gate.settings import FILE_NAME, PATH_CORPORA, Settings, shipped_settings
from gate.yaml_source import parse


@dataclass(frozen=True, slots=True)
class Unpinned:
    """A corpus read from a path that no settings pin, the line that would, and `place`, where that line belongs."""

    spec: str
    label: str
    digest: str
    line: str
    settings: str
    place: str

    def check(self) -> Check:
        """What becomes of it in settings: nothing is measured, since nobody could tell afterwards of what."""
        return Check(
            f"pin {self.label}",
            "plan",
            self.label,
            "",
            None,
            None,
            "not measured",
            "error",
            f"{self.label} is not pinned in {self.settings}, so nothing was measured; its digest is {self.digest}",
            paste=f"{self.place}:\n{self.line}",
        )

    def note(self) -> str:
        """What is said of one that a flag names, for a look at it."""
        return (
            f"{self.label} is not pinned, so it has no baseline; its digest is {self.digest};"
            f" to gate it, put this {self.place}: {self.line}"
        )


def pinned(spec: str, corpus: Corpus, settings: Settings) -> Corpus:
    """The corpus with the pin that settings give it, if they do."""
    if not spec.startswith(PATH_CORPORA):
        return corpus
    at = _place(spec)
    pins = {_place(known): digest for known, digest in settings.pins.items()}
    return replace(corpus, pinned=pins.get(at, ""))


def unpinned(spec: str, corpus: Corpus, settings: Settings) -> Unpinned | None:
    """A corpus from a path without a pin, read once for its digest; None where there is nothing to say."""
    if corpus.pinned or not spec.startswith(PATH_CORPORA):
        return None
    digest = CorpusDigest(corpus)
    for document in corpus.documents():
        digest.add(document)
    return Unpinned(spec, corpus.label, digest.hexdigest(), *_to_paste(spec, digest.hexdigest(), settings))


def unlike_check(corpus: Corpus, digest: str, settings: Settings) -> Check:
    """A corpus with another digest than its pin, said once for all of its runs, with the line where settings pin it."""
    named = [spec for spec in settings.pins if parse_spec(spec).label == corpus.label]
    paste = ""
    if named:
        line, _, place = _to_paste(named[0], digest, settings)
        paste = f"{place}, where the change is meant:\n{line}"
    return Check(
        f"pin {corpus.label}",
        "plan",
        corpus.label,
        "",
        None,
        None,
        "not measured",
        "error",
        f"{corpus.label} is not the pinned corpus: its digest is {digest}, the pin is {corpus.pinned}",
        paste=paste,
    )


def entry(spec: str, digest: str, folder: Path) -> str:
    """The item of `corpora` that pins a corpus, for settings in a folder."""
    reader, _, path = spec.partition(":")
    whole = Path(path).resolve()
    written = whole.relative_to(folder) if whole.is_relative_to(folder) else whole
    return f"- {{{reader}: {json.dumps(str(written), ensure_ascii=False)}, sha256: {digest}}}"


def _to_paste(spec: str, digest: str, settings: Settings) -> tuple[str, str, str]:
    """The line that pins a corpus, the name of the settings, and the place of the line in them."""
    # Shipped settings are nobody's to change: a person's own stand in the current folder.
    own = settings.path is not None and not shipped_settings(settings.path)
    folder = settings.path.resolve().parent if own and settings.path is not None else Path.cwd()
    name = from_here(str(settings.path)) if own else FILE_NAME
    place = _in_place_of(spec, settings) if own else ""
    return entry(spec, digest, folder), name, place or f"in {name}, under `corpora`"


def _in_place_of(spec: str, settings: Settings) -> str:
    """Which entry of the settings names the corpus, by its line; empty where none does. The file is read again."""
    named = [n for n, one in enumerate(settings.corpora) if _from_path(one) and _place(one) == _place(spec)]
    if settings.path is None or not named:
        return ""
    _, lines, _ = parse(read_text(settings.path, "settings"), settings.path, "settings")
    line = lines.get(("corpora", named[0]))
    return f"in place of the entry at {from_here(f'{settings.path}:{line}' if line else str(settings.path))}"


def _from_path(spec: str) -> bool:
    return spec.startswith(PATH_CORPORA)


def _place(spec: str) -> tuple[str, Path]:
    parsed = parse_spec(spec)
    return parsed.reader, parsed.path.resolve()
