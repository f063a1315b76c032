"""Whatever a store does, the guard raises one kind of error that says which store, which call, and why."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from fakes import ALL_ABILITIES, ALL_MODES, FakeStore, LetterEmbedder, Switches

from gate.errors import GateError, StoreError, StoreHung
from gate.exit_codes import ExitCode
from gate.guard import Guard, Stopped
from gate.protocols import OpenStore, Store
from gate.records import Document, Evidence, ScoredDoc, SearchResult
from gate.stop import Stop

DOCUMENTS = (Document("d1", "the apple orchard"), Document("d2", "the cherry orchard"))
NO_SCOPE: frozenset[str] = frozenset()
TINY = 0.2


def opened(
    switches: Switches,
    path: Path,
    *,
    timeout: float = 30.0,
    stop: Stop | None = None,
    open_store: OpenStore | None = None,
    told: bool = False,
) -> Guard:
    path.mkdir(exist_ok=True)
    return Guard(
        open_store or switches.open_store,
        path,
        LetterEmbedder(),
        None,
        told=told,
        timeout=timeout,
        stop=stop or Stop(),
        known_as="mypackage:open_store",
    )


def signalled() -> Stop:
    stop = Stop()
    stop.signal = "SIGTERM"
    return stop


def test_a_good_answer_passes_unchanged(switches: Switches, tmp_path: Path) -> None:
    guard = opened(switches, tmp_path)
    assert (guard.name, guard.modes, guard.abilities) == ("fake", ALL_MODES, ALL_ABILITIES)
    guard.add(DOCUMENTS)
    result, seconds = guard.search("cherry", 5, "keyword", NO_SCOPE)
    assert result == SearchResult((ScoredDoc("d2", 1.0),), evidence=Evidence(True, 1.0))
    assert seconds >= 0
    assert guard.count() == 2
    assert guard.environment() == {"engine": "fake 1"}
    guard.close()
    assert switches.closed == 1


def test_all_calls_come_from_one_thread_which_is_not_the_callers(switches: Switches, tmp_path: Path) -> None:
    guard = opened(switches, tmp_path)
    guard.add(DOCUMENTS)
    guard.search("cherry", 5, "vector", NO_SCOPE)
    guard.delete("d1")
    guard.close()
    assert len(switches.threads) == 1
    assert threading.get_ident() not in switches.threads


def test_a_client_bound_to_its_thread_works(switches: Switches, tmp_path: Path) -> None:
    class Bound:
        name = "bound"
        modes = frozenset({"keyword"})
        abilities: frozenset[str] = frozenset()

        def __init__(self, path: Path) -> None:
            self.connection = sqlite3.connect(path / "one.db")

        def count(self) -> int:
            return int(self.connection.execute("select 3").fetchone()[0])

        def close(self) -> None:
            self.connection.close()

    def open_store(path: Path, embedder: object = None, reranker: object = None) -> Any:
        return Bound(path)

    guard = opened(switches, tmp_path, open_store=open_store)
    assert guard.count() == 3
    guard.close()


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ValueError("no such index"), "ValueError: no such index"),
        (RuntimeError(), "RuntimeError"),
        (SystemExit(3), "SystemExit: 3"),
        (KeyboardInterrupt(), "KeyboardInterrupt"),
        (GeneratorExit(), "GeneratorExit"),
        (StoreError("mine", "the driver's own"), "StoreError: the driver's own"),
        (RuntimeError("two\n  lines"), "RuntimeError: two lines"),
        (RuntimeError("bad \udcff byte"), "RuntimeError: bad \\udcff byte"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_whatever_is_raised_names_store_mode_and_cause(
    switches: Switches, tmp_path: Path, error: BaseException, said: str
) -> None:
    guard = opened(switches, tmp_path)
    switches.raises["keyword"] = error
    with pytest.raises(StoreError) as caught:
        guard.search("cherry", 5, "keyword", NO_SCOPE)
    assert caught.value.what == said
    assert caught.value.where == "fake, mode keyword"
    assert caught.value.__cause__ is error
    assert not isinstance(caught.value, StoreHung)
    guard.search("cherry", 5, "vector", NO_SCOPE)


def test_an_error_that_cannot_say_itself_is_told_by_its_type(switches: Switches, tmp_path: Path) -> None:
    class Mute(Exception):
        def __str__(self) -> str:
            raise RuntimeError

    guard = opened(switches, tmp_path)
    switches.raises["keyword"] = Mute()
    with pytest.raises(StoreError) as caught:
        guard.search("cherry", 5, "keyword", NO_SCOPE)
    assert caught.value.what == "Mute"


def test_a_long_message_is_cut(switches: Switches, tmp_path: Path) -> None:
    guard = opened(switches, tmp_path)
    switches.raises["keyword"] = RuntimeError("x" * 5000)
    with pytest.raises(StoreError) as caught:
        guard.search("cherry", 5, "keyword", NO_SCOPE)
    assert len(caught.value.what) == 300
    assert caught.value.what.endswith("xxx...")


def test_the_first_traceback_of_each_kind_of_call_goes_to_standard_error(
    switches: Switches, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    guard = opened(switches, tmp_path)
    switches.raises |= {"keyword": ValueError("first"), "vector": ValueError("second")}
    for mode in ("keyword", "keyword", "vector"):
        with pytest.raises(StoreError):
            guard.search("cherry", 5, mode, NO_SCOPE)
    told = capsys.readouterr().err
    assert (told.count("ValueError: first"), told.count("ValueError: second")) == (1, 1)
    assert "in trouble" in told


@pytest.mark.parametrize("method", ["add", "delete", "supersede", "count", "environment", "close"])
def test_every_method_is_guarded(switches: Switches, tmp_path: Path, method: str) -> None:
    guard = opened(switches, tmp_path)
    guard.add(DOCUMENTS)
    switches.raises[method] = OSError("disk full")
    calls = {
        "add": lambda: guard.add(DOCUMENTS),
        "delete": lambda: guard.delete("d1"),
        "supersede": lambda: guard.supersede("d1", "d2"),
        "count": guard.count,
        "environment": guard.environment,
        "close": guard.close,
    }
    with pytest.raises(StoreError) as caught:
        calls[method]()
    assert caught.value.what == "OSError: disk full"
    assert caught.value.where.startswith(f"fake, {method}")


NONSENSE: Mapping[str, tuple[Any, str]] = {
    "None": (None, "None, not a SearchResult"),
    "list": ([], "a list, not a SearchResult"),
    "no-hits": (SearchResult(None), "hits of None, not a sequence"),  # type: ignore[arg-type]
    "text-for-hits": (SearchResult("d1"), "hits of a str, not a sequence"),  # type: ignore[arg-type]
    "set-of-hits": (SearchResult({ScoredDoc("d1", 1.0)}), "hits of a set, not a sequence"),  # type: ignore[arg-type]
    "ids-for-hits": (SearchResult(("d1",)), "a str at rank 1, not a ScoredDoc"),  # type: ignore[arg-type]
    "number-for-id": (
        SearchResult((ScoredDoc("d1", 2.0), ScoredDoc(7, 1.0))),  # type: ignore[arg-type]
        "the doc_id 7 at rank 2, not a text",
    ),
    "empty-id": (SearchResult((ScoredDoc("", 1.0),)), "the doc_id '' at rank 1"),
    "unwritable-id": (SearchResult((ScoredDoc("d\udcff", 1.0),)), "the doc_id 'd\\udcff' at rank 1"),
    "text-for-score": (SearchResult((ScoredDoc("d1", "1"),)), "a score of a str at rank 1"),  # type: ignore[arg-type]
    "none-for-score": (SearchResult((ScoredDoc("d1", None),)), "a score of None at rank 1"),  # type: ignore[arg-type]
    "bool-for-score": (SearchResult((ScoredDoc("d1", True),)), "a score of a bool at rank 1"),
    "nan-for-score": (SearchResult((ScoredDoc("d1", float("nan")),)), "a score of NaN at rank 1"),
    "text-for-degraded": (SearchResult((), "embedder"), "degraded of a str"),  # type: ignore[arg-type]
    "numbers-for-degraded": (SearchResult((), frozenset({1})), "degraded of a frozenset"),  # type: ignore[arg-type]
    "none-for-context": (SearchResult((), context=None), "a context of None"),  # type: ignore[arg-type]
    "bool-for-evidence": (SearchResult((), evidence=True), "evidence of a bool"),  # type: ignore[arg-type]
    "none-for-coverage": (SearchResult((), evidence=Evidence(True, None)), "coverage of None"),  # type: ignore[arg-type]
    "bool-for-coverage": (SearchResult((), evidence=Evidence(True, True)), "coverage of True"),
    "nan-for-coverage": (SearchResult((), evidence=Evidence(True, float("nan"))), "coverage of nan, not a number"),
    "percent-for-coverage": (SearchResult((), evidence=Evidence(True, 42.0)), "coverage of 42.0"),
}


@pytest.mark.parametrize("what", NONSENSE)
def test_an_answer_of_nonsense_types_is_an_error_that_says_which(switches: Switches, tmp_path: Path, what: str) -> None:
    guard = opened(switches, tmp_path)
    switches.answers["keyword"], says = NONSENSE[what]
    with pytest.raises(StoreError) as caught:
        guard.search("cherry", 5, "keyword", NO_SCOPE)
    assert caught.value.slug == "store-answer"
    assert says in caught.value.what
    assert caught.value.where == "fake, mode keyword"


def test_lists_and_numpy_scores_are_no_nonsense(switches: Switches, tmp_path: Path) -> None:
    import numpy as np

    guard = opened(switches, tmp_path)
    hits = [ScoredDoc("d1", np.float32(0.5)), ScoredDoc("d2", np.int64(0))]  # type: ignore[arg-type]
    switches.answers["keyword"] = SearchResult(hits, {"embedder"})  # type: ignore[arg-type]
    result, _ = guard.search("cherry", 5, "keyword", NO_SCOPE)
    assert result.hits == tuple(hits)
    assert result.degraded == frozenset({"embedder"})


def test_a_lazy_answer_that_raises_is_caught_in_the_stores_own_thread(switches: Switches, tmp_path: Path) -> None:
    class Lazy(tuple):  # type: ignore[type-arg]
        __slots__ = ()

        def __iter__(self) -> Iterator[ScoredDoc]:
            raise ConnectionError("the cursor is gone")

    guard = opened(switches, tmp_path)
    switches.answers["keyword"] = SearchResult(Lazy())
    with pytest.raises(StoreError, match="ConnectionError: the cursor is gone"):
        guard.search("cherry", 5, "keyword", NO_SCOPE)


@pytest.mark.parametrize("value", ["7", 7.0, None, True])
def test_a_count_that_is_no_whole_number_is_an_error(switches: Switches, tmp_path: Path, value: object) -> None:
    guard = opened(switches, tmp_path)
    switches.answers["count"] = value
    with pytest.raises(StoreError, match="not a whole number"):
        guard.count()


def test_an_environment_that_is_no_mapping_is_an_error(switches: Switches, tmp_path: Path) -> None:
    guard = opened(switches, tmp_path)
    switches.answers["environment"] = ["engine"]
    with pytest.raises(StoreError, match="a list, not a mapping"):
        guard.environment()


def test_an_environment_becomes_text_in_the_order_of_its_keys(switches: Switches, tmp_path: Path) -> None:
    guard = opened(switches, tmp_path)
    switches.answers["environment"] = {"threads": 2, "device": "cpu\udcff"}
    assert list(guard.environment().items()) == [("device", "cpu\\udcff"), ("threads", "2")]


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"name": "My Store"}, "its name is 'My Store'"),
        ({"name": None}, "its name is None"),
        ({"name": "a/b"}, "its name is 'a/b'"),
        ({"modes": "keyword"}, "its `modes` is 'keyword', not a set of names"),
        ({"modes": None}, "its `modes` is None"),
        ({"modes": {"keyword", "semantic"}}, "it declares modes that do not exist: semantic"),
        ({"abilities": ["telepathy", "scope"]}, "it declares abilities that do not exist: telepathy"),
        ({"modes": [["keyword"]]}, "it declares modes that do not exist"),
    ],
)
def test_a_declaration_that_makes_no_sense_is_an_error(
    switches: Switches, tmp_path: Path, wrong: dict[str, object], says: str
) -> None:
    for key, value in wrong.items():
        setattr(switches, key, value)
    with pytest.raises(StoreError) as caught:
        opened(switches, tmp_path)
    assert says in caught.value.what


@pytest.mark.parametrize("ability", ["update", "delete", "supersede"])
def test_an_ability_without_its_method_is_an_error(switches: Switches, tmp_path: Path, ability: str) -> None:
    class Bare:
        name = "bare"
        modes = frozenset({"keyword"})
        abilities = frozenset({ability})

    def open_store(path: Path, embedder: object = None, reranker: object = None) -> Any:
        return Bare()

    with pytest.raises(StoreError, match=f"it declares the ability {ability} but has no such method"):
        opened(switches, tmp_path, open_store=open_store)


def test_a_factory_that_returns_nothing_is_told_so(switches: Switches, tmp_path: Path) -> None:
    def open_store(path: Path, embedder: object = None, reranker: object = None) -> Any:
        return None

    with pytest.raises(StoreError, match="its factory returned None"):
        opened(switches, tmp_path, open_store=open_store)


def test_a_store_that_cannot_be_opened_is_named_as_it_was_asked_for(switches: Switches, tmp_path: Path) -> None:
    switches.raises["open"] = ImportError("no libfoo")
    with pytest.raises(StoreError) as caught:
        opened(switches, tmp_path)
    assert str(caught.value) == "mypackage:open_store, open: ImportError: no libfoo"


def test_what_is_wrapped_around_a_store_is_guarded_too(switches: Switches, tmp_path: Path) -> None:
    def wrap(store: Store) -> Store:
        raise RuntimeError("cannot plant here")

    with pytest.raises(StoreError, match="cannot plant here"):
        Guard(switches.open_store, tmp_path, None, None, timeout=30, stop=Stop(), wrap=wrap)


def test_a_hang_ends_after_the_timeout_and_the_instance_is_of_no_use_any_more(
    switches: Switches, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    guard = opened(switches, tmp_path, timeout=TINY)
    switches.hangs.add("vector")
    with pytest.raises(StoreHung) as caught:
        guard.search("cherry", 5, "vector", NO_SCOPE)
    assert str(caught.value).startswith("fake, mode vector: no answer within 0.2 s")
    with pytest.raises(StoreHung, match=r"out of use since it hung \(mode vector\)"):
        guard.search("cherry", 5, "keyword", NO_SCOPE)
    guard.close()
    assert switches.closed == 0
    told = capsys.readouterr().err
    assert "self.release.wait()" in told


def test_one_search_may_have_a_timeout_of_its_own(switches: Switches, tmp_path: Path) -> None:
    guard = opened(switches, tmp_path, timeout=600)
    guard.search("apple", 3, "keyword", NO_SCOPE, TINY)
    switches.hangs.add("vector")
    with pytest.raises(StoreHung, match=r"no answer within 0\.2 s"):
        guard.search("apple", 3, "vector", NO_SCOPE, TINY)


def test_a_hang_while_opening_is_a_hang(switches: Switches, tmp_path: Path) -> None:
    switches.hangs.add("open")
    with pytest.raises(StoreHung, match="no answer within"):
        opened(switches, tmp_path, timeout=TINY)


def test_the_thread_of_a_hung_store_ends_should_it_ever_come_back(switches: Switches, tmp_path: Path) -> None:
    guard = opened(switches, tmp_path, timeout=TINY)
    switches.hangs.add("vector")
    with pytest.raises(StoreHung):
        guard.search("cherry", 5, "vector", NO_SCOPE)
    switches.release.set()
    guard._thread.join(30)
    assert not guard._thread.is_alive()


@pytest.mark.parametrize("trouble", ["open", "name", ""])
def test_no_thread_is_left_behind(switches: Switches, tmp_path: Path, trouble: str) -> None:
    before = set(threading.enumerate())
    if trouble == "open":
        switches.raises["open"] = RuntimeError()
    elif trouble == "name":
        switches.name = "A"
    if trouble:
        with pytest.raises(StoreError):
            opened(switches, tmp_path)
    else:
        opened(switches, tmp_path).close()
    for thread in set(threading.enumerate()) - before:
        thread.join(30)
        assert not thread.is_alive()


def test_a_wish_to_stop_does_not_wait_for_a_store_that_hangs(switches: Switches, tmp_path: Path) -> None:
    stop = Stop()
    guard = opened(switches, tmp_path, timeout=20, stop=stop)
    switches.hangs.add("vector")
    stop.signal = "SIGTERM"
    with pytest.raises(Stopped, match="stopped by SIGTERM"):
        guard.search("cherry", 5, "vector", NO_SCOPE)
    guard.close()


def test_a_wish_to_stop_does_not_keep_a_store_from_being_closed(switches: Switches, tmp_path: Path) -> None:
    guard = opened(switches, tmp_path, stop=signalled())
    guard.close()
    guard.close()
    assert switches.closed == 1


def test_stopping_before_there_is_anything_to_keep_is_no_bug_of_ours() -> None:
    stopped = Stopped(signalled())
    assert isinstance(stopped, GateError)
    assert not isinstance(stopped, StoreError)
    assert stopped.exit_code is ExitCode.INTERRUPTED


def test_a_scope_is_passed_on_only_where_there_is_one(switches: Switches, tmp_path: Path) -> None:
    class Narrow:
        name = "narrow"
        modes = frozenset({"keyword"})
        abilities: frozenset[str] = frozenset()

        def search(self, query: str, k: int, mode: str) -> SearchResult:
            return SearchResult(())

    def open_store(path: Path, embedder: object = None, reranker: object = None) -> Any:
        return Narrow()

    guard = opened(switches, tmp_path, open_store=open_store)
    assert guard.search("q", 5, "keyword", NO_SCOPE)[0] == SearchResult(())
    with pytest.raises(StoreError, match="TypeError"):
        guard.search("q", 5, "keyword", frozenset({"user-1"}))


def test_only_a_store_that_asks_for_answers_is_told_them(switches: Switches, tmp_path: Path) -> None:
    told: list[object] = []

    class Knowing:
        name = "knowing"
        modes = frozenset({"keyword"})
        abilities: frozenset[str] = frozenset()

        def reveal(self, answers: object) -> None:
            told.append(answers)

    def open_store(path: Path, embedder: object = None, reranker: object = None) -> Any:
        return Knowing()

    opened(switches, tmp_path, told=True).reveal({"q": ("d1",)})
    opened(switches, tmp_path, open_store=open_store, told=True).reveal({"q": ("d1",)})
    assert told == [{"q": ("d1",)}]


def test_a_store_that_is_no_control_is_told_nothing(switches: Switches, tmp_path: Path) -> None:
    class Cheating(FakeStore):
        def reveal(self, answers: object) -> None:
            raise AssertionError("told the answers")

    def open_store(path: Path, embedder: object = None, reranker: object = None) -> Any:
        return Cheating(switches, path, None, None)

    opened(switches, tmp_path, open_store=open_store).reveal({"q": ("d1",)})


def test_a_store_that_hangs_does_not_keep_the_process_alive(tmp_path: Path) -> None:
    program = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
from pathlib import Path
from fakes import Switches
from gate.errors import StoreHung
from gate.guard import Guard
from gate.stop import Stop
switches = Switches(hangs={{"keyword"}})
guard = Guard(switches.open_store, Path({str(tmp_path)!r}), None, None, timeout=0.2, stop=Stop())
try:
    guard.search("q", 5, "keyword", frozenset())
except StoreHung:
    print("hung")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (0, "hung\n")
