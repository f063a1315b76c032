"""The cells that settings can speak of, from names alone."""

from gate.base.grid import Grid

GRID = Grid(
    stores=("mine",),
    slices={"c@t": {"all": frozenset({"vector"}), "memory": frozenset({"vector"})}},
    arms=("cpu-hash",),
    modes=("vector",),
    faults={"embedder-raises": frozenset({"vector"}), "embedder-hangs": frozenset({"vector"})},
    measures=("R@5",),
)


def test_a_fault_that_is_asked_on_a_sample_has_cells_of_all_topics_alone() -> None:
    assert [str(cell) for cell in GRID.cells("*/*/*/*/*/embedder-*/*")] == [
        "mine/c@t/all/cpu-hash/vector/embedder-raises/R@5",
        "mine/c@t/all/cpu-hash/vector/embedder-hangs/R@5",
        "mine/c@t/memory/cpu-hash/vector/embedder-raises/R@5",
    ]
