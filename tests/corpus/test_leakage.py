from __future__ import annotations

from collections.abc import Callable

import pytest

from gate.corpus.leakage import Leak, leakage
from gate.records import Corpus, Document, Topic


def corpus(relevant: set[int], document: Callable[[int], Document]) -> Corpus:
    return Corpus(
        "mine",
        "small",
        lambda: (document(index) for index in range(40)),
        (Topic("q", "x"),),
        {"q": {document(index).doc_id: 1 for index in relevant}},
        {},
        (),
    )


def found(corpus_: Corpus, trait: str) -> Leak:
    return next(leak for leak in leakage(corpus_) if leak.trait == trait)


def test_chance_is_the_share_of_pairs_that_the_relevant_document_wins() -> None:
    # Relevant at 0 and 3 of five: of the six pairs with others (1, 2, 4) position 3 wins two, position 0 none.
    five = Corpus(
        "mine",
        "small",
        lambda: (Document(f"d{i}", "x") for i in range(5)),
        (),
        {"q": {"d0": 1, "d3": 2, "d1": 0}},
        {},
        (),
    )
    leak = found(five, "position")
    assert leak.chance == pytest.approx(2 / 6)
    # U has mean 3 and variance 2 * 3 * 6 / 12.
    assert leak.sigmas == pytest.approx((2 - 3) / 3**0.5)


def test_ties_count_half() -> None:
    assert found(corpus({1, 7}, lambda i: Document(f"d{i:02}", "same", "s")), "session").chance == 0.5


@pytest.mark.parametrize(
    ("trait", "document"),
    [
        ("id", lambda i: Document(f"d{i:02}", "x")),
        ("position", lambda i: Document(f"d{i:02}", "x")),
        ("session", lambda i: Document(f"d{i:02}", "x", f"s{i:02}")),
        ("length (en)", lambda i: Document(f"d{i:02}", "x" * i, lang="en")),
    ],
)
def test_a_trait_that_tells_is_found(trait: str, document: Callable[[int], Document]) -> None:
    assert found(corpus(set(range(30, 40)), document), trait).chance == 1.0
    assert found(corpus(set(range(10)), document), trait).chance == 0.0
    assert abs(found(corpus(set(range(0, 40, 4)), document), trait).sigmas) < 2


def test_languages_are_compared_within_themselves() -> None:
    mixed = corpus({0, 1}, lambda i: Document(f"d{i:02}", "x" * (5 if i % 2 else 50), lang="zh" if i % 2 else "en"))
    assert found(mixed, "length (zh)").chance == 0.5
    assert found(mixed, "length (en)").chance == 0.5
