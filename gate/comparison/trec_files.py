"""Two sides of a comparison, from TREC run files and the qrels that judge both."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from gate.comparison.records import Side
from gate.corpus import READ_TIER
from gate.corpus.fields import corpus_name
from gate.errors import UsageError
from gate.figures import count
from gate.records import ALL_TOPICS, Corpus, Run, RunKey, Topic, TopicResult
from gate.trec import read_qrels, read_run

# What a cell's name says of an arm and a mode that no file tells.
ARM = "file"
MODE = "run"


def read_trec(paths: tuple[Path, Path], qrels: Path, *, complete: bool) -> tuple[Side, Side]:
    """Both sides. Each topic is a cluster of its own; the topics are those of the qrels.

    A judged topic without a line in a run file was not asked, unless `complete`: then it found
    nothing, as with trec_eval's -c. Raises UsageError with every bad line of a file.
    """
    told: list[str] = []
    grades = read_qrels(qrels, told)
    topics = tuple(Topic(topic, "", cluster=topic) for topic in grades)
    corpus = Corpus(corpus_name(qrels.stem), READ_TIER, lambda: iter(()), topics, grades, {}, ())
    stores = [corpus_name(path.stem) for path in paths]
    if stores[0] == stores[1]:
        stores = [f"{store}-{side}" for store, side in zip(stores, "ab", strict=True)]
    sides = [
        _side(name, path, store, corpus, told, complete=complete)
        for name, path, store in zip("AB", paths, stores, strict=True)
    ]
    for side in sides:
        if not side.load(side.runs[0]).results:
            raise UsageError(
                "compare-no-topic-judged",
                f"none of the topics in this run is judged in {qrels}",
                where=side.place,
                hint="Are these the qrels of the same corpus? Ids have to be spelt alike.",
            )
    return sides[0], sides[1]


def _side(name: str, path: Path, store: str, corpus: Corpus, told: list[str], *, complete: bool) -> Side:
    ranked = read_run(path)
    key = RunKey(store, corpus.name, corpus.tier, ARM, MODE)
    asked = [t.topic_id for t in corpus.topics if complete or t.topic_id in ranked]
    run = Run(key, {topic: _result(ranked.get(topic, ())) for topic in asked})
    notes = list(told)
    strange = len(ranked.keys() - corpus.qrels.keys())
    if strange:
        notes.append(f"{name}: {count(strange, 'topic')} without judgements, left out")
    silent = len(corpus.qrels.keys() - ranked.keys())
    if silent:
        held = (
            "counted as finding nothing"
            if complete
            else "taken as not asked; --complete counts them as finding nothing"
        )
        notes.append(f"{name}: {count(silent, 'judged topic')} without a line, {held}")
    return Side(
        name=name,
        place=str(path),
        about="TREC run",
        subject=store,
        runs=(key,),
        slices={key: (ALL_TOPICS,)},
        measures=(),
        methodology={key: {}},
        corpora={corpus.label: corpus},
        load=partial(_same, {key: run}),
        notes=tuple(notes),
    )


def _same(runs: Mapping[RunKey, Run], key: RunKey) -> Run:
    return runs[key]


def _result(doc_ids: tuple[str, ...]) -> TopicResult:
    return TopicResult(doc_ids, 0, 0, not doc_ids, frozenset(), 0.0)
