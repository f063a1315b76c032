"""The first topics of a corpus, for a short run that longer ones extend.

The corpus lists its topics slice by slice, so that its own first topics would all be of one slice. Here
slices take turns: one topic each, in the corpus's order of slices, until none has any left. Within a slice
the order is that of the SHA-256 of the topics' ids, which follows no pattern of the corpus. The first
topics of a small number are among those of every larger one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from hashlib import sha256
from itertools import chain, islice, zip_longest

from gate.records import Slice, Topic
from gate.trial import Trial


def first_topics(trial: Trial, limit: int) -> frozenset[str]:
    """The ids of the first `limit` topics among those that a trial asks in any mode."""
    asked = {topic.topic_id: topic for key in trial.keys for topic in trial.topics(key.mode)}
    return frozenset(islice(in_turns(asked.values(), trial.corpus.slices), limit))


def in_turns(topics: Iterable[Topic], slices: Iterable[Slice]) -> Iterable[str]:
    """The ids of all topics, slices taking turns. A topic counts in the first slice that it names."""
    groups: dict[str, list[str]] = {part.name: [] for part in slices}
    for topic in topics:
        groups.setdefault(topic.slices[0] if topic.slices else "", []).append(topic.topic_id)
    mixed = (sorted(ids, key=lambda name: (_mixed(name), name)) for ids in groups.values())
    return (name for name in chain.from_iterable(zip_longest(*mixed)) if name is not None)


def limited_trial(whole: Trial, limited: Trial) -> Trial:
    """The limited trial, which knows the whole one; the whole one where the limit leaves nothing out."""
    asked = {key: len(limited.topics(key.mode)) for key in limited.keys}
    if asked == {key: len(whole.topics(key.mode)) for key in whole.keys}:
        return whole
    return replace(limited, unlimited=whole)


def _mixed(topic_id: str) -> bytes:
    return sha256(topic_id.encode("utf-8", "surrogatepass")).digest()
