"""Planted and healthy stores timed by turns, as `gate latency` times two trees: what tells of a loss of time.

It is done in one mode. A store that survives a fork, and looks no vectors up, is
opened in processes forked from the bench; another one in processes started anew.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from pathlib import Path

from gate.defects import Defect
from gate.defects.boundary import Boundary
from gate.errors import NotMeasured, StoreError
from gate.exit_codes import ExitCode
from gate.figures import count as counted
from gate.guard import Stopped
from gate.ingest import Subject, ingest, open_again
from gate.latency.compare import compare
from gate.latency.handover import write_documents
from gate.latency.pair import Question
from gate.latency.records import BASE, HEAD, SIDES, Opened, Timed, Tree
from gate.latency.schedule import Effort
from gate.latency.side import Side, SideFailed
from gate.latency.spawned import Job, Spawned
from gate.models import Choice
from gate.opening import planted, survives_fork
from gate.plan import worth_timing
from gate.progress import Progress, Silent
from gate.protocols import Store
from gate.prove.bench import Bench, arrives
from gate.prove.forked import Forked
from gate.prove.records import FULL, LATENCY, Row, Sight
from gate.stats.paired_latency import FAIL, PASS
from gate.stop import Stop
from gate.trial import Trial
from gate.workers import settle, spread

# The same topics however busy the machine is: which ones a defect touches must not hang on that. They are many, since
# a weak dose touches few, and so they are asked less often.
EFFORT = Effort(seconds=0.04, most_topics=201, least_topics=201, least_rounds=3)

ATTEMPTS = 3
DIED = "a process that timed stores ended before its time: a store that ends it, or too little memory"

# Starts one side of the pair of a number.
Start = Callable[[str, int], Forked | Spawned]


class Stand:
    """Where stores are timed: the first trial of a bench, in one of its modes. `folder` is empty and for the stores.

    Every method raises Stopped on a wish to stop, SideFailed where a store cannot be timed.
    """

    def __init__(self, bench: Bench, trial: Trial, mode: str, folder: Path, stop: Stop) -> None:
        self.mode = mode
        self.place = trial.corpus.label, trial.subject.arm.name
        self._bench, self._trial, self._folder, self._stop = bench, trial, folder, stop
        self._healthy: dict[bool, Store] = {}
        self._number = count()

    def time(self, defect: Defect | None, dose: float) -> Timed:
        """A planted store held against the healthy one; that against itself without a defect.

        Where the times vary too much to tell, what else the machine did may be over: they are taken again.
        """
        for _ in range(ATTEMPTS):
            timed = self._timed(defect, dose)
            if timed.reason or timed.outcome in (PASS, FAIL):
                break
        return timed

    def _timed(self, defect: Defect | None, dose: float) -> Timed:
        trial = self._trial
        asked = tuple(Question(topic.text, topic.scope) for topic in trial.topics(self.mode))

        def asking(base: Opened, head: Opened) -> tuple[dict[str, Sequence[Question]], dict[str, str]]:
            if self.mode in base.modes & head.modes:
                return {self.mode: asked}, {}
            return {}, {self.mode: "it is not declared any more"}

        planted_here: list[Store] = []
        try:
            start = self._forks(defect, dose, planted_here) if self._forks_it else self._spawns(defect, dose)
            effort = EFFORT if self._forks_it else Effort()
            return compare(partial(_open_pair, start), asking, *self.place, effort, Silent())[0]
        except SideFailed as failed:
            return Timed(*self.place, self.mode, reason=f"{failed.what} {failed.hint}".strip())
        except StoreError as error:
            return Timed(*self.place, self.mode, reason=f"{error.where}: {error.what}")
        finally:
            _close(planted_here)

    def close(self) -> None:
        """Closes the healthy stores."""
        _close(self._healthy.values())
        self._healthy.clear()

    @property
    def _forks_it(self) -> bool:
        subject = self._trial.subject
        # What an open store looks up is looked up in its forks too; one that is started anew makes its vectors.
        return survives_fork(subject) and worth_timing(self._trial.declared.abilities, looked_up=subject.looked_up)

    def _forks(self, defect: Defect | None, dose: float, planted_here: list[Store]) -> Start:
        """Processes forked over stores that are open here; those that are opened for this alone join `planted_here`."""
        trial, depth = self._trial, self._bench.plan.request.depth
        # Both are filled in the same way: what was stored just now may be faster or slower than what was opened again.
        anew = defect is not None and arrives(defect)
        if anew not in self._healthy:
            self._healthy[anew] = self._filled(trial.subject, anew=anew)
        stores = {BASE: self._healthy[anew], HEAD: self._healthy[anew]}
        if defect is not None and anew:
            stores[HEAD] = self._filled(planted(trial.subject, defect, dose), anew=True)
            planted_here.append(stores[HEAD])
        elif defect is not None:
            # In front of the very same store, so that nothing but the defect is another.
            stores[HEAD] = defect.plant(self._healthy[anew], dose)

        settle()

        def start(name: str, number: int) -> Forked:  # noqa: ARG001 - all forks are alike
            return Forked(name, stores[name], depth, trial.subject.timeout, self._stop)

        return start

    def _filled(self, subject: Subject, *, anew: bool) -> Store:
        """An open store that holds the corpus: from its copy at rest where there is one, unless it is to be `anew`."""
        trial, path = self._trial, self._place()
        rests = None if anew else self._bench.at_rest.get(trial.label)
        if rests is not None:
            self._folder.mkdir(parents=True, exist_ok=True)
            return open_again(subject, trial.declared, trial.corpus, path, rests.stored, rests.folder).hand_over()
        guard = subject.open(path, trial.declared)
        stored = ingest(guard, trial.corpus, subject.stop, lambda _: None)
        if stored.failure:
            raise StoreError("store-again", stored.failure, where=trial.declared.name)
        return guard.hand_over()

    def _spawns(self, defect: Defect | None, dose: float) -> Start:
        """Processes started anew, each of which opens and fills a store of its own."""
        trial, here, request = self._trial, Path.cwd(), self._bench.plan.request
        # A file for each process that times: what another one is about to write is not whole yet.
        documents, log = self._folder / f"documents-{os.getpid()}.jsonl", self._folder / "printed.log"
        if not documents.exists():
            self._folder.mkdir(parents=True, exist_ok=True)
            write_documents(trial.corpus, documents)
        job = Job(
            trial.subject.spec,
            trial.subject.arm.name,
            trial.corpus.label,
            documents,
            trial.subject.timeout,
            request.depth,
            trial.corpus.deletions,
            models=request.settings.models.get(trial.subject.arm.name, Choice()),
        )
        jobs = {BASE: job, HEAD: replace(job, plant=f"{defect.name}={dose!r}") if defect is not None else job}

        def start(name: str, number: int) -> Spawned:
            tree = Tree(name, f"the store {trial.subject.spec}", here, here, ())
            return Spawned(tree, tree, jobs[name], self._place(), log, number, self._stop)

        return start

    def _place(self) -> Path:
        """A new folder, that no process which was forked with this stand uses."""
        return self._folder / f"{os.getpid()}-{next(self._number)}"


@contextmanager
def _open_pair(start: Start, number: int) -> Iterator[tuple[Side, Side]]:
    """Both sides, opened one after the other, who comes first from pair to pair by turns."""
    sides: dict[str, Forked | Spawned] = {}
    try:
        for name in SIDES if number % 2 == 0 else SIDES[::-1]:
            sides[name] = start(name, number)
            _ = sides[name].opened  # waits until its store holds the corpus
        yield sides[BASE], sides[HEAD]
        for side in sides.values():
            side.close()
    finally:
        for side in sides.values():
            side.kill()


def _close(stores: Iterable[Store]) -> None:
    """Closes stores that nothing is asked of any more: what they say to that is no matter of time."""
    for store in stores:
        with suppress(Exception):
            store.close()


def stand_of(bench: Bench, folder: Path, stop: Stop) -> Stand | None:
    """Where to time: the first trial that asks anything; None where none does."""
    trial = next((trial for trial in bench.trials if trial.keys), None)
    return Stand(bench, trial, bench.timed_mode, folder, stop) if trial is not None else None


@dataclass(frozen=True, slots=True)
class _Turn:
    """What is timed beside the healthy store: a defect at a dose, or the healthy store itself where there is none."""

    name: str
    dose: float


ITSELF = _Turn("", FULL)


def timed_rows(
    stand: Stand, rows: Sequence[Row], doses: Sequence[float], workers: int, stop: Stop, progress: Progress
) -> tuple[tuple[Row, ...], Timed | None]:
    """The rows with what timing tells of those that it is for, and the healthy store held against itself.

    What slows a search is timed at falling doses until one is not told; a harmless change in full. So many are timed
    at once as there are `workers`. A wish to stop leaves the rest as it was; where one of them dies, it says so.
    """
    wanted = {row.defect.name: row for row in rows if _is_wanted(row, stand.mode)}
    progress.stage(f"timing {len(wanted)} planted stores by turns with the healthy one", len(wanted) + 1)
    told = {row.defect.name: row for row in rows}
    itself: Timed | None = None

    def time(turn: _Turn) -> Timed | None:
        try:
            return stand.time(wanted[turn.name].defect if turn.name else None, turn.dose)
        except Stopped:
            return None

    def weaker(turn: _Turn, timed: Timed | None) -> Sequence[_Turn]:
        later = doses[doses.index(turn.dose) + 1 :]
        if later and timed is not None and turn != ITSELF:
            row = told[turn.name]
            sight = next(sight for sight in row.sights if sight.dose == turn.dose)
            if row.defect.slows and row.told(sight):
                return (_Turn(turn.name, later[0]),)
        progress.tick(1)
        return ()

    turns = [ITSELF, *(_Turn(name, doses[0]) for name in wanted)] if wanted else []
    try:
        for turn, timed in spread(turns, time, workers, stop, weaker):
            if turn == ITSELF:
                itself = timed
            elif timed is not None:
                told[turn.name] = with_timed(told[turn.name], turn.dose, timed)
    except NotMeasured:
        lost = Timed(*stand.place, stand.mode, reason=DIED)
        itself = itself or lost
        untimed = [name for name in wanted if not told[name].sights[0].timed]
        told.update({name: with_timed(told[name], doses[0], lost) for name in untimed})
    finally:
        stand.close()
    return tuple(told[row.defect.name] for row in rows), itself


def _is_wanted(row: Row, mode: str) -> bool:
    return bool(row.sights) and mode in row.defect.modes and is_timed(row.defect)


def with_timed(row: Row, dose: float, timed: Timed) -> Row:
    """A row with what timing showed at a dose, of which it may have no sight yet."""
    sights = {sight.dose: sight for sight in row.sights}
    sight, said = sights.get(dose, Sight(dose, int(ExitCode.PASS))), in_words(timed)
    sight = replace(sight, timed=said)
    if timed.outcome != PASS:
        first, failed = {**sight.first, LATENCY: said}, timed.outcome == FAIL
        code = ExitCode.REGRESSION if failed else ExitCode.NOT_MEASURED
        sight = replace(sight, first=first, exit_code=max(sight.exit_code, int(code)))
        if failed:
            sight = replace(sight, by={**sight.by, LATENCY: 1})
        else:
            sight = replace(sight, unknown={**sight.unknown, LATENCY: 1})
    sights[dose] = sight
    return replace(row, sights=tuple(sights[each] for each in sorted(sights, reverse=True)))


def in_words(timed: Timed) -> str:
    """What the pairs of a mode say."""
    if timed.reason or timed.ratio is None:
        return f"{timed.mode} could not be timed: {timed.reason}"
    mean, low, high = timed.ratio
    between = f" (90% interval {low:.2f} to {high:.2f})" if low is not None and high is not None else ""
    said = f"{timed.mode} takes {mean:.2f} times as long{between} in {counted(len(timed.pairs), 'pair')}"
    return said if timed.outcome in (PASS, FAIL) else f"{said}, which vary too much to tell"


def is_timed(defect: Defect) -> bool:
    """Whether a defect is timed. What rewrites each answer costs work of the planting's own, which no real one has."""
    boundary = defect.in_store
    if not isinstance(boundary, type) or not issubclass(boundary, Boundary):
        return defect.slows
    return defect.slows or (defect.benign and boundary.rewrite_result is Boundary.rewrite_result)
