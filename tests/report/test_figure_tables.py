from __future__ import annotations

from dataclasses import replace

from report_verdicts import GREEN, cell_key, measured, unmeasured

from gate.records import Verdict
from gate.report.figure_tables import figure_tables


def test_tables_show_cells_in_health_by_slice_and_mode() -> None:
    (table,) = figure_tables(GREEN)
    assert (table.title, table.measure) == ("reference/seeded@1k/cpu-hash", "nDCG@10")
    assert table.modes == ("keyword", "vector", "hybrid")
    assert table.rows == (("all", ("0.941", "0.870", "0.9997")), ("zh-Hans", ("1.000", "0.000", "0.0004")))


def test_tables_never_show_a_number_for_a_cell_without_one() -> None:
    cells = (
        measured(0.5, of=cell_key("th", mode="vector")),
        unmeasured("it raised", of=cell_key("th")),
        measured(0.5, of=cell_key()),
    )
    (table,) = figure_tables(replace(GREEN, cells=cells))
    assert table.rows == (("all", ("0.500", "")), ("th", ("not measured", "0.500")))


def test_tables_fall_back_to_another_measure() -> None:
    recall = (measured(0.5, of=cell_key(measure="Hit@1")), measured(0.6, of=cell_key(measure="R@5")))
    assert [table.measure for table in figure_tables(replace(GREEN, cells=recall))] == ["R@5"]
    assert [table.measure for table in figure_tables(replace(GREEN, cells=recall[:1]))] == ["Hit@1"]
    assert figure_tables(replace(GREEN, cells=())) == ()


def test_a_long_table_shows_all_topics_and_the_weakest_slices_in_their_order() -> None:
    slices = {"all": 0.8, "a": 0.1, "b": 0.2, "c": 0.9, "d": 0.3}
    cells = [measured(value, of=cell_key(part)) for part, value in slices.items()]
    # By its best mode `a` is strong.
    cells.append(measured(0.95, of=cell_key("a", mode="hybrid")))
    (table,) = figure_tables(Verdict("PASS", 0, (), tuple(cells)))
    assert [name for name, _ in table.weakest(3)] == ["all", "b", "d"]
    assert table.weakest(5) == table.rows
