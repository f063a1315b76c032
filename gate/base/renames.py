"""Slices that only changed their name: shown by the digest that the corpus has under the old names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from gate.base.changed import digest_of
from gate.base.sides import Sides
from gate.corpus.digest import CorpusDigest
from gate.records import Corpus


@dataclass(frozen=True, slots=True)
class Renames:
    """`pairs[label][old]` is the new name of each slice that was shown to be the same; `doubts` say what was not.

    `unused` are pairs of the settings that no corpus has a use for: the base knows the new name already.
    """

    pairs: Mapping[str, Mapping[str, str]]
    doubts: tuple[tuple[str, str], ...]
    unused: tuple[str, ...]


def shown_renames(sides: Sides) -> Renames:
    """The renames of the head's settings, each corpus by itself: all of a corpus's are the same, or none is."""
    pairs: dict[str, Mapping[str, str]] = {}
    doubts: list[tuple[str, str]] = []
    used: set[str] = set()
    for label in sides.labels:
        before, after = set(sides.slices_of_base(label)), set(sides.slices_of_head(label))
        wanted = {
            old: new
            for old, new in sides.head.settings.renames
            if old in before and old not in after and new in after and new not in before
        }
        used |= wanted.keys()
        if not wanted:
            continue
        reason = _doubt(sides, label, wanted)
        if reason:
            doubts += [(old, f"{new} of {label} is not shown to be the same: {reason}") for old, new in wanted.items()]
        else:
            pairs[label] = wanted
    unused = tuple(f"{old}: {new}" for old, new in sides.head.settings.renames if old not in used)
    return Renames(pairs, tuple(doubts), unused)


def _doubt(sides: Sides, label: str, wanted: Mapping[str, str]) -> str:
    """Why slices under new names are not known to be the old ones; empty where they are."""
    digest = digest_of(sides, label, head=False)
    if not digest:
        return "the base holds no digest of this corpus"
    corpus = sides.corpus(label)
    if corpus is None:
        return "the corpus cannot be read"
    if digest_under(corpus, {new: old for old, new in wanted.items()}) != digest:
        return "under the old names, its topics, judgements and documents are not those of the base"
    return ""


def digest_under(corpus: Corpus, names: Mapping[str, str]) -> str:
    """The digest of a corpus whose slices are called otherwise. Reads the whole corpus."""
    topics = tuple(replace(t, slices=tuple(names.get(name, name) for name in t.slices)) for t in corpus.topics)
    digest = CorpusDigest(replace(corpus, topics=topics))
    for document in corpus.documents():
        digest.add(document)
    return digest.hexdigest()


def unknown_names(sides: Sides) -> Iterator[str]:
    """New names of renames that no corpus of the head has."""
    known = {name for label in sides.head.corpora for name in sides.slices_of_head(label)}
    yield from (new for _, new in sides.head.settings.renames if new not in known)
