"""What a timed process does: holds one open store, and searches it when it is told to.

Messages are dicts of texts, numbers and lists, so that they go through any channel. A request names what to `do`; the
answer has its result, or `failure` with the reason why there is none.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping
from typing import Any

from gate.errors import StoreError
from gate.guard import Guard

Message = Mapping[str, Any]


class Worker:
    """A store that holds the corpus, and the questions it is asked. `depth` is the hits asked for."""

    def __init__(self, guard: Guard, depth: int) -> None:
        self._guard, self._depth = guard, depth
        self._questions: dict[str, list[tuple[str, frozenset[str]]]] = {}
        self._deeds: Mapping[str, Callable[[Message], Message]] = {
            "ask": self._ask,
            "check": self._check,
            "time": self._time,
            "end": self._end,
        }

    def answer(self, message: Message) -> Message:
        """Does what a message asks. What the store does wrong is the answer's `failure`."""
        try:
            return self._deeds[message["do"]](message)
        except StoreError as error:
            hint = f" ({error.hint})" if error.hint else ""
            return {"failure": f"{error.where}: {error.what}{hint}"}

    def _ask(self, message: Message) -> Message:
        """Takes the questions of a mode: `questions` are pairs of a text and a list of scopes."""
        self._questions[message["mode"]] = [(text, frozenset(scope)) for text, scope in message["questions"]]
        # What is there by now stays, and a collection between two blocks need not look through it.
        gc.collect()
        gc.freeze()
        return {}

    def _check(self, message: Message) -> Message:
        """Asks each question at the indices `at` once, and looks whether the answers are any."""
        mode, questions = message["mode"], self._questions[message["mode"]]
        for query, scope in (questions[at] for at in message["at"]):
            self._guard.search(query, self._depth, mode, scope)
        return {}

    def _time(self, message: Message) -> Message:
        """The seconds of each search at the indices `at`."""
        mode, questions = message["mode"], self._questions[message["mode"]]
        gc.collect()
        return {"seconds": self._guard.search_times([questions[at] for at in message["at"]], self._depth, mode)}

    def _end(self, message: Message) -> Message:  # noqa: ARG002 - the one deed that needs none
        self._guard.close()
        return {}


def opened_message(guard: Guard, factory: str = "") -> Message:
    """What a process says first: what the store declares, and the file that its factory came from."""
    return {
        "name": guard.name,
        "modes": sorted(guard.modes),
        "abilities": sorted(guard.abilities),
        "factory": factory,
    }
