"""What timing by turns adds to a proof."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from math import log
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from shelf import Shelf

from gate.defects import DEFECTS, Defect
from gate.exit_codes import ExitCode
from gate.guard import Stopped
from gate.latency.compare import compare
from gate.latency.pair import Question
from gate.latency.records import BASE, HEAD, Pair, Timed
from gate.latency.schedule import Effort
from gate.latency.side import Side, SideFailed
from gate.latency.spawned import Job
from gate.models import Choice
from gate.models import arm as find_arm
from gate.progress import Silent
from gate.protocols import Store
from gate.prove.bench import Bench
from gate.prove.command import chosen
from gate.prove.forked import Forked
from gate.prove.outline import headline, others, weaker
from gate.prove.records import Proof, Row, Sight
from gate.prove.timed import Stand, timed_rows, with_timed
from gate.records import Document, SearchResult
from gate.stop import Stop
from gate.trial import Trial

TWICE, TENTH, CASE = DEFECTS["slower-2x"], DEFECTS["slower-tenth"], DEFECTS["no-case-folding"]
STILL = Sight(1.0, 0)


def pairs(ratio: float, many: int) -> Timed:
    return Timed("seeded@smoke", "cpu-hash", "keyword", 151, (5, 5), (Pair(1.0, ratio, 0.1, 0.1 * ratio),) * many)


SLOWER, EQUAL = pairs(2.0, 7), pairs(1.0, 3)
VARIES = Timed(
    "seeded@smoke",
    "cpu-hash",
    "keyword",
    pairs=tuple(Pair(1.0, ratio, 0.1, 0.1) for ratio in (3, 0.4, 3, 0.4, 3, 0.4, 1)),
)


class Judging:
    """A stand that says what a test wants; `asked` are the defects and doses that it was asked."""

    mode, place = "keyword", ("seeded@smoke", "cpu-hash")

    def __init__(self, said: dict[tuple[str, float], Timed], itself: Timed = EQUAL) -> None:
        self.said, self.itself, self.closed = said, itself, False
        self.asked: list[tuple[str, float]] = []

    def time(self, defect: Defect | None, dose: float) -> Timed:
        if defect is None:
            return self.itself
        self.asked.append((defect.name, dose))
        if (defect.name, dose) not in self.said:
            stop = Stop()
            stop.signal = "SIGINT"
            raise Stopped(stop)
        return self.said[defect.name, dose]

    def close(self) -> None:
        self.closed = True


def seen(stand: Judging, *rows: Row) -> tuple[Row, ...]:
    found, itself = timed_rows(cast("Stand", stand), rows, (1.0, 0.2), 1, Stop(), Silent())
    assert itself in (stand.itself, None)
    assert stand.closed
    return found


def test_a_loss_of_time_is_caught_as_far_down_as_it_is_told() -> None:
    (row,) = seen(Judging({("slower-2x", 1.0): SLOWER, ("slower-2x", 0.2): SLOWER}), Row(TWICE, sights=(STILL,)))
    assert (row.outcome, row.weakest) == ("caught", 0.2)
    assert [sight.by for sight in row.sights] == [{"latency": 1}] * 2
    assert row.sights[0].exit_code == 1
    assert row.sights[0].first["latency"] == ("keyword takes 2.00 times as long (90% interval 2.00 to 2.00) in 7 pairs")


def test_a_weak_dose_that_is_not_told_says_what_was_measured() -> None:
    (row,) = seen(Judging({("slower-2x", 1.0): SLOWER, ("slower-2x", 0.2): EQUAL}), Row(TWICE, sights=(STILL,)))
    assert row.weakest == 1.0
    proof = Proof("reference", (), (), (), (row,))
    assert list(weaker(proof)) == [
        (row, "is not caught at 0.2: keyword takes 1.00 times as long (90% interval 1.00 to 1.00) in 3 pairs")
    ]


def test_what_costs_no_time_here_is_harmless_and_its_weaker_dose_is_not_tried() -> None:
    stand = Judging({("slower-2x", 1.0): EQUAL})
    (row,) = seen(stand, Row(TWICE, sights=(STILL,)))
    assert (row.outcome, stand.asked) == ("harmless here", [("slower-2x", 1.0)])
    assert [says for _, says in others(Proof("reference", (), (), (), (row,)))] == [
        "keyword takes 1.00 times as long (90% interval 1.00 to 1.00) in 3 pairs"
    ]


def test_times_that_vary_too_much_judge_nothing() -> None:
    (row,) = seen(Judging({("slower-2x", 1.0): VARIES}), Row(TWICE, sights=(STILL,)))
    assert row.outcome == "not judged"
    assert row.sights[0].exit_code == 2
    assert row.sights[0].first["latency"].endswith("in 7 pairs, which vary too much to tell")


class Dying(Judging):
    """Ends the process that times, where that is not the one of the test."""

    def time(self, defect: Defect | None, dose: float) -> Timed:
        if os.getpid() != self.here:
            os._exit(1)
        return super().time(defect, dose)

    here = os.getpid()


@pytest.mark.skipif(sys.platform != "linux", reason="forks are made on Linux alone")
def test_a_process_that_dies_while_it_times_leaves_what_was_seen_before() -> None:
    rows = Row(TWICE, sights=(STILL,)), Row(CASE, sights=(Sight(1.0, 1, {"budget": 1}),))
    told, itself = timed_rows(cast("Stand", Dying({})), rows, (1.0, 0.2), 2, Stop(), Silent())
    assert [row.outcome for row in told] == ["not judged", "caught"]
    assert told[0].sights[0].first["latency"].startswith("keyword could not be timed: a process that ")
    assert itself is not None
    assert itself.outcome == "not measured"


@pytest.mark.parametrize(("timed", "outcome"), [(EQUAL, "green"), (SLOWER, "false alarm"), (VARIES, "not judged")])
def test_a_harmless_change_has_to_be_as_fast(timed: Timed, outcome: str) -> None:
    (row,) = seen(Judging({("slower-tenth", 1.0): timed}), Row(TENTH, sights=(STILL,)))
    assert row.outcome == outcome


def test_only_what_is_of_time_is_timed() -> None:
    jitter = DEFECTS["jitter"]  # its planting rewrites every hit
    stand = Judging({})
    rows = Row(CASE, sights=(STILL,)), Row(jitter, sights=(STILL,)), Row(TWICE, "not planted")
    assert seen(stand, *rows) == rows
    assert stand.asked == []


def test_a_wish_to_stop_leaves_the_rest_as_it_was() -> None:
    rows = Row(TWICE, sights=(STILL,)), Row(TENTH, sights=(STILL,))
    found = seen(Judging({("slower-2x", 1.0): SLOWER}), *rows)
    assert [sight.dose for sight in found[0].sights] == [1.0]
    assert found[1] == rows[1]


@pytest.mark.parametrize(
    ("itself", "code", "said"),
    [
        (EQUAL, ExitCode.PASS, ""),
        (SLOWER, ExitCode.REGRESSION, "the healthy store was told slower than itself"),
        (VARIES, ExitCode.NOT_MEASURED, "the healthy store could not be timed"),
        (None, ExitCode.PASS, ""),
    ],
)
def test_a_healthy_store_told_slower_than_itself_is_red(itself: Timed | None, code: ExitCode, said: str) -> None:
    caught = with_timed(Row(TWICE, sights=(STILL,)), 1.0, SLOWER)
    proof = Proof("reference", (), (), (), (caught,), itself=itself)
    assert proof.exit_code == code
    assert headline(proof).partition("; ")[2] == said


def test_what_times_alone_tell_is_not_tried_through_the_command() -> None:
    assert chosen([with_timed(Row(TWICE, sights=(STILL,)), 1.0, SLOWER)]) == ()


class Ticking(Shelf):
    """A search takes a millisecond of a clock that nothing else moves; it ends its process at the query 'the end'."""

    def __init__(self, clock: list[float]) -> None:
        super().__init__()
        self.clock = clock

    def search(self, query: str, k: int, mode: str, scope: frozenset[str] = frozenset()) -> SearchResult:
        self.clock[0] += 0.001
        if query == "the end":
            sys.exit()
        return super().search(query, k, mode, scope)


@pytest.fixture
def ticking(monkeypatch: pytest.MonkeyPatch) -> Ticking:
    clock = [0.0]
    monkeypatch.setattr("gate.guard.now", lambda: clock[0])
    store = Ticking(clock)
    store.add([Document(f"d{number}", f"note {number}") for number in range(9)])
    return store


@pytest.mark.skipif(sys.platform != "linux", reason="forks are made on Linux alone")
@pytest.mark.parametrize(("name", "times"), [(None, 1.0), ("slower-2x", 2.0), ("spikes", 1 + 49 / 21)])
def test_a_planted_store_is_timed_in_forks_of_an_open_one(ticking: Ticking, name: str | None, times: float) -> None:
    # Of these questions one in twenty is touched; one of them is asked among twenty others.
    questions = [Question(f"note {number}") for number in range(400)]
    slow = DEFECTS["spikes"].plant(ticking, 1.0)
    touched = [one for one in questions if took(slow, ticking, one.text) > 0.0015]
    rest = [one for one in questions if one not in touched]
    asked = (*touched[:1], *rest[:20])
    stores: dict[str, Store] = {BASE: ticking, HEAD: DEFECTS[name].plant(ticking, 1.0) if name else ticking}
    before = ticking.clock[0]

    @contextmanager
    def open_pair(number: int) -> Iterator[tuple[Side, Side]]:
        sides = {name: Forked(name, store, 10, 60.0, Stop()) for name, store in stores.items()}
        try:
            yield sides[BASE], sides[HEAD]
        finally:
            for side in sides.values():
                side.kill()

    (timed,) = compare(open_pair, lambda *_: ({"keyword": asked}, {}), "c@smoke", "cpu-hash", Effort(), Silent())
    assert timed.outcome == ("pass" if name is None else "fail")
    assert [pair.v for pair in timed.pairs] == pytest.approx([log(times)] * len(timed.pairs), abs=1e-9)
    assert ticking.clock[0] == before  # all of it went on in the forks


def took(store: Store, ticking: Ticking, query: str) -> float:
    before = ticking.clock[0]
    store.search(query, 10, "keyword")
    return ticking.clock[0] - before


@pytest.mark.skipif(sys.platform != "linux", reason="forks are made on Linux alone")
def test_a_fork_that_fails_in_a_search_says_so_and_one_that_died_has_failed(ticking: Ticking) -> None:
    side = Forked(BASE, ticking, 10, 60.0, Stop())
    assert side.ask({"do": "ask", "mode": "keyword", "questions": [["the end", []]]}) == {}
    assert "SystemExit" in side.ask({"do": "time", "mode": "keyword", "at": [0]})["failure"]
    side._process.terminate()
    side._process.join()
    with pytest.raises(SideFailed, match="ended with exit code -15"):
        side.ask({"do": "check", "mode": "keyword", "at": [0]})
    side.kill()


class Hanging(Ticking):
    def search(self, query: str, k: int, mode: str, scope: frozenset[str] = frozenset()) -> SearchResult:
        threading.Event().wait()
        return super().search(query, k, mode, scope)


@pytest.mark.skipif(sys.platform != "linux", reason="forks are made on Linux alone")
def test_a_wish_to_stop_ends_the_wait_for_a_fork(ticking: Ticking) -> None:
    stop = Stop()
    side = Forked(BASE, Hanging(ticking.clock), 10, 60.0, stop)
    side.ask({"do": "ask", "mode": "keyword", "questions": [["note", []]]})
    stop.signal = "SIGINT"
    with pytest.raises(Stopped):
        side.ask({"do": "time", "mode": "keyword", "at": [0]})
    side.kill()
    assert side._process.exitcode is not None


def test_a_process_started_anew_gets_the_models_that_the_settings_choose(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    given: list[Job] = []
    monkeypatch.setattr("gate.prove.timed.write_documents", lambda *_: None)
    monkeypatch.setattr("gate.prove.timed.Spawned", lambda *told: given.append(told[2]))
    mine = Choice(embedder="./mine", live=True)
    request = SimpleNamespace(depth=10, settings=SimpleNamespace(models={"cpu-onnx": mine}))
    subject = SimpleNamespace(spec="recall:Recall", arm=find_arm("cpu-onnx"), timeout=1.0)
    trial = SimpleNamespace(subject=subject, corpus=SimpleNamespace(label="notes@full", deletions=()))
    bench = SimpleNamespace(plan=SimpleNamespace(request=request))
    stand = Stand(cast("Bench", bench), cast("Trial", trial), "vector", tmp_path, Stop())
    for side in (BASE, HEAD):
        stand._spawns(TWICE, 1.0)(side, 0)
    assert [job.models for job in given] == [mine, mine]
    # What another process is about to write is no file of documents yet.
    monkeypatch.setattr("gate.prove.timed.os.getpid", lambda: 1)
    stand._spawns(TWICE, 1.0)(BASE, 0)
    assert given[0].documents == given[1].documents != given[2].documents


@pytest.mark.parametrize(
    ("outcomes", "asked"), [(["varies", "well"], 2), (["well"], 1), (["varies"] * 5, 3), (["slow"], 1), (["lost"], 1)]
)
def test_times_that_vary_too_much_are_taken_again(outcomes: list[str], asked: int) -> None:
    said = {"varies": VARIES, "well": EQUAL, "slow": SLOWER, "lost": Timed("c", "a", "keyword", reason="it died")}
    taken: list[Timed] = []

    def timed(*_: object) -> Timed:
        taken.append(said[outcomes[len(taken)]])
        return taken[-1]

    assert Stand.time(cast("Stand", SimpleNamespace(_timed=timed)), None, 1.0) is taken[-1]
    assert len(taken) == asked
