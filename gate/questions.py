"""What a results folder says of its questions, so that others can pair its runs topic by topic.

TREC files hold ranks and grades alone. Beside them stand, for each corpus, its topics with their
slices, clusters and forbidden documents (`topics/CORPUS.TIER.json`), and, for each whole run, which
topics it was asked, since one without hits has no line in a run file, which of them the store refused, where
it repeated itself and what it said of its evidence (`answers/STORE.CORPUS.TIER.ARM.MODE.FAULT.json`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NoReturn

from gate.errors import UsageError
from gate.files import LinedData, canonical_json, read_text, violations, write_atomic
from gate.records import Corpus, Run, RunKey, Slice, Topic, TopicResult

SCHEMA = 1
TOPICS = "topics"
ANSWERS = "answers"
# JSON can spell half a surrogate pair, which no UTF-8 file can hold.
_HALF = re.compile("[\ud800-\udfff]")
_AGAIN = "Make the results again with gate run."


def write_questions(folder: Path, runs: Iterable[Run], corpora: Iterable[Corpus]) -> None:
    """Both kinds of files, of every corpus and every run that is whole."""
    for corpus in corpora:
        write_atomic(topics_path(folder, corpus.name, corpus.tier), render_topics(corpus), durable=False)
    for run in runs:
        if not run.failure:
            write_atomic(answers_path(folder, run.key), render_answers(run), durable=False)


def topics_path(folder: Path, corpus: str, tier: str) -> Path:
    return folder / TOPICS / f"{corpus}.{tier}.json"


def answers_path(folder: Path, key: RunKey) -> Path:
    return folder / ANSWERS / f"{key.file_name.removesuffix('.run')}.json"


def render_topics(corpus: Corpus) -> str:
    """The topics in the corpus's order, one a line."""
    lines = [
        canonical_json(
            {
                "id": topic.topic_id,
                "text": topic.text,
                "slices": list(topic.slices),
                "cluster": topic.cluster,
                "forbidden": dict(corpus.forbidden.get(topic.topic_id, {})),
            }
        )
        for topic in corpus.topics
    ]
    head = canonical_json({"schema": SCHEMA, "corpus": corpus.name, "tier": corpus.tier}).removesuffix("}")
    return _spelled(f'{head},"topics":[\n' + ",\n".join(lines) + "\n]}\n")


def render_answers(run: Run) -> str:
    """One line: topics asked, in the order of the run, those refused, repeats dropped, coverage where given."""
    results = run.results
    asked: dict[str, Any] = {
        "schema": SCHEMA,
        "topics": list(results),
        "hits": sum(len(result.doc_ids) for result in results.values()),
        "refused": [topic for topic, result in results.items() if result.refused],
        "duplicates": {topic: result.duplicates for topic, result in results.items() if result.duplicates},
    }
    covered = {topic: result.coverage for topic, result in results.items() if result.coverage is not None}
    if covered:
        asked["coverage"] = covered
    return _spelled(canonical_json(asked) + "\n")


def _spelled(text: str) -> str:
    return _HALF.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def read_topics(path: Path, qrels: Mapping[str, Mapping[str, int]]) -> Corpus:
    """A corpus without its documents: topics, judgements and slices. Raises UsageError."""
    data = _read(path, "topics")
    topics = tuple(
        Topic(one["id"], one["text"], slices=tuple(one["slices"]), cluster=one["cluster"]) for one in data["topics"]
    )
    if len({topic.topic_id for topic in topics}) < len(topics):
        raise UsageError("topics-invalid", "a topic stands twice in this file", where=str(path), hint=_AGAIN)
    return Corpus(
        name=data["corpus"],
        tier=data["tier"],
        documents=lambda: iter(()),
        topics=topics,
        qrels=qrels,
        forbidden={one["id"]: one["forbidden"] for one in data["topics"] if one["forbidden"]},
        slices=tuple(Slice(name, "") for name in dict.fromkeys(name for topic in topics for name in topic.slices)),
    )


def read_answers(path: Path, key: RunKey, ranked: Mapping[str, tuple[str, ...]]) -> Run:
    """A whole run from its answers and the documents of its run file. Raises UsageError where they do not fit."""
    data = _read(path, "answers")
    asked, refused = set(data["topics"]), set(data["refused"])
    covered = data.get("coverage", {})
    strange = [topic for topic in (*ranked, *data["refused"], *data["duplicates"], *covered) if topic not in asked]
    if strange:
        raise UsageError(
            "answers-invalid",
            f"the topic '{strange[0]}' was never asked, says this file, and the run holds an answer to it",
            where=str(path),
            hint=_AGAIN,
        )
    found = sum(map(len, ranked.values()))
    if found != data["hits"]:
        raise UsageError(
            "answers-invalid",
            f"this run had {data['hits']} hits, and its run file has {found}: one of the two was cut or changed",
            where=str(path),
            hint=_AGAIN,
        )
    results = {
        topic: TopicResult(
            doc_ids=ranked.get(topic, ()),
            duplicates=data["duplicates"].get(topic, 0),
            surplus=0,
            refused=topic in refused,
            degraded=frozenset(),
            milliseconds=0.0,
            coverage=covered.get(topic),
        )
        for topic in data["topics"]
    }
    return Run(key, results)


def _read(path: Path, schema: str) -> dict[str, Any]:
    """A JSON file that holds to its schema. Raises UsageError."""
    text = read_text(path, schema)
    try:
        data = json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        at = f":{error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        what = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise UsageError(
            f"{schema}-not-json", f"this is not whole JSON: {what}", where=f"{path}{at}", hint=_AGAIN
        ) from None
    version = data.get("schema") if isinstance(data, dict) else None
    if isinstance(version, int) and version > SCHEMA:
        raise UsageError(
            f"{schema}-newer",
            f"this file has schema {version}, and this gate reads {SCHEMA}",
            where=str(path),
            hint="It was written by a newer gate: upgrade retrieval-gate.",
        )
    problems = violations(LinedData(path, data, {}), schema)
    if problems:
        raise UsageError(
            f"{schema}-invalid", "this file cannot be used", where=str(path), hint=_AGAIN, problems=tuple(problems[:20])
        )
    whole: dict[str, Any] = data
    return whole


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number")
