"""Reads a file in SQuAD's format: paragraphs are documents, questions are topics.

P. Rajpurkar, J. Zhang, K. Lopyrev and P. Liang, "SQuAD: 100,000+ Questions for Machine
Comprehension of Text", EMNLP 2016 (version 1.1); P. Rajpurkar, R. Jia and P. Liang, "Know What
You Don't Know: Unanswerable Questions for SQuAD", ACL 2018 (version 2.0).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from gate.corpus.fields import Fields, Problems, clusters, corpus_name, json_fault
from gate.errors import UsageError
from gate.files import read_text, shown
from gate.records import Corpus, Document, Topic


def read_squad(file: Path) -> Corpus:
    """The corpus in a SQuAD file of version 1.1 or 2.0, at tier `full`.

    Equal paragraphs are one document; ids are `paragraph-N`, by first appearance, and those of one
    article are one session, `article-N`. A question is
    answered by its paragraph, grade 1; one that `is_impossible` is a topic without relevant
    documents. Questions of one paragraph form a cluster. Raises UsageError with every problem
    and its place, such as `data[3].paragraphs[0].qas[2].id`.
    """
    text = read_text(file, "SQuAD")
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        line = f":{error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        raise UsageError("json-syntax", f"this file is not JSON: {json_fault(error)}", where=f"{file}{line}") from None
    problems = Problems(str(file))
    if not isinstance(data, dict):
        problems.add(f"a JSON object with 'data' belongs here, not {shown(data)}", str(file))
        problems.check()
    reading = _Reading(problems)
    for number, article in enumerate(Fields(data, str(file), problems).each("data"), start=1):
        for paragraph in article.each("paragraphs"):
            reading.take(paragraph, f"article-{number}")
    problems.check()
    if not reading.paragraphs:
        raise UsageError("corpus-empty", "the file has no paragraphs", where=str(file))
    if not reading.questions:
        raise UsageError("corpus-without-topics", "the file has no questions", where=str(file))
    return reading.corpus(file)


@dataclass(slots=True)
class _Reading:
    """What was read: id and article of each paragraph; of each question text, paragraph, and if that answers it."""

    problems: Problems
    paragraphs: dict[str, str] = field(default_factory=dict)
    articles: dict[str, str] = field(default_factory=dict)
    questions: dict[str, tuple[str, str, bool]] = field(default_factory=dict)
    repeated: int = 0

    def take(self, paragraph: Fields, article: str) -> None:
        context = paragraph.words("context").strip()
        self.repeated += context in self.paragraphs
        doc_id = self.paragraphs.setdefault(context, f"paragraph-{len(self.paragraphs) + 1}")
        self.articles.setdefault(doc_id, article)
        for question in paragraph.each("qas"):
            topic_id = question.identifier("id")
            if topic_id and topic_id in self.questions:
                self.problems.add(f"the id '{topic_id}' at '{question.prefix}id' stands twice", question.where)
            answered = not question.flag("is_impossible")
            self.questions[topic_id] = (question.words("question"), doc_id, answered)

    def corpus(self, file: Path) -> Corpus:
        # A JSON file is one value, read whole: its paragraphs are in memory with its questions.
        documents = tuple(
            Document(doc_id, context, session_id=self.articles[doc_id]) for context, doc_id in self.paragraphs.items()
        )
        cluster = clusters({topic_id: doc_id for topic_id, (_, doc_id, _) in self.questions.items()})

        def stream() -> Iterator[Document]:
            return iter(documents)

        return Corpus(
            name=corpus_name(file.stem),
            tier="full",
            documents=stream,
            topics=tuple(
                Topic(topic_id, text, cluster=cluster[topic_id]) for topic_id, (text, _, _) in self.questions.items()
            ),
            qrels={
                topic_id: {doc_id: 1} if answered else {} for topic_id, (_, doc_id, answered) in self.questions.items()
            },
            forbidden={},
            slices=(),
            source=f"squad:{file.name}",
            notes=(f"paragraphs that repeat an earlier one, read as one document: {self.repeated}",)
            if self.repeated
            else (),
        )
