from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import pytest
import pytrec_eval
from builders import KEYWORD, answer, corpus, run_of
from hypothesis import given
from hypothesis import strategies as st

from gate.measures import parse_measure
from gate.records import Corpus, Run
from gate.runs import render_qrels, render_run, trec_id
from gate.score import score

STRANGE = (
    "a b",
    "a%20b",
    "a\tb",
    "文档 一",
    "文档一",
    "Ünïcode",
    "a\u3000b",
    "\u2028",
    "%",
    "%25",
    "\ud83d",
    "\x00",
    "d\n1",
)
ORACLE = {"P@5": "P_5", "R@5": "recall_5", "nDCG@10": "ndcg_cut_10", "AP@100": "map_cut_100", "Hit@1": "success_1"}


def evaluated(run: Run, judged: Corpus, folder: Path) -> dict[str, dict[str, float]]:
    """The exported files, scored by trec_eval's own code."""
    (folder / "a.run").write_text(render_run(run, judged.topics), encoding="utf-8")
    (folder / "a.qrels").write_text(render_qrels(judged), encoding="utf-8")
    with (folder / "a.qrels").open(encoding="utf-8") as file:
        qrels = pytrec_eval.parse_qrel(file)
    with (folder / "a.run").open(encoding="utf-8") as file:
        ranked = pytrec_eval.parse_run(file)
    measures = {"P.5", "recall.5", "ndcg_cut.10", "map_cut.100", "success.1"}
    found: dict[str, dict[str, float]] = pytrec_eval.RelevanceEvaluator(qrels, measures).evaluate(ranked)
    return found


def assert_alike(run: Run, judged: Corpus, folder: Path) -> None:
    theirs = evaluated(run, judged, folder)
    ours = score(run, judged.topics, judged, [parse_measure(name) for name in ORACLE]).values
    for measure, name in ORACLE.items():
        for topic, value in ours[measure].items():
            assert value == pytest.approx(theirs[trec_id(topic)][name], abs=1e-12), (topic, measure)


def test_exported_files_give_trec_eval_the_scores_that_we_give(tmp_path: Path) -> None:
    judged = corpus({"q1": {"a": 3, "b": 1, "c": 2}, "q2": {"d": 1, "e": 0}})
    run = run_of({"q1": ["x", "c", "y", "a"], "q2": ["e", "z", "d"]})
    assert_alike(run, judged, tmp_path)
    # By hand: two of three found within five; the first of two grades stands at rank 2, the other at 4.
    assert evaluated(run, judged, tmp_path)["q1"]["recall_5"] == pytest.approx(2 / 3)
    assert evaluated(run, judged, tmp_path)["q2"]["map_cut_100"] == pytest.approx(1 / 3)


def test_strange_ids_score_the_same(tmp_path: Path) -> None:
    judged = corpus({topic: {doc: 1 + n % 3 for n, doc in enumerate(STRANGE[2:])} for topic in STRANGE})
    run = run_of({topic: STRANGE[n % 5 :] for n, topic in enumerate(STRANGE)})
    assert len(evaluated(run, judged, tmp_path)) == len(STRANGE)
    assert_alike(run, judged, tmp_path)


def test_a_re_sort_by_score_keeps_the_rank_and_breaks_no_tie(tmp_path: Path) -> None:
    # trec_eval would put the higher id first where scores tie: z before a.
    judged = corpus({"q": {"a": 1}})
    assert evaluated(run_of({"q": ["a", "z"]}), judged, tmp_path)["q"]["success_1"] == 1.0
    assert evaluated(run_of({"q": ["z", "a"]}), judged, tmp_path)["q"]["success_1"] == 0.0


def test_the_columns_of_a_run() -> None:
    text = render_run(run_of({"q 1": ["b", "a%"], "q2": []}), corpus({"q 1": {}, "q2": {}, "q3": {}}).topics)
    assert text == (
        "q%201 Q0 b 1 2 reference.seeded.smoke.cpu-hash.keyword.none\n"
        "q%201 Q0 a%25 2 1 reference.seeded.smoke.cpu-hash.keyword.none\n"
    )


def test_the_columns_of_qrels_in_stable_order() -> None:
    assert render_qrels(corpus({"q2": {"文档 二": 0, "a": 3}, "q1": {"b": 1}})) == (
        "q2 0 a 3\nq2 0 文档%20二 0\nq1 0 b 1\n"
    )


def test_scores_fall_strictly() -> None:
    lines = render_run(Run(KEYWORD, {"q": answer(f"d{n}" for n in range(100))}), corpus({"q": {}}).topics).splitlines()
    scores = [float(line.split()[4]) for line in lines]
    assert all(one > other for one, other in pairwise(scores))


def strange_ids() -> st.SearchStrategy[list[str]]:
    return st.lists(st.text(min_size=1), unique=True)


@given(strange_ids())
def test_ids_stay_one_column_and_never_meet(ids: Iterable[str]) -> None:
    written = [trec_id(one) for one in ids]
    assert all(one.split() == [one] and one.encode() for one in written)
    assert len(set(written)) == len(written)


def test_plain_ids_stay_as_they_are() -> None:
    for plain in ("doc-1", "MED-10", "文档一", "a/b:c.d", "Ünïcode"):
        assert trec_id(plain) == plain
