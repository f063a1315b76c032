"""The ranking of engines: bm25s's own, with pieces, scopes and repeats as each engine says."""

from __future__ import annotations

from collections.abc import Sequence

import bm25s
import pytest

from gate.engines.bm25 import Index
from gate.engines.engine import Engine
from gate.records import Document, Topic


def split(text: str) -> list[str]:
    return text.split()


WORDS = Engine("words", split)


def ranked(engine: Engine, texts: Sequence[str | Document], question: str, k: int = 5, scope: str = "") -> list[str]:
    documents = [text if isinstance(text, Document) else Document(f"d{at}", text) for at, text in enumerate(texts)]
    topic = Topic("q", question, frozenset({scope}) if scope else frozenset())
    return Index(engine, documents).search(engine, topic, k)


def test_rarer_words_count_more_and_a_document_without_any_is_no_hit() -> None:
    assert ranked(WORDS, ["a b", "a c", "a d", "x y"], "a c") == ["d1", "d0", "d2"]


def test_of_equal_documents_the_earlier_is_first_at_the_cut_too() -> None:
    assert ranked(WORDS, ["a b", "a c", "a d"], "a", k=2) == ["d0", "d1"]


def test_a_question_of_unknown_words_and_documents_without_tokens_give_nothing() -> None:
    assert ranked(WORDS, ["a b"], "z") == []
    assert ranked(WORDS, ["", ""], "a") == []


def test_the_best_piece_stands_for_its_document() -> None:
    pieces = Engine("pieces", split, pieces=lambda document: document.text.split("|"))
    long = "x a | " + "x y z " * 30
    assert ranked(WORDS, [long, "a x a b c d"], "a") == ["d1", "d0"]
    assert ranked(pieces, [long, "b c d a e f"], "a") == ["d0", "d1"]


def test_a_question_may_have_tokens_of_its_own() -> None:
    assert ranked(Engine("none", split, asks=lambda _: []), ["a"], "a") == []


def test_a_scoped_engine_keeps_to_the_scope_and_another_does_not() -> None:
    documents = [Document("mine", "a", scope=frozenset({"ann"})), Document("hers", "a", scope=frozenset({"eve"}))]
    assert ranked(Engine("scoped", split, scoped=True), documents, "a", scope="eve") == ["hers"]
    assert ranked(WORDS, documents, "a", scope="eve") == ["mine", "hers"]
    assert ranked(Engine("scoped", split, scoped=True), documents, "a") == ["mine", "hers"]


def test_a_distinct_engine_leaves_out_what_repeats_a_better_hit() -> None:
    texts = ["a b c", "a b c d", "a e f g h"]
    assert ranked(Engine("distinct", split, distinct=True), texts, "a b") == ["d0", "d2"]
    assert ranked(WORDS, texts, "a b") == ["d0", "d1", "d2"]


@pytest.mark.parametrize("step", [3, 7, 11])
def test_the_first_five_score_what_the_first_five_of_bm25s_do(step: int) -> None:
    words = [f"w{number}" for number in range(40)]
    listed = [[words[(number * step + turn * turn) % 40] for turn in range(4 + number % 5)] for number in range(60)]
    index = Index(WORDS, [Document(str(number), " ".join(tokens)) for number, tokens in enumerate(listed)])
    alone = bm25s.BM25(k1=1.2, b=0.75)
    alone.index(listed, show_progress=False)
    for tokens in listed:
        asked = tokens[:3]
        _, expected = alone.retrieve([asked], k=5, show_progress=False)
        scores = alone.get_scores(asked)
        found = index.search(WORDS, Topic("q", " ".join(asked)), 5)
        assert len(found) == 5
        assert [scores[int(doc)] for doc in found] == pytest.approx(expected[0], abs=1e-4)
