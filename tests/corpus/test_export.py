from __future__ import annotations

import json
from pathlib import Path

import pytest

from gate.corpus import load_corpus
from gate.corpus.digest import CorpusDigest
from gate.corpus.export import write_beir
from gate.errors import UsageError
from gate.records import Corpus, Document, Topic

DOCUMENTS = (
    Document("d1", "Noon,\nnot one", "s1", "Noor", "2025-01-06T09:00:00Z", "en", frozenset({"b", "a"}), ("d2",), "d2"),
    Document("d2", "中文 text", facts=(("city", "Porto"),)),
)
CORPUS = Corpus(
    "mine",
    "small",
    lambda: iter(DOCUMENTS),
    (Topic("q1", "when", frozenset({"a"}), ("part",), "c"), Topic("q2", "never", frozenset(), ("none",), "e")),
    {"q1": {"d1": 3, "d2": 0}},
    {"q1": {"d2": "superseded"}},
    (),
    deletions=("d2",),
)


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").split("\n")[:-1]


def digest(corpus: Corpus) -> str:
    found = CorpusDigest(corpus)
    for document in corpus.documents():
        found.add(document)
    return found.hexdigest()


def test_files_are_those_of_beir_with_what_it_has_no_place_for_beside(tmp_path: Path) -> None:
    write_beir(CORPUS, tmp_path / "out")
    documents = [json.loads(line) for line in lines(tmp_path / "out" / "corpus.jsonl")]
    assert documents[0] == {
        "_id": "d1",
        "title": "",
        "text": "Noon,\nnot one",
        "metadata": {
            "session_id": "s1",
            "speaker": "Noor",
            "created_at": "2025-01-06T09:00:00Z",
            "lang": "en",
            "scope": ["a", "b"],
            "refs": ["d2"],
            "supersedes": "d2",
        },
    }
    assert documents[1]["metadata"] == {"facts": [["city", "Porto"]]}
    assert json.loads(lines(tmp_path / "out" / "queries.jsonl")[0]) == {
        "_id": "q1",
        "text": "when",
        "metadata": {"slices": ["part"], "cluster": "c", "scope": ["a"]},
    }
    assert lines(tmp_path / "out" / "qrels" / "test.tsv") == ["query-id\tcorpus-id\tscore", "q1\td1\t3", "q1\td2\t0"]
    assert lines(tmp_path / "out" / "forbidden.tsv") == ["query-id\tcorpus-id\treason", "q1\td2\tsuperseded"]
    assert lines(tmp_path / "out" / "deletions.txt") == ["d2"]


@pytest.mark.parametrize("spec", ["", "seeded@smoke"])
def test_folder_is_read_back_as_the_same_corpus(tmp_path: Path, spec: str) -> None:
    corpus = load_corpus(spec) if spec else CORPUS
    written = write_beir(corpus, tmp_path / "out")
    again = load_corpus(f"beir:{tmp_path / 'out'}")
    assert digest(again) == written.hexdigest() == digest(corpus)
    assert again.label == "out@full"


def test_folder_that_is_not_empty_is_kept_unless_forced(tmp_path: Path) -> None:
    out = tmp_path / "out"
    write_beir(CORPUS, out)
    (out / "deletions.txt").write_text("old\n", encoding="utf-8")
    with pytest.raises(UsageError, match="--force"):
        write_beir(CORPUS, out)
    assert lines(out / "deletions.txt") == ["old"]
    write_beir(CORPUS, out, force=True)
    assert lines(out / "deletions.txt") == ["d2"]
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_folder_that_holds_something_else_is_kept_even_when_forced(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(UsageError, match=r"thesis\.txt"):
        write_beir(CORPUS, tmp_path, force=True)
    with pytest.raises(UsageError, match="a file of this name"):
        write_beir(CORPUS, tmp_path / "thesis.txt", force=True)
    assert (tmp_path / "thesis.txt").read_text(encoding="utf-8") == "mine"


def test_empty_folder_is_used(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    write_beir(CORPUS, tmp_path / "out")
    assert (tmp_path / "out" / "corpus.jsonl").exists()


def test_build_that_breaks_off_leaves_the_old_folder_and_nothing_else(tmp_path: Path) -> None:
    out = tmp_path / "out"
    write_beir(CORPUS, out)
    before = lines(out / "corpus.jsonl")

    def interrupt(document: Document) -> None:
        if document.doc_id == "d2":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_beir(CORPUS, out, force=True, progress=interrupt)
    assert lines(out / "corpus.jsonl") == before
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_folder_that_cannot_be_written_is_said_in_words(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(UsageError, match="cannot be written"):
        write_beir(CORPUS, tmp_path / "file" / "out")
