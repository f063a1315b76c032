"""What people and programs see of a comparison: text, Markdown and JSON, with hostile ids in all of them."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from builders import corpus
from comparison_builders import found, results, subject

from gate.comparison.compare import Wanted, compare
from gate.comparison.folder import read_folder
from gate.comparison.repeats import repeat
from gate.comparison.report import Views, comparison_views, repeats_views_of
from gate.files import LinedData, violations
from gate.report.json import from_json, to_json

HOSTILE = "q\x1b[31m\u202e|`@everyone`\n::error::x"
DOCUMENT = "d-<script>\x1b]0;x\x07|**"


def views(a: Path, b: Path, wanted: Wanted | None = None) -> Views:
    asked = wanted or Wanted()
    return comparison_views(compare(read_folder(a, "A"), read_folder(b, "B"), asked), "out", every=asked.every_topic)


def regression(folder: Path, wanted: Wanted | None = None) -> Views:
    asked = subject(100)
    a = results(folder / "a", {"keyword": found(100)}, asked)
    return views(a, results(folder / "b", {"keyword": found(100, lost=range(30))}, asked), wanted)


def schema_faults(text: str) -> list[str]:
    return [str(problem) for problem in violations(LinedData(Path("c"), json.loads(text), {}), "comparison")]


def test_the_verdict_stands_first_then_the_cells_then_the_topics(tmp_path: Path) -> None:
    lines = regression(tmp_path).text(100, False).splitlines()
    assert lines[0] == "REGRESSION  4 worse, 2 same of 6 cells  (exit 1)"
    assert lines[1] == f"A  {tmp_path / 'a'}  (reference)"
    assert lines[3] == "seeded@smoke: paired on 100 topics, in 1 run"
    row = next(line for line in lines if line.startswith("all "))
    assert " ".join(row.split()) == (
        "all keyword R@5 100 1.000 0.700 -0.300 -0.391..-0.209 0.0001 0 30 worse (significant)"
    )
    assert "Topics that moved (30)" in lines
    assert "      lost       rank 1 -> gone  d-q000  (grade 1)" in lines
    assert "  and 10 more topics: --all shows them" in lines
    assert lines[-1] == "results: out (see comparison.json, verdict.json, report.md)"


def test_all_shows_every_cell_and_topic_and_the_other_methods(tmp_path: Path) -> None:
    text = regression(tmp_path, Wanted(every_topic=True)).text(100, False)
    assert text.count("rank 1 -> gone") == 30
    assert "more topic" not in text
    assert "by other methods" in text
    assert "-30 +0" in text


def test_a_folder_with_itself_says_that_no_rank_moved(tmp_path: Path) -> None:
    a = results(tmp_path / "a", {"keyword": found()})
    shown = views(a, a)
    text = shown.text(100, False)
    assert text.startswith("PASS  no rank moved in any of 6 cells  (exit 0)\n")
    assert "6 cells: no rank moved" in text
    assert "note: p:" not in text, "nothing was tested"
    assert "no rank moved in any of 6 cells" in shown.markdown


def test_documents_that_nobody_judged_are_not_called_unmoved(tmp_path: Path) -> None:
    a = results(tmp_path / "a", {"keyword": found()})
    b = results(tmp_path / "b", {"keyword": {**found(), "q005": ["d-q005", "z"]}})
    text = views(a, b).text(100, False)
    assert text.startswith("PASS  no rank of a judged document moved in any of 6 cells")
    assert "on 1 topic only documents moved that nobody judged" in " ".join(text.split())


def test_what_could_not_be_compared_is_told_before_the_cells(tmp_path: Path) -> None:
    a = results(tmp_path / "a", {"keyword": found(), "vector": found()})
    shown = views(a, results(tmp_path / "b", {"keyword": found()}))
    assert shown.text(100, False).startswith("NOT_MEASURED  no rank moved in any of 6 cells; 1 thing could not be")
    assert "Not compared (1)\n  reference/seeded@smoke/cpu-hash/vector/none: only in A\n" in shown.text(100, False)
    assert "### Not compared (1)" in shown.markdown


def test_json_holds_to_its_schema_and_is_the_same_each_time(tmp_path: Path) -> None:
    one = regression(tmp_path, Wanted(margin=0.02)).json
    assert schema_faults(one) == []
    assert regression(tmp_path, Wanted(margin=0.02)).json == one
    data: dict[str, Any] = json.loads(one)
    assert (data["verdict"], data["exit_code"], data["kind"], data["moved_topics"]) == (
        "REGRESSION",
        1,
        "comparison",
        30,
    )
    assert data["cells"][0]["p_loss"] == 0.0001
    assert data["cells"][0]["equivalence"]["says"] == "not shown to be equivalent"
    assert schema_faults(json.dumps({**data, "cells": [{**data["cells"][0], "p_loss": 2}]})) != []
    assert schema_faults(json.dumps({**data, "kind": "repeats"})) != []


def test_the_verdict_file_is_one_that_every_reader_of_verdicts_takes(tmp_path: Path) -> None:
    verdict = regression(tmp_path).verdict
    assert from_json(to_json(verdict), Path("verdict.json")) == verdict
    assert {check.source for check in verdict.checks} == {"compare"}
    assert len(verdict.checks[0].moves) == 20


def test_the_verdict_is_written_last(tmp_path: Path) -> None:
    regression(tmp_path).write(tmp_path / "out")
    written = {path.name: path.stat().st_mtime_ns for path in (tmp_path / "out").iterdir()}
    assert set(written) == {"comparison.json", "report.md", "report.txt", "verdict.json"}
    assert max(written.values()) == written["verdict.json"]


def hostile(folder: Path) -> Views:
    plain = corpus({HOSTILE: {DOCUMENT: 1}, **{f"q{n}": {"d": 1} for n in range(9)}})
    asked = replace(plain, topics=(replace(plain.topics[0], text="\x1b[2J<b>ask</b>\n# title"), *plain.topics[1:]))
    answers = {topic.topic_id: ["d", DOCUMENT] for topic in asked.topics}
    a = results(folder / "a", {"keyword": answers}, asked, slices=("all",))
    b = results(folder / "b", {"keyword": {**answers, HOSTILE: ["x\x1b[0m", "d"]}}, asked, slices=("all",))
    return views(a, b, Wanted(every_topic=True))


def test_hostile_ids_and_texts_are_shown_and_never_obeyed(tmp_path: Path) -> None:
    shown = hostile(tmp_path)
    for text in (shown.text(100, False), shown.markdown, shown.json):
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", text)
        assert not re.search("(?m)^ *::error::", text)
    assert "<U+001B>[31m<U+202E>" in shown.text(100, False)
    outside = re.sub("(`+).*?\\1", "", shown.markdown)
    assert "<script>" not in outside
    assert "@everyone" not in outside
    assert "<b>" not in outside
    assert schema_faults(shown.json) == []
    moved = json.loads(shown.json)["moved"][0]
    assert (moved["topic"], moved["documents"][0]["id"]) == (HOSTILE, DOCUMENT)


def test_tables_keep_their_columns_in_markdown(tmp_path: Path) -> None:
    lines = [line for line in regression(tmp_path).markdown.splitlines() if line.startswith("|")]
    assert {line.count("|") for line in lines} == {13}


def test_repeats_that_are_identical_have_no_deviation_in_any_view(tmp_path: Path) -> None:
    folders = [results(tmp_path / name, {"keyword": found()}) for name in "abc"]
    shown = repeats_views_of(repeat([read_folder(f, f.name) for f in folders], Wanted()), "out", every=False)
    assert shown.text(100, False).startswith("PASS  6 cells in 3 repeats: 6 identical  (exit 0)")
    assert "identical in 3 repeats" in shown.markdown
    assert schema_faults(shown.json) == []
    assert {(cell["deviation"], cell["identical"]) for cell in json.loads(shown.json)["cells"]} == {(None, True)}


def test_repeats_that_scatter_show_their_deviation(tmp_path: Path) -> None:
    lost: tuple[list[int], ...] = ([], [0], [0, 1])
    folders = [results(tmp_path / str(n), {"keyword": found(lost=some)}) for n, some in enumerate(lost)]
    shown = repeats_views_of(repeat([read_folder(f, f.name) for f in folders], Wanted()), "out", every=False)
    # 1, 29/30, 28/30: mean 29/30, deviation 1/30.
    row = next(line for line in shown.text(100, False).splitlines() if line.startswith("all "))
    assert row.split() == ["all", "keyword", "R@5", "30", "0.967", "0.033", "0.933", "1.000"]
    assert schema_faults(shown.json) == []
