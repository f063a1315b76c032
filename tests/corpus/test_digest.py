from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

import pytest

from gate.corpus.digest import CorpusDigest
from gate.records import Corpus, Document, Topic

DOCUMENT = Document(
    "d1",
    "Zürich, at noon",
    "s1",
    "Noor",
    "2025-01-06T09:00:00Z",
    "en",
    frozenset({"b", "a"}),
    ("d2",),
    "d3",
    "",
    (("k", "v"),),
)
CORPUS = Corpus(
    "mine",
    "small",
    lambda: iter((DOCUMENT,)),
    (Topic("q1", "where", frozenset({"z", "y"}), ("one", "two"), "c"),),
    {"q1": {"d2": 0, "d1": 3}, "q0": {}},
    {"q1": {"d2": "deleted"}},
    (),
    deletions=("d2",),
)


def digest(corpus: Corpus) -> str:
    found = CorpusDigest(corpus)
    for document in corpus.documents():
        found.add(document)
    return found.hexdigest()


def test_digest_is_sha256_of_the_canonical_lines() -> None:
    lines = (
        '["topic","q1","where",["y","z"],["one","two"],"c"]\n'
        '["qrel","q1","d1",3]\n'
        '["qrel","q1","d2",0]\n'
        '["forbidden","q1","d2","deleted"]\n'
        '["deletion","d2"]\n'
        '["document","d1","Zürich, at noon","s1","Noor","2025-01-06T09:00:00Z","en",'
        '["a","b"],["d2"],"d3","",[["k","v"]]]\n'
    )
    assert digest(CORPUS) == sha256(lines.encode()).hexdigest()


@pytest.mark.parametrize(
    "changes",
    [
        {"text": "x"},
        {"session_id": "x"},
        {"speaker": "x"},
        {"created_at": "x"},
        {"lang": "x"},
        {"scope": frozenset()},
        {"refs": ()},
        {"supersedes": ""},
        {"index_text": "x"},
        {"facts": ()},
    ],
)
def test_every_field_of_a_document_changes_it(changes: dict[str, object]) -> None:
    changed = replace(DOCUMENT, **changes)  # type: ignore[arg-type]
    assert digest(replace(CORPUS, documents=lambda: iter((changed,)))) != digest(CORPUS)


@pytest.mark.parametrize(
    "changes",
    [
        {"topics": ()},
        {"qrels": {"q1": {"d1": 2, "d2": 0}}},
        {"forbidden": {}},
        {"deletions": ()},
        {"documents": lambda: iter((DOCUMENT, replace(DOCUMENT, doc_id="d9")))},
    ],
)
def test_whatever_is_stored_asked_or_judged_changes_it(changes: dict[str, object]) -> None:
    assert digest(replace(CORPUS, **changes)) != digest(CORPUS)  # type: ignore[arg-type]


def test_names_and_licence_do_not_change_it() -> None:
    assert digest(replace(CORPUS, name="x", tier="y", licence="z", pinned="p")) == digest(CORPUS)


def test_documents_are_counted_and_may_hold_lone_surrogates() -> None:
    found = CorpusDigest(CORPUS)
    found.add(DOCUMENT)
    found.add(replace(DOCUMENT, text="\ud800"))
    assert found.documents == 2
    assert len(found.hexdigest()) == 64
