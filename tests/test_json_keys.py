from __future__ import annotations

import json

import pytest

from gate.json_keys import KeyTwice, each_key_once, line_of_key_twice


def test_an_object_with_each_key_once_is_what_python_reads() -> None:
    text = '{"a": {"b": 1, "c": [{"a": 2}, {"a": 3}]}, "b": "a"}'
    assert json.loads(text, object_pairs_hook=each_key_once) == json.loads(text)


@pytest.mark.parametrize(
    ("text", "key", "line"),
    [
        ('{"a": 1, "a": 1}', "a", 1),
        ('{"x": 0,\n "a": {"b": 1,\n  "b": 2}}', "b", 3),
        ('{"a": {"a": 1},\n"b": ["a", "a"],\n"\\u0061" : 2}', "a", 3),
        ('{"says": "}{ \\"a\\": 1",\n"a": [{"a": 1}],\n\n"a": 2}', "a", 4),
        ('[{"a": 1},\n{"a": 1, "b": 2, "a": 3}]', "a", 2),
    ],
)
def test_a_key_that_stands_twice_is_named_with_its_line(text: str, key: str, line: int) -> None:
    with pytest.raises(KeyTwice, match=f'the key "{key}" stands twice') as caught:
        json.loads(text, object_pairs_hook=each_key_once)
    assert caught.value.key == key
    assert line_of_key_twice(text, key) == line


def test_a_text_without_such_a_key_has_no_line() -> None:
    assert line_of_key_twice('{"a": {"a": 1}}', "a") == 0
