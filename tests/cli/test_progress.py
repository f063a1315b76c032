"""Progress in logs: a stage when it begins, and how much is left of one that goes on."""

from __future__ import annotations

from io import StringIO

from gate.cli.progress import Lines


class Clock:
    def __init__(self) -> None:
        self.at = 100.0

    def __call__(self) -> float:
        return self.at


def lines_of(total: int | None, ticks: list[tuple[float, int]]) -> list[str]:
    clock, stream = Clock(), StringIO()
    lines = Lines(stream, clock)
    lines.stage("reranking", total)
    for after, steps in ticks:
        clock.at = 100.0 + after
        lines.tick(steps)
    return stream.getvalue().splitlines()


def test_a_stage_that_is_quick_is_one_line() -> None:
    assert lines_of(100, [(10, 50), (20, 50)]) == ["gate: reranking (100 searches)"]


def test_a_long_stage_says_every_half_minute_how_much_is_left() -> None:
    # 20 of 100 in 40 s: 160 s are left; then half of all in 80 s, and 80 s are left.
    assert lines_of(100, [(20, 10), (40, 10), (50, 10), (80, 20)])[1:] == [
        "gate: reranking: 20 of 100, about 2 min 40 s left",
        "gate: reranking: 50 of 100, about 80 s left",
    ]


def test_what_is_done_or_has_no_known_end_says_nothing_of_what_is_left() -> None:
    assert len(lines_of(100, [(60, 100)])) == 1
    assert lines_of(None, [(60, 10), (120, 10)]) == ["gate: reranking"]


def test_a_new_stage_counts_anew() -> None:
    clock, stream = Clock(), StringIO()
    lines = Lines(stream, clock)
    lines.stage("storing", 10)
    lines.tick(9)
    clock.at = 1000.0
    lines.stage("searching", 10)
    clock.at = 1040.0
    lines.tick(4)
    assert stream.getvalue().splitlines()[-1] == "gate: searching: 4 of 10, about 60 s left"
