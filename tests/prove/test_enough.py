"""What of a plan is asked again once a defect was told."""

from __future__ import annotations

import pytest

from gate.defects import Defect
from gate.prove.enough import Enough, Place, enough, place_enough, place_of
from gate.prove.records import Sight

MODES = ("keyword", "vector", "hybrid", "facts")
TOUCHING = Defect("d", "text", "s", modes=frozenset({"vector", "hybrid"}), faults=("embedder-raises",))
FAULTY = "reference/seeded@smoke/cpu-hash/vector/embedder-raises"


def cell(mode: str, fault: str = "none", part: str = "vi") -> str:
    return f"reference/seeded@smoke/{part}/cpu-hash/{mode}/{fault}/R@5"


def seen(**cells: tuple[str, ...]) -> Sight:
    told = {source.replace("_", "-"): own for source, own in cells.items()}
    return Sight(1.0, 1, {source: len(own) for source, own in told.items()}, cells=told)


@pytest.mark.parametrize(
    ("sight", "asked"),
    [
        (seen(budget=(cell("vector"),)), Enough(("vector",), ("vi",))),
        (seen(budget=(cell("vector", part="all"),)), Enough(("vector",))),
        # One slice is asked faster than all, and health faster than a fault.
        (seen(budget=(cell("vector", part="all"), cell("hybrid"))), Enough(("hybrid",), ("vi",))),
        (seen(budget=(cell("vector", "embedder-raises"), cell("hybrid", part="all"))), Enough(("hybrid",))),
        # What a fallback gives is held against keyword search.
        (seen(budget=(cell("vector", "embedder-raises"),)), Enough(("vector", "keyword"), ("vi",))),
        # A baseline is tested over all slices together.
        (seen(baseline=(cell("hybrid"),)), Enough(("hybrid",))),
        (seen(contrast=(cell("vector"),)), Enough(("vector", "hybrid", "keyword"))),
        (
            seen(fail_open=("reference/seeded@smoke/cpu-hash/vector/embedder-raises",)),
            Enough(("vector", "hybrid", "keyword")),
        ),
        (seen(budget=(cell("rerank"),)), Enough(("vector", "hybrid", "keyword"))),
    ],
)
def test_a_run_is_narrowed_to_what_was_red(sight: Sight, asked: Enough) -> None:
    found = enough(TOUCHING, sight, MODES)
    assert (sorted(found.modes), found.slices) == (sorted(asked.modes), asked.slices)


def test_a_place_is_where_much_is_red_and_little_is_asked_and_health_comes_first() -> None:
    three_and_one = seen(contrast=(cell("facts"),), baseline=(*3 * (cell("hybrid"),), cell("keyword")))
    assert place_enough(three_and_one) == Place("hybrid", "none")
    three_and_two = seen(baseline=(*3 * (cell("hybrid"),), *2 * (cell("vector"),)))
    assert place_enough(three_and_two) == Place("vector", "none")
    faulty = cell("vector", "embedder-raises")
    assert place_enough(seen(budget=(faulty, faulty, cell("hybrid")))) == Place("hybrid", "none")
    assert place_enough(seen(fail_open=(FAULTY,))) == Place("vector", "embedder-raises")
    assert place_enough(seen(contrast=(cell("vector"),), probe=("reference/probes@fast/-",))) is None


def test_what_is_of_no_single_run_has_no_place() -> None:
    assert place_of("budget", cell("vector", "embedder-raises")) == Place("vector", "embedder-raises")
    assert place_of("contrast", cell("vector")) is None
    assert place_of("baseline", "reference on seeded@smoke") is None
    assert place_of("fail-open", "reference on seeded@smoke") is None
