from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from gate.corpus import FAMILIES, READERS, corpus_slices, load_corpus, parse_spec
from gate.corpus.digest import CorpusDigest
from gate.corpus.family import Part, WordsByLanguage
from gate.corpus.leakage import leakage
from gate.corpus.recipe import Recipe, SliceRecipe, Tier, load_recipe
from gate.corpus.rng import Rng
from gate.corpus.seeded import assemble
from gate.corpus.words import words_in, words_of
from gate.errors import UsageError
from gate.records import Corpus, Document, Slice, Topic

SMALL, LARGE = Tier("small", 50, "few"), Tier("large", 400, "few")


class Stub:
    """Twelve topics of twelve templates, two documents each; the second replaces, points to or forbids the first."""

    name = "stub"

    def __init__(self) -> None:
        self.made = 0
        self.part = Part(
            documents=tuple(
                Document(
                    f"{kind}-{index}",
                    f"{kind} {index}",
                    session_id=f"talk-{index}",
                    lang="en",
                    refs=refs,
                    supersedes=old,
                )
                for index in range(12)
                for kind, refs, old in (("old", (), ""), ("new", (f"old-{index}",), f"old-{index}"))
            ),
            topics=tuple(
                Topic(f"t-{index}", f"new {index}", slices=("part",), cluster=f"c{index}") for index in range(12)
            ),
            qrels={f"t-{index}": {f"new-{index}": 3} for index in range(12)},
            forbidden={f"t-{index}": {f"old-{index}": "superseded"} for index in range(12)},
            deletions=("old-3",),
        )

    def build(self, rng: Rng, data: Mapping[str, Any], topics: Mapping[str, int]) -> Part:
        return self.part

    def distractor(self, rng: Rng, data: Mapping[str, Any], index: int) -> Document | None:
        self.made += 1
        return Document(str(index), f"other {index} {rng.below(1000)}", session_id=str(index // 4), lang="en")


class Mute(Stub):
    def distractor(self, rng: Rng, data: Mapping[str, Any], index: int) -> Document | None:
        return None


class Wordy(Stub):
    """Says the words of its distractors, and forbids one to the others."""

    def distractor_words(self, data: Mapping[str, Any]) -> WordsByLanguage:
        return {"en": frozenset({"other"})}

    def check_words(self, data: Mapping[str, Any], judged: WordsByLanguage, distractors: WordsByLanguage) -> None:
        assert judged == {}
        if "other" in distractors["en"]:
            raise UsageError("word-taken", "'other' is a word of distractors")


@pytest.fixture
def recipe(tmp_path: Path) -> Recipe:
    (tmp_path / "stub.yml").write_text("words: [a]\n", encoding="utf-8")
    return Recipe(
        name="mine",
        seed=5,
        licence="MIT",
        slices=(
            SliceRecipe(Slice("part", "says"), "stub", {"few": 12}),
            SliceRecipe(Slice("whole", "says"), "", {}, ("part",)),
        ),
        tiers=(SMALL, LARGE),
        distractors=(("stub", 3),),
        path=tmp_path / "mine.yml",
        folder=tmp_path,
    )


@cache
def seeded(tier: str) -> Corpus:
    return load_corpus(f"seeded@{tier}")


def by_text(corpus: Corpus) -> dict[str, Document]:
    return {document.text: document for document in corpus.documents()}


def test_ids_of_the_corpus_stand_everywhere_for_keys_of_the_family(recipe: Recipe) -> None:
    corpus = assemble(recipe, SMALL, {"stub": Stub()})
    told = by_text(corpus)
    topics = {topic.text: topic for topic in corpus.topics}
    for index in range(12):
        new, old, topic = told[f"new {index}"], told[f"old {index}"], topics[f"new {index}"]
        assert new.refs == (old.doc_id,)
        assert new.supersedes == old.doc_id
        assert new.session_id == old.session_id != f"talk-{index}"
        assert corpus.qrels[topic.topic_id] == {new.doc_id: 3, old.doc_id: 0}
        assert corpus.forbidden[topic.topic_id] == {old.doc_id: "superseded"}
    assert corpus.deletions == (told["old 3"].doc_id,)


def test_covering_slices_are_given_to_the_topics(recipe: Recipe) -> None:
    corpus = assemble(recipe, SMALL, {"stub": Stub()})
    assert {topic.slices for topic in corpus.topics} == {("part", "whole")}
    assert [entry.name for entry in corpus.slices] == ["part", "whole"]


def test_judged_documents_keep_their_ids_at_every_tier(recipe: Recipe) -> None:
    small, large = (assemble(recipe, tier, {"stub": Stub()}) for tier in (SMALL, LARGE))
    assert small.topics == large.topics
    assert small.qrels == large.qrels
    assert all(by_text(large)[text] == document for text, document in by_text(small).items())


def test_stream_has_every_document_once_and_starts_anew(recipe: Recipe) -> None:
    corpus = assemble(recipe, SMALL, {"stub": Stub()})
    first = list(corpus.documents())
    assert len(first) == len({document.doc_id for document in first}) == 50 + 24
    assert first == list(corpus.documents())


def test_distractors_are_made_only_as_they_are_read(recipe: Recipe) -> None:
    stub = Stub()
    corpus = assemble(recipe, replace(LARGE, distractors=10**9 // 2), {"stub": stub})
    assert stub.made == 0
    assert len(list(islice(corpus.documents(), 100))) == 100
    assert stub.made <= 100


def test_judged_documents_stand_among_the_distractors(recipe: Recipe) -> None:
    corpus = assemble(recipe, LARGE, {"stub": Stub()})
    positions = [at for at, document in enumerate(corpus.documents()) if not document.text.startswith("other")]
    assert min(positions) < 424 / 4
    assert max(positions) > 424 * 3 / 4
    assert positions != [positions[0] + at for at in range(24)]


def test_shares_decide_how_many_distractors_a_family_makes(recipe: Recipe, tmp_path: Path) -> None:
    (tmp_path / "more.yml").write_text("words: [a]\n", encoding="utf-8")
    shared = replace(recipe, distractors=(("stub", 4), ("more", 1)))
    families = {"stub": Stub(), "more": Stub()}
    list(assemble(shared, SMALL, families).documents())
    assert (families["stub"].made, families["more"].made) == (40, 10)


def test_slice_on_few_templates_is_refused(recipe: Recipe) -> None:
    stub = Stub()
    stub.part = replace(
        stub.part, topics=tuple(replace(topic, cluster=topic.cluster[:2]) for topic in stub.part.topics)
    )
    assert len({topic.cluster for topic in stub.part.topics}) == 10
    assemble(recipe, SMALL, {"stub": stub})
    stub.part = replace(stub.part, topics=tuple(replace(topic, cluster="c") for topic in stub.part.topics))
    with pytest.raises(UsageError, match="rests on 1 templates"):
        assemble(recipe, SMALL, {"stub": stub})


def test_number_of_topics_that_differs_from_the_recipe_is_refused(recipe: Recipe) -> None:
    stub = Stub()
    stub.part = replace(stub.part, topics=stub.part.topics[:11], qrels={}, forbidden={})
    with pytest.raises(UsageError, match="made 11 topics for the slice 'part', and the recipe asks for 12"):
        assemble(recipe, SMALL, {"stub": stub})


def test_unknown_and_repeated_keys_are_refused(recipe: Recipe) -> None:
    stub = Stub()
    stub.part = replace(stub.part, deletions=("gone",))
    with pytest.raises(UsageError, match="speaks of 'gone'"):
        assemble(recipe, SMALL, {"stub": stub})
    stub.part = replace(stub.part, documents=stub.part.documents * 2, deletions=())
    with pytest.raises(UsageError, match="gave the key 'old-0' twice"):
        assemble(recipe, SMALL, {"stub": stub})


def test_family_that_makes_no_distractors_cannot_have_a_share(recipe: Recipe) -> None:
    with pytest.raises(UsageError, match="makes no distractors"):
        list(assemble(recipe, SMALL, {"stub": Mute()}).documents())


def test_families_look_at_the_words_of_the_rest(recipe: Recipe) -> None:
    with pytest.raises(UsageError, match="'other' is a word of distractors"):
        assemble(recipe, SMALL, {"stub": Wordy()})


def test_family_that_nobody_knows_names_the_nearest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gate.corpus.FAMILIES", {name: FAMILIES[name] for name in FAMILIES if name != "memory"})
    with pytest.raises(UsageError, match="no corpus family 'memory'"):
        load_corpus("seeded@smoke")


@pytest.mark.parametrize(
    ("spec", "slug", "said"),
    [
        ("seeded@2k", "tier-unknown", "did you mean '1k'"),
        ("seeded", "tier-unknown", "seeded@smoke"),
        ("sedeed@1k", "corpus-unknown", "did you mean 'seeded'"),
        ("bier:x", "corpus-reader-unknown", "did you mean 'beir'"),
        ("squad:", "corpus-path-missing", "squad:PATH"),
        ("", "corpus-unknown", "seeded"),
    ],
)
def test_spec_that_names_nothing_is_refused_with_the_nearest(spec: str, slug: str, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_spec(spec)
    assert caught.value.slug == slug
    assert said in str(caught.value)


def test_readers_name_the_corpus_after_the_path(tmp_path: Path) -> None:
    folder = tmp_path / "My Corpus.v2"
    folder.mkdir()
    assert parse_spec(f"beir:{folder}").label == "my-corpus-v2@full"
    assert parse_spec(f"squad:{tmp_path / 'dev_v1.1.json'}").label == "dev-v1-1@full"
    assert corpus_slices(f"beir:{folder}") == ()


def test_every_registered_name_leads_to_what_it_promises() -> None:
    from gate.corpus import _attribute

    for name, dotted in FAMILIES.items():
        assert _attribute(dotted).name == name
    assert all(callable(_attribute(dotted)) for dotted in READERS.values())


@pytest.mark.parametrize("tier", ["smoke", "1k"])
def test_every_slice_of_the_seeded_corpus_is_as_large_as_its_recipe_says(tier: str) -> None:
    corpus, recipe = seeded(tier), load_recipe("seeded")
    column = recipe.tier(tier).column
    topics = Counter(name for topic in corpus.topics for name in topic.slices)
    assert corpus_slices(f"seeded@{tier}") == corpus.slices
    for entry in recipe.slices:
        of_slice = [topic for topic in corpus.topics if entry.slice.name in topic.slices]
        assert topics[entry.slice.name] >= (8 if tier == "smoke" else 30)
        assert len({topic.cluster for topic in of_slice}) >= (4 if tier == "smoke" else 10)
        if entry.family:
            assert topics[entry.slice.name] == entry.topics[column]


@pytest.mark.parametrize("tier", ["smoke", "1k"])
def test_seeded_corpus_is_sound(tier: str) -> None:
    corpus = seeded(tier)
    documents = {document.doc_id: document for document in corpus.documents()}
    topics = {topic.topic_id: topic for topic in corpus.topics}
    assert len(topics) == len(corpus.topics)
    assert all(topic.cluster and topic.slices for topic in corpus.topics)
    for topic_id, grades in corpus.qrels.items():
        assert topic_id in topics
        assert grades.keys() <= documents.keys()
        assert set(grades.values()) <= {0, 1, 2, 3}
    for topic_id, reasons in corpus.forbidden.items():
        assert all(corpus.qrels[topic_id][doc_id] == 0 for doc_id in reasons)
    assert set(corpus.deletions) <= documents.keys()
    for document in documents.values():
        assert document.text
        assert document.session_id
        assert document.speaker
        assert document.created_at.endswith("Z")
        assert document.lang
        assert set(document.refs) <= documents.keys()
        assert document.supersedes in {"", *documents}


def test_smoke_is_small_enough_to_take_seconds_and_1k_large_enough_to_quote() -> None:
    assert len(seeded("smoke").topics) <= 480
    assert sum(1 for _ in seeded("smoke").documents()) <= 2000
    assert 2500 <= len(seeded("1k").topics) <= 2550


def test_the_core_slices_keep_their_topics_at_smoke() -> None:
    topics = {entry.slice.name: entry.topics.get("smoke") for entry in load_recipe("seeded").slices}
    assert topics["memory"] == 24
    core = {name for name, count in topics.items() if count == 20}
    assert core == {
        "morphology-en", "zh-Hans", "facts", "superseded", "scopes", "references", "deleted",
        "unanswerable-known", "unanswerable-unknown", "paraphrase-en",
    }  # fmt: skip


@pytest.mark.parametrize("tier", ["smoke", "1k"])
def test_nothing_but_the_text_gives_relevant_documents_away(tier: str) -> None:
    leaks = {leak.trait: leak for leak in leakage(seeded(tier))}
    for trait in ("id", "position", "session"):
        assert abs(leaks[trait].sigmas) < 4
    assert all(0.25 < leak.chance < 0.75 for leak in leaks.values())


@pytest.mark.parametrize("tier", ["smoke", "1k"])
def test_every_language_has_documents_that_answer_nothing(tier: str) -> None:
    corpus = seeded(tier)
    relevant = {doc for grades in corpus.qrels.values() for doc, grade in grades.items() if grade > 0}
    others = Counter(document.lang for document in corpus.documents() if document.doc_id not in relevant)
    languages = {document.lang for document in corpus.documents()}
    assert min(others[lang] for lang in languages) >= (8 if tier == "smoke" else 30)


def test_unknown_names_stand_in_no_document() -> None:
    corpus = seeded("1k")
    vocabulary = words_of(document.text for document in corpus.documents())
    for topic in corpus.topics:
        strange = [word for word in words_in(topic.text) if word not in vocabulary]
        if "unanswerable-unknown" in topic.slices:
            assert strange
        if "unanswerable-known" in topic.slices:
            assert not strange
        if "unanswerable" in topic.slices:
            assert topic.topic_id not in corpus.qrels


def test_bytes_do_not_depend_on_the_hash_seed() -> None:
    script = (
        "from gate.corpus import load_corpus\n"
        "from gate.corpus.digest import CorpusDigest\n"
        "corpus = load_corpus('seeded@smoke')\n"
        "digest = CorpusDigest(corpus)\n"
        "for document in corpus.documents():\n"
        "    digest.add(document)\n"
        "print(digest.hexdigest())\n"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for seed in ("1", "2")
    }
    here = CorpusDigest(seeded("smoke"))
    for document in seeded("smoke").documents():
        here.add(document)
    assert found == {here.hexdigest()}


@pytest.mark.parametrize("spec", ["seeded@smoke", "seeded@1k"])
def test_pinned_tiers_are_what_they_were(spec: str) -> None:
    name, _, tier = spec.partition("@")
    pin = load_recipe(name).tier(tier).pin
    assert pin is not None
    corpus = load_corpus(spec)
    digest = CorpusDigest(corpus)
    for document in corpus.documents():
        digest.add(document)
    judgements = sum(map(len, corpus.qrels.values()))
    assert (digest.hexdigest(), digest.documents) == (pin.digest, pin.documents)
    assert (len(corpus.topics), judgements) == (pin.topics, pin.qrels)
    assert corpus.pinned == pin.digest
