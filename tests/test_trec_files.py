"""Reading TREC files: trec_eval's own code is the judge of the order, and every bad line is named."""

from __future__ import annotations

from pathlib import Path

import pytest
import pytrec_eval
from builders import corpus, run_of

from gate.corpus.trec import read_trec
from gate.errors import UsageError
from gate.runs import render_qrels, render_run
from gate.trec import read_qrels, read_run


def written(folder: Path, text: str, name: str = "a.run") -> Path:
    (folder / name).write_text(text, encoding="utf-8")
    return folder / name


def fault(path: Path, read: object = read_run) -> UsageError:
    assert callable(read)
    with pytest.raises(UsageError) as caught:
        read(path)
    return caught.value


def test_a_run_is_sorted_by_score_and_ties_by_document_id_last_first(tmp_path: Path) -> None:
    lines = ("q1 Q0 a 1 0.5 t", "q1 Q0 b 2 0.5 t", "q2 Q0 x 1 -1e-3 t", "q1 Q0 c 9 7 t", "q2 Q0 y 2 2 t")
    found = read_run(written(tmp_path, "\n".join(lines) + "\n"))
    assert found == {"q1": ("c", "b", "a"), "q2": ("y", "x")}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (("a", "1.0"), ("b", "1.0")),
        (("b", "1.0"), ("a", "1.00000001")),
        (("b", "1.0"), ("a", "1.0000002")),
        (("b", "1e39"), ("a", "1e40")),
        (("a", "-1e39"), ("b", "-1e40")),
        (("é", "1"), ("z", "1")),
        (("文", "1"), ("é", "1")),
        (("a10", "3"), ("a9", "3")),
    ],
)
def test_the_order_is_that_of_trec_eval(tmp_path: Path, first: tuple[str, str], second: tuple[str, str]) -> None:
    path = written(tmp_path, "".join(f"q Q0 {doc} 1 {score} t\n" for doc, score in (first, second)))
    evaluator = pytrec_eval.RelevanceEvaluator({"q": {first[0]: 1}}, {"recip_rank"})
    judged = evaluator.evaluate({"q": {doc: float(score) for doc, score in (first, second)}})
    assert read_run(path)["q"].index(first[0]) == 1 / judged["q"]["recip_rank"] - 1


def test_what_the_gate_writes_is_read_back(tmp_path: Path) -> None:
    qrels = {"q 1": {"d%2": 3, "d\t3": 0}, "q2": {"d": 1}}
    run = run_of({"q 1": ["d\t3", "d%2", "\u3000"], "q2": []})
    subject = corpus(qrels)
    assert read_run(written(tmp_path, render_run(run, subject.topics))) == {"q%201": ("d%093", "d%252", "%E3%80%80")}
    assert read_qrels(written(tmp_path, render_qrels(subject))) == {"q%201": {"d%093": 0, "d%252": 3}, "q2": {"d": 1}}


def test_an_empty_run_found_nothing(tmp_path: Path) -> None:
    assert read_run(written(tmp_path, "")) == {}
    assert read_run(written(tmp_path, "\n\n")) == {}


def test_columns_may_stand_apart_by_tabs_and_lines_end_as_on_windows(tmp_path: Path) -> None:
    assert read_run(written(tmp_path, "q\tQ0\ta\u00a0b\t1\t2.0\tt\r\n\r\n")) == {"q": ("a\u00a0b",)}


def test_grades_may_be_negative_as_in_trec_files(tmp_path: Path) -> None:
    assert read_qrels(written(tmp_path, "q 0 a -1\nq 0 b +2\n")) == {"q": {"a": -1, "b": 2}}


@pytest.mark.parametrize("score", ["nan", "NaN", "inf", "-Infinity", "high", "1,5", "1_0", "٣"])
def test_a_score_that_is_no_number_is_named_with_its_line(tmp_path: Path, score: str) -> None:
    error = fault(written(tmp_path, f"q Q0 a 1 2 t\nq Q0 b 2 {score} t\n"))
    assert [problem.where for problem in error.problems] == [f"{tmp_path / 'a.run'}:2"]
    assert "finite number" in error.problems[0].what


def test_a_truncated_line_is_named(tmp_path: Path) -> None:
    error = fault(written(tmp_path, "q Q0 a 1 2 t\nq Q0 b 2"))
    assert str(error.problems[0]) == (
        f"{tmp_path / 'a.run'}:2: 6 columns belong here, not 4 (cut short?) (topic Q0 document rank score tag)"
    )


def test_a_document_twice_is_named(tmp_path: Path) -> None:
    error = fault(written(tmp_path, "q Q0 a 1 2 t\nq Q0 a 2 1 t\n"))
    assert 'topic "q" has the document "a" already' in error.problems[0].what


def test_grades_in_words_are_named(tmp_path: Path) -> None:
    error = fault(written(tmp_path, "q 0 a high\nq 0 b 1.5\nq 0 c 1\nq 0 c 1\nq 0 d\n"), read_qrels)
    assert [problem.where.rpartition(":")[2] for problem in error.problems] == ["1", "2", "5"]


@pytest.mark.parametrize(
    ("line", "grades", "conflicting"),
    [
        ("7 0 a +1", {"a": 1}, 0),
        ("7 0 a 2\n7 0 a 2", {"a": 2}, 0),
        ("7 0 a 2\n7 0 a 1", {"a": 1}, 1),
        ("7\t0\va\f1\r", {"a": 1}, 0),
        ("7 0 a\u00a0b 1", {"a\u00a0b": 1}, 0),
        ("7 0 a\u3000b 1", {"a\u3000b": 1}, 0),
        ("7 0 a\x1cb 1", {"a\x1cb": 1}, 0),
    ],
)
def test_a_corpus_and_a_comparison_read_the_same_judgements(
    tmp_path: Path, line: str, grades: dict[str, int], conflicting: int
) -> None:
    (tmp_path / "docs.jsonl").write_text('{"id": "a", "contents": "tea"}\n', encoding="utf-8")
    (tmp_path / "topics.txt").write_text("7\ttea\n", encoding="utf-8")
    path = written(tmp_path, f"{line}\n", "qrels.txt")
    notes: list[str] = []
    corpus_read = read_trec(tmp_path)
    assert read_qrels(path, notes) == corpus_read.qrels == {"7": grades}
    said = [f"documents judged again with a different grade (the last one holds): {conflicting}"] * bool(conflicting)
    assert notes == said
    assert [note for note in corpus_read.notes if "judged again" in note] == said


def test_qrels_without_a_line_are_refused(tmp_path: Path) -> None:
    assert "no judgement" in fault(written(tmp_path, "\n"), read_qrels).problems[0].what


def test_many_bad_lines_are_counted(tmp_path: Path) -> None:
    error = fault(written(tmp_path, "q Q0 a\n" * 50))
    assert len(error.problems) == 21
    assert error.problems[-1].what == "and 30 more lines like these"


def test_a_file_that_is_not_there_or_not_text_is_named(tmp_path: Path) -> None:
    assert "no run file" in fault(tmp_path / "absent").what
    (tmp_path / "b.run").write_bytes(b"q Q0 \xff 1 2 t\n")
    assert "not UTF-8" in fault(tmp_path / "b.run").what
