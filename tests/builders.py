"""Small records for tests: everything a rule does not look at has one value for all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from gate.corpus.beir import read_beir
from gate.corpus.digest import CorpusDigest
from gate.records import Cell, CellKey, Check, Corpus, Document, Run, RunKey, Slice, Topic, TopicResult

KEYWORD = RunKey("reference", "seeded", "smoke", "cpu-hash", "keyword")


def digest_of(corpus: Corpus) -> str:
    """What identifies a corpus: what it holds, whatever it is called."""
    digest = CorpusDigest(corpus)
    for document in corpus.documents():
        digest.add(document)
    return digest.hexdigest()


def pinned_beir(folder: Path) -> str:
    """A line of settings with a folder in the layout of BEIR, which stands beside the settings, as its one corpus."""
    return f"corpora: [{{beir: {folder.name}, sha256: {digest_of(read_beir(folder))}}}]\n"


def cell_key(
    measure: str = "R@5",
    *,
    part: str = "all",
    mode: str = "keyword",
    fault: str = "none",
    store: str = "reference",
    tier: str = "smoke",
) -> CellKey:
    return CellKey(store, "seeded", tier, part, "cpu-hash", mode, fault, measure)


def measured(value: float, key: CellKey | None = None) -> Cell:
    return Cell(key or cell_key(), "measured", value, 20)


def unmeasured(reason: str, key: CellKey | None = None) -> Cell:
    return Cell(key or cell_key(), "not measured", None, 0, reason)


def waived(value: float | None, key: CellKey | None = None) -> Cell:
    return Cell(key or cell_key(), "waived", value, 20, "until 2027-03-31: no Thai segmentation yet")


def by_key(*cells: Cell) -> dict[CellKey, Cell]:
    return {cell.key: cell for cell in cells}


def check(status: str = "pass", level: str = "error", *, source: str = "budget", check_id: str = "budget") -> Check:
    return Check(check_id, source, str(cell_key()), ">=", 0.9, 0.5, status, level, "said of it")


def corpus(
    qrels: Mapping[str, Mapping[str, int]],
    *,
    forbidden: Mapping[str, Mapping[str, str]] | None = None,
    texts: Mapping[str, str] | None = None,
    name: str = "seeded",
    slices: Mapping[str, Sequence[str]] | None = None,
) -> Corpus:
    """A corpus of the topics that have judgements; `slices[name]` are the topics of a slice."""
    members = slices or {}
    topics = tuple(
        Topic(
            topic_id,
            f"question {topic_id}",
            slices=tuple(part for part in members if topic_id in members[part]),
            cluster=f"template {topic_id}",
        )
        for topic_id in qrels
    )
    documents = tuple(Document(doc_id, text) for doc_id, text in (texts or {}).items())
    return Corpus(
        name,
        "smoke",
        lambda: iter(documents),
        topics,
        qrels,
        forbidden or {},
        tuple(Slice(part, "a part of the topics") for part in members),
    )


def answer(
    doc_ids: Iterable[str], *, duplicates: int = 0, refused: bool = False, surplus: int = 0, milliseconds: float = 1.0
) -> TopicResult:
    return TopicResult(tuple(doc_ids), duplicates, surplus, refused, frozenset(), milliseconds)


def run_of(answers: Mapping[str, Sequence[str]], key: RunKey = KEYWORD, *, failure: str = "") -> Run:
    return Run(key, {topic: answer(doc_ids) for topic, doc_ids in answers.items()}, failure)
