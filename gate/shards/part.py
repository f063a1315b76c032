"""What a shard asks: one stretch of each trial's topics, in the corpus's order, as large as every other.

A shard is a stretch, not every Nth topic: a mode is given up after ten errors in a row, and ten in
a row of a stretch are ten in a row of the whole. Faults that are asked on a sample of the topics are dealt
out whole, one shard after the other.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from gate.asking import Share
from gate.errors import UsageError
from gate.records import NO_FAULT
from gate.sample import is_sampled
from gate.trial import Trial

MOST = 1000
_WRITTEN = re.compile(r"([1-9][0-9]{0,3})/([1-9][0-9]{0,3})")


@dataclass(frozen=True, slots=True)
class Part:
    """Shard `number`, from 1, of `of`."""

    number: int
    of: int

    def __str__(self) -> str:
        return f"shard {self.number} of {self.of}"


def parse_part(text: str) -> Part:
    """The part that `I/N` names. Raises UsageError."""
    found = _WRITTEN.fullmatch(text)
    part = Part(int(found[1]), int(found[2])) if found else None
    if part is None or not part.number <= part.of <= MOST:
        raise UsageError(
            "shard-unknown",
            f"'{text}' names no shard",
            hint=f"Write I/N, such as 2/5: shard I of N, from 1, and at most {MOST} of them.",
        )
    return part


def share_of(trial: Trial, part: Part) -> Share:
    """What a shard asks of a trial. What all shards ask is the whole trial, each search once."""
    few = dict.fromkeys(key.fault for key in trial.keys if is_sampled(key.fault))
    return Share(topics_of(trial, part), frozenset(tuple(few)[part.number - 1 :: part.of]))


def topics_of(trial: Trial, part: Part) -> frozenset[str]:
    """The ids of the topics that a shard asks. Those of all shards are all topics, each once.

    A topic weighs as much as the searches that it takes, over all modes, repeats and faults that all topics meet.
    """
    weights: dict[str, int] = {}
    for key in trial.keys:
        if is_sampled(key.fault):
            continue
        for topic in trial.topics(key.mode):
            times = trial.repeats if key.fault == NO_FAULT else 1
            weights[topic.topic_id] = weights.get(topic.topic_id, 0) + times
    total, before, own = sum(weights.values()), 0, set()
    for topic in trial.corpus.topics:
        weight = weights.get(topic.topic_id, 0)
        # A topic belongs where its middle lies.
        if weight and (2 * before + weight) * part.of // (2 * total) + 1 == part.number:
            own.add(topic.topic_id)
        before += weight
    return frozenset(own)
