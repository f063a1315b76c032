from __future__ import annotations

from pathlib import Path

import pytest
from conftest import ROOT

from gate.errors import UsageError
from gate.published.file import ANSWERS, RETRIEVAL, Protocol, read_published

HEAD = """schema: 1
datasets:
  - name: LongMemEval-S
    about: 500 questions
    source: {url: "https://example.org/data", seen: 2026-11-30}
entries:
"""
ENTRY = """  - dataset: LongMemEval-S
    kind: retrieval
    system: vectors
    measure: Hit@5
    value: 0.966
    protocol: {granularity: session, k: 5, topics: 470, dedup: first, haystack: shared}
    source: {url: "https://example.org/paper", seen: 2026-11-30}
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "published.yml"
    path.write_text(text, encoding="utf-8")
    return path


def test_an_entry_is_read_whole(tmp_path: Path) -> None:
    (entry,) = read_published(written(tmp_path, HEAD + ENTRY)).entries
    assert (entry.dataset, entry.kind, entry.measure, entry.value) == ("LongMemEval-S", RETRIEVAL, "Hit@5", 0.966)
    assert entry.protocol == Protocol("session", 5, 470, "first", "shared")
    assert (entry.url, entry.seen, entry.dispute) == ("https://example.org/paper", "2026-11-30", "")


def test_measures_are_read_as_people_write_them(tmp_path: Path) -> None:
    (entry,) = read_published(written(tmp_path, HEAD + ENTRY.replace("Hit@5", "MRR@10"))).entries
    assert entry.measure == "RR@10"
    (entry,) = read_published(written(tmp_path, HEAD + ENTRY.replace("Hit@5", "mean precision"))).entries
    assert entry.measure == "mean precision"


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ("value: 0.966", "value: 96.6", 11, "write 0.966 for 96.6%"),
        ("value: 0.966", "value: .nan", 11, "no number"),
        ("value: 0.966", "value: -0.1", 11, "from 0 to 1"),
        ("dataset: LongMemEval-S", "dataset: LongMemEval", 7, "did you mean 'LongMemEval-S'?"),
        ("kind: retrieval", "kind: recall", 8, "retrieval"),
        ("kind: retrieval", "kind: answers", 10, "Hit@5 is a measure of retrieval"),
        ("dedup: first", "judge: a model", 12, "retrieval has no judge"),
        ("dedup: first", "answerer: a model", 12, "retrieval has no answerer"),
        ("granularity: session", "granularity: paragraph", 12, "paragraph"),
        ("topics: 470", "topics: 0", 12, "topics"),
        ("k: 5", "cutoff: 5", 12, "unknown key 'cutoff'"),
        ("https://example.org/paper", "ftp://example.org/paper", 13, "https://"),
        ('paper", seen: 2026-11-30', 'paper", seen: 2026-11-31', 13, "'2026-11-31' is not a day"),
        ("    system: vectors\n", "", 7, "'system' is missing"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(tmp_path: Path, old: str, new: str, line: int, says: str) -> None:
    assert old in ENTRY
    path = written(tmp_path, HEAD + ENTRY.replace(old, new))
    with pytest.raises(UsageError) as caught:
        read_published(path)
    assert caught.value.exit_code == 3
    assert f"{path}:{line}" in str(caught.value)
    assert says in str(caught.value)


def test_all_problems_are_told_at_once(tmp_path: Path) -> None:
    text = HEAD + ENTRY.replace("0.966", "96.6") + ENTRY.replace("dataset: L", "dataset: X")
    with pytest.raises(UsageError) as caught:
        read_published(written(tmp_path, text))
    assert len(caught.value.problems) == 2


def test_a_file_of_a_newer_schema_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        read_published(written(tmp_path, (HEAD + ENTRY).replace("schema: 1", "schema: 2")))


def test_the_file_that_comes_with_the_docs_is_sound_and_speaks_of_three_datasets() -> None:
    published = read_published(ROOT / "docs" / "published.yml")
    assert {dataset.name for dataset in published.datasets} == {"LongMemEval-S", "LoCoMo", "PrecisionMemBench"}
    kinds = {(entry.dataset, entry.kind) for entry in published.entries}
    assert {("LongMemEval-S", RETRIEVAL), ("LoCoMo", RETRIEVAL), ("LoCoMo", ANSWERS)} <= kinds
    assert all(entry.url.startswith("https://") for entry in published.entries)
    assert any(entry.dispute for entry in published.entries)
