from __future__ import annotations

import copy
from functools import cache
from typing import Any
from zlib import crc32

import bm25s
import pytest
import Stemmer

from gate.corpus.family import Part
from gate.corpus.memory import Memory
from gate.corpus.recipe import load_recipe, read_family
from gate.corpus.rng import Rng
from gate.corpus.words import trigrams_of, words_in
from gate.errors import UsageError
from gate.records import Document


@cache
def data() -> Any:
    return read_family(load_recipe("seeded"), "memory")


@cache
def built(count: int = 96) -> Part:
    return Memory().build(Rng(11, "memory"), data(), {"memory": count})


def changed(*path: str, to: object) -> dict[str, Any]:
    copied: dict[str, Any] = copy.deepcopy(dict(data()))
    place = copied
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = to
    return copied


def refused(broken: dict[str, Any]) -> str:
    with pytest.raises(UsageError) as caught:
        Memory().build(Rng(11, "memory"), broken, {"memory": 48})
    assert "memory.yml" in caught.value.where
    return str(caught.value)


def recall_at_5(rank: dict[str, list[str]]) -> float:
    part = built()
    return sum(
        len(part.qrels[topic.topic_id].keys() & set(rank[topic.topic_id][:5])) / len(part.qrels[topic.topic_id])
        for topic in part.topics
    ) / len(part.topics)


def crowd() -> list[Document]:
    memory = Memory()
    made = [memory.distractor(Rng(11, "d", index), data(), index) for index in range(500)]
    return [*built().documents, *(document for document in made if document is not None)]


def test_keyword_search_with_stems_finds_about_half() -> None:
    stem = Stemmer.Stemmer("english").stemWord

    def tokens(text: str) -> list[str]:
        return [stem(word) for word in words_in(text)]

    documents = sorted(crowd(), key=lambda document: crc32(document.doc_id.encode()))
    engine = bm25s.BM25()
    engine.index([tokens(document.text) for document in documents], show_progress=False)
    rank = {}
    for topic in built().topics:
        found, _ = engine.retrieve([tokens(topic.text)], k=10, show_progress=False)
        rank[topic.topic_id] = [documents[at].doc_id for at in found[0]]
    assert 0.35 <= recall_at_5(rank) <= 0.75


def test_overlap_of_trigrams_finds_nearly_all() -> None:
    documents = crowd()
    grams = {document.doc_id: trigrams_of(document.text) for document in documents}
    rank = {}
    for topic in built().topics:
        asked = trigrams_of(topic.text)
        shares = {doc_id: len(asked & held) / (len(asked) * len(held)) ** 0.5 for doc_id, held in grams.items()}
        rank[topic.topic_id] = sorted(shares, key=lambda doc_id: (-shares[doc_id], doc_id))
    assert recall_at_5(rank) >= 0.95


def test_topics_have_one_best_document_and_few_others() -> None:
    for grades in built().qrels.values():
        assert sorted(grades.values(), reverse=True) in ([3, 1], [3, 2], [3, 2, 1])


def test_topics_are_asked_about_distinct_places_in_turn_from_all_templates() -> None:
    part = built()
    assert len({topic.text for topic in part.topics}) == len(part.topics)
    assert len({topic.cluster for topic in part.topics}) == len(data()["templates"]) >= 20


def test_sessions_have_two_speakers_who_take_turns_in_time() -> None:
    sessions: dict[str, list[Document]] = {}
    for document in built().documents:
        assert document.lang == "en"
        sessions.setdefault(document.session_id, []).append(document)
    for turns in sessions.values():
        assert len({turn.created_at for turn in turns}) == len(turns)
        told = sorted(turns, key=lambda turn: turn.created_at)
        assert len(turns) < 2 or {turn.speaker for turn in told[::2]} != {turn.speaker for turn in told[1::2]}
        assert len({turn.speaker for turn in turns}) <= 2


def test_confusable_documents_are_as_long_as_the_right_ones() -> None:
    part = built()
    texts = {document.doc_id: document.text for document in part.documents}
    for topic in part.topics:
        assert len({len(words_in(texts[f"{topic.topic_id}-{number}"])) for number in range(9)}) == 1


def test_same_seed_gives_the_same_part_and_another_seed_another() -> None:
    assert Memory().build(Rng(11, "memory"), data(), {"memory": 24}) == Memory().build(
        Rng(11, "memory"), data(), {"memory": 24}
    )
    assert Memory().build(Rng(12, "memory"), data(), {"memory": 24}) != Memory().build(
        Rng(11, "memory"), data(), {"memory": 24}
    )


def test_thing_that_keyword_search_could_find_is_refused() -> None:
    things = copy.deepcopy(data()["things"])
    for thing in things["system"]:
        thing["ask"] = f"{thing['thing'].split()[0]}s server"
    assert "keyword search could tell it" in refused(changed("things", to=things))


def test_thing_without_evidence_inside_its_words_is_refused() -> None:
    things = copy.deepcopy(data()["things"])
    for thing in things["asset"]:
        thing["ask"] = "zzyzx"
    assert "holds 0.00 of the trigrams of 'zzyzx'" in refused(changed("things", to=things))


def test_sentences_of_unequal_length_are_refused() -> None:
    told = ["The limit of the {thing} at the {anchor}, all in all, is {count} requests."]
    assert "length tells them apart" in refused(changed("templates", "limit", "partly", to=told))


def test_plain_word_that_only_some_sentences_share_with_the_question_is_refused() -> None:
    told = ["{person} wants the quota raised on the {thing} for the {anchor}."]
    assert "share other words with the question" in refused(changed("templates", "limit", "partly", to=told))


def test_too_few_templates_are_refused() -> None:
    templates = dict(list(data()["templates"].items())[:9])
    assert "rest on 9 templates" in refused(changed("templates", to=templates))


def test_slot_without_a_list_is_refused() -> None:
    told = ["{person} wants the limit raised on the {thing} for the {ancor}."]
    assert "{ancor}" in refused(changed("templates", "limit", "partly", to=told))


def test_template_of_an_unknown_kind_is_refused() -> None:
    assert "no things of the kind 'sytem'" in refused(changed("templates", "limit", "of", to="sytem"))
