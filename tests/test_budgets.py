from __future__ import annotations

from pathlib import Path

import pytest

from gate.budgets import canonical_cell, cell_problems, matches, matching, partner_of, read_budgets
from gate.data import data_path
from gate.errors import UsageError
from gate.exit_codes import ExitCode
from gate.files import from_here
from gate.records import Budgets, CellKey, Contrast, Limit, Waiver

EXAMPLES = Path(__file__).parent / "bad_input" / "budgets"
CELL = CellKey("reference", "seeded", "1k", "zh-Hans", "cpu-hash", "keyword", "none", "R@5")


def written(folder: Path, text: str) -> Path:
    path = folder / "budgets.yml"
    path.write_text(text, encoding="utf-8")
    return path


def refused(path: Path) -> UsageError:
    with pytest.raises(UsageError) as caught:
        read_budgets(path)
    assert caught.value.exit_code == ExitCode.USAGE
    return caught.value


@pytest.mark.parametrize("path", sorted((EXAMPLES / "good").glob("*.yml")), ids=lambda path: path.stem)
def test_good_budgets_are_read(path: Path) -> None:
    assert isinstance(read_budgets(path), Budgets)


@pytest.mark.parametrize("path", sorted((EXAMPLES / "bad").glob("*.yml")), ids=lambda path: path.stem)
def test_bad_budgets_are_refused_with_sentence_line_and_hint(path: Path) -> None:
    expected = path.read_bytes().split(b"\n", 1)[0].decode().removeprefix("# expect: ")
    error = refused(path)
    said = str(error)
    assert (from_here(f"{path}:{expected}") if expected[0].isdigit() else expected) in said
    assert error.hint or all(problem.hint for problem in error.problems)
    assert max(map(len, said.splitlines())) < 400


def test_no_file_is_no_budgets() -> None:
    assert read_budgets(None) == Budgets()


def test_a_file_that_is_missing_or_a_folder_is_refused(tmp_path: Path) -> None:
    assert refused(tmp_path / "nowhere.yml").slug == "file-missing"
    assert refused(tmp_path).slug == "file-unreadable"


def test_limits_contrasts_and_waivers_are_read_with_their_lines() -> None:
    path = EXAMPLES / "good" / "everything.yml"
    budgets = read_budgets(path)
    assert budgets.path == str(path)
    place = from_here(str(path))
    assert budgets.limits[:2] == (
        Limit("*/seeded@*/zh-Hans/*/keyword/none/R@5", 0.9, None, "error", "", f"{place}:3"),
        Limit(
            "*/seeded@1k/all/*/hybrid/none/nDCG@10",
            0.85,
            None,
            "warn",
            "tightened once the reranker lands",
            f"{place}:5",
        ),
    )
    assert (budgets.limits[2].minimum, budgets.limits[2].maximum) == (None, 250)
    assert budgets.contrasts[0] == Contrast(
        "difference",
        "reference/seeded@1k/memory/cpu-hash/vector/none/R@5",
        "reference/seeded@1k/memory/cpu-hash/vector/embedder-raises/R@5",
        0.15,
        None,
        "error",
        "",
        f"{place}:15",
    )
    assert budgets.contrasts[2].kind == "ratio"
    assert budgets.contrasts[2].partner.startswith("exact-cosine/")
    assert budgets.waivers == (
        Waiver("*/seeded@*/th/*/*/*/*", "2027-03-31", "no Thai segmentation yet", f"{place}:28"),
    )


def test_the_package_that_a_limit_rests_on_is_read() -> None:
    (limit,) = read_budgets(EXAMPLES / "good" / "optional_package.yml").limits
    assert (limit.minimum, limit.needs_package) == (0.8, "opencc")


def test_mrr_is_read_as_rr_on_both_sides_of_a_contrast() -> None:
    contrast = read_budgets(EXAMPLES / "good" / "everything.yml").contrasts[1]
    assert contrast.of.endswith("/RR@10")
    assert contrast.partner.endswith("/RR@10")


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("a/b@c/all/d/keyword/none/MRR@10", "a/b@c/all/d/keyword/none/RR@10"),
        ("a/b@c/all/d/keyword/none/MRR", "a/b@c/all/d/keyword/none/RR"),
        ("a/b@c/all/d/keyword/none/MRR@*", "a/b@c/all/d/keyword/none/RR@*"),
        ("a/b@c/all/d/keyword/none/R@5", "a/b@c/all/d/keyword/none/R@5"),
        ("a/b@c/all/d/keyword/none/*", "a/b@c/all/d/keyword/none/*"),
        ("a/b@c/all/d/keyword/none/Unknown", "a/b@c/all/d/keyword/none/Unknown"),
    ],
)
def test_measures_stand_in_cells_as_they_print(written: str, read: str) -> None:
    assert canonical_cell(written) == read


def test_a_budget_that_is_switched_off_is_checked_and_not_applied(tmp_path: Path) -> None:
    assert read_budgets(EXAMPLES / "good" / "switched_off.yml").limits == ()
    entry = 'schema: 1\nbudgets:\n  - {cell: "*/*/all/*/keyword/none/Rekall@5", min: 0.5, level: off}\n'
    assert "no measure is called 'Rekall'" in str(refused(written(tmp_path, entry)))


def test_every_problem_comes_at_once_and_a_broken_entry_hides_no_other(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        "budgets:\n"
        "  - {cell: x, min: 0.5}\n"
        '  - {cell: "*/*/all/*/keyword/none/R@5", mn: 1}\n'
        '  - {cell: "*/*/all/*/keyword/none/R@5", min: 20, max: 10}\n'
        "waivers:\n"
        '  - {cell: "*/*/*/*/*/*/*", until: 2027-02-30, reason: never}\n'
        "waiver: []\n",
    )
    assert [str(problem).removeprefix(f"{path}:").split(" (")[0] for problem in refused(path).problems] == [
        "1: the file: 'schema' is missing",
        "2: 'x' has 1 part, a cell has 7",
        "3: unknown key 'mn'",
        "4: 'min' is 20, but this measure runs from 0 to 1",
        "4: 'max' is 10, but this measure runs from 0 to 1",
        "4: 'min'",
        "6: '2027-02-30' is not a day",
        "7: unknown key 'waiver'",
    ]


def test_aliases_give_the_same_cell_to_several_budgets(tmp_path: Path) -> None:
    text = (
        'schema: 1\nbudgets:\n  - {cell: &cell "*/*/all/*/keyword/none/R@5", min: 0.5}\n'
        "  - {cell: *cell, min: 0.7, level: warn}\n"
    )
    path = written(tmp_path, text)
    assert [(limit.cell, limit.minimum, limit.where) for limit in read_budgets(path).limits] == [
        ("*/*/all/*/keyword/none/R@5", 0.5, f"{path}:3"),
        ("*/*/all/*/keyword/none/R@5", 0.7, f"{path}:4"),
    ]


@pytest.mark.parametrize(
    ("glob", "speaks"),
    [
        ("reference/seeded@1k/zh-Hans/cpu-hash/keyword/none/R@5", True),
        ("*/*/*/*/*/*/*", True),
        ("*/seeded@*/zh-*/*/keyword/none/R@5", True),
        ("ref?rence/[st]eeded@1k/zh-Hans/cpu-hash/keyword/none/R@[0-9]", True),
        ("*/seeded@*/zh-*/*/keyword/none/R@10", False),
        ("*/seeded@10k/*/*/*/*/*", False),
        ("*/seeded/*/*/*/*/*", False),
        ("*/seeded@1k/zh/*/*/*/*", False),
        ("*/seeded@1k/ZH-Hans/*/*/*/*", False),
        ("*/seeded@1k/zh-Hans/*/*/*", False),
        ("*", False),
        ("*/*/*/*/*/*/*/*", False),
        ("reference*R@5", False),
        ("*/seeded@1k/z[!h]-Hans/*/*/*/*", False),
        ("*/seeded@1k/zh.Hans/*/*/*/*", False),
    ],
)
def test_globs_hold_within_a_part(glob: str, speaks: bool) -> None:
    assert matches(glob, CELL) is speaks
    assert matching(glob, [CELL]) == ([CELL] if speaks else [])


def test_cells_are_matched_in_the_order_given() -> None:
    cells = [CellKey("a", "b", "c", name, "d", "keyword", "none", "R@5") for name in ("z", "a", "m")]
    assert matching("*/*/*/*/*/*/*", cells) == cells


def test_a_partner_takes_from_the_cell_what_its_globs_stand_for() -> None:
    contrast = Contrast(
        "difference", "*/seeded@*/zh-*/*/hybrid/none/R@5", "*/seeded@*/zh-*/*/keyword/none/R@5", 0, None
    )
    cell = CellKey("reference", "seeded", "1k", "zh-Hans", "cpu-hash", "hybrid", "none", "R@5")
    assert partner_of(contrast, cell) == "reference/seeded@1k/zh-Hans/cpu-hash/keyword/none/R@5"


def test_what_stands_in_a_cell_is_only_looked_up_by_the_plan() -> None:
    assert list(cell_problems("mystore/mine@huge/slang/tpu/keyword/disk-full/R@5", "")) == []
    assert len(list(cell_problems("/seeded/all/cpu-hash/keyword/none/Rekall@5", ""))) == 3


@pytest.mark.parametrize("path", sorted(data_path("budgets").glob("*.yml")), ids=lambda path: path.stem)
def test_the_shipped_budgets_can_be_used(path: Path) -> None:
    assert read_budgets(path).limits
