from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from builders import answer, corpus, run_of

from gate.baselines import Standing, baseline_path, read_baseline, render_baseline, run_name, standing_in
from gate.errors import UsageError
from gate.measures import parse_measure, score_topics
from gate.measures.rankings import judged
from gate.methodology import methodology_hash
from gate.records import Run, RunKey

KEYWORD = RunKey("reference", "seeded", "smoke", "cpu-hash", "keyword")
VECTOR = RunKey("reference", "seeded", "smoke", "cpu-hash", "vector", "embedder-zeros")
METHODOLOGY = {"corpus": "f" * 64, "depth": "4"}
HEADER = {
    "store": "reference",
    "corpus": "seeded",
    "tier": "smoke",
    "arm": "cpu-hash",
    "methodology": METHODOLOGY,
    "methodology_hash": methodology_hash(METHODOLOGY),
    "scores": {"reference/seeded@smoke/all/cpu-hash/keyword/none/R@5": 0.5},
}
CORPUS = corpus({"q2": {"a": 2, "b": 0}, "q1": {"c\u2028d": 1}}, forbidden={"q2": {"old": "superseded"}})
RUNS = (
    Run(
        KEYWORD,
        {
            "q2": answer(["x", "a", "old", "b"], duplicates=2),
            "q1": answer([], refused=True),
        },
    ),
    run_of({"q2": ["a"]}, VECTOR),
)


def text() -> str:
    return render_baseline(RUNS, CORPUS.topics, CORPUS, HEADER, depth=4)


def place(folder: Path) -> Path:
    return baseline_path(folder, "reference", "seeded", "smoke", "cpu-hash")


def stored(folder: Path, content: str) -> Path:
    path = place(folder)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode("utf-8"))
    return path


def changed(row: int, change: Callable[[Any], object]) -> str:
    """The text with one line changed by a function of its data."""
    lines = text().split("\n")
    data = json.loads(lines[row])
    change(data)
    lines[row] = json.dumps(data, ensure_ascii=False)
    return "\n".join(lines)


def test_a_baseline_is_one_line_a_topic_by_id_with_the_ranks_of_its_judged_documents() -> None:
    header, first, second, end = text().split("\n")
    assert json.loads(header) == {**HEADER, "schema": 1, "runs": ["keyword/none", "vector/embedder-zeros"], "topics": 2}
    assert json.loads(first) == {
        "topic": "q1",
        "cluster": "template q1",
        "runs": {"keyword/none": {"ranks": {}, "retrieved": 0, "refused": True}},
    }
    assert json.loads(second) == {
        "topic": "q2",
        "cluster": "template q2",
        "runs": {
            "keyword/none": {"ranks": {"a": 2, "old": 3, "b": 4}, "duplicates": 2},
            "vector/embedder-zeros": {"ranks": {"a": 1}, "retrieved": 1},
        },
    }
    assert end == ""


def test_a_baseline_reads_back_as_it_was_written(tmp_path: Path) -> None:
    base = read_baseline(stored(tmp_path, text()))
    assert base.runs == {
        "keyword/none": {
            "q1": Standing({}, 0, 0, True),
            "q2": Standing({"a": 2, "old": 3, "b": 4}, 4, 2, False),
        },
        "vector/embedder-zeros": {"q2": Standing({"a": 1}, 1)},
    }
    assert (base.depth, base.methodology, base.clusters["q1"]) == (4, METHODOLOGY, "template q1")


@pytest.mark.parametrize("measure", ["P@5", "R@5", "RR", "AP@100", "nDCG@10", "Judged@10", "Forbidden@10", "Refused"])
def test_every_measure_can_be_computed_again(tmp_path: Path, measure: str) -> None:
    stood = read_baseline(stored(tmp_path, text())).runs["keyword/none"]
    again = {t: one.judged(CORPUS.qrels.get(t, {}), CORPUS.forbidden.get(t, {})) for t, one in stood.items()}
    first = judged(RUNS[0].results, CORPUS.topics, CORPUS)
    assert again == first
    assert score_topics(again, parse_measure(measure)) == pytest.approx(score_topics(first, parse_measure(measure)))


def test_coverage_is_kept_where_it_was_told_and_its_absence_is_read_as_nothing(tmp_path: Path) -> None:
    told = replace(RUNS[0], results={t: replace(r, coverage=0.25) for t, r in RUNS[0].results.items()})
    stood = read_baseline(stored(tmp_path, render_baseline([told], CORPUS.topics, CORPUS, HEADER, depth=4)))
    assert {one.coverage for one in stood.runs["keyword/none"].values()} == {0.25}
    older = read_baseline(stored(tmp_path, text())).runs["keyword/none"]
    assert {one.coverage for one in older.values()} == {None}
    assert older == stood.runs["keyword/none"], "what a store says of itself moves no rank"


@pytest.mark.parametrize("coverage", [-0.1, 1.5, "0.5", None, True])
def test_a_coverage_that_is_no_share_is_refused(tmp_path: Path, coverage: object) -> None:
    broken = changed(1, lambda row: row["runs"]["keyword/none"].update(coverage=coverage))
    with pytest.raises(UsageError, match="cannot be used"):
        read_baseline(stored(tmp_path, broken))


def test_ids_that_hold_ends_of_lines_keep_the_file_whole(tmp_path: Path) -> None:
    strange = corpus({"q\u2028\u0085\n": {"d\u2029\x0b": 1}})
    run = run_of({"q\u2028\u0085\n": ["d\u2029\x0b"]}, KEYWORD)
    base = read_baseline(stored(tmp_path, render_baseline([run], strange.topics, strange, HEADER, depth=4)))
    assert base.runs["keyword/none"] == {"q\u2028\u0085\n": Standing({"d\u2029\x0b": 1}, 1)}


def test_the_order_of_topics_does_not_change_the_bytes() -> None:
    assert render_baseline(RUNS, reversed(CORPUS.topics), CORPUS, HEADER, depth=4) == text()


def test_a_run_is_named_by_mode_and_fault() -> None:
    assert [run_name(key) for key in (KEYWORD, VECTOR)] == ["keyword/none", "vector/embedder-zeros"]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "baseline.jsonl:1: not JSON: Expecting value at column 1"),
        ("[" * 100_000, "baseline.jsonl:1: not JSON: nested too deeply"),
        (text()[:-20], "baseline.jsonl:3: not JSON"),
        (
            text().replace('"topic":"q1"', '"topic":"q1","topic":"q1"'),
            'baseline.jsonl:2: not JSON: the key "topic" stands',
        ),
        ("\n".join(text().split("\n")[:2]) + "\n", "the header promises 2 topics, 1 are here"),
        (text() + text().split("\n")[1] + "\n", "topic q1 stands twice"),
        (text() + "[]\n", "baseline.jsonl:4"),
        ("[]\n", "baseline.jsonl:1"),
        (changed(0, lambda data: data.pop("scores")), "'scores' is a required property"),
        (changed(0, lambda data: data.update(topics="2")), "'topics'"),
        (changed(0, lambda data: data.update(schema=0)), "'schema'"),
        (changed(0, lambda data: data.update(store="../../elsewhere")), "'store'"),
        (changed(0, lambda data: data.update(runs=["keyword/none"])), "the run vector/embedder-zeros is not in the"),
        (changed(0, lambda data: data["methodology"].update(depth="²")), "'methodology.depth'"),
        (changed(0, lambda data: data["methodology"].update(depth="5")), "its hash do not belong together"),
        (changed(0, lambda data: data["scores"].update(x=float("nan"))), "NaN is not a number"),
        (changed(1, lambda data: data.update(topic="")), "'topic'"),
        (changed(2, lambda data: data["runs"]["keyword/none"]["ranks"].update(a=0)), "baseline.jsonl:3"),
        (changed(2, lambda data: data["runs"]["keyword/none"]["ranks"].update(a=True)), "baseline.jsonl:3"),
        (changed(2, lambda data: data["runs"]["keyword/none"]["ranks"].update(a=3)), "not those of one answer"),
        (changed(2, lambda data: data["runs"]["keyword/none"]["ranks"].update(a=9)), "not those of one answer"),
        (changed(2, lambda data: data["runs"]["keyword/none"].update(retrieved=-1)), "baseline.jsonl:3"),
        (changed(2, lambda data: data["runs"]["keyword/none"].update(more=1)), "'more' was unexpected"),
    ],
)
def test_a_broken_baseline_says_what_is_wrong_and_where(tmp_path: Path, content: str, says: str) -> None:
    path = stored(tmp_path, content)
    with pytest.raises(UsageError) as caught:
        read_baseline(path)
    assert caught.value.slug == "baseline-invalid"
    told = str(caught.value).replace(path.name, "baseline.jsonl")
    assert says in told
    assert "accept the results of a new run" in told


def test_a_newer_baseline_is_refused_by_its_version_alone(tmp_path: Path) -> None:
    path = stored(tmp_path, '{"schema": 2, "shape": "unknown"}\n{"another": "shape"}\n')
    with pytest.raises(UsageError, match="has schema 2, and this gate reads 1") as caught:
        read_baseline(path)
    assert (caught.value.slug, caught.value.problems) == ("baseline-newer", ())


def test_a_baseline_that_is_no_text_is_refused(tmp_path: Path) -> None:
    path = place(tmp_path)
    path.parent.mkdir(parents=True)
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UsageError, match="not UTF-8"):
        read_baseline(path)


@pytest.mark.parametrize(
    "there",
    [
        ("mystore", "seeded", "smoke", "cpu-hash"),
        ("reference", "cranfield", "smoke", "cpu-hash"),
        ("reference", "seeded", "1k", "cpu-hash"),
        ("reference", "seeded", "smoke", "cpu-onnx"),
    ],
)
def test_the_baseline_of_another_place_is_refused_with_both_named(
    tmp_path: Path, there: tuple[str, str, str, str]
) -> None:
    path = baseline_path(tmp_path, *there)
    path.parent.mkdir(parents=True)
    path.write_text(text(), encoding="utf-8")
    with pytest.raises(UsageError) as caught:
        read_baseline(path)
    assert caught.value.slug == "baseline-misplaced"
    assert "reference/seeded@smoke.cpu-hash.jsonl" in caught.value.what
    assert "/".join(path.parts[-2:]) in caught.value.what


def test_the_repeats_of_a_noisy_store_are_kept_and_read_back(tmp_path: Path) -> None:
    judged = corpus({"q": {"a": 1}})
    run = replace(run_of({"q": ["a", "x"]}), repeats=(run_of({"q": ["x", "a"]}).results, run_of({"q": []}).results))
    assert standing_in(run, "q", {"a"}) == Standing({"a": 1}, 2, repeats=(Standing({"a": 2}, 2), Standing({}, 0)))
    methodology = {"corpus": "f" * 64, "depth": "2"}
    header = {
        "store": "reference", "corpus": "seeded", "tier": "smoke", "arm": "cpu-hash", "methodology": methodology,
        "methodology_hash": methodology_hash(methodology), "scores": {},
    }  # fmt: skip
    path = baseline_path(tmp_path, "reference", "seeded", "smoke", "cpu-hash")
    path.parent.mkdir(parents=True)
    path.write_text(render_baseline([run], judged.topics, judged, header, 2), encoding="utf-8")
    assert read_baseline(path).runs["keyword/none"]["q"] == standing_in(run, "q", {"a"})
    path.write_text(path.read_text(encoding="utf-8").replace('"ranks":{"a":2}', '"ranks":{"a":3}'), encoding="utf-8")
    with pytest.raises(UsageError, match="cannot be used"):
        read_baseline(path)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('"ranks":{"d1":1}', '"ranks":{"d1":1},"repeats":null', "null|None|array"),
        ('"ranks":{"d1":1}', '"ranks":{"d1":1},"repeats":5', "array"),
        ('"ranks":{"d1":1}', '"ranks":{"d1":1},"repeats":[]', "non-empty|too short|\\[\\]"),
        ('"ranks":{"d1":1}', '"ranks":{"d1":1},"repeats":[{"ranks":{}}]', "more often on other topics"),
        ('"ranks":{"d1":1}', '"ranks":{"d1":1},"retrieved":500', "more hits than the 4"),
        ('"x/y@z/all/a/keyword/none/R@5":1.0', f'"x/y@z/all/a/keyword/none/R@5":{"9" * 400}', "is no score"),
        ('"x/y@z/all/a/keyword/none/R@5":1.0', '"x/y@z/all/a/keyword/none/R@5":1e999', "is no score"),
    ],
)
def test_what_no_run_writes_is_refused_with_its_line(tmp_path: Path, old: str, new: str, says: str) -> None:
    judged = corpus({"q1": {"d1": 1}, "q2": {"d2": 1}})
    run = run_of({"q1": ["d1", "x", "y", "z"], "q2": ["d2", "x", "y", "z"]})
    header = {**HEADER, "scores": {"x/y@z/all/a/keyword/none/R@5": 1.0}}
    path = baseline_path(tmp_path, "reference", "seeded", "smoke", "cpu-hash")
    path.parent.mkdir(parents=True)
    text = render_baseline([run], judged.topics, judged, header, 4)
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(UsageError) as caught:
        read_baseline(path)
    assert re.search(says, str(caught.value)), str(caught.value)
