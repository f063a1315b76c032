"""Repeats of one run: by hand, and what cannot be pooled."""

from __future__ import annotations

from pathlib import Path

import pytest
from comparison_builders import found, methodology, results

from gate.comparison.compare import Wanted
from gate.comparison.folder import read_folder
from gate.comparison.pairing import Chosen
from gate.comparison.repeats import Repeats, repeat


def repeated(*folders: Path, wanted: Wanted | None = None) -> Repeats:
    return repeat([read_folder(f, f"repeat {n}") for n, f in enumerate(folders, start=1)], wanted or Wanted())


def reasons(made: Repeats) -> list[str]:
    return [f"{gap.subject}: {gap.reason}" for gap in made.gaps]


def test_mean_and_deviation_are_those_of_a_sample(tmp_path: Path) -> None:
    lost: tuple[list[int], ...] = ([], [0], [0, 1, 2])
    made = repeated(*(results(tmp_path / str(n), {"keyword": found(lost=some)}) for n, some in enumerate(lost)))
    cell = made.cells[0]
    assert cell.values == pytest.approx((1.0, 29 / 30, 27 / 30))
    assert cell.mean == pytest.approx(86 / 90)
    # Deviations +4, +1, -5 of 90ths: 42 / 2 under the root.
    assert cell.deviation == pytest.approx(21**0.5 / 90)
    assert made.verdict.exit_code == 0


def test_a_deterministic_run_has_no_deviation_and_a_noisy_one_beside_it_has(tmp_path: Path) -> None:
    made = repeated(
        results(tmp_path / "a", {"keyword": found(), "vector": found()}),
        results(tmp_path / "b", {"keyword": found(), "vector": found(lost=[3])}),
    )
    scatter = {(one.cell.mode, one.deviation is None) for one in made.cells}
    assert scatter == {("keyword", True), ("vector", False)}


def test_answers_that_differ_with_equal_means_have_a_deviation_of_0(tmp_path: Path) -> None:
    made = repeated(
        results(tmp_path / "a", {"keyword": found(lost=[0])}), results(tmp_path / "b", {"keyword": found(lost=[1])})
    )
    assert made.cells[0].deviation == 0


def test_another_methodology_is_never_pooled(tmp_path: Path) -> None:
    made = repeated(
        results(tmp_path / "a", {"keyword": found()}),
        results(tmp_path / "b", {"keyword": found()}, fields=methodology(depth="20")),
    )
    assert reasons(made) == [
        "reference on seeded@smoke, cpu-hash: cannot be pooled: depth is 100 in repeat 1 and 20 in repeat 2"
    ]
    assert (made.cells, made.verdict.exit_code) == ((), 2)


def test_a_run_that_a_repeat_lacks_is_not_measured(tmp_path: Path) -> None:
    made = repeated(
        results(tmp_path / "a", {"keyword": found(), "vector": found()}),
        results(tmp_path / "b", {"keyword": found()}),
        results(tmp_path / "c", {"keyword": found(), "vector": "refused"}),
    )
    assert reasons(made) == ["reference/seeded@smoke/cpu-hash/vector/none: not in repeat 2"]
    assert made.verdict.exit_code == 2
    assert {one.cell.mode for one in made.cells} == {"keyword"}


def test_topics_that_a_repeat_was_not_asked_are_not_measured(tmp_path: Path) -> None:
    fewer = {topic: docs for topic, docs in found().items() if topic != "q004"}
    made = repeated(results(tmp_path / "a", {"keyword": found()}), results(tmp_path / "b", {"keyword": fewer}))
    assert reasons(made)[0].endswith("1 topic not asked in both repeat 1 and repeat 2: q004")
    assert made.verdict.exit_code == 2


def test_a_slice_that_a_repeat_lacks_is_not_measured(tmp_path: Path) -> None:
    a, b = results(tmp_path / "a", {"keyword": found()}), results(tmp_path / "b", {"keyword": found()}, slices=("all",))
    made = repeated(a, b)
    assert reasons(made) == ["reference/seeded@smoke/cpu-hash/keyword/none first: the slice is not in repeat 2"]
    assert repeated(a, b, wanted=Wanted(Chosen(slices=("all",)))).verdict.exit_code == 0
