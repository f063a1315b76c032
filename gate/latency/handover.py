"""The documents of a corpus as a file, so that both sides store the same ones whatever reads corpora in their trees."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from gate.records import Corpus, Document


def write_documents(corpus: Corpus, path: Path) -> None:
    """All that is stored of a corpus, a line of JSON a document."""
    stream = corpus.units.make(corpus.units.origin.documents()) if corpus.units else corpus.documents()
    with path.open("w", encoding="ascii") as file:
        for document in stream:
            fields = {name: getattr(document, name) for name in Document.__slots__}
            # Escaped: a text may hold half of a surrogate pair, which no encoding has.
            file.write(json.dumps({**fields, "scope": sorted(document.scope)}) + "\n")


def read_documents(path: Path) -> Iterator[Document]:
    """The documents of such a file, in their order."""
    with path.open(encoding="ascii") as file:
        for line in file:
            fields = json.loads(line)
            for name in ("refs", "facts"):
                fields[name] = tuple(tuple(one) if isinstance(one, list) else one for one in fields[name])
            yield Document(**{**fields, "scope": frozenset(fields["scope"])})


def handed_over(path: Path, label: str, deletions: Sequence[str]) -> Corpus:
    """A corpus of the file's documents and nothing else: what is asked comes by another way, and nothing is judged."""
    name, _, tier = label.partition("@")
    return Corpus(
        name,
        tier,
        documents=lambda: read_documents(path),
        topics=(),
        qrels={},
        forbidden={},
        slices=(),
        deletions=tuple(deletions),
    )
