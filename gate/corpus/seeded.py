"""Puts the families of a recipe together into one corpus.

Judged documents are few and in memory; distractors are made one by one while the stream is
read. Ids carry no label, and judged documents stand at pseudo-random positions of the stream.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import Any

from gate.corpus.family import ChecksWords, Family, ListsDistractorWords, Part, WordsByLanguage
from gate.corpus.identifiers import Identifiers, session_identifier
from gate.corpus.recipe import Recipe, Tier, family_path, read_family
from gate.corpus.rng import Rng
from gate.corpus.source import add_lines
from gate.corpus.template import fewest_templates
from gate.corpus.words import words_of
from gate.errors import UsageError
from gate.records import Corpus, Document, Topic


def assemble(recipe: Recipe, tier: Tier, families: Mapping[str, Family]) -> Corpus:
    """The corpus of a recipe at a tier. Raises UsageError, with file and line, where a family's data breaks a rule."""
    try:
        return _assembled(recipe, tier, families)
    except UsageError as error:
        add_lines(error)
        raise


def _assembled(recipe: Recipe, tier: Tier, families: Mapping[str, Family]) -> Corpus:
    data = {name: read_family(recipe, name) for name in families}
    parts = {
        name: _built(family, Rng(recipe.seed, name), data[name], wanted, recipe)
        for name, family in families.items()
        if (wanted := recipe.wanted(name, tier.column))
    }
    _check_words(families, data, parts)
    judged = _Judged(recipe)
    for name, part in parts.items():
        judged.take(name, part)
    judged.check(tier)
    Rng(recipe.seed, "order", tier.name).shuffle(judged.documents)
    stream = _Stream(recipe, tier, families, data, judged)
    return Corpus(
        name=recipe.name,
        tier=tier.name,
        documents=stream.documents,
        topics=tuple(judged.topics),
        qrels=judged.qrels,
        forbidden=judged.forbidden,
        slices=tuple(entry.slice for entry in recipe.slices),
        deletions=tuple(judged.deletions),
        pinned=tier.pin.digest if tier.pin else "",
        source=f"corpora/{recipe.path.name}",
        licence=recipe.licence,
    )


def _built(family: Family, rng: Rng, data: Mapping[str, Any], wanted: Mapping[str, int], recipe: Recipe) -> Part:
    """What a family makes of its data. Whatever it trips over in word lists that somebody edited is their fault."""
    try:
        return family.build(rng, data, wanted)
    except UsageError as error:
        error.where = error.where or recipe.asks_for(family.name)
        raise
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise UsageError(
            "family-data",
            f"the word lists of the family '{family.name}' do not fit together: {type(error).__name__}: {error}",
            where=str(family_path(recipe, family.name)),
            hint="Look for a list that is too short, a kind that is missing, or a value of the wrong type.",
        ) from error


class _Judged:
    """The judged documents and topics of all families, under ids of the whole corpus."""

    def __init__(self, recipe: Recipe) -> None:
        self._recipe = recipe
        self._document_ids = Identifiers(recipe.seed, "d")
        self._topic_ids = Identifiers(recipe.seed, "q")
        self.documents: list[Document] = []
        self.topics: list[Topic] = []
        self.qrels: dict[str, dict[str, int]] = {}
        self.forbidden: dict[str, dict[str, str]] = {}
        self.deletions: list[str] = []

    def distractor_id(self, index: int) -> str:
        return self._document_ids.numbered(index)

    def take(self, family: str, part: Part) -> None:
        """Adds what one family made."""
        documents = _Keys(family, [document.doc_id for document in part.documents], self._document_ids)
        topics = _Keys(family, [topic.topic_id for topic in part.topics], self._topic_ids)
        for document in part.documents:
            self.documents.append(
                replace(
                    document,
                    doc_id=documents[document.doc_id],
                    session_id=session_identifier(self._recipe.seed, family, document.session_id),
                    refs=tuple(documents[key] for key in document.refs),
                    supersedes=documents[document.supersedes] if document.supersedes else "",
                )
            )
        for topic in part.topics:
            self.topics.append(replace(topic, topic_id=topics[topic.topic_id], slices=self._slices(topic)))
        for key, grades in part.qrels.items():
            self.qrels[topics[key]] = {documents[doc]: grade for doc, grade in grades.items()}
        for key, reasons in part.forbidden.items():
            self.forbidden[topics[key]] = {documents[doc]: reason for doc, reason in reasons.items()}
            self.qrels.setdefault(topics[key], {}).update((documents[doc], 0) for doc in reasons)
        self.deletions.extend(documents[key] for key in part.deletions)

    def _slices(self, topic: Topic) -> tuple[str, ...]:
        """A topic's slices, and those that cover them."""
        covering = (
            entry.slice.name
            for entry in self._recipe.slices
            if any(covered in topic.slices for covered in entry.covers)
        )
        return tuple(dict.fromkeys((*topic.slices, *covering)))

    def check(self, tier: Tier) -> None:
        """Raises UsageError unless each slice has the topics asked for, from enough templates."""
        topics: dict[str, int] = defaultdict(int)
        clusters: dict[str, set[str]] = defaultdict(set)
        for topic in self.topics:
            for name in topic.slices:
                topics[name] += 1
                clusters[name].add(topic.cluster)
        for entry in self._recipe.slices:
            name = entry.slice.name
            if entry.family and topics[name] != entry.topics[tier.column]:
                raise UsageError(
                    "slice-topics",
                    f"the family '{entry.family}' made {topics[name]} topics for the slice '{name}', "
                    f"and the recipe asks for {entry.topics[tier.column]}",
                    where=entry.where or str(self._recipe.path),
                )
            needed = fewest_templates(topics[name])
            if len(clusters[name]) < needed:
                raise UsageError(
                    "recipe-few-templates",
                    f"the slice '{name}' rests on {len(clusters[name])} templates",
                    where=entry.where or str(self._recipe.path),
                    hint=f"It needs at least {needed}: topics of one template win and lose together.",
                )


class _Keys:
    """The ids that stand for the keys of one family."""

    def __init__(self, family: str, keys: list[str], identifiers: Identifiers) -> None:
        self._family = family
        self._ids: dict[str, str] = {}
        for key in keys:
            if key in self._ids:
                raise UsageError("family-key-twice", f"the family '{family}' gave the key '{key}' twice")
            self._ids[key] = identifiers.named(family, key)

    def __getitem__(self, key: str) -> str:
        try:
            return self._ids[key]
        except KeyError:
            raise UsageError(
                "family-key-unknown", f"the family '{self._family}' speaks of '{key}', which it did not make"
            ) from None


class _Stream:
    """All documents of a corpus, in one fixed order, as often as asked."""

    def __init__(
        self,
        recipe: Recipe,
        tier: Tier,
        families: Mapping[str, Family],
        data: Mapping[str, Mapping[str, Any]],
        judged: _Judged,
    ) -> None:
        self._seed = recipe.seed
        self._count = tier.distractors
        self._judged = judged
        # Shares 3 and 1 make a cycle of four, so that each distractor finds its family in constant time.
        self._cycle = [
            (name, families[name], data[name], turn, share)
            for name, share in recipe.distractors
            for turn in range(share)
        ]
        self._positions = _positions(Rng(recipe.seed, "positions", tier.name), len(judged.documents), tier.distractors)

    def documents(self) -> Iterator[Document]:
        """A fresh pass over judged documents and distractors."""
        judged = iter(self._judged.documents)
        index = 0
        for before in (*self._positions, self._count):
            for number in range(index, before):
                yield self._distractor(number)
            index = before
            yield from islice(judged, 1)

    def _distractor(self, number: int) -> Document:
        rounds, place = divmod(number, len(self._cycle))
        name, family, data, turn, share = self._cycle[place]
        index = rounds * share + turn
        try:
            made = family.distractor(Rng(self._seed, name, "distractor", index), data, index)
        except UsageError as error:
            add_lines(error)
            raise
        if made is None:
            raise UsageError(
                "family-no-distractors",
                f"the family '{name}' makes no distractors",
                hint="Take it out of 'distractors' in the recipe.",
            )
        return Document(
            self._judged.distractor_id(number),
            made.text,
            session_identifier(self._seed, name, f"distractor {made.session_id}"),
            made.speaker,
            made.created_at,
            made.lang,
            made.scope,
            made.refs,
            made.supersedes,
            made.index_text,
            made.facts,
        )


def _positions(rng: Rng, judged: int, distractors: int) -> list[int]:
    """For each judged document, how many distractors come before it; all orders are equally likely."""
    total = judged + distractors
    chosen: set[int] = set()
    while len(chosen) < judged:
        chosen.add(rng.below(total))
    return [position - before for before, position in enumerate(sorted(chosen))]


def _check_words(
    families: Mapping[str, Family], data: Mapping[str, Mapping[str, Any]], parts: Mapping[str, Part]
) -> None:
    """Has every family look at the words of all that it did not make itself."""
    distractors: dict[str, frozenset[str]] = {}
    for name, family in families.items():
        if isinstance(family, ListsDistractorWords):
            _join(distractors, family.distractor_words(data[name]))
    judged = {name: _words_by_language(part.documents) for name, part in parts.items()}
    for name, family in families.items():
        if isinstance(family, ChecksWords):
            others: dict[str, frozenset[str]] = {}
            for other, words in judged.items():
                if other != name:
                    _join(others, words)
            family.check_words(data[name], others, distractors)


def _words_by_language(documents: Iterable[Document]) -> WordsByLanguage:
    texts: dict[str, list[str]] = defaultdict(list)
    for document in documents:
        texts[document.lang].append(document.text)
    return {lang: words_of(some) for lang, some in texts.items()}


def _join(known: dict[str, frozenset[str]], more: WordsByLanguage) -> None:
    for lang, words in more.items():
        known[lang] = known.get(lang, frozenset()) | words
