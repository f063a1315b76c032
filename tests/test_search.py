"""Every topic is asked once in every mode; what goes wrong stays where it went wrong."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest
from fakes import ALL_ABILITIES, LetterEmbedder, Switches, declared, fruit_corpus, make_subject

from gate.asking import ERRORS_IN_A_ROW, REPEATED, Question
from gate.errors import StoreError
from gate.faults import FAULTS
from gate.faults.fault import BrokenPart
from gate.guard import Stopped
from gate.ingest import ingest
from gate.protocols import Embedder
from gate.records import Calls, Evidence, Run, RunKey, ScoredDoc, SearchResult, Topic, TopicResult
from gate.search import RECOVERY, WARM_UP, Live, Searcher, seen
from gate.stop import Stop

TOPICS = fruit_corpus().topics
TINY = 0.2


def key(mode: str, fault: str = "none") -> RunKey:
    return RunKey("fake", "tiny", "smoke", "cpu-hash", mode, fault)


def questions(*modes: str, topics: tuple[Topic, ...] = TOPICS, fault: str = "none") -> list[Question]:
    return [Question(key(mode, fault), topics) for mode in modes]


class Bench:
    """Stores of a fake that hold the fruit corpus, and a searcher over them."""

    def __init__(self, switches: Switches, folder: Path, fault: str = "", timeout: float = 30.0) -> None:
        self.switches, self.folder, self.fault, self.timeout = switches, folder, fault, timeout
        self.stop = Stop()
        self.number = 0
        self.ticks = 0
        self.parts: list[BrokenPart] = []
        self.on_tick: Callable[[int], None] = lambda _: None

    def open(self) -> Live:
        self.number += 1
        subject = make_subject(self.switches, timeout=self.timeout, stop=self.stop)
        part = FAULTS[self.fault].break_embedder(LetterEmbedder()) if self.fault else None
        if part is not None:
            self.parts.append(part)
            subject = replace(subject, embedder=cast("Embedder", part))
        path = self.folder / str(self.number)
        path.mkdir()
        guard = subject.open(path, declared(self.switches))
        assert not ingest(guard, fruit_corpus(), self.stop, lambda _: None).failure
        return Live(guard, part)

    def tick(self, steps: int) -> None:
        self.ticks += steps
        self.on_tick(self.ticks)

    def searcher(self, depth: int = 10, reopen: Callable[[], Live] | None = None) -> Searcher:
        live = self.open()
        self.switches.log.clear()
        return Searcher(live, depth, self.stop, reopen or self.open, self.tick)


def run(bench: Bench, *modes: str, repeat: bool = False, topics: tuple[Topic, ...] = TOPICS) -> list[Run]:
    return bench.searcher().run(questions(*modes, topics=topics), repeat=repeat)


def test_every_topic_is_asked_in_every_mode(switches: Switches, tmp_path: Path) -> None:
    bench = Bench(switches, tmp_path)
    runs = run(bench, "keyword", "vector")
    assert [one.key.mode for one in runs] == ["keyword", "vector"]
    for one in runs:
        assert one.failure == ""
        assert list(one.results) == [topic.topic_id for topic in TOPICS]
        assert all(one.results[f"t{number}"].doc_ids[0] == f"d{number}" for number in range(12))
        assert one.part_calls is None
    assert bench.ticks == 24


def test_modes_take_turns_topic_by_topic(switches: Switches, tmp_path: Path) -> None:
    run(Bench(switches, tmp_path), "keyword", "vector", topics=TOPICS[:3])
    counted = [(call[0], call[2]) for call in switches.asked("search")][2 * WARM_UP :]
    one, two, three = (topic.text for topic in TOPICS[:3])
    assert counted == [
        (one, "keyword"),
        (one, "vector"),
        (two, "vector"),
        (two, "keyword"),
        (three, "keyword"),
        (three, "vector"),
    ]


def test_a_mode_may_be_asked_other_topics_than_another(switches: Switches, tmp_path: Path) -> None:
    asked = [Question(key("keyword"), TOPICS[:2]), Question(key("facts"), TOPICS[1:4])]
    first, second = Bench(switches, tmp_path).searcher().run(asked, repeat=False)
    assert list(first.results) == ["t0", "t1"]
    assert list(second.results) == ["t1", "t2", "t3"]


def test_the_warm_up_counts_for_nothing_and_uses_no_topics_text(switches: Switches, tmp_path: Path) -> None:
    (one,) = run(Bench(switches, tmp_path), "keyword")
    texts = [call[0] for call in switches.asked("search")]
    assert len(texts) == WARM_UP + 12
    assert not set(texts[:WARM_UP]) & {topic.text for topic in TOPICS}
    assert len(one.results) == 12


def test_an_error_in_the_warm_up_alone_is_no_error(switches: Switches, tmp_path: Path) -> None:
    switches.raises[f"{TOPICS[0].text} {TOPICS[0].text}"] = RuntimeError("cold")
    (one,) = run(Bench(switches, tmp_path), "keyword")
    assert one.failure == ""


def test_the_depth_is_what_the_store_is_asked_for(switches: Switches, tmp_path: Path) -> None:
    (one,) = Bench(switches, tmp_path).searcher(depth=4).run(questions("vector"), repeat=False)
    assert {call[1] for call in switches.asked("search")} == {4}
    assert {len(result.doc_ids) for result in one.results.values()} == {4}


@pytest.mark.parametrize("abilities", [ALL_ABILITIES, ALL_ABILITIES - {"scope"}])
def test_a_scope_is_passed_only_to_a_store_that_declares_it(
    switches: Switches, tmp_path: Path, abilities: frozenset[str]
) -> None:
    switches.abilities = abilities
    topic = Topic("s", "apple orchard", scope=frozenset({"user-1"}))
    run(Bench(switches, tmp_path), "keyword", topics=(topic,))
    expected = frozenset({"user-1"}) if "scope" in abilities else frozenset()
    assert {call[3] for call in switches.asked("search")} == {expected}


# --- errors ------------------------------------------------------------------------------------


def test_one_error_makes_its_mode_unmeasured_and_no_other(switches: Switches, tmp_path: Path) -> None:
    switches.raises[TOPICS[4].text] = ValueError("bad vector")
    bench = Bench(switches, tmp_path)
    keyword = Question(key("keyword"), TOPICS[:4])
    vector = Question(key("vector"), TOPICS)
    first, second = bench.searcher().run([keyword, vector], repeat=False)
    assert first.failure == ""
    assert second.failure == ("fake, mode vector, topic t4: ValueError: bad vector (1 error; 11 of 12 topics answered)")
    assert len(second.results) == 11


def test_nothing_is_retried(switches: Switches, tmp_path: Path) -> None:
    switches.raises[TOPICS[4].text] = ValueError("bad vector")
    run(Bench(switches, tmp_path), "keyword")
    assert [call[0] for call in switches.asked("search")].count(TOPICS[4].text) == 1


def test_a_mode_is_given_up_after_ten_errors_in_a_row(switches: Switches, tmp_path: Path) -> None:
    switches.raises["vector"] = ConnectionError("refused")
    keyword, vector = run(Bench(switches, tmp_path), "keyword", "vector")
    assert keyword.failure == ""
    assert len(keyword.results) == 12
    assert vector.failure == (
        "fake, mode vector, topic t0: ConnectionError: refused"
        " (10 errors, given up after ten in a row; 0 of 12 topics answered)"
    )
    asked = [call[0] for call in switches.asked("search") if call[2] == "vector"]
    assert len(asked) == WARM_UP + ERRORS_IN_A_ROW


def test_ten_errors_that_are_not_in_a_row_do_not_end_a_mode(switches: Switches, tmp_path: Path) -> None:
    for number in range(12):
        if number != 5:
            switches.raises[TOPICS[number].text] = ValueError("odd")
    (one,) = run(Bench(switches, tmp_path), "keyword")
    assert "(11 errors; 1 of 12 topics answered)" in one.failure


@pytest.mark.parametrize("nonsense", [None, [], "d1", SearchResult(None)])  # type: ignore[arg-type]
def test_nonsense_is_an_error_of_its_mode(switches: Switches, tmp_path: Path, nonsense: object) -> None:
    switches.answers["vector"] = nonsense
    keyword, vector = run(Bench(switches, tmp_path), "keyword", "vector")
    assert keyword.failure == ""
    assert vector.failure.startswith("fake, mode vector, topic t0: search gave ")


def test_a_store_that_ends_the_program_does_not_end_us(switches: Switches, tmp_path: Path) -> None:
    switches.raises["vector"] = SystemExit(0)
    keyword, vector = run(Bench(switches, tmp_path), "keyword", "vector")
    assert keyword.failure == ""
    assert "SystemExit: 0" in vector.failure


def test_threads_that_a_store_leaves_behind_hinder_nothing(switches: Switches, tmp_path: Path) -> None:
    switches.leaves_thread = True
    (one,) = run(Bench(switches, tmp_path), "keyword", topics=TOPICS[:2])
    assert one.failure == ""
    assert any(thread.name == "left-behind" for thread in threading.enumerate())


# --- hangs -------------------------------------------------------------------------------------


def test_a_hang_ends_its_mode_and_the_others_go_on_with_a_store_opened_anew(switches: Switches, tmp_path: Path) -> None:
    bench = Bench(switches, tmp_path, timeout=TINY)
    searcher = bench.searcher()
    switches.hangs.add("vector")
    keyword, vector, hybrid = searcher.run(questions("keyword", "vector", "hybrid"), repeat=False)
    assert vector.failure == ("fake, mode vector, topic t0: no answer within 0.2 s (1 error; 0 of 12 topics answered)")
    for one in (keyword, hybrid):
        assert one.failure == ""
        assert len(one.results) == 12
    assert bench.number == 2


def test_a_hang_in_one_topic_keeps_what_was_answered_before(switches: Switches, tmp_path: Path) -> None:
    bench = Bench(switches, tmp_path, timeout=TINY)
    searcher = bench.searcher()
    switches.hangs.add(TOPICS[5].text)
    (one,) = searcher.run(questions("keyword"), repeat=True)
    assert "topic t5: no answer within" in one.failure
    assert len(one.results) == 5
    assert bench.number == 1, "there was nothing left to ask another store"


def test_without_another_store_the_other_modes_end_and_say_why(switches: Switches, tmp_path: Path) -> None:
    def reopen() -> Live:
        raise StoreError("store-raised", "OSError: no space", where="fake, open")

    searcher = Bench(switches, tmp_path, timeout=TINY).searcher(reopen=reopen)
    switches.hangs.add("vector")
    keyword, vector = searcher.run(questions("keyword", "vector"), repeat=False)
    assert "no answer within" in vector.failure
    assert keyword.failure == (
        "stopped after 0 of 12 topics: the store hung in another mode and could not be opened again,"
        " fake, open: OSError: no space"
    )


def test_a_hang_when_topics_are_asked_again_costs_the_other_modes_nothing(switches: Switches, tmp_path: Path) -> None:
    bench = Bench(switches, tmp_path, timeout=TINY)
    searcher = bench.searcher()
    bench.on_tick = lambda done: switches.hangs.add("keyword") if done == 24 else None
    keyword, vector = searcher.run(questions("keyword", "vector"), repeat=True)
    assert "no answer within" in keyword.failure
    assert vector.failure == ""
    assert len(vector.results) == 12


# --- stopping ----------------------------------------------------------------------------------


def test_a_wish_to_stop_leaves_what_was_measured(switches: Switches, tmp_path: Path) -> None:
    bench = Bench(switches, tmp_path)

    def on_tick(done: int) -> None:
        if done == 10:
            bench.stop.signal = "SIGTERM"

    bench.on_tick = on_tick
    keyword, vector = run(bench, "keyword", "vector", repeat=True)
    for one in (keyword, vector):
        assert one.failure == "stopped after 5 of 12 topics: SIGTERM came"
        assert list(one.results) == ["t0", "t1", "t2", "t3", "t4"]


def test_a_wish_to_stop_while_topics_are_asked_again_loses_nothing(switches: Switches, tmp_path: Path) -> None:
    bench = Bench(switches, tmp_path)

    def on_tick(done: int) -> None:
        if done == 12:
            bench.stop.signal = "SIGINT"

    bench.on_tick = on_tick
    (one,) = run(bench, "keyword", repeat=True)
    assert one.failure == ""
    assert len(one.results) == 12


# --- noise -------------------------------------------------------------------------------------


def test_a_steady_store_moves_no_ranks(switches: Switches, tmp_path: Path) -> None:
    (one,) = run(Bench(switches, tmp_path), "vector", repeat=True)
    assert one.repeats_moved == ()


def test_ranks_that_move_are_noticed(switches: Switches, tmp_path: Path) -> None:
    switches.noisy = True
    (one,) = run(Bench(switches, tmp_path), "vector", repeat=True, topics=TOPICS[:3])
    assert one.repeats_moved == ("t0", "t1", "t2")
    assert one.failure == ""


def test_ranks_are_not_looked_at_where_nobody_asks(switches: Switches, tmp_path: Path) -> None:
    switches.noisy = True
    (one,) = run(Bench(switches, tmp_path), "vector", repeat=False, topics=TOPICS[:3])
    assert one.repeats_moved == ()


def test_a_sample_is_asked_again_spread_over_the_topics(switches: Switches, tmp_path: Path) -> None:
    topics = tuple(Topic(f"t{number}", f"apple {number}") for number in range(3 * REPEATED + 5))
    run(Bench(switches, tmp_path), "keyword", repeat=True, topics=topics)
    again = [call[0] for call in switches.asked("search")][WARM_UP + len(topics) :]
    assert len(set(again)) == REPEATED
    places = [int(str(text).split()[1]) for text in again]
    assert places == sorted(places)
    assert {place % 2 for place in places} == {0, 1}, "no pattern of the corpus hides from the sample"
    assert max(places) - min(places) > len(topics) / 2


# --- broken parts ------------------------------------------------------------------------------


def test_calls_that_reach_the_failing_part_are_seen(switches: Switches, tmp_path: Path) -> None:
    bench = Bench(switches, tmp_path, fault="embedder-raises")
    keyword, vector, hybrid = run(bench, "keyword", "vector", "hybrid")
    assert (keyword.part_calls, vector.part_calls, hybrid.part_calls) == (0, 12, 12)
    assert {result.degraded for result in vector.results.values()} == {frozenset({"embedder"})}


def test_a_memoised_vector_hides_the_fault_and_is_seen_to(switches: Switches, tmp_path: Path) -> None:
    switches.memoises_vectors = True
    (tmp_path / "healthy").mkdir()
    run(Bench(switches, tmp_path / "healthy"), "vector")
    (one,) = run(Bench(switches, tmp_path, fault="embedder-raises"), "vector")
    assert one.part_calls == 0
    assert one.failure == ""


def test_the_part_fails_neither_in_the_warm_up_nor_afterwards(switches: Switches, tmp_path: Path) -> None:
    bench = Bench(switches, tmp_path, fault="embedder-raises")
    armed: list[bool] = []
    bench.on_tick = lambda _: armed.append(bench.parts[0].armed)
    (one,) = run(bench, "vector")
    assert armed == [True] * 12
    assert bench.parts[0].armed is False
    assert bench.parts[0].calls == one.part_calls == 12


def test_an_error_counts_as_having_reached_the_part(switches: Switches, tmp_path: Path) -> None:
    switches.raises_without_embedder = True
    (one,) = run(Bench(switches, tmp_path, fault="embedder-raises"), "vector")
    assert one.part_calls == ERRORS_IN_A_ROW
    assert "connection refused" in one.failure


def test_after_a_hang_under_a_fault_the_new_store_fails_too(switches: Switches, tmp_path: Path) -> None:
    bench = Bench(switches, tmp_path, fault="embedder-raises", timeout=TINY)
    searcher = bench.searcher()
    switches.hangs.add("hybrid")
    vector, hybrid = searcher.run(questions("vector", "hybrid"), repeat=False)
    assert "no answer within" in hybrid.failure
    assert vector.failure == ""
    assert vector.part_calls == 12
    assert {result.degraded for result in vector.results.values()} == {frozenset({"embedder"})}
    assert [part.armed for part in bench.parts] == [False, False]


def test_a_wish_to_stop_ends_the_fault_too(switches: Switches, tmp_path: Path) -> None:
    bench = Bench(switches, tmp_path, fault="embedder-nan")
    bench.on_tick = lambda _: setattr(bench.stop, "signal", "SIGINT")
    (one,) = run(bench, "vector")
    assert one.failure == "stopped after 1 of 12 topics: SIGINT came"
    assert bench.parts[0].armed is False


def test_failures_are_told_from_calls_topic_by_topic(switches: Switches, tmp_path: Path) -> None:
    (one,) = run(Bench(switches, tmp_path, fault="embedder-recovers"), "vector")
    assert one.topic_calls == {f"t{n}": Calls(1, int(n < 10)) for n in range(12)}
    assert one.part_calls == 12
    degraded = [bool(result.degraded) for result in one.results.values()]
    assert degraded == [True] * 10 + [False] * 2


def test_health_has_no_calls_of_a_part(switches: Switches, tmp_path: Path) -> None:
    (one,) = run(Bench(switches, tmp_path), "vector")
    assert one.topic_calls == {}


def test_a_store_that_waits_for_ever_is_waited_for_as_long_as_a_fault_may_hold_it(
    switches: Switches, tmp_path: Path
) -> None:
    bench = Bench(switches, tmp_path, fault="embedder-hangs", timeout=600)
    searcher = bench.searcher()
    searcher.timeout = TINY
    vector, keyword = searcher.run(questions("vector", "keyword", topics=TOPICS[:3]), repeat=False)
    assert "no answer within 0.2 s" in vector.failure
    assert vector.topic_calls == {"t0": Calls(1, 1)}
    assert len(keyword.results) == 3


def test_what_a_fault_holds_is_let_go_once_its_store_is_given_up(switches: Switches, tmp_path: Path) -> None:
    bench = Bench(switches, tmp_path, fault="embedder-hangs", timeout=600)
    searcher = bench.searcher()
    assert searcher.live is not None
    thread = searcher.live.guard._thread
    searcher.timeout = TINY
    searcher.run(questions("vector", topics=TOPICS[:3]), repeat=False)
    thread.join(10)
    assert not thread.is_alive()
    assert [part.armed for part in bench.parts] == [False]


def test_a_search_in_health_is_waited_for_as_ever(switches: Switches, tmp_path: Path) -> None:
    bench = Bench(switches, tmp_path, fault="embedder-nan", timeout=TINY)
    searcher = bench.searcher()
    searcher.timeout = 600
    switches.hangs.add("vector")
    (vector,) = searcher.run(questions("vector"), repeat=False)
    assert "no answer within 0.2 s" in vector.failure, "the warm-up is in health"


# --- recovery ----------------------------------------------------------------------------------


def healthy_run(switches: Switches, folder: Path, mode: str = "vector", repeat: bool = True) -> Run:
    folder.mkdir()
    (one,) = run(Bench(switches, folder), mode, repeat=repeat)
    return one


def after_fault(bench: Bench, healthy: Run) -> str | None:
    searcher = bench.searcher()
    (question,) = questions("vector", fault=bench.fault)
    searcher.run([question], repeat=False)
    return searcher.recovered(question, healthy)


def test_a_store_that_is_healthy_again_has_recovered(switches: Switches, tmp_path: Path) -> None:
    healthy = healthy_run(switches, tmp_path / "healthy")
    assert after_fault(Bench(switches, tmp_path, fault="embedder-nan"), healthy) == ""


def test_recovery_is_looked_at_on_the_same_live_instance(switches: Switches, tmp_path: Path) -> None:
    healthy = healthy_run(switches, tmp_path / "healthy")
    bench = Bench(switches, tmp_path, fault="embedder-nan")
    after_fault(bench, healthy)
    assert bench.number == 1
    assert len(switches.asked("search")) == WARM_UP + 12 + RECOVERY


def test_a_poisoned_cache_of_answers_is_found_out(switches: Switches, tmp_path: Path) -> None:
    healthy = healthy_run(switches, tmp_path / "healthy")
    switches.memoises_answers = True
    found = after_fault(Bench(switches, tmp_path, fault="embedder-zeros"), healthy)
    assert found == "topic t0 is still degraded: embedder"


def test_a_poisoned_cache_of_vectors_is_found_out(switches: Switches, tmp_path: Path) -> None:
    healthy = healthy_run(switches, tmp_path / "healthy")
    switches.memoises_vectors, switches.silent = True, True
    found = after_fault(Bench(switches, tmp_path, fault="embedder-nan"), healthy)
    assert found == "topic t0 ranks otherwise than before the fault"


def test_a_store_that_does_not_come_back_is_found_out(switches: Switches, tmp_path: Path) -> None:
    healthy = healthy_run(switches, tmp_path / "healthy")
    bench = Bench(switches, tmp_path, fault="embedder-nan")
    bench.on_tick = lambda done: switches.raises.update(vector=OSError("gone")) if done == 12 else None
    assert after_fault(bench, healthy) == "topic t0: OSError: gone"


def test_after_a_hang_there_is_nothing_to_look_at_in_the_other_modes(switches: Switches, tmp_path: Path) -> None:
    healthy = healthy_run(switches, tmp_path / "healthy")
    bench = Bench(switches, tmp_path, fault="embedder-nan", timeout=TINY)
    searcher = bench.searcher()
    asked = questions("vector", "hybrid", fault="embedder-nan")
    searcher.run(asked, repeat=False)
    switches.hangs.add("vector")
    assert searcher.recovered(asked[0], healthy) == "topic t0: no answer within 0.2 s"
    assert searcher.recovered(asked[1], healthy) is None
    assert bench.number == 1


def test_ranks_that_move_in_health_say_nothing_after_a_fault(switches: Switches, tmp_path: Path) -> None:
    switches.noisy = True
    noisy = healthy_run(switches, tmp_path / "noisy")
    assert noisy.repeats_moved
    assert after_fault(Bench(switches, tmp_path, fault="embedder-nan"), noisy) == ""


def test_looking_at_recovery_ends_where_somebody_wants_to_stop(switches: Switches, tmp_path: Path) -> None:
    bench = Bench(switches, tmp_path)
    searcher = bench.searcher()
    bench.stop.signal = "SIGTERM"
    with pytest.raises(Stopped):
        searcher.recovered(questions("vector")[0], Run(key("vector"), {}))


# --- what counts of an answer --------------------------------------------------------------------


def answer(*ids: str) -> SearchResult:
    return SearchResult(tuple(ScoredDoc(doc_id, 0.0) for doc_id in ids))


def test_the_order_is_the_stores_whatever_its_scores_say() -> None:
    hits = (ScoredDoc("b", 0.1), ScoredDoc("a", 0.9), ScoredDoc("c", -1.0))
    assert seen(SearchResult(hits), 0.002, 10) == TopicResult(("b", "a", "c"), 0, 0, False, frozenset(), 2.0)


def test_repeats_are_dropped_and_counted() -> None:
    result = seen(answer("a", "b", "a", "c", "b", "a"), 0.0, 10)
    assert (result.doc_ids, result.duplicates, result.surplus) == (("a", "b", "c"), 3, 0)


def test_hits_past_the_depth_are_cut_off_and_counted() -> None:
    result = seen(answer("a", "b", "c", "d"), 0.0, 3)
    assert (result.doc_ids, result.duplicates, result.surplus) == (("a", "b", "c"), 0, 1)


def test_no_hits_are_a_refusal() -> None:
    assert seen(answer(), 0.0, 10).refused is True


@pytest.mark.parametrize("answerable", [True, False])
def test_a_store_may_refuse_in_words(answerable: bool) -> None:
    result = SearchResult((ScoredDoc("a", 1.0),), evidence=Evidence(answerable, 0.1))
    assert seen(result, 0.0, 10).refused is not answerable


def test_what_a_store_says_it_covers_is_kept_and_nothing_is_made_up_where_it_says_nothing() -> None:
    told = SearchResult((ScoredDoc("a", 1.0),), evidence=Evidence(True, 0.1))
    assert seen(told, 0.0, 10).coverage == 0.1
    assert seen(SearchResult(told.hits), 0.0, 10).coverage is None


def test_a_store_that_returns_too_much_is_cut_and_told(switches: Switches, tmp_path: Path) -> None:
    switches.more_than_k, switches.duplicates = True, True
    (one,) = Bench(switches, tmp_path).searcher(depth=3).run(questions("vector"), repeat=False)
    result = one.results["t0"]
    assert (len(result.doc_ids), result.duplicates, result.surplus) == (3, 12, 21)
