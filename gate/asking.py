"""What is asked and in which order: the topics of each run, all modes of a topic after each other, and a sample again.

A run counts its errors as it is asked: nothing is retried, and after ten errors in a row it is given up.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from zlib import crc32

from gate.checkpoints import Asked
from gate.records import Calls, RunKey, Topic, TopicResult
from gate.sample import is_sampled

ERRORS_IN_A_ROW = 10
REPEATED = 20


@dataclass(frozen=True, slots=True)
class Share:
    """What is asked here of a trial: `topics` by their ids, and the faults that are asked on a sample, by name.

    A sample is too small to be parted, and some faults look at what came before.
    """

    topics: frozenset[str]
    faults: frozenset[str]

    def of(self, key: RunKey) -> frozenset[str] | None:
        """The ids of the topics that are asked here in a run, None where all of its topics are."""
        if not is_sampled(key.fault):
            return self.topics
        return None if key.fault in self.faults else frozenset()


@dataclass(frozen=True, slots=True)
class Question:
    """One run to be made: its key, and the topics asked in its mode.

    `part` are the ids of the topics that are asked here, None where all are.
    """

    key: RunKey
    topics: tuple[Topic, ...]
    part: frozenset[str] | None = None

    def here(self, topic: Topic) -> bool:
        return self.part is None or topic.topic_id in self.part

    @property
    def own(self) -> tuple[Topic, ...]:
        return tuple(topic for topic in self.topics if self.here(topic))


@dataclass(slots=True)
class Asking:
    """A run while it is being made."""

    question: Question
    results: dict[str, TopicResult] = field(default_factory=dict)
    errors: int = 0
    in_a_row: int = 0
    first_error: str = ""
    gone: bool = False
    part_calls: int = 0
    moved: list[str] = field(default_factory=list)
    topic_calls: dict[str, Calls] = field(default_factory=dict)

    def take(self, asked: Asked, topic: Topic) -> None:
        self.part_calls += asked.calls
        self.topic_calls[topic.topic_id] = Calls(asked.calls, asked.failures)
        if asked.result is not None:
            self.in_a_row = 0
            self.results[topic.topic_id] = asked.result
            return
        self.errors += 1
        self.in_a_row += 1
        self.first_error = self.first_error or asked.error
        self.gone = self.gone or asked.hung or self.in_a_row >= ERRORS_IN_A_ROW

    def failure(self, stopped: str) -> str:
        """Why the run is not measured. One that begins with `stopped` did not fail by itself."""
        asked = len(self.question.own)
        answered = f"{len(self.results)} of {asked} topics"
        if self.errors:
            count = "1 error" if self.errors == 1 else f"{self.errors} errors"
            given_up = ", given up after ten in a row" if self.in_a_row >= ERRORS_IN_A_ROW else ""
            return f"{self.first_error} ({count}{given_up}; {answered} answered)"
        if len(self.results) < asked:
            return f"stopped after {answered}: {stopped}"
        return ""


def interleaved(asking: Sequence[Asking]) -> Iterator[tuple[Asking, Topic]]:
    """Topic by topic, each in all its modes, starting with another mode each time."""
    in_order: dict[str, Topic] = {}
    askers: dict[str, list[Asking]] = {}
    for one in asking:
        for topic in one.question.topics:
            in_order[topic.topic_id] = topic
            askers.setdefault(topic.topic_id, []).append(one)
    for turn, (topic_id, topic) in enumerate(in_order.items()):
        modes = askers[topic_id]
        shift = turn % len(modes)
        for one in (*modes[shift:], *modes[:shift]):
            yield one, topic


def sampled(asking: Sequence[Asking]) -> Iterator[tuple[Asking, Topic]]:
    """At most REPEATED topics a run, always the same ones, at places that no pattern of the corpus shares."""
    for one in asking:
        ids = (topic.topic_id for topic in one.question.topics)
        sample = set(sorted(ids, key=lambda name: (crc32(name.encode("utf-8", "replace")), name))[:REPEATED])
        for topic in one.question.topics:
            if topic.topic_id in sample:
                yield one, topic
