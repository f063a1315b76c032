"""Records go to JSON and come back the same; what is of another type is refused."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields, replace
from typing import Any

import pytest

from gate.plain import from_plain, to_json
from gate.records import Evidence, ScoredDoc, SearchResult, TopicResult

ANSWER = TopicResult(("d1", "渡轮", 'a"b\n\x00'), 2, 1, True, frozenset({"embedder", "reranker"}), 1.25)


@dataclass(frozen=True, slots=True)
class Later:
    """A record as a later version may have it."""

    name: str
    coverage: float | None = None
    pairs: tuple[ScoredDoc, ...] = ()


def there_and_back(value: Any) -> Any:
    return from_plain(type(value), json.loads(to_json(value)))


@pytest.mark.parametrize(
    "value",
    [
        ANSWER,
        TopicResult((), 0, 0, False, frozenset(), 0.1 + 0.2),
        SearchResult((ScoredDoc("d1", 2.5),), frozenset({"embedder"}), "text", Evidence(True, 0.5)),
        SearchResult(()),
        Later("new", 0.5),
        Later("new", None, (ScoredDoc("a", 1.0), ScoredDoc("b", -0.0))),
    ],
)
def test_every_field_comes_back_as_it_was(value: object) -> None:
    assert there_and_back(value) == value


def test_it_is_one_line_of_ascii_with_sets_in_order() -> None:
    text = to_json(ANSWER)
    assert text.isascii()
    assert "\n" not in text
    assert '"degraded":["embedder","reranker"]' in text


def test_numbers_without_a_value_come_back_too() -> None:
    assert str(there_and_back(Later("x", float("nan"))).coverage) == "nan"
    assert there_and_back(Later("x", float("-inf"))).coverage == float("-inf")


@pytest.mark.parametrize("name", [field.name for field in fields(TopicResult)])
def test_a_value_of_another_type_is_refused(name: str) -> None:
    strange = json.loads(to_json(ANSWER)) | {name: {"other": 1}}
    with pytest.raises(ValueError, match="should be"):
        from_plain(TopicResult, strange)


@pytest.mark.parametrize(
    "change",
    [
        {"doc_ids": ["d1", 2]},
        {"doc_ids": "d1"},
        {"duplicates": True},
        {"duplicates": 1.5},
        {"refused": 1},
        {"degraded": [None]},
        {"milliseconds": "1"},
        {"milliseconds": None},
        {"more": 1},
    ],
)
def test_what_is_almost_of_the_type_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="should be"):
        from_plain(TopicResult, json.loads(to_json(ANSWER)) | change)


def test_a_missing_field_is_refused() -> None:
    data = json.loads(to_json(ANSWER))
    del data["surplus"]
    with pytest.raises(ValueError, match="should be"):
        from_plain(TopicResult, data)


def test_a_whole_number_stands_for_a_number() -> None:
    made = from_plain(TopicResult, json.loads(to_json(replace(ANSWER, milliseconds=2.0)).replace("2.0", "2")))
    assert type(made.milliseconds) is float


def test_what_has_no_place_in_json_is_our_mistake() -> None:
    with pytest.raises(TypeError):
        to_json({"x": object()})
