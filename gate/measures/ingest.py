"""Ingest rate: how fast a store takes documents in."""

from __future__ import annotations

from gate.records import Timing


class IngestRate:
    """`ingest-rate`: documents stored a second, over the whole ingest and with everything searchable at its end."""

    name = "ingest-rate"
    unit = "documents/s"
    higher_is_better = True
    version = 1
    source = "defined by Retrieval Gate"

    def over(self, timing: Timing) -> float | None:
        if timing.documents <= 0 or timing.ingest_seconds <= 0:
            return None
        return timing.documents / timing.ingest_seconds
