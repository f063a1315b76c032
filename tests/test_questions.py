"""The files that say what a run was asked: written, read back, and refused where they do not fit."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from builders import KEYWORD, answer, corpus

from gate.errors import UsageError
from gate.files import LinedData, violations
from gate.questions import (
    answers_path,
    read_answers,
    read_topics,
    render_answers,
    render_topics,
    topics_path,
    write_questions,
)
from gate.records import Run

QRELS = {"q1": {"a": 3, "b": 0}, "q 2": {"c": 1}}
SUBJECT = corpus(QRELS, forbidden={"q1": {"b": "superseded"}}, slices={"odd": ["q1"]})
RUN = Run(
    KEYWORD,
    {"q1": answer(["a", "b"], duplicates=2), "q 2": answer([], refused=True), "q3": answer(["x"], refused=True)},
)


def fault(path: Path) -> UsageError:
    with pytest.raises(UsageError) as caught:
        read_topics(path, QRELS)
    return caught.value


def test_topics_come_back_as_they_were(tmp_path: Path) -> None:
    write_questions(tmp_path, [], [SUBJECT])
    found = read_topics(topics_path(tmp_path, "seeded", "smoke"), QRELS)
    assert (found.label, found.topics, found.qrels, found.forbidden) == (
        SUBJECT.label,
        SUBJECT.topics,
        SUBJECT.qrels,
        SUBJECT.forbidden,
    )
    assert [part.name for part in found.slices] == ["odd"]


def test_an_answer_without_hits_and_one_refused_come_back(tmp_path: Path) -> None:
    write_questions(tmp_path, [RUN], [])
    path = answers_path(tmp_path, KEYWORD)
    found = read_answers(path, KEYWORD, {"q1": ("a", "b"), "q3": ("x",)})
    assert {t: (r.doc_ids, r.refused, r.duplicates) for t, r in found.results.items()} == {
        "q1": (("a", "b"), False, 2),
        "q 2": ((), True, 0),
        "q3": (("x",), True, 0),
    }


def test_a_run_that_is_not_whole_leaves_no_answers(tmp_path: Path) -> None:
    write_questions(tmp_path, [replace(RUN, failure="stopped")], [])
    assert not answers_path(tmp_path, KEYWORD).exists()


def test_both_files_hold_to_their_schemas() -> None:
    for name, text in (("topics", render_topics(SUBJECT)), ("answers", render_answers(RUN))):
        assert violations(LinedData(Path(name), json.loads(text), {}), name) == []
        assert violations(LinedData(Path(name), {**json.loads(text), "more": 1}, {}), name) != []


def test_half_a_surrogate_pair_is_written_and_read(tmp_path: Path) -> None:
    odd = corpus({"q\ud800": {"a": 1}})
    write_questions(tmp_path, [Run(KEYWORD, {"q\ud800": answer(["a"])})], [odd])
    assert read_topics(topics_path(tmp_path, "seeded", "smoke"), odd.qrels).topics == odd.topics
    assert list(read_answers(answers_path(tmp_path, KEYWORD), KEYWORD, {"q\ud800": ("a",)}).results) == ["q\ud800"]


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ('{"schema":1,"corpus":"seeded"', "topics-not-json"),
        ("[NaN]", "topics-not-json"),
        ("[" * 100_000, "topics-not-json"),
        ("[]", "topics-invalid"),
        ('{"schema":2}', "topics-newer"),
        ('{"schema":1,"corpus":"seeded","tier":"smoke","topics":[{"id":"q"}]}', "topics-invalid"),
    ],
)
def test_bad_topics_are_refused(tmp_path: Path, text: str, slug: str) -> None:
    (tmp_path / "t.json").write_text(text, encoding="utf-8")
    assert fault(tmp_path / "t.json").slug == slug


def test_a_topic_twice_is_refused(tmp_path: Path) -> None:
    data = json.loads(render_topics(SUBJECT))
    data["topics"] *= 2
    (tmp_path / "t.json").write_text(json.dumps(data), encoding="utf-8")
    assert "twice" in fault(tmp_path / "t.json").what


def test_an_answer_to_what_was_never_asked_is_refused(tmp_path: Path) -> None:
    path = answers_path(tmp_path, KEYWORD)
    write_questions(tmp_path, [RUN], [])
    with pytest.raises(UsageError, match="q9"):
        read_answers(path, KEYWORD, {"q9": ("a",)})


def test_what_a_store_said_of_its_evidence_comes_back(tmp_path: Path) -> None:
    said = replace(RUN, results={**RUN.results, "q1": replace(RUN.results["q1"], coverage=0.25)})
    write_questions(tmp_path, [said], [])
    found = read_answers(answers_path(tmp_path, KEYWORD), KEYWORD, {"q1": ("a", "b"), "q3": ("x",)})
    assert {topic: result.coverage for topic, result in found.results.items()} == {"q1": 0.25, "q 2": None, "q3": None}


@pytest.mark.parametrize("claim", [{"q1": 1.5}, {"q1": "all"}, {"strange": 0.5}])
def test_a_coverage_that_cannot_be_is_refused(tmp_path: Path, claim: dict[str, object]) -> None:
    path = answers_path(tmp_path, KEYWORD)
    path.parent.mkdir()
    path.write_text(json.dumps({**json.loads(render_answers(RUN)), "coverage": claim}), encoding="utf-8")
    with pytest.raises(UsageError) as caught:
        read_answers(path, KEYWORD, {})
    assert caught.value.slug == "answers-invalid"


def test_answers_of_an_older_gate_have_no_coverage() -> None:
    assert "coverage" not in json.loads(render_answers(RUN))
