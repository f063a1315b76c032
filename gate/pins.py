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
from gate.files import from_here
from gate.records import Check, Corpus
from gate.settings import FILE_NAME, PATH_CORPORA, Settings, shipped_settings


@dataclass(frozen=True, slots=True)
class Unpinned:
    """A corpus read from a path that no settings pin, and the line that would."""

    spec: str
    label: str
    digest: str
    line: str
    settings: str

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
            paste=f"in {self.settings}, under `corpora`:\n{self.line}",
        )

    def note(self) -> str:
        """What is said of one that a flag names, for a look at it."""
        return (
            f"{self.label} is not pinned, so it has no baseline; its digest is {self.digest};"
            f" to gate it, put this under `corpora` in {self.settings}: {self.line}"
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
    reader, _, path = spec.partition(":")
    # Shipped settings are nobody's to change: a person's own stand in the current folder.
    own = settings.path is not None and not shipped_settings(settings.path)
    folder = settings.path.resolve().parent if own and settings.path is not None else Path.cwd()
    whole = Path(path).resolve()
    written = whole.relative_to(folder) if whole.is_relative_to(folder) else whole
    line = f"- {{{reader}: {json.dumps(str(written), ensure_ascii=False)}, sha256: {digest.hexdigest()}}}"
    name = from_here(str(settings.path)) if own else FILE_NAME
    return Unpinned(spec, corpus.label, digest.hexdigest(), line, name)


def _place(spec: str) -> tuple[str, Path]:
    parsed = parse_spec(spec)
    return parsed.reader, parsed.path.resolve()
