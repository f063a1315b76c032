from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from report_verdicts import BASELINE_LOST, GREEN, VERDICTS

from gate.errors import UsageError
from gate.files import schema_of
from gate.report.json import from_json, to_json

PATH = Path("gate-results/verdict.json")


def refused(text: str) -> UsageError:
    with pytest.raises(UsageError) as caught:
        from_json(text, PATH)
    return caught.value


def edited(change: Callable[[Any], object]) -> str:
    data = json.loads(to_json(BASELINE_LOST))
    change(data)
    return json.dumps(data)


def test_the_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(schema_of("verdict"))


@pytest.mark.parametrize("name", VERDICTS)
def test_json_holds_to_its_schema(name: str) -> None:
    Draft202012Validator(schema_of("verdict")).validate(json.loads(to_json(VERDICTS[name])))


@pytest.mark.parametrize("name", VERDICTS)
def test_json_gives_the_verdict_back(name: str) -> None:
    text = to_json(VERDICTS[name])
    assert from_json(text, PATH) == VERDICTS[name]
    assert to_json(from_json(text, PATH)) == text


def test_a_line_to_paste_is_kept_and_stands_only_where_there_is_one() -> None:
    pasted = replace(GREEN, checks=(replace(GREEN.checks[0], paste="in gate.yml:\n- {beir: notes}"), *GREEN.checks[1:]))
    data = json.loads(to_json(pasted))
    Draft202012Validator(schema_of("verdict")).validate(data)
    assert ["paste" in check for check in data["checks"]] == [True] + [False] * (len(GREEN.checks) - 1)
    assert from_json(to_json(pasted), PATH) == pasted


def test_equal_verdicts_give_equal_bytes() -> None:
    whole = replace(GREEN, checks=(replace(GREEN.checks[0], expected=1, actual=-0.0),))
    parts = replace(GREEN, checks=(replace(GREEN.checks[0], expected=1.0, actual=0.0),))
    assert whole == parts
    assert to_json(whole) == to_json(parts)


def test_every_check_and_cell_has_a_line() -> None:
    lines = to_json(BASELINE_LOST).split("\n")
    assert sum('"operator":' in line for line in lines) == len(BASELINE_LOST.checks)
    assert sum('"topics":' in line for line in lines) == len(BASELINE_LOST.cells)
    assert lines[-1] == ""


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_what_is_no_number_is_never_written(value: float) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        to_json(replace(GREEN, checks=(replace(GREEN.checks[0], actual=value),)))


def test_a_file_cut_off_anywhere_is_refused() -> None:
    text = to_json(BASELINE_LOST)
    for end in range(0, len(text) - 2, 97):
        error = refused(text[:end])
        assert error.slug == "verdict-not-json"
        assert error.where.startswith(f"{PATH}:")
        assert "cut off" in error.hint


def test_a_newer_schema_asks_for_a_newer_gate() -> None:
    error = refused(edited(lambda data: data.update(schema=2, surprise=True)))
    assert error.slug == "verdict-newer"
    assert "schema 2" in error.what
    assert "newer gate" in error.hint


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda data: data.update(verdict="FINE"), "'verdict' cannot be \"FINE\""),
        (lambda data: data.update(exit_code=7), "'exit_code'"),
        (lambda data: data.update(schema=0), "'schema'"),
        (lambda data: data.update(schema=True), "'schema'"),
        (lambda data: data.pop("cells"), "'cells' is missing"),
        (lambda data: data.update(extra=1), "unknown key 'extra'"),
        (lambda data: data["checks"][0].update(status="failed"), "'checks.0.status'"),
        (lambda data: data["checks"][0].update(actual="0.9"), "'checks.0.actual'"),
        (lambda data: data["checks"][0].pop("moves"), "'moves' is missing"),
        (lambda data: data["checks"][0]["moves"][0]["moved"][0].update(before=0), "'checks.0.moves.0.moved.0.before'"),
        (lambda data: data["cells"][0].update(id="reference/seeded/all"), "'cells.0.id'"),
        (lambda data: data["cells"][0].update(value=None), "a measured cell has a value"),
        (lambda data: data["cells"][0].update(status="not measured"), "a cell that was not measured has no value"),
        (lambda data: data["cells"][0].update(topics=-1), "'cells.0.topics'"),
    ],
)
def test_what_breaks_the_schema_is_named(change: Callable[[Any], object], said: str) -> None:
    error = refused(edited(change))
    assert error.slug == "verdict-invalid"
    assert error.hint
    assert any(said in str(problem) for problem in error.problems), error.problems


@pytest.mark.parametrize("text", ["[]", "null", "7", '"verdict"', "{}"])
def test_json_of_another_shape_is_refused(text: str) -> None:
    assert refused(text).slug == "verdict-invalid"


@pytest.mark.parametrize("value", ["NaN", "Infinity", "-Infinity", "1e999", "1" * 400, "1" * 5000])
def test_a_value_that_is_no_number_is_refused(value: str) -> None:
    assert refused(to_json(GREEN).replace("0.9412", value)).slug == "verdict-not-json"


def test_json_nested_without_end_is_refused() -> None:
    assert refused("[" * 200_000).slug == "verdict-not-json"


def test_a_file_that_is_wrong_throughout_names_some_and_counts_the_rest() -> None:
    def spoil(data: Any) -> None:
        data["notes"] = [1] * 100

    problems = refused(edited(spoil)).problems
    assert len(problems) == 21
    assert problems[-1].what == "and 80 more"
