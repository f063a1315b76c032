"""Work spread over processes that are forked once all is there that they share."""

from __future__ import annotations

import ctypes
import gc
import multiprocessing
import os
import signal
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import TypeVar, cast

from gate.errors import NotMeasured
from gate.stop import Stop

WorkT = TypeVar("WorkT")
DoneT = TypeVar("DoneT")
POLL_SECONDS = 0.2
_PR_SET_PDEATHSIG = 1  # prctl(2), of Linux alone, as are the forks

# What the workers do: set before they are forked, since a closure cannot be sent to them.
_task: Callable[[object], object] | None = None


def processors() -> int:
    """How many processors this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


def can_fork() -> bool:
    """Whether forking is safe here: system libraries of macOS do not survive it, and Windows has none."""
    return sys.platform == "linux" and "fork" in multiprocessing.get_all_start_methods()


def spread(
    work: Sequence[WorkT],
    task: Callable[[WorkT], DoneT],
    workers: int,
    stop: Stop,
    following: Callable[[WorkT, DoneT], Iterable[WorkT]] = lambda _piece, _done: (),
) -> Iterator[tuple[WorkT, DoneT]]:
    """Each piece of work with what came of it, in the order in which they end.

    `following` names what is to be done next once one has ended. Without forks, or with one worker, all is done
    here, one after the other. A wish to stop ends it after what has begun, and what ended after that wish is left
    out: it may have been cut short. Raises NotMeasured where a worker dies.
    """
    settle()
    if workers < 2 or not can_fork():
        queue = list(work)
        while queue and not stop.requested:
            piece = queue.pop(0)
            done = _tidy(task, piece)
            if stop.requested:
                return
            yield piece, done
            queue = [*following(piece, done), *queue]
        return
    global _task
    _task = task  # type: ignore[assignment]
    pool = ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("fork"), initializer=belong_to_parent)
    try:
        running: dict[Future[object], WorkT] = {}
        queue = list(work)
        while (queue or running) and not stop.requested:
            while queue and len(running) < workers:
                piece = queue.pop(0)
                with warnings.catch_warnings():
                    # From Python 3.12 on it warns of threads at a fork, those of numpy's libraries among them.
                    warnings.simplefilter("ignore", DeprecationWarning)
                    running[pool.submit(_perform, piece)] = piece
            ended, _ = wait(running, timeout=POLL_SECONDS, return_when=FIRST_COMPLETED)
            for future in ended:
                if stop.requested:
                    break
                piece = running.pop(future)
                done = cast("DoneT", future.result())
                yield piece, done
                queue = [*following(piece, done), *queue]
    except BrokenProcessPool:
        raise NotMeasured(
            "worker-died",
            "a process that worked beside others ended before its time",
            hint="A store that ends its process, or too little memory: try --workers 1 to see which.",
        ) from None
    finally:
        if stop.requested:
            # Each has a wish to stop of its own, which a signal sets.
            for child in multiprocessing.active_children():
                child.terminate()
        pool.shutdown(wait=True, cancel_futures=True)
        _task = None


def settle() -> None:
    """Frees what can go, and has no collection look through the rest again: in a fork that would copy all of it."""
    # Else a closed store, which holds itself in a circle, would be there to the end.
    gc.unfreeze()
    gc.collect()
    gc.freeze()


def belong_to_parent() -> None:
    """Has the kernel end this process with its parent, however that ends: nobody would wait for what it does.

    Ctrl-C reaches all processes at once, and a second signal ends one where it stands: so only the parent hears it,
    and tells the others once.
    """
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _perform(piece: object) -> object:
    assert _task is not None
    done = _tidy(_task, piece)
    # What a piece of work leaves for the next ones, such as texts taken apart, need not be looked through again.
    gc.freeze()
    return done


def _tidy(task: Callable[[WorkT], DoneT], piece: WorkT) -> DoneT:
    """Does a piece of work and frees what it leaves: a store in circles would else stay beside the next."""
    done = task(piece)
    gc.collect()
    return done
