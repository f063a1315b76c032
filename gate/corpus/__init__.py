"""Corpora: what is stored, what is asked and what the right answers are.

`FAMILIES` are the parts that a seeded corpus is put together from, `READERS` the public formats:
a new one is a file, a line here and a test.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gate.errors import UsageError
from gate.files import nearest
from gate.records import Corpus, Slice

if TYPE_CHECKING:
    from gate.corpus.recipe import Recipe

FAMILIES: Mapping[str, str] = {
    "memory": "gate.corpus.memory:Memory",
    "morphology": "gate.corpus.morphology:Morphology",
    "scripts": "gate.corpus.scripts:Scripts",
    "facts": "gate.corpus.facts:Facts",
    "lifecycle": "gate.corpus.lifecycle:Lifecycle",
    "negatives": "gate.corpus.negatives:Negatives",
    "compounds": "gate.corpus.compounds:Compounds",
    "identifiers": "gate.corpus.exact:Identifiers",
    "numbers": "gate.corpus.numbers:Numbers",
    "typos": "gate.corpus.typos:Typos",
    "duplicates": "gate.corpus.duplicates:Duplicates",
    "long": "gate.corpus.long:Long",
    "hostile": "gate.corpus.hostile:Hostile",
    "paraphrase": "gate.corpus.paraphrase:Paraphrase",
}

READERS: Mapping[str, str] = {
    "beir": "gate.corpus.beir:read_beir",
    "squad": "gate.corpus.squad:read_squad",
    "trec": "gate.corpus.trec:read_trec",
}

READ_TIER = "full"
LONGEST_NAME = 80  # a run file holds it beside the names of store, arm, mode and fault


@dataclass(frozen=True, slots=True)
class CorpusSpec:
    """What a person wrote: `seeded@1k`, or a reader with its path. `reader` is empty for a recipe."""

    name: str
    tier: str
    reader: str = ""
    path: Path = Path()

    @property
    def label(self) -> str:
        return f"{self.name}@{self.tier}"


def parse_spec(spec: str) -> CorpusSpec:
    """The parts of `name@tier` or `reader:path`. Raises UsageError with the nearest known name.

    A corpus read from a path is named after its folder or file, in lower case, with hyphens for
    whatever is neither a letter nor a digit of ASCII.
    """
    return _resolved(spec)[0]


def load_corpus(spec: str) -> Corpus:
    """The corpus that a spec names, its documents still to be streamed. Raises UsageError where it cannot be used."""
    parsed, recipe = _resolved(spec)
    if recipe is None:
        read: Callable[[Path], Corpus] = _attribute(READERS[parsed.reader])
        try:
            return replace(read(parsed.path), name=parsed.name, tier=parsed.tier)
        except OSError as error:
            raise UsageError(
                "corpus-unreadable", f"it cannot be read: {error.strerror}", where=str(parsed.path)
            ) from None
    from gate.corpus.seeded import assemble

    return assemble(
        recipe, recipe.tier(parsed.tier), {name: _family(name, recipe.asks_for(name)) for name in recipe.families}
    )


def corpus_slices(spec: str) -> tuple[Slice, ...]:
    """The slices of a seeded corpus, from its recipe alone; none for one that has to be read to be known.

    The slice of all topics is in every corpus and is not listed.
    """
    _, recipe = _resolved(spec)
    return () if recipe is None else tuple(entry.slice for entry in recipe.slices)


def _resolved(spec: str) -> tuple[CorpusSpec, Recipe | None]:
    """The parts of a spec, and its recipe unless a reader is named."""
    reader, colon, place = spec.partition(":")
    if not colon:
        from gate.corpus.recipe import load_recipe

        name, _, tier = spec.partition("@")
        recipe = load_recipe(name)
        return CorpusSpec(name, recipe.tier(tier).name), recipe
    if reader not in READERS:
        raise UsageError(
            "corpus-reader-unknown",
            f"there is no reader '{reader}' for corpora",
            where=spec,
            hint=nearest(reader, READERS),
        )
    if not place:
        raise UsageError("corpus-path-missing", "the path is missing", where=spec, hint=f"Say {reader}:PATH.")
    from gate.corpus.fields import corpus_name

    path = Path(place)
    whole = path.resolve()
    return CorpusSpec(corpus_name(whole.name if whole.is_dir() else whole.stem), READ_TIER, reader, path), None


def _family(name: str, where: str) -> Any:
    if name not in FAMILIES:
        raise UsageError(
            "family-unknown", f"there is no corpus family '{name}'", where=where, hint=nearest(name, FAMILIES)
        )
    return _attribute(FAMILIES[name])()


def _attribute(dotted: str) -> Any:
    module, _, attribute = dotted.partition(":")
    return getattr(import_module(module), attribute)
