"""Two trees timed on every arm and corpus that a request asks for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from gate.asked_corpora import asked_corpora
from gate.corpus import load_corpus
from gate.corpus.units import units_of
from gate.latency.code import belongs
from gate.latency.compare import compare
from gate.latency.handover import write_documents
from gate.latency.pair import Question
from gate.latency.records import BASE, HEAD, LatencyReport, Opened, Timed, Tree
from gate.latency.schedule import Effort
from gate.latency.side import Side, SideFailed
from gate.latency.spawned import Job, Spawned
from gate.models import Choice
from gate.pins import pinned
from gate.plan import Request, ask_slices, ask_topics, topics_in
from gate.progress import Progress
from gate.records import MODES, Corpus
from gate.stores import CONTROLS

_NOT_EDITABLE = (
    "Where the package is installed, that copy was imported: name the folder that it lies in with --path (--path src),"
    " or let each tree have its own environment and compare folders with --base-folder."
)


@dataclass(frozen=True, slots=True)
class Timing:
    """Where two trees are timed: `scratch` is an empty folder, `log` takes what the stores print."""

    request: Request
    trees: Mapping[str, Tree]
    scratch: Path
    log: Path
    progress: Progress
    effort: Effort = field(default_factory=Effort)


def time_trees(timing: Timing) -> LatencyReport:
    """Every mode of every corpus and arm, timed in pairs; what kept some from it are the report's problems.

    Raises UsageError for what does not exist, and Interrupted on a wish to stop, with no process left behind.
    """
    request, trees = timing.request, timing.trees
    settings, flags = request.settings, request.flags
    spec = flags.store or settings.store
    timed: list[Timed] = []
    problems: list[str] = []
    for number, corpus_spec in enumerate(asked_corpora(settings, flags)):
        corpus = units_of(pinned(corpus_spec, load_corpus(corpus_spec), settings), request.granularity, request.dedup)
        documents = timing.scratch / f"documents-{number}.jsonl"
        write_documents(corpus, documents)
        for arm in dict.fromkeys(flags.arms or settings.arms):
            models = settings.models.get(arm, Choice())
            job = Job(
                spec, arm, corpus.label, documents, settings.timeout, request.depth, corpus.deletions, models=models
            )
            folder = timing.scratch / f"timed-{number}-{arm}"
            try:
                timed += _timed(timing, corpus, job, folder)
            except SideFailed as failed:
                where, hint = f" ({failed.where})" if failed.where else "", f" {failed.hint}" if failed.hint else ""
                problems.append(f"{corpus.label}, {arm}: {failed.what}{where}.{hint}")
    return LatencyReport(spec, trees[BASE].shown, trees[HEAD].shown, tuple(timed), tuple(problems))


def _timed(timing: Timing, corpus: Corpus, job: Job, folder: Path) -> tuple[Timed, ...]:
    trees = timing.trees

    @contextmanager
    def open_pair(number: int) -> Iterator[tuple[Side, Side]]:
        order = (BASE, HEAD) if number % 2 == 0 else (HEAD, BASE)
        sides: dict[str, Spawned] = {}
        try:
            for name in order:
                place, other = folder / f"{number}-{name}", trees[HEAD if name == BASE else BASE]
                sides[name] = Spawned(trees[name], other, job, place, timing.log, number)
                # Opened one after the other: only one of the two works at any time.
                _prove_factory(job.spec, sides[name].opened, trees[name], other)
            yield sides[BASE], sides[HEAD]
            if number == 0:
                for name in order:
                    _prove_modules(sides[name], trees[name])
            for side in sides.values():
                side.close()
        finally:
            for side in sides.values():
                side.kill()

    def asking(base: Opened, head: Opened) -> tuple[Mapping[str, Sequence[Question]], Mapping[str, str]]:
        return questions_of(timing.request, corpus, base, head)

    return compare(open_pair, asking, corpus.label, job.arm, timing.effort, timing.progress)


def questions_of(
    request: Request, corpus: Corpus, base: Opened, head: Opened
) -> tuple[dict[str, tuple[Question, ...]], dict[str, str]]:
    """What both stores are asked in each mode that one of them declares, and why a mode is not timed."""
    wanted = request.flags.modes or request.settings.modes
    slices: Sequence[str] = request.flags.slices or request.settings.slices
    both = base.abilities & head.abilities
    asked, _ = ask_slices(corpus.slices, slices, both)
    members = ask_topics(corpus, asked, both)
    questions: dict[str, tuple[Question, ...]] = {}
    reasons: dict[str, str] = {}
    for mode in MODES:
        lacking = [name for name, side in ((BASE, base), (HEAD, head)) if mode not in side.modes]
        topics = topics_in(mode, corpus, asked, members)
        if (wanted and mode not in wanted) or (len(lacking) == 2 and mode not in wanted):
            continue
        if lacking:
            reasons[mode] = f"{' and '.join(lacking)} {'do' if len(lacking) == 2 else 'does'} not declare this mode"
        elif topics:
            questions[mode] = tuple(Question(topic.text, topic.scope) for topic in topics)
        elif mode in wanted:
            reasons[mode] = "no topic of the slices that are asked makes sense in this mode"
    return questions, reasons


def _prove_factory(spec: str, opened: Opened, tree: Tree, other: Tree) -> None:
    """Raises SideFailed where a store's factory is not of the tree that was to be timed."""
    if opened.factory and belongs(opened.factory, tree.root, other.root):
        return
    hint = _NOT_EDITABLE
    if spec in ("reference", *CONTROLS):
        hint = "It comes with the gate, so both sides have the same one. Name a store of yours with --store."
    raise SideFailed(
        "latency-wrong-code",
        f"the store of the {tree.side} came from {opened.factory or 'no file'}, which is not of the tree that was to"
        f" be timed, {tree.root}",
        hint=hint,
    )


def _prove_modules(side: Spawned, tree: Tree) -> None:
    """Raises SideFailed where the store runs modules of another copy of its tree."""
    found = side.ask({"do": "code"})["astray"]
    if not found:
        return
    told = ", ".join(f"{name} ({file})" for name, file in found[:3]) + (" and more" if len(found) > 3 else "")
    raise SideFailed(
        "latency-wrong-code",
        f"the {tree.side} imported what is not of the tree that was to be timed, {tree.root}: {told}",
        hint=_NOT_EDITABLE,
    )
