"""Whether each slice measures what it says: good engines that are not ours find its answers, a wrong one does not.

Where two unlike good engines find everything, a slice tells neither from a better one: it is too easy.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from gate.corpus.audit import Anatomy, anatomy, topics_of
from gate.engines import PACKAGE, PANELS, WITHOUT_PANEL, Engine, installed
from gate.exit_codes import ExitCode
from gate.figures import figure
from gate.measures import MEASURES
from gate.records import Corpus, Document, JudgedRanking, Topic

GOOD_AT_LEAST = 0.8
WRONG_AT_MOST = 0.4
CUTOFF = 5

PROVED, FAILED, UNJUDGED, NOT_MEASURED = "proved", "failed", "not judged", "not measured"


@dataclass(frozen=True, slots=True)
class Finding:
    """One slice. `good`, `other` and `wrong` are R@5 of the engines so named, None where not measured.

    `status` is `proved`, `failed`, `not judged` (by design) or `not measured` (it should have
    been); `reason` says why it is not the first.
    """

    anatomy: Anatomy
    status: str
    reason: str = ""
    good_name: str = ""
    good: float | None = None
    other_name: str = ""
    other: float | None = None
    wrong_name: str = ""
    wrong: float | None = None


@dataclass(frozen=True, slots=True)
class Audit:
    """All slices that were asked for, in order. `missing` are packages without which something was not measured."""

    corpus: str
    findings: tuple[Finding, ...]
    missing: tuple[str, ...]

    @property
    def exit_code(self) -> ExitCode:
        """2 where something was not measured, else 1 where a slice failed, else 0."""
        statuses = {finding.status for finding in self.findings}
        if NOT_MEASURED in statuses:
            return ExitCode.NOT_MEASURED
        return ExitCode.REGRESSION if FAILED in statuses else ExitCode.PASS


def audit(corpus: Corpus, slices: Sequence[str], progress: Callable[[str], None]) -> Audit:
    """Audits slices of a corpus by name. `progress` is told the name of each engine before it indexes the corpus."""
    needed = {name: _engines(name) for name in slices}
    packages = {package for engines in needed.values() for engine in engines for package in _packages(engine)}
    missing = tuple(sorted(package for package in packages if not installed(package)))
    usable = {
        name: [engine for engine in engines if not {*_packages(engine)} & {*missing}]
        for name, engines in needed.items()
    }
    recalls = _recalls(corpus, usable, progress)
    findings = (_finding(part, recalls, missing) for part in anatomy(corpus, slices))
    return Audit(corpus.label, tuple(findings), missing)


def _engines(slice_name: str) -> list[Engine]:
    panel = PANELS.get(slice_name)
    return [*panel.engines] if panel else []


def _packages(engine: Engine) -> tuple[str, ...]:
    return (PACKAGE, engine.package) if engine.package else (PACKAGE,)


def _recalls(
    corpus: Corpus, engines: Mapping[str, Sequence[Engine]], progress: Callable[[str], None]
) -> dict[tuple[str, str], float]:
    """R@5 by slice and engine. Engines of the same tokens share an index; one index at a time is in memory."""
    sharing: dict[object, list[tuple[str, Engine]]] = defaultdict(list)
    for name, listed in engines.items():
        for engine in listed:
            sharing[engine.tokens, engine.pieces].append((name, engine))
    documents = tuple(corpus.documents()) if sharing else ()
    return {
        (name, engine.name): value
        for users in sharing.values()
        for name, engine, value in _with_one_index(corpus, documents, users, progress)
    }


def _with_one_index(
    corpus: Corpus,
    documents: Sequence[Document],
    users: Sequence[tuple[str, Engine]],
    progress: Callable[[str], None],
) -> list[tuple[str, Engine, float]]:
    from gate.engines.bm25 import Index

    progress(users[0][1].name)
    index = Index(users[0][1], documents)
    measured = []
    for name, engine in users:
        values = [
            MEASURES["R"].score(_judged(index.search(engine, topic, CUTOFF), grades), CUTOFF)
            for topic in topics_of(corpus, name)
            if (grades := _relevant(corpus, topic))
        ]
        if values:
            measured.append((name, engine, sum(values) / len(values)))
    return measured


def _relevant(corpus: Corpus, topic: Topic) -> dict[str, int]:
    return {doc: grade for doc, grade in corpus.qrels.get(topic.topic_id, {}).items() if grade > 0}


def _judged(ranked: Sequence[str], grades: Mapping[str, int]) -> JudgedRanking:
    ranks = tuple((rank, grades[doc]) for rank, doc in enumerate(ranked, start=1) if doc in grades)
    return JudgedRanking(ranks, tuple(sorted(grades.values(), reverse=True)), retrieved=len(ranked))


def _finding(part: Anatomy, recalls: Mapping[tuple[str, str], float], missing: Sequence[str]) -> Finding:
    panel = PANELS.get(part.slice)
    if panel is None:
        reason = WITHOUT_PANEL.get(part.slice)
        return Finding(part, UNJUDGED, reason) if reason else Finding(part, NOT_MEASURED, "no engines are known for it")
    good, other, wrong = (recalls.get((part.slice, engine.name)) for engine in panel.engines)
    status, reason = judged(good, other, wrong, invariant=bool(panel.invariant))
    absent = [package for engine in panel.engines for package in _packages(engine) if package in missing]
    if panel.unjudged:
        status, reason = UNJUDGED, panel.unjudged
    elif absent:
        status, reason = NOT_MEASURED, f"needs {' and '.join(dict.fromkeys(absent))}"
    elif status == PROVED and good == other == 1:
        reason = f"both good engines find all, {panel.invariant}"
    return Finding(part, status, reason, panel.good.name, good, panel.other.name, other, panel.wrong.name, wrong)


def judged(good: float | None, other: float | None, wrong: float | None, *, invariant: bool) -> tuple[str, str]:
    """The status of a slice by R@5 of its engines, and what is wrong with it. An `invariant` may be found whole."""
    if good is None or other is None or wrong is None:
        return NOT_MEASURED, "it has no topic with a relevant document"
    faults = []
    for name, found in (("good", good), ("other good", other)):
        if not found >= GOOD_AT_LEAST:
            faults.append(f"the {name} engine finds {figure(found)}, less than {GOOD_AT_LEAST}")
    if good == other == 1 and not invariant:
        faults.append("too easy: both good engines find everything")
    if not wrong <= WRONG_AT_MOST:
        faults.append(f"the wrong engine finds {figure(wrong)}, more than {WRONG_AT_MOST}")
    return (FAILED, "; ".join(faults)) if faults else (PROVED, "")
