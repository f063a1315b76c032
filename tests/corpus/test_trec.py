"""Folders of TREC's files: what is made of good ones, and what is said of bad ones, by file and line."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import pytest

from gate.corpus import load_corpus
from gate.corpus.trec import read_trec
from gate.errors import UsageError
from gate.records import Corpus, Document, Topic

DOCS = """<DOC>
<DOCNO> FT-1 </DOCNO>
<HEADLINE>Ferry timetable</HEADLINE>
<TEXT>
The ferry leaves at noon,
<P>and at six &amp; nine.</P>
</TEXT>
</DOC>
<doc><docno>FT-2</docno><text>A &lt;brass&gt; kettle.</text></doc>
"""
TOPICS = """<top>

<num> Number: 401
<title> ferry
  departures

<desc> Description:
When does the ferry leave?

<narr> Narrative:
Times of day are relevant.

</top>
<top>
<num>402</num><title>Topic: kettles</title>
</top>
"""
QRELS = "401 0 FT-1 2\n401 0 FT-2 -2\n402 Q0 FT-2 1\n"


def folder(tmp_path: Path, files: Mapping[str, str | bytes | None] = MappingProxyType({})) -> Path:
    """A folder of sound files; those given stand in the place of files of the same name, None takes one out."""
    made = tmp_path / "Robust 04"
    whole: dict[str, str | bytes | None] = {"docs.trec": DOCS, "topics.txt": TOPICS, "qrels.txt": QRELS}
    for name, content in {**whole, **files}.items():
        if content is not None:
            (made / name).parent.mkdir(parents=True, exist_ok=True)
            (made / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return made


def refused(path: Path) -> list[str]:
    with pytest.raises(UsageError) as caught:
        read_trec(path)
    return [f"{Path(one.where).name}: {one.what}" for one in caught.value.problems] or [caught.value.what]


def texts(corpus: Corpus) -> dict[str, str]:
    return {document.doc_id: document.text for document in corpus.documents()}


# --- good files --------------------------------------------------------------------------------


def test_a_trec_folder_becomes_a_corpus(tmp_path: Path) -> None:
    corpus = load_corpus(f"trec:{folder(tmp_path)}")
    assert (corpus.label, corpus.source, corpus.notes) == ("robust-04@full", "trec:Robust 04", ())
    assert list(corpus.documents()) == [
        Document("FT-1", "Ferry timetable The ferry leaves at noon, and at six & nine."),
        Document("FT-2", "A <brass> kettle."),
    ]
    assert list(corpus.documents()) == list(corpus.documents())
    assert corpus.topics == (Topic("401", "ferry departures", cluster="401"), Topic("402", "kettles", cluster="402"))
    assert corpus.qrels == {"401": {"FT-1": 2, "FT-2": 0}, "402": {"FT-2": 1}}


def test_topics_may_be_lines_of_id_tab_and_text(tmp_path: Path) -> None:
    topics = "query_id\ttext\n401\tferry departures\n\n402\t渡轮什么时候开？\n"
    corpus = read_trec(folder(tmp_path, {"topics.txt": None, "topics.tsv": topics}))
    assert [(topic.topic_id, topic.text) for topic in corpus.topics] == [
        ("401", "ferry departures"),
        ("402", "渡轮什么时候开？"),
    ]


def test_documents_may_be_json_lines(tmp_path: Path) -> None:
    records = [
        {"id": "FT-1", "contents": "The ferry leaves at noon."},
        {"docno": 7, "title": "Kettles", "text": "A brass kettle."},
    ]
    lines = "".join(json.dumps(record) + "\n" for record in records)
    corpus = read_trec(folder(tmp_path, {"docs.trec": None, "docs.jsonl": lines, "qrels.txt": "401 0 FT-1 1\n"}))
    assert texts(corpus) == {"FT-1": "The ferry leaves at noon.", "7": "Kettles A brass kettle."}


def test_a_folder_of_documents_is_read_in_the_order_of_its_files_compressed_or_not(tmp_path: Path) -> None:
    first, second = DOCS.split("<doc>")
    files = {
        "docs.trec": None,
        "docs/b/two.sgml": f"<doc>{second}",
        "docs/a/one.trec.gz": gzip.compress(first.encode()),
        "docs/c.jsonl.gz": gzip.compress(b'{"id": "FT-3", "text": "third"}\n'),
        "docs/readme.txt": "not a file of documents",
    }
    assert list(texts(read_trec(folder(tmp_path, files)))) == ["FT-1", "FT-2", "FT-3"]


def test_topics_that_share_their_only_relevant_document_are_a_cluster(tmp_path: Path) -> None:
    topics = "1\tferry\n2\tboat\n3\tkettle\n4\ttea\n"
    qrels = "1 0 FT-1 1\n2 0 FT-1 2\n2 0 FT-2 0\n3 0 FT-2 1\n4 0 FT-1 1\n4 0 FT-2 1\n"
    corpus = read_trec(folder(tmp_path, {"topics.txt": topics, "qrels.txt": qrels}))
    assert [topic.cluster for topic in corpus.topics] == ["document:FT-1", "document:FT-1", "3", "4"]


def test_zeros_in_front_of_a_topic_s_number_are_no_other_topic(tmp_path: Path) -> None:
    corpus = read_trec(folder(tmp_path, {"topics.txt": "051\tferry\n052\tkettle\n", "qrels.txt": "51 0 FT-1 1\n"}))
    assert [topic.topic_id for topic in corpus.topics] == ["51"]
    assert "topics numbered with zeros in front, which their judgements leave out: 1" in corpus.notes


def test_what_is_odd_but_usable_is_counted(tmp_path: Path) -> None:
    docs = DOCS + "<DOC><DOCNO>FT-9</DOCNO></DOC>\n"
    qrels = "401 0 FT-1 1\n401 0 FT-1 2\n401 0 absent 1\n999 0 FT-1 1\n"
    corpus = read_trec(folder(tmp_path, {"docs.trec": docs, "qrels.txt": qrels}))
    assert corpus.notes == (
        "documents with neither title nor text: 1 of 3",
        "judgements left out, since their topic is not in topics.txt: 1",
        "judgements of documents that are not in the documents (relevant ones count as never found): 1",
        "documents judged again with a different grade (the last one holds): 1",
        "topics left out, since nobody judged them: 1 of 2",
    )
    assert corpus.qrels == {"401": {"FT-1": 2, "absent": 1}}


@pytest.mark.parametrize("declaration", ['<?xml version="1.0"?>\n', "<!DOCTYPE doc>\n", "\ufeff"])
def test_a_declaration_or_a_mark_before_the_documents_is_passed_over(tmp_path: Path, declaration: str) -> None:
    assert len(texts(read_trec(folder(tmp_path, {"docs.trec": declaration + DOCS})))) == 2


def test_documents_are_not_kept_in_memory(tmp_path: Path) -> None:
    path = folder(tmp_path)
    corpus = read_trec(path)
    (path / "docs.trec").write_text("<DOC><DOCNO>X</DOCNO><TEXT>changed since</TEXT></DOC>", encoding="utf-8")
    assert texts(corpus) == {"X": "changed since"}


# --- bad files ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("docs", "said"),
    [
        ("stray\n" + DOCS, ["docs.trec:1: this stands outside of <DOC>: stray"]),
        ("<DOC>\n<TEXT>a</TEXT>\n</DOC>\n", ["docs.trec:1: no <DOCNO> names this document"]),
        ("<DOC>\n<DOCNO> </DOCNO></DOC>\n", ["docs.trec:1: no <DOCNO> names this document"]),
        ("<DOC><DOCNO>a</DOCNO><DOCNO>b</DOCNO></DOC>\n", ["docs.trec:1: this document has 2 <DOCNO>"]),
        ("<DOC>\n<DOCNO>a</DOCNO>\n<TEXT>b\n</DOC>\n", ["docs.trec:1: a <TEXT> of this document does not end"]),
        ("<DOC><DOCNO>a</DOCNO>\n</DOC>\n</DOC>\n", ["docs.trec:3: </DOC> ends what did not begin"]),
        (
            "<DOC><DOCNO>a</DOCNO>\n<DOC><DOCNO>b</DOCNO></DOC>\n",
            ["docs.trec:2: <DOC> begins before the one of line 1 ended"],
        ),
        ("<DOC><DOCNO>a</DOCNO></DOC>\n<DOC><DOCNO>b</DOCNO>\n", ["docs.trec:2: <DOC> does not end"]),
        (
            "<DOC><DOCNO>a</DOCNO></DOC>\n\n<DOC><DOCNO>a</DOCNO></DOC>\n",
            ["docs.trec:3: the document 'a' stands twice, first at "],
        ),
        (b"<DOC><DOCNO>a</DOCNO>\n<TEXT>caf\xe9</TEXT></DOC>\n", ["docs.trec:2: this line is not UTF-8: byte 9"]),
    ],
)
def test_bad_documents_are_named_by_line(tmp_path: Path, docs: str | bytes, said: list[str]) -> None:
    found = refused(folder(tmp_path, {"docs.trec": docs}))
    assert all(any(one.startswith(part) for one in found) for part in said), found


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"contents": "x"}', "docs.jsonl:1: the field 'id' is missing"),
        ('{"id": "a"}', "docs.jsonl:1: the field 'contents' is missing"),
        ('{"id": "a", "text": 7}', "docs.jsonl:1: the field 'text' has to be a text, not 7"),
        ('{"id": "a"', "docs.jsonl:1: this line is not JSON"),
        ("[]", "docs.jsonl:1: a JSON object belongs here, not []"),
    ],
)
def test_bad_json_documents_are_named_by_line_and_field(tmp_path: Path, line: str, said: str) -> None:
    (found,) = refused(folder(tmp_path, {"docs.trec": None, "docs.jsonl": line}))
    assert found.startswith(said)


@pytest.mark.parametrize(
    ("topics", "said"),
    [
        ("<top>\n<title>x\n</top>\n", "topics.txt:1: the <num> of this topic is missing or empty"),
        ("\n<top><num> Number: 1\n<title> Topic:\n</top>\n", "topics.txt:2: the <title> of this topic is missing"),
        ("<top><num>1<title>x\n", "topics.txt:1: <top> does not end"),
        ("<top><num>1<title>x</top>\n<top><num>1<title>y</top>", "topics.txt:2: the topic '1' stands twice"),
        ("1\tferry\nno tab here\n", "topics.txt:2: an id, a tab and a text belong here"),
        ("1\tferry\n1\tboat\n", "topics.txt:2: the topic '1' stands twice"),
        ("1\t \n", "topics.txt:1: an id, a tab and a text belong here"),
        ("", "topics.txt: there are no topics"),
    ],
)
def test_bad_topics_are_named_by_line(tmp_path: Path, topics: str, said: str) -> None:
    found = refused(folder(tmp_path, {"topics.txt": topics}))
    assert any(one.startswith(said) for one in found), found


@pytest.mark.parametrize(
    ("qrels", "said"),
    [
        ("401 FT-1 1\n", "qrels.txt:1: four columns belong here, not 3"),
        ("401 0 FT-1 1 extra\n", "qrels.txt:1: four columns belong here, not 5"),
        ("\n401 0 FT-1 high\n", "qrels.txt:2: the score has to be a whole number, not 'high'"),
        ("401 0 FT-1 0.5\n", "qrels.txt:1: the score has to be a whole number, not '0.5'"),
    ],
)
def test_bad_judgements_are_named_by_line(tmp_path: Path, qrels: str, said: str) -> None:
    assert refused(folder(tmp_path, {"qrels.txt": qrels})) == [said]


def test_problems_of_all_files_come_at_once(tmp_path: Path) -> None:
    path = folder(tmp_path, {"docs.trec": "stray\n" + DOCS, "topics.txt": TOPICS + "<top>", "qrels.txt": QRELS + "x\n"})
    assert [one.partition(":")[0] for one in refused(path)] == ["docs.trec", "qrels.txt", "topics.txt"]


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"docs.trec": None}, "there are no documents"),
        ({"topics.txt": None}, "there are no topics"),
        ({"qrels.txt": None}, "there are no qrels"),
        ({"qrels.train": "1 0 a 1\n"}, "which qrels to take is not clear: qrels.train, qrels.txt"),
        ({"docs.trec": ""}, "the corpus has no documents"),
        ({"qrels.txt": "999 0 FT-1 1\n"}, "none of the 2 topics has a judgement"),
        ({"docs.trec.gz": b"not compressed"}, "this file cannot be read: Not a gzipped file"),
        ({"docs.trec.gz": gzip.compress(DOCS.encode())[:-12]}, "this file cannot be read: Compressed file ended"),
    ],
)
def test_a_folder_without_use_is_an_error(tmp_path: Path, files: dict[str, str | bytes | None], said: str) -> None:
    made = folder(tmp_path, files)
    (found,) = refused(made)
    assert found.startswith(said)


def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    assert refused(tmp_path / "nowhere") == ["there is no such folder"]
