"""Readers of public formats: what they make of good data, and what they say of bad data."""

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from gate.corpus.beir import read_beir
from gate.corpus.digest import CorpusDigest
from gate.corpus.export import write_beir
from gate.corpus.fields import MOST_SHOWN, corpus_name
from gate.corpus.squad import read_squad
from gate.errors import UsageError
from gate.records import Corpus, Document, Slice, Topic

DOCUMENTS = (
    {"_id": "d1", "title": "Rollback", "text": "The release was rolled back on Friday.", "metadata": {}},
    {"_id": "d2", "title": "", "text": "Invoices are due within thirty days."},
    {"_id": "d3", "text": "发票须在三十天内付清。"},
)
QUERIES = (
    {"_id": "q1", "text": "when was the release rolled back"},
    {"_id": "q2", "text": "payment deadline for invoices"},
)
QRELS = "query-id\tcorpus-id\tscore\nq1\td1\t2\nq2\td2\t1\nq2\td3\t1\nq2\td1\t0\n"


def lines(records: Sequence[Mapping[str, Any]]) -> str:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def beir(
    folder: Path,
    documents: Sequence[Mapping[str, Any]] | str = DOCUMENTS,
    queries: Sequence[Mapping[str, Any]] | str = QUERIES,
    qrels: str | None = QRELS,
    **others: str,
) -> Path:
    """A BEIR folder; what is given as a text is written as it is."""
    (folder / "qrels").mkdir(parents=True)
    files = {
        "corpus.jsonl": documents if isinstance(documents, str) else lines(documents),
        "queries.jsonl": queries if isinstance(queries, str) else lines(queries),
        **({"qrels/test.tsv": qrels} if qrels is not None else {}),
        **others,
    }
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8", newline="")
    return folder


def problems(error: UsageError) -> list[str]:
    """Place and words of every problem, the place without its folders."""
    return [f"{Path(problem.where).name}: {problem.what}" for problem in error.problems]


def refused(folder: Path) -> UsageError:
    with pytest.raises(UsageError) as caught:
        read_beir(folder)
    return caught.value


# --- BEIR ---------------------------------------------------------------------------------


def test_a_beir_folder_becomes_a_corpus(tmp_path: Path) -> None:
    corpus = read_beir(beir(tmp_path / "Team Notes_v2"))
    assert (corpus.name, corpus.tier, corpus.label) == ("team-notes-v2", "full", "team-notes-v2@full")
    assert list(corpus.documents()) == [
        Document("d1", "Rollback The release was rolled back on Friday."),
        Document("d2", "Invoices are due within thirty days."),
        Document("d3", "发票须在三十天内付清。"),
    ]
    assert corpus.topics == (
        Topic("q1", "when was the release rolled back", cluster="q1"),
        Topic("q2", "payment deadline for invoices", cluster="q2"),
    )
    assert corpus.qrels == {"q1": {"d1": 2}, "q2": {"d2": 1, "d3": 1, "d1": 0}}
    assert (corpus.forbidden, corpus.slices, corpus.deletions, corpus.notes) == ({}, (), (), ())


def test_documents_can_be_streamed_again(tmp_path: Path) -> None:
    corpus = read_beir(beir(tmp_path / "set"))
    assert list(corpus.documents()) == list(corpus.documents())


def test_documents_are_not_kept_in_memory(tmp_path: Path) -> None:
    folder = beir(tmp_path / "set")
    corpus = read_beir(folder)
    (folder / "corpus.jsonl").write_text(lines([{"_id": "d9", "text": "changed since"}]), encoding="utf-8")
    assert [document.doc_id for document in corpus.documents()] == ["d9"]


def test_a_line_that_went_bad_after_the_check_is_still_an_error_in_words(tmp_path: Path) -> None:
    folder = beir(tmp_path / "set")
    corpus = read_beir(folder)
    (folder / "corpus.jsonl").write_text('{"_id": "d1", "text": "fine"}\n{"_id": "d2"}\n', encoding="utf-8")
    stream = corpus.documents()
    assert next(stream).doc_id == "d1"
    with pytest.raises(UsageError) as caught:
        next(stream)
    assert problems(caught.value) == ["corpus.jsonl:2: the field 'text' is missing"]


@pytest.mark.parametrize(
    ("title", "text", "expected"),
    [
        ("Rollback", "It was rolled back.", "Rollback It was rolled back."),
        (" On wings . ", "  On wings . A study.", "  On wings . A study."),
        ("Title alone", "", "Title alone"),
        ("", "Text alone", "Text alone"),
        (None, "Text alone", "Text alone"),
        ("", "", ""),
    ],
)
def test_the_title_stands_before_the_text_unless_the_text_repeats_it(
    tmp_path: Path, title: str | None, text: str, expected: str
) -> None:
    folder = beir(tmp_path / "set", [{"_id": "d1", "title": title, "text": text}], qrels="q1\td1\t1\n")
    assert next(read_beir(folder).documents()).text == expected


def test_metadata_is_read_back(tmp_path: Path) -> None:
    metadata = {
        "session_id": "s4",
        "speaker": "user",
        "created_at": "2026-03-01T09:00:00Z",
        "lang": "en",
        "scope": ["user:b", "project:a"],
        "refs": ["d2"],
        "supersedes": "d2",
        "index_text": "office address",
        "facts": [["city", "Basel"]],
        "anything else": {"is": "passed over"},
    }
    documents: list[Mapping[str, Any]] = [
        {"_id": "d1", "text": "My city has changed to Basel.", "metadata": metadata},
        *DOCUMENTS[1:],
    ]
    queries = [
        {"_id": "q1", "text": "which city", "metadata": {"scope": ["user:b"], "slices": ["facts", "zh-Hans"]}},
        {"_id": "q2", "text": "which town", "metadata": {"slices": ["facts", "all"], "cluster": "city"}},
    ]
    corpus = read_beir(beir(tmp_path / "set", documents, queries))
    assert next(corpus.documents()) == Document(
        "d1",
        "My city has changed to Basel.",
        session_id="s4",
        speaker="user",
        created_at="2026-03-01T09:00:00Z",
        lang="en",
        scope=frozenset({"user:b", "project:a"}),
        refs=("d2",),
        supersedes="d2",
        index_text="office address",
        facts=(("city", "Basel"),),
    )
    assert corpus.topics == (
        Topic("q1", "which city", frozenset({"user:b"}), ("facts", "zh-Hans"), "q1"),
        Topic("q2", "which town", frozenset(), ("facts", "all"), "city"),
    )
    assert corpus.slices == (Slice("facts", ""), Slice("zh-Hans", ""))


def test_forbidden_documents_and_deletions_are_read_back(tmp_path: Path) -> None:
    folder = beir(
        tmp_path / "set",
        **{
            "forbidden.tsv": "query-id\tcorpus-id\treason\nq1\td2\tsuperseded by d1\nq2\td1\tother scope\n",
            "deletions.txt": "d3\nd2\n",
        },
    )
    corpus = read_beir(folder)
    assert corpus.forbidden == {"q1": {"d2": "superseded by d1"}, "q2": {"d1": "other scope"}}
    assert corpus.qrels["q1"] == {"d1": 2, "d2": 0}
    assert corpus.deletions == ("d3", "d2")


def test_unanswerable_topics_stay_when_they_are_in_a_slice(tmp_path: Path) -> None:
    queries: list[Mapping[str, Any]] = [
        *QUERIES,
        {"_id": "q3", "text": "who owns the yacht", "metadata": {"slices": ["unanswerable"]}},
    ]
    corpus = read_beir(beir(tmp_path / "set", queries=queries))
    assert [topic.topic_id for topic in corpus.topics] == ["q1", "q2", "q3"]
    assert corpus.qrels["q3"] == {}
    assert corpus.notes == ()


def test_topics_that_nobody_judged_are_left_out_and_counted(tmp_path: Path) -> None:
    queries = [*QUERIES, {"_id": "q3", "text": "who owns the yacht"}]
    corpus = read_beir(beir(tmp_path / "set", queries=queries))
    assert [topic.topic_id for topic in corpus.topics] == ["q1", "q2"]
    assert corpus.notes == ("topics left out, since nobody judged them: 1 of 3",)


def test_a_topic_whose_judgements_are_all_0_stays(tmp_path: Path) -> None:
    corpus = read_beir(beir(tmp_path / "set", qrels="q1\td1\t0\nq2\td2\t1\n"))
    assert [topic.topic_id for topic in corpus.topics] == ["q1", "q2"]
    assert corpus.qrels["q1"] == {"d1": 0}


def test_judgements_of_unknown_ids_are_counted(tmp_path: Path) -> None:
    corpus = read_beir(beir(tmp_path / "set", qrels=QRELS + "q1\td8\t1\nq1\td9\t1\nq9\td1\t1\n"))
    assert corpus.qrels["q1"] == {"d1": 2, "d8": 1, "d9": 1}
    assert "q9" not in corpus.qrels
    assert corpus.notes == (
        "judgements left out, since their topic is not in queries.jsonl: 1",
        "judgements of documents that are not in corpus.jsonl (relevant ones count as never found): 2",
    )


def test_grades_below_0_count_as_0_and_high_ones_stay(tmp_path: Path) -> None:
    corpus = read_beir(beir(tmp_path / "set", qrels="q1\td1\t-1\nq2\td2\t5\n"))
    assert corpus.qrels == {"q1": {"d1": 0}, "q2": {"d2": 5}}


def test_the_last_of_two_judgements_holds_and_is_counted(tmp_path: Path) -> None:
    corpus = read_beir(beir(tmp_path / "set", qrels="q1\td1\t1\nq1\td1\t3\nq2\td2\t1\nq2\td2\t1\n"))
    assert corpus.qrels == {"q1": {"d1": 3}, "q2": {"d2": 1}}
    assert corpus.notes == ("documents judged again with a different grade (the last one holds): 1",)


def test_documents_without_any_text_are_counted(tmp_path: Path) -> None:
    corpus = read_beir(beir(tmp_path / "set", [*DOCUMENTS, {"_id": "d4", "title": "", "text": " "}]))
    assert corpus.notes == ("documents with neither title nor text: 1 of 4",)


def test_topics_that_share_their_only_relevant_document_are_a_cluster(tmp_path: Path) -> None:
    queries = [{"_id": name, "text": f"question {name}"} for name in ("d1", "q2", "q3", "q4")]
    qrels = "d1\td2\t1\nq2\td1\t1\nq3\td1\t2\nq3\td2\t0\nq4\td1\t1\nq4\td2\t1\n"
    corpus = read_beir(beir(tmp_path / "set", queries=queries, qrels=qrels))
    # The topic d1 is no part of the cluster of the document d1, and q4 has two relevant documents.
    assert [topic.cluster for topic in corpus.topics] == ["d1", "document:d1", "document:d1", "q4"]


@pytest.mark.parametrize("header", ["", "query-id\tcorpus-id\tscore\n", "query_id\tdoc_id\trelevance\n"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_qrels_may_lack_their_header_and_have_any_line_ends(tmp_path: Path, header: str, end: str) -> None:
    text = (header + "q1\td1\t1\n\nq2\td2\t1\n").replace("\n", end)
    assert read_beir(beir(tmp_path / "set", qrels=text)).qrels == {"q1": {"d1": 1}, "q2": {"d2": 1}}


def test_another_split_is_taken_where_it_is_the_only_one(tmp_path: Path) -> None:
    folder = beir(tmp_path / "set", qrels=None, **{"qrels/dev.tsv": QRELS})
    assert read_beir(folder).qrels["q1"] == {"d1": 2}


def test_the_test_split_comes_first(tmp_path: Path) -> None:
    folder = beir(tmp_path / "set", **{"qrels/dev.tsv": "q1\td3\t1\n"})
    assert read_beir(folder).qrels["q1"] == {"d1": 2}


def test_several_splits_without_test_are_an_error(tmp_path: Path) -> None:
    error = refused(beir(tmp_path / "set", qrels=None, **{"qrels/dev.tsv": QRELS, "qrels/train.tsv": QRELS}))
    assert error.slug == "qrels-missing"
    assert "dev.tsv, train.tsv" in error.what


def test_no_qrels_are_an_error(tmp_path: Path) -> None:
    error = refused(beir(tmp_path / "set", qrels=None))
    assert error.slug == "qrels-missing"
    assert "qrels/test.tsv" in error.hint


@pytest.mark.parametrize("name", ["corpus.jsonl", "queries.jsonl"])
def test_a_missing_file_is_named(tmp_path: Path, name: str) -> None:
    folder = beir(tmp_path / "set")
    (folder / name).unlink()
    error = refused(folder)
    assert (error.slug, error.where) == ("file-missing", str(folder / name))


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    folder = beir(tmp_path / "set")
    (folder / "corpus.jsonl").unlink()
    (folder / "corpus.jsonl").mkdir()
    error = refused(folder)
    assert (error.slug, error.where) == ("file-unreadable", str(folder / "corpus.jsonl"))


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    error = refused(tmp_path / "nowhere")
    assert (error.slug, error.where) == ("folder-missing", str(tmp_path / "nowhere"))


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "this line is not JSON: Expecting property name enclosed in double quotes at column 2"),
        ("[" * 100_000, "this line is not JSON: nested too deeply"),
        ("[1, 2]", "a JSON object belongs here, not [1, 2]"),
        ('{"text": "x"}', "the field '_id' is missing"),
        ('{"_id": "", "text": "x"}', "the field '_id' has to be an id (a text that is not empty), not \"\""),
        ('{"_id": true, "text": "x"}', "the field '_id' has to be an id (a text that is not empty), not true"),
        ('{"_id": "d2"}', "the field 'text' is missing"),
        ('{"_id": "d2", "text": null}', "the field 'text' is missing"),
        ('{"_id": "d2", "text": ["x"]}', "the field 'text' has to be a text, not [\"x\"]"),
        ('{"_id": "d2", "text": "x", "title": 3}', "the field 'title' has to be a text, not 3"),
        ('{"_id": "d2", "text": "x", "metadata": "m"}', "the field 'metadata' has to be an object, not \"m\""),
        (
            '{"_id": "d2", "text": "x", "metadata": {"scope": "team"}}',
            "the field 'metadata.scope' has to be a list of texts, not \"team\"",
        ),
        (
            '{"_id": "d2", "text": "x", "metadata": {"facts": [["city"]]}}',
            "the field 'metadata.facts' has to be a list of pairs of texts, not [[\"city\"]]",
        ),
        (
            '{"_id": "d2", "text": "x", "metadata": {"speaker": 1}}',
            "the field 'metadata.speaker' has to be a text, not 1",
        ),
    ],
)
def test_a_bad_document_is_named_by_file_line_and_field(tmp_path: Path, line: str, said: str) -> None:
    error = refused(beir(tmp_path / "set", '{"_id": "d1", "text": "fine"}\n' + line + "\n"))
    assert error.slug == "corpus-invalid"
    assert f"corpus.jsonl:2: {said}" in problems(error)


def test_a_line_that_is_not_utf8_is_named(tmp_path: Path) -> None:
    folder = beir(tmp_path / "set")
    (folder / "corpus.jsonl").write_bytes(b'{"_id": "d1", "text": "fine"}\n{"_id": "d2", "text": "Z\xfcrich"}\n')
    said = "corpus.jsonl:2: this line is not UTF-8: byte 24 cannot be decoded"
    assert said in problems(refused(folder))


def test_every_problem_of_every_file_is_listed_at_once(tmp_path: Path) -> None:
    error = refused(
        beir(
            tmp_path / "set",
            '{"_id": "d1", "text": "x"}\n{"_id": "d1", "text": "y"}\n',
            '{"_id": "q1", "text": " "}\n{"_id": "q1", "text": "z", "metadata": {"slices": ["a/b"]}}\n',
            "q1\td1\tgood\nq1 d1 1\nq1\t\t1\n",
            **{"forbidden.tsv": "q7\td1\told\nq1\td7\told\nq1\td1\n", "deletions.txt": "d7\n"},
        )
    )
    first = f"{tmp_path}{os.sep}set{os.sep}"
    assert problems(error) == [
        f"corpus.jsonl:2: the _id 'd1' stands twice, first at {first}corpus.jsonl:1",
        "queries.jsonl:1: the field 'text' has to be a text that is not blank, not \" \"",
        f"queries.jsonl:2: the _id 'q1' stands twice, first at {first}queries.jsonl:1",
        "queries.jsonl:2: 'a/b' cannot name a slice",
        "test.tsv:1: the score has to be a whole number, not 'good'",
        "test.tsv:2: three filled columns belong here, not 1",
        "test.tsv:3: three filled columns belong here, not 2",
        "forbidden.tsv:1: no topic has the _id 'q7'",
        "forbidden.tsv:2: no document has the _id 'd7'",
        "forbidden.tsv:3: three filled columns belong here, not 2",
        "deletions.txt:1: no document has the _id 'd7'",
    ]


def test_a_document_cannot_be_forbidden_and_relevant(tmp_path: Path) -> None:
    error = refused(beir(tmp_path / "set", **{"forbidden.tsv": "q1\td1\tsuperseded\n"}))
    assert problems(error) == ["forbidden.tsv:1: 'd1' is both forbidden and relevant for topic 'q1'"]


def test_a_flood_of_problems_is_cut_and_counted(tmp_path: Path) -> None:
    error = refused(beir(tmp_path / "set", "nonsense\n" * (MOST_SHOWN + 7)))
    assert len(error.problems) == MOST_SHOWN + 1
    assert error.problems[-1].what.startswith("and ")


def test_an_empty_corpus_is_an_error(tmp_path: Path) -> None:
    assert refused(beir(tmp_path / "set", "\n\n")).slug == "corpus-empty"


@pytest.mark.parametrize("qrels", ["", "query-id\tcorpus-id\tscore\n", "q9\td1\t1\n"])
def test_a_corpus_without_a_judged_topic_is_an_error(tmp_path: Path, qrels: str) -> None:
    error = refused(beir(tmp_path / "set", qrels=qrels))
    assert error.slug == "corpus-without-topics"
    assert "2 topics" in error.what


def test_no_queries_at_all_are_an_error(tmp_path: Path) -> None:
    assert problems(refused(beir(tmp_path / "set", queries=""))) == ["queries.jsonl: there are no queries"]


def test_whole_numbers_are_ids_and_a_byte_order_mark_is_no_text(tmp_path: Path) -> None:
    folder = beir(
        tmp_path / "set", '\ufeff{"_id": 7, "text": "x"}\n', '\ufeff{"_id": 1, "text": "y"}\n', "\ufeff1\t7\t1\n"
    )
    assert read_beir(folder).qrels == {"1": {"7": 1}}


def test_a_lone_surrogate_becomes_a_character_that_utf8_has(tmp_path: Path) -> None:
    folder = beir(tmp_path / "set", '{"_id": "d1", "text": "a \\ud83d b \\ud83d\\ude00"}\n')
    assert next(read_beir(folder).documents()).text == "a \ufffd b 😀"


@pytest.mark.parametrize(
    ("written", "name"),
    [("SciFact", "scifact"), ("dev-v2.0", "dev-v2-0"), ("a__b", "a-b"), ("语料", "corpus"), ("-x-", "x")],
)
def test_corpus_names_are_legal_in_cells_and_files(written: str, name: str) -> None:
    assert corpus_name(written) == name


def test_a_corpus_that_the_gate_wrote_is_read_back_with_the_same_digest(tmp_path: Path) -> None:
    documents = (
        Document("d1", "My city is Bern.", "s1", "user", "2026-03-01T09:00:00Z", "en", frozenset({"u1", "p2"})),
        Document("d2", "My city has changed to Basel.", refs=("d1",), supersedes="d1", facts=(("city", "Basel"),)),
        Document("d3", "我的城市是苏黎世。", lang="zh-Hans", index_text="城市 苏黎世"),
    )
    written = Corpus(
        name="seeded",
        tier="smoke",
        documents=lambda: iter(documents),
        topics=(
            Topic("t1", "which city is mine", frozenset({"u1"}), ("facts", "zh-Hans"), "city"),
            Topic("t2", "who owns the yacht", frozenset(), ("unanswerable",), "yacht"),
        ),
        qrels={"t1": {"d2": 3, "d1": 0}, "t2": {}},
        forbidden={"t1": {"d1": "superseded"}},
        slices=(Slice("facts", ""), Slice("zh-Hans", ""), Slice("unanswerable", "")),
        deletions=("d3",),
    )
    digest = write_beir(written, tmp_path / "set")
    again = read_beir(tmp_path / "set")
    assert digest_of(again) == digest.hexdigest()
    assert (again.topics, again.slices, again.qrels) == (written.topics, written.slices, written.qrels)


def digest_of(corpus: Corpus) -> str:
    digest = CorpusDigest(corpus)
    for document in corpus.documents():
        digest.add(document)
    return digest.hexdigest()


# --- SQuAD --------------------------------------------------------------------------------

ROLLBACK = "The release of 4 March was rolled back because the index had lost its Chinese entries."
INVOICE = "Invoices are paid within thirty days. Reminders go out after forty."


def question(name: str, text: str, impossible: bool | None = None) -> dict[str, Any]:
    record: dict[str, Any] = {"id": name, "question": text, "answers": []}
    return record if impossible is None else {**record, "is_impossible": impossible}


def squad(file: Path, paragraphs: Sequence[Mapping[str, Any]]) -> Path:
    file.write_text(
        json.dumps({"version": "v2.0", "data": [{"title": "Operations", "paragraphs": paragraphs}]}), encoding="utf-8"
    )
    return file


def test_squad_paragraphs_are_documents_and_questions_topics(tmp_path: Path) -> None:
    file = squad(
        tmp_path / "dev-v2.0.json",
        [
            {
                "context": ROLLBACK,
                "qas": [
                    question("a", "Why was the release rolled back?", False),
                    question("b", "Who rolled the release back?", True),
                ],
            },
            {"context": INVOICE, "qas": [question("c", "When are invoices paid?")]},
        ],
    )
    corpus = read_squad(file)
    assert (corpus.name, corpus.tier, corpus.notes) == ("dev-v2-0", "full", ())
    assert list(corpus.documents()) == [
        Document("paragraph-1", ROLLBACK, session_id="article-1"),
        Document("paragraph-2", INVOICE, session_id="article-1"),
    ]
    assert list(corpus.documents()) == list(corpus.documents())
    assert corpus.topics == (
        Topic("a", "Why was the release rolled back?", cluster="document:paragraph-1"),
        Topic("b", "Who rolled the release back?", cluster="document:paragraph-1"),
        Topic("c", "When are invoices paid?", cluster="c"),
    )
    assert corpus.qrels == {"a": {"paragraph-1": 1}, "b": {}, "c": {"paragraph-2": 1}}


def test_equal_squad_paragraphs_are_one_document(tmp_path: Path) -> None:
    file = squad(
        tmp_path / "set.json",
        [
            {"context": INVOICE, "qas": [question("a", "When are invoices paid?")]},
            {"context": ROLLBACK, "qas": []},
            {"context": f" {INVOICE}\n", "qas": [question("b", "When do reminders go out?")]},
        ],
    )
    corpus = read_squad(file)
    assert [document.text for document in corpus.documents()] == [INVOICE, ROLLBACK]
    assert corpus.qrels == {"a": {"paragraph-1": 1}, "b": {"paragraph-1": 1}}
    assert corpus.notes == ("paragraphs that repeat an earlier one, read as one document: 1",)


def test_squad_paragraphs_of_one_article_are_a_session(tmp_path: Path) -> None:
    articles = [
        {"paragraphs": [{"context": ROLLBACK, "qas": [question("a", "Why was the release rolled back?")]}]},
        {"paragraphs": [{"context": INVOICE, "qas": []}, {"context": ROLLBACK, "qas": []}]},
    ]
    file = tmp_path / "set.json"
    file.write_text(json.dumps({"data": articles}), encoding="utf-8")
    documents = list(read_squad(file).documents())
    assert [(document.text, document.session_id) for document in documents] == [
        (ROLLBACK, "article-1"),
        (INVOICE, "article-2"),
    ]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ([], "a JSON object with 'data' belongs here, not []"),
        ({}, "the field 'data' is missing"),
        ({"data": {}}, "the field 'data' has to be a list, not {}"),
        ({"data": [1]}, "'data[0]' has to be an object, not 1"),
        ({"data": [{}]}, "the field 'data[0].paragraphs' is missing"),
        ({"data": [{"paragraphs": [{"qas": []}]}]}, "the field 'data[0].paragraphs[0].context' is missing"),
        ({"data": [{"paragraphs": [{"context": "x"}]}]}, "the field 'data[0].paragraphs[0].qas' is missing"),
        (
            {"data": [{"paragraphs": [{"context": "x", "qas": [{"id": "a", "question": ""}]}]}]},
            "the field 'data[0].paragraphs[0].qas[0].question' has to be a text that is not blank, not \"\"",
        ),
        (
            {"data": [{"paragraphs": [{"context": "x", "qas": [{"question": "y"}]}]}]},
            "the field 'data[0].paragraphs[0].qas[0].id' is missing",
        ),
        (
            {"data": [{"paragraphs": [{"context": "x", "qas": [{"id": "a", "question": "y"}] * 2}]}]},
            "the id 'a' at 'data[0].paragraphs[0].qas[1].id' stands twice",
        ),
        (
            {"data": [{"paragraphs": [{"context": "x", "qas": [{"id": "a", "question": "y", "is_impossible": 1}]}]}]},
            "the field 'data[0].paragraphs[0].qas[0].is_impossible' has to be true or false, not 1",
        ),
    ],
)
def test_a_bad_squad_file_is_named_by_field(tmp_path: Path, data: Any, said: str) -> None:
    file = tmp_path / "set.json"
    file.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(UsageError) as caught:
        read_squad(file)
    assert caught.value.slug == "corpus-invalid"
    assert f"set.json: {said}" in problems(caught.value)


@pytest.mark.parametrize(
    ("text", "slug", "place"),
    [
        ('{"data": [\n  nonsense]}', "json-syntax", "set.json:2"),
        ("[" * 100_000, "json-syntax", "set.json"),
        ('{"data": []}', "corpus-empty", "set.json"),
        ('{"data": [{"paragraphs": [{"context": "x", "qas": []}]}]}', "corpus-without-topics", "set.json"),
    ],
)
def test_a_squad_file_without_use_is_an_error(tmp_path: Path, text: str, slug: str, place: str) -> None:
    file = tmp_path / "set.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError) as caught:
        read_squad(file)
    assert (caught.value.slug, Path(caught.value.where).name) == (slug, place)


def test_a_missing_squad_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        read_squad(tmp_path / "nowhere.json")
    assert caught.value.slug == "file-missing"


# --- public data --------------------------------------------------------------------------


def test_cranfield_is_read_whole(public_data: Path) -> None:
    corpus = read_beir(public_data / "cranfield")
    documents = list(corpus.documents())
    # As counted in its files with wc, cut and awk.
    assert (len(documents), len(corpus.topics)) == (1400, 225)
    assert sum(grade == 0 for grades in corpus.qrels.values() for grade in grades.values()) == 225
    assert sum(grade > 0 for grades in corpus.qrels.values() for grade in grades.values()) == 1612
    assert corpus.notes == ("documents with neither title nor text: 2 of 1400",)
    # Its texts repeat their titles.
    assert documents[0].text.count("experimental investigation of the aerodynamics of a wing in a slipstream") == 1
