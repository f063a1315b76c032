"""What came of every search of a trial, kept so that the trial can be judged where its store is not.

A trial is searched stage by stage: in health, again for each repeat of a noisy store, then under each fault. A
stage has a store of its own, freshly opened. Transcripts of parts of the same trial are laid together
into that of the whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from statistics import median_low

from gate.checkpoints import Asked
from gate.records import Ingest

HEALTH = "health"
# Why a search was made: to warm up, to be scored, to see ranks move, to see whether a fault left anything behind.
WARMING, SEARCH, AGAIN, LOOK = "warm-up", "search", "again", "recovery"
Place = tuple[str, str, str]


def repeat_stage(number: int) -> str:
    return f"repeat {number}"


@dataclass(slots=True)
class Stage:
    """The searches on one opened store: `asked[why, mode, topic_id]`.

    `failure` says why it could not be opened, `lost` why it could not be opened again after it hung.
    """

    failure: str = ""
    lost: str = ""
    asked: dict[Place, Asked] = field(default_factory=dict)


@dataclass(slots=True)
class Transcript:
    """One trial, or a part of it: how storing went, the stages by name, and why the store did not close."""

    ingest: Ingest = field(default_factory=lambda: Ingest("", 0, 0.0))
    stages: dict[str, Stage] = field(default_factory=dict)
    unclosed: str = ""

    def stage(self, name: str) -> Stage:
        """The stage of that name, empty where nothing of it was kept yet."""
        return self.stages.setdefault(name, Stage())


def laid_together(parts: Sequence[Transcript]) -> Transcript:
    """The transcript of a whole trial from those of all its parts, in their order.

    Each part stored the same corpus: the time that this took is the median one. What went
    wrong in any part went wrong in the whole; of several such things the first is told.
    """
    stages: dict[str, Stage] = {}
    for part in parts:
        for name, stage in part.stages.items():
            whole = stages.setdefault(name, Stage())
            whole.failure = whole.failure or stage.failure
            whole.lost = whole.lost or stage.lost
            whole.asked.update(stage.asked)
    stored = next((part.ingest for part in parts if part.ingest.failure), parts[0].ingest)
    seconds = median_low(part.ingest.seconds for part in parts)
    unclosed = next((part.unclosed for part in parts if part.unclosed), "")
    return Transcript(replace(stored, seconds=seconds), stages, unclosed)
