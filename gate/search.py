"""The stage that asks: every topic in every mode, modes interleaved, warmed up first.

Interleaving spreads whatever drifts on the machine over all modes alike. Nothing is retried: a
mode in which the store raised once is not measured, and after ten errors in a row it is not
asked any more. A mode in which the store hung ends there; the others go on with a store opened
anew.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from gate.asking import ERRORS_IN_A_ROW, Asking, Question, interleaved, sampled
from gate.checkpoints import Asked, Checkpoint
from gate.errors import StoreError, StoreHung
from gate.faults import FAULTS
from gate.faults.fault import BrokenPart
from gate.guard import Guard, Stopped
from gate.records import NO_FAULT, Run, SearchResult, Topic, TopicResult
from gate.stop import Stop
from gate.transcript import AGAIN, LOOK, SEARCH, WARMING, Stage

WARM_UP = 3
RECOVERY = 10


@dataclass(frozen=True, slots=True)
class Live:
    """An opened store that can be asked, and the broken part that it was opened with, where there is one."""

    guard: Guard
    part: BrokenPart | None = None


class _NoStore(Exception):
    """There is no store to ask any more."""


@dataclass(slots=True)
class Searcher:
    """Asks a store. `live` is None after it hung, until `reopen`, which raises StoreError or Stopped, gives another.

    Where the store has a broken part, it fails while topics are asked, and only then. What the
    `checkpoint` knows of an earlier run is not asked again. `sessions` is what `seen` takes.

    What comes of each search is kept in `stage`, where there is one. With `replay` the answers are taken
    from it, and no store is asked. `timeout` is how many seconds a search is waited for under a fault, None
    for as long as any other. With `scored`, the scores of the hits are kept.
    """

    live: Live | None
    depth: int
    stop: Stop
    reopen: Callable[[], Live]
    tick: Callable[[int], None]
    checkpoint: Checkpoint | None = None
    sessions: Mapping[str, str] = field(default_factory=dict)
    stage: Stage | None = None
    replay: bool = False
    timeout: float | None = None
    scored: bool = False
    armed: bool = False
    lost: str = ""

    def run(self, questions: Sequence[Question], *, repeat: bool) -> list[Run]:
        """One Run a question, in their order. With `repeat`, a sample of topics is asked again to see ranks move."""
        asking = [Asking(question) for question in questions]
        watched = self._watched(questions)
        try:
            self._warm_up(asking)
            self._arm(True)
            for one, topic in interleaved(asking):
                if one.question.here(topic):
                    self._ask(one, topic)
                    self.tick(1)
            if repeat:
                for one, topic in sampled(asking):
                    if one.question.here(topic):
                        self._ask_again(one, topic)
        except (Stopped, _NoStore):
            pass
        finally:
            self._arm(False)
            if self.checkpoint is not None:
                self.checkpoint.write()
        stopped = f"{self.stop.signal} came" if self.stop.requested and not self.replay else self.lost
        return [
            Run(
                one.question.key,
                one.results,
                one.failure(stopped),
                part_calls=one.part_calls if watched else None,
                repeats_moved=tuple(one.moved),
                topic_calls=one.topic_calls if watched else {},
            )
            for one in asking
        ]

    def recovered(self, question: Question, healthy: Run) -> str | None:
        """What is not healthy again on this instance once the fault has ended.

        Empty when all is well, None where the instance hung and cannot be looked at. Ranks are
        not compared where they moved in health too. Raises Stopped.
        """
        failure = ""
        topics = question.topics[:RECOVERY]
        fault = FAULTS.get(question.key.fault)
        if fault is not None and fault.holds:
            # Not in the order in which they were asked: an answer that comes late must not fit by chance.
            topics = topics[::-1]
        for topic in topics:
            if not question.here(topic):
                continue
            asked = self._looked(topic, question.key.mode)
            if asked is None:
                return failure or None
            failure = failure or _unhealthy(topic, asked, healthy)
            # What is kept is judged beside the answers of other parts: there, more may have to be looked at.
            if failure and (self.stage is None or self.replay):
                break
        return failure

    def _watched(self, questions: Sequence[Question]) -> bool:
        """Whether the calls of a part are counted: of the one that a fault breaks."""
        if self.replay:
            return any(question.key.fault != NO_FAULT for question in questions)
        return self.live is not None and self.live.part is not None

    def _warm_up(self, asking: Sequence[Asking]) -> None:
        """A few searches a mode that count for nothing. An error comes again where it counts; a hang counts at once.

        All parts are healthy yet. The text is doubled: what a store remembers of it, such as
        its vector, then answers no topic.
        """
        for one in asking:
            for topic in one.question.topics[:WARM_UP]:
                asked = self._searched(WARMING, topic, one.question.key.mode)
                if asked is not None and asked.hung:
                    one.take(replace(asked, calls=0, failures=0), topic)
                    break

    def _ask(self, one: Asking, topic: Topic) -> None:
        if one.gone:
            return
        key = one.question.key
        asked = self.checkpoint.recall(key, topic.topic_id) if self.checkpoint is not None else None
        if asked is not None:
            met = self._suffer(one, topic)
            self._keep(SEARCH, key.mode, topic, met or asked)
        else:
            asked = self._searched(SEARCH, topic, key.mode)
            if asked is None:
                self._unknown(one)
                return
            if self.checkpoint is not None:
                self.checkpoint.add(key, topic.topic_id, asked)
        one.take(asked, topic)

    def _unknown(self, one: Asking) -> None:
        """A replay knows nothing of a search: there was no store any more, or the mode had been given up."""
        if self.stage is not None and self.stage.lost:
            self.lost = self.stage.lost
            raise _NoStore
        one.gone, one.in_a_row = True, ERRORS_IN_A_ROW

    def _searched(self, why: str, topic: Topic, mode: str) -> Asked | None:
        """What comes of a search; None where a replay does not know. Raises Stopped or _NoStore."""
        if self.replay:
            return self.stage.asked.get((why, mode, topic.topic_id)) if self.stage is not None else None
        live = self._opened()
        before = (live.part.calls, live.part.failures) if live.part is not None else (0, 0)
        text = f"{topic.text} {topic.text}" if why == WARMING else topic.text
        try:
            asked = Asked(self._search(live, topic, text, mode))
        except StoreError as error:
            asked = _failure(error, topic)
        if live.part is not None:
            calls, failures = live.part.calls - before[0], live.part.failures - before[1]
            asked = replace(asked, calls=calls, failures=failures)
        if why != WARMING or asked.hung:
            self._keep(why, mode, topic, asked)
        return asked

    def _looked(self, topic: Topic, mode: str) -> Asked | None:
        """One look at recovery; None where there is no store to look at. Raises Stopped."""
        if self.replay:
            return self._searched(LOOK, topic, mode)
        if self.live is None:
            return None
        try:
            asked = Asked(self._search(self.live, topic, topic.text, mode))
        except StoreError as error:
            asked = Asked(None, error.what)
        self._keep(LOOK, mode, topic, asked)
        return asked

    def _keep(self, why: str, mode: str, topic: Topic, asked: Asked) -> None:
        if self.stage is not None and not self.replay:
            self.stage.asked[why, mode, topic.topic_id] = asked

    def _suffer(self, one: Asking, topic: Topic) -> Asked | None:
        """Lets the store meet the fault on a topic that an earlier run was answered, where recovery is looked at.

        That look would see nothing on an instance that never met the fault. The answer counts for
        nothing, unless the store hangs: that is what comes back.
        """
        if self.live is None or self.live.part is None or topic not in one.question.topics[:RECOVERY]:
            return None
        try:
            self._search(self.live, topic, topic.text, one.question.key.mode)
        except StoreHung as error:
            hung = _failure(error, topic)
            one.take(hung, topic)
            return hung
        except StoreError:
            return None
        return None

    def _ask_again(self, one: Asking, topic: Topic) -> None:
        before = one.results.get(topic.topic_id)
        if before is None or one.gone:
            return
        asked = self._searched(AGAIN, topic, one.question.key.mode)
        if asked is None:
            return
        again = asked.result
        if again is None:
            one.take(asked, topic)
        elif (again.doc_ids, again.refused, again.degraded) != (before.doc_ids, before.refused, before.degraded):
            one.moved.append(topic.topic_id)

    def _arm(self, armed: bool) -> None:
        self.armed = armed
        if self.live is not None and self.live.part is not None:
            self.live.part.armed = armed

    def _let_go(self) -> None:
        """Leaves a store that hung to itself. What a fault holds is let go, so that its thread can end."""
        if self.live is not None and self.live.part is not None:
            self.live.part.armed = False
        self.live = None

    def _opened(self) -> Live:
        """The store to ask: another one after it hung. Without one, every mode ends where it is."""
        if self.live is None:
            try:
                self.live = self.reopen()
            except StoreError as error:
                self.lost = f"the store hung in another mode and could not be opened again, {error.where}: {error.what}"
                if self.stage is not None:
                    self.stage.lost = self.lost
                raise _NoStore from error
            self._arm(self.armed)
        return self.live

    def _search(self, live: Live, topic: Topic, text: str, mode: str) -> TopicResult:
        if self.stop.requested:
            raise Stopped(self.stop)
        scope = topic.scope if "scope" in live.guard.abilities else frozenset()
        try:
            answer, seconds = live.guard.search(text, self.depth, mode, scope, self.timeout if self.armed else None)
        except StoreHung:
            self._let_go()
            raise
        return seen(answer, seconds, self.depth, self.sessions, scored=self.scored)


def seen(
    answer: SearchResult,
    seconds: float,
    depth: int,
    sessions: Mapping[str, str] = MappingProxyType({}),
    *,
    scored: bool = False,
) -> TopicResult:
    """What counts of an answer: distinct documents in its order, at most `depth`. Repeats are dropped and counted.

    `sessions` maps stored ids to those of sessions, where of each session only the best hit counts.
    """
    ids = [hit.doc_id for hit in answer.hits]
    distinct = tuple(dict.fromkeys(ids))
    judged = tuple(dict.fromkeys(sessions.get(doc_id, doc_id) for doc_id in distinct[:depth]))
    best: dict[str, float] = {}
    for hit in answer.hits if scored else ():
        best.setdefault(sessions.get(hit.doc_id, hit.doc_id), float(hit.score))
    return TopicResult(
        doc_ids=judged,
        duplicates=len(ids) - len(distinct),
        surplus=max(0, len(ids) - depth),
        refused=not ids or (answer.evidence is not None and not answer.evidence.answerable),
        degraded=answer.degraded,
        milliseconds=seconds * 1000,
        coverage=None if answer.evidence is None else float(answer.evidence.coverage),
        scores=tuple(best[doc_id] for doc_id in judged) if scored else (),
    )


def _unhealthy(topic: Topic, asked: Asked, healthy: Run) -> str:
    """What a look at recovery shows; empty where all is well. Ranks are not compared where they moved in health too."""
    if asked.result is None:
        return f"topic {topic.topic_id}: {asked.error}"
    if asked.result.degraded:
        return f"topic {topic.topic_id} is still degraded: {', '.join(sorted(asked.result.degraded))}"
    before = healthy.results.get(topic.topic_id)
    if before is not None and before.doc_ids != asked.result.doc_ids and not healthy.repeats_moved:
        return f"topic {topic.topic_id} ranks otherwise than before the fault"
    return ""


def _failure(error: StoreError, topic: Topic) -> Asked:
    says = f"{error.where}, topic {topic.topic_id}: {error.what}"
    return Asked(None, says, isinstance(error, StoreHung))
