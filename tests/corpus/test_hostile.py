"""Texts that look like commands: they are found like any other."""

from __future__ import annotations

import json
import re
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from bm25_judge import recall_at_5

from gate.corpus.beir import read_beir
from gate.corpus.export import write_beir
from gate.corpus.family import Part
from gate.corpus.hostile import Hostile
from gate.corpus.recipe import load_recipe, read_family
from gate.corpus.rng import Rng
from gate.engines.tokens import refusing_expressions
from gate.errors import UsageError
from gate.records import Corpus, Document

SLICE = "hostile"
COUNT = 60


@pytest.fixture(scope="module")
def shipped() -> dict[str, Any]:
    return dict(read_family(load_recipe("seeded"), "hostile"))


def build(data: dict[str, Any], count: int = COUNT, seed: int = 7) -> Part:
    return Hostile().build(Rng(seed, "hostile"), data, {SLICE: count})


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def trigrams(text: str) -> list[str]:
    return [word[at : at + 3] for word in words(text) for at in range(max(1, len(word) - 2))]


def test_what_drops_punctuation_finds_them(shipped: dict[str, Any], noise: list[Document]) -> None:
    part = build(shipped)
    assert recall_at_5(part, noise, words) >= 0.9
    assert recall_at_5(part, noise, trigrams) >= 0.9


def test_what_reads_a_question_as_an_expression_does_not(shipped: dict[str, Any], noise: list[Document]) -> None:
    part = build(shipped)
    questions = {topic.text for topic in part.topics}
    refused = {text for text in questions if not refusing_expressions(text)}
    assert recall_at_5(part, noise, lambda text: [] if text in refused else words(text)) <= 0.4


def test_the_characters_that_break_things_are_there(shipped: dict[str, Any]) -> None:
    part = build(shipped)
    for texts in ("".join(d.text for d in part.documents), "".join(topic.text for topic in part.topics)):
        held = set(texts)
        assert held >= set("\"'`\\%$&|<>(){}[]*?~^:;@#=!+-_/")
        assert held >= set("\u200b\u200d\ufeff\u202e\u2066\u2028\x85\x1b\x07\x0b\x0c\x7f\r\n\t") - set("\u200d")
        assert {"Cc", "Cf", "Mn", "Zl", "Zp"} <= {unicodedata.category(character) for character in held}


def test_nothing_is_there_that_utf8_or_a_text_column_cannot_keep(shipped: dict[str, Any]) -> None:
    part = build(shipped)
    for text in (*(document.text for document in part.documents), *(topic.text for topic in part.topics)):
        assert "\0" not in text
        assert text.encode("utf-8").decode("utf-8") == text
        assert json.loads(json.dumps(text, ensure_ascii=False)) == text


def test_they_survive_the_corpus_files(shipped: dict[str, Any], tmp_path: Path) -> None:
    part = build(shipped)
    corpus = Corpus("mine", "full", lambda: iter(part.documents), part.topics, part.qrels, {}, ())
    written = write_beir(corpus, tmp_path / "built")
    again = read_beir(tmp_path / "built")
    assert [document.text for document in again.documents()] == [document.text for document in part.documents]
    assert [topic.text for topic in again.topics] == [topic.text for topic in part.topics]
    assert written.documents == len(part.documents)


def test_one_token_is_longer_than_most_engines_keep(shipped: dict[str, Any]) -> None:
    part = build(shipped)
    assert max(len(token) for document in part.documents for token in document.text.split()) > 3000
    assert max(len(token) for topic in part.topics for token in topic.text.split()) > 900


def test_a_topic_has_two_documents_and_another_subject_has_the_third(shipped: dict[str, Any]) -> None:
    part = build(shipped)
    documents = {document.doc_id: document for document in part.documents}
    assert len(documents) == 3 * COUNT
    for topic in part.topics:
        (subject,) = (name for name in shipped["subjects"] if re.search(rf"\b{name}\b", topic.text))
        assert part.qrels[topic.topic_id] == {f"{topic.topic_id}-states": 3, f"{topic.topic_id}-adds": 1}
        assert all(subject in documents[key].text for key in part.qrels[topic.topic_id])
        assert subject not in documents[f"{topic.topic_id}-other"].text


@pytest.mark.parametrize("count", [20, COUNT])
def test_every_topic_asked_for_is_made_from_enough_kinds(shipped: dict[str, Any], count: int) -> None:
    part = build(shipped, count)
    assert len(part.topics) == len({topic.text for topic in part.topics}) == count
    assert len({topic.cluster for topic in part.topics}) == min(count, len(shipped["kinds"]))
    assert len(shipped["kinds"]) >= 30


def test_the_same_seed_gives_the_same_part_and_another_seed_another(shipped: dict[str, Any]) -> None:
    assert build(shipped) == build(shipped)
    assert build(shipped) != build(shipped, seed=8)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda data: data.update(subjects=["Halyard", "Cleat", "Davit"]), "3 subjects, too few for 60 topics"),
        (lambda data: data["kinds"]["json"].update(piece="a\0b"), "NUL"),
        (lambda data: data["kinds"]["json"].update(asked="a\ud800b"), "lone surrogates"),
        (lambda data: data["kinds"]["json"].update(asks="scale {piece}"), "no slot {subject}"),
        (lambda data: data["kinds"]["token"]["piece"].update(times=0), "whole number above 0"),
        (lambda data: data["kinds"]["json"].pop("piece"), "'piece' is missing"),
        (lambda data: data.update(kinds=dict(list(data["kinds"].items())[:9])), "rest on 9 templates"),
    ],
)
def test_data_that_breaks_a_rule_is_refused_with_its_place(data: dict[str, Any], change: Any, said: str) -> None:
    change(data)
    with pytest.raises(UsageError, match=said) as caught:
        build(data, 20 if "9 templates" in said else COUNT)
    assert caught.value.where.startswith("hostile.yml: ")
