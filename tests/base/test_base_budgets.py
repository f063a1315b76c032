from __future__ import annotations

from pathlib import Path

import pytest
from commits import Commits, loosened, only, silent

SETTINGS = "schema: 1\ncorpora: [seeded@smoke, seeded@1k]\nbudgets: budgets.yml\n"
CELL = "reference/seeded@*/all/*/hybrid/none/R@5"


def rule(cell: str = CELL, bound: str = "min: 0.9", more: str = "") -> str:
    return f'  - cell: "{cell}"\n    {bound}\n{more}'


def contrast(
    bound: str = "min: 0.15", *, kind: str = "difference", of: str = "vector/none", minus: str = "keyword/none"
) -> str:
    sides = [f"reference/seeded@*/memory/*/{side}/R@5" for side in (of, minus)]
    key = "minus" if kind == "difference" else "over"
    return f'  - contrast: {kind}\n    of: "{sides[0]}"\n    {key}: "{sides[1]}"\n    {bound}\n'


def waiver(cell: str = "*/seeded@*/zh-Hans/*/vector/*/*", until: str = "2027-03-31") -> str:
    return f'waivers:\n  - cell: "{cell}"\n    until: {until}\n    reason: no embedder of many languages yet\n'


def file(*rules: str, waivers: str = "") -> str:
    return "schema: 1\nbudgets:\n" + "".join(rules) + waivers if rules else f"schema: 1\n{waivers}"


def held(folder: Path, before: str, after: str) -> dict[str, str]:
    commits = Commits(folder / "project")
    commits.commit({"gate.yml": SETTINGS, "budgets.yml": before})
    commits.write({"budgets.yml": after})
    return loosened(commits.against())


LOOSER = {
    "a floor lowered": (file(rule()), file(rule(bound="min: 0.8")), "the floor was 0.900 and is 0.800, on 2 cells"),
    "a ceiling raised": (
        file(rule(bound="max: 0.1")),
        file(rule(bound="max: 0.2")),
        "the ceiling was 0.100 and is 0.200",
    ),
    "a budget removed": (file(rule()), file(), "the floor of 0.900 is gone, on 2 cells"),
    "a budget switched off": (file(rule()), file(rule(more="    level: off\n")), "the floor of 0.900 is gone"),
    "a budget that only warns": (
        file(rule()),
        file(rule(more="    level: warn\n")),
        "the floor of 0.900 only warns now",
    ),
    "a budget that rests on a package": (
        file(rule()),
        file(rule(more="    needs_package: opencc\n")),
        "the floor of 0.900 is gone",
    ),
    "a warning lowered": (
        file(rule(more="    level: warn\n")),
        file(rule(bound="min: 0.8", more="    level: warn\n")),
        "the floor was 0.900 and is 0.800",
    ),
    "a glob narrowed to one tier": (
        file(rule()),
        file(rule(CELL.replace("@*", "@1k"))),
        "on 1 cell, reference/seeded@smoke/all/cpu-hash/hybrid/none/R@5 first",
    ),
    "the tighter of two removed": (
        file(rule(), rule("*/*/*/*/*/none/R@5", "min: 0.5")),
        file(rule("*/*/*/*/*/none/R@5", "min: 0.5")),
        "the floor was 0.900 and is 0.500",
    ),
    "a control's budget removed": (
        file(rule(), rule("whole-words/seeded@*/zh-Hans/*/keyword/none/R@5", "max: 0.3")),
        file(rule()),
        "the ceiling of 0.300 is gone",
    ),
    "a contrast lowered": (file(contrast()), file(contrast("min: 0.05")), "the floor of the difference to"),
    "a contrast removed": (file(contrast(), rule()), file(rule()), "is gone, on 2 cells"),
    "a contrast with another partner": (
        file(contrast()),
        file(contrast(minus="vector/embedder-nan")),
        "is gone, on 2 cells",
    ),
    "a ratio that was a difference": (
        file(contrast()),
        file(contrast(kind="ratio")),
        "is gone, on 2 cells",
    ),
    "a waiver added": (
        file(rule()),
        file(rule(), waivers=waiver()),
        "this waiver excuses",
    ),
    "a waiver of a probe added": (
        file(rule()),
        file(rule(), waivers=waiver("*/probes@*/*/*/vector/probe/k-prefix")),
        "excuses 1 cell until 2027-03-31, reference/probes@fast/paging/cpu-hash/vector/probe/k-prefix first",
    ),
    "a waiver extended": (
        file(rule(), waivers=waiver()),
        file(rule(), waivers=waiver(until="2027-12-31")),
        "the base excused them until 2027-03-31",
    ),
    "a waiver widened": (
        file(rule(), waivers=waiver()),
        file(rule(), waivers=waiver("*/seeded@*/zh-Hans/*/*/*/*")),
        "until 2027-03-31",
    ),
    "a waiver that had run out renewed": (
        file(rule(), waivers=waiver(until="2026-11-30")),
        file(rule(), waivers=waiver(until="2026-12-01")),
        "the base excused them until 2026-11-30",
    ),
}


@pytest.mark.parametrize("case", LOOSER.values(), ids=LOOSER)
def test_whatever_a_budget_file_asks_less_of_is_loosened(tmp_path: Path, case: tuple[str, str, str]) -> None:
    before, after, says = case
    (said,) = held(tmp_path, before, after).values()
    assert says in said


@pytest.mark.parametrize(
    "case", [case for name, case in LOOSER.items() if "partner" not in name and "ratio" not in name]
)
def test_the_same_change_the_other_way_round_is_silent(tmp_path: Path, case: tuple[str, str, str]) -> None:
    before, after, _ = case
    assert held(tmp_path, after, before) == {}


SAME = {
    "comments, order and reasons": (
        file(rule(), contrast(), waivers=waiver()),
        "# moved\n" + file(contrast(), rule(more="    reason: as agreed\n"), waivers=waiver()),
    ),
    "one glob as two": (
        file(rule()),
        file(rule(CELL.replace("@*", "@1k")), rule(CELL.replace("@*", "@smoke"))),
    ),
    "a list of modes for all that there are": (
        file(rule(CELL.replace("hybrid", "*"))),
        file(*(rule(CELL.replace("hybrid", mode)) for mode in ("keyword", "vector", "hybrid"))),
    ),
    "a budget that another one makes needless": (
        file(rule(), rule(bound="min: 0.5")),
        file(rule()),
    ),
    "a budget on nothing": (file(rule(), rule(CELL.replace("all", "nowhere"))), file(rule())),
    "a waiver that has run out": (file(rule()), file(rule(), waivers=waiver(until="2026-11-30"))),
    "a waiver on nothing": (file(rule()), file(rule(), waivers=waiver("*/nowhere@1k/*/*/*/*/*"))),
    "a waiver for fewer": (
        file(rule(), waivers=waiver("*/seeded@*/zh-Hans/*/*/*/*")),
        file(rule(), waivers=waiver()),
    ),
}


@pytest.mark.parametrize("case", SAME.values(), ids=SAME)
def test_a_budget_file_that_says_the_same_otherwise_is_silent(tmp_path: Path, case: tuple[str, str]) -> None:
    assert held(tmp_path, *case) == {}


def test_a_lowered_floor_shows_both_bounds_and_the_line_of_the_new_one(tmp_path: Path) -> None:
    commits = Commits(tmp_path / "project")
    commits.commit({"gate.yml": SETTINGS, "budgets.yml": file(rule())})
    commits.write({"budgets.yml": f"# lower\n{file(rule(bound='min: 0.8'))}"})
    check = only(commits.against())
    assert (check.check_id, check.cell) == (f"base budget {CELL} >=", CELL)
    assert (check.operator, check.expected, check.actual) == (">=", 0.9, 0.8)
    assert check.where == f"{commits.folder}/budgets.yml:4"


def test_a_removed_budget_shows_the_line_of_the_base(tmp_path: Path) -> None:
    commits = Commits(tmp_path / "project")
    base = commits.commit({"gate.yml": SETTINGS, "budgets.yml": file(rule())})
    commits.write({"budgets.yml": "schema: 1\n"})
    check = only(commits.against())
    assert (check.expected, check.actual) == (None, None)
    assert check.where == f"{base[:10]}:budgets.yml:3"


def test_a_budget_file_named_no_more_is_one_loosening(tmp_path: Path) -> None:
    commits = Commits(tmp_path / "project")
    base = commits.commit({"gate.yml": SETTINGS, "budgets.yml": file(rule(), contrast())})
    commits.write({"gate.yml": SETTINGS.replace("budgets: budgets.yml\n", "")})
    assert loosened(commits.against()) == {
        "budgets": f"no budget file is named any more: 2 budgets of {base[:10]}:budgets.yml hold no more"
    }


def test_a_budget_file_that_moved_is_silent(tmp_path: Path) -> None:
    commits = Commits(tmp_path / "project")
    commits.commit({"gate.yml": SETTINGS, "budgets.yml": file(rule())})
    (commits.folder / "budgets.yml").unlink()
    commits.write({"gate.yml": SETTINGS.replace("budgets.yml", "limits/all.yml"), "limits/all.yml": file(rule())})
    assert silent(commits.against())


def test_what_is_gone_is_told_once_and_not_again_with_its_budgets(tmp_path: Path) -> None:
    commits = Commits(tmp_path / "project")
    commits.commit({"gate.yml": SETTINGS, "budgets.yml": file(rule(), rule(CELL.replace("all", "memory")))})
    commits.write({"gate.yml": f'{SETTINGS}slices: ["!memory"]\n', "budgets.yml": file(rule())})
    assert list(loosened(commits.against())) == ["slice memory"]


def test_a_budget_that_left_with_a_mode_that_the_store_does_not_declare_is_loosened(tmp_path: Path) -> None:
    commits = Commits(tmp_path / "project")
    commits.commit({"gate.yml": SETTINGS, "budgets.yml": file(rule(), rule(CELL.replace("hybrid", "vector")))})
    commits.write({"budgets.yml": file(rule())})
    (said,) = loosened(commits.against(modes={"keyword", "hybrid"})).values()
    assert "with a mode that the store does not declare" in said
    commits.write({"budgets.yml": file(rule(), rule(CELL.replace("hybrid", "vector")))})
    assert silent(commits.against(modes={"keyword", "hybrid"}))


def test_a_new_slice_may_come_with_a_waiver_of_its_own(tmp_path: Path) -> None:
    commits = Commits(tmp_path / "project")
    commits.commit({"gate.yml": f'{SETTINGS}slices: ["!zh-Hans"]\n', "budgets.yml": file(rule())})
    commits.write({"gate.yml": SETTINGS, "budgets.yml": file(rule(), waivers=waiver())})
    assert silent(commits.against())


def test_what_is_accepted_shows_who_accepted_it_and_every_sentence(tmp_path: Path) -> None:
    commits = Commits(tmp_path / "project")
    commits.commit({"gate.yml": SETTINGS, "budgets.yml": file(rule(), waivers=waiver())})
    commits.write({"budgets.yml": file(rule(bound="min: 0.8"), waivers=waiver(until="2027-12-31"))})
    against = commits.against(accept=True)
    assert [check.status for check in against.checks] == ["waived", "waived"]
    assert all(check.message.endswith("; accepted by --accept-loosened") for check in against.checks)
    assert sum("the floor was 0.900 and is 0.800" in note for note in against.notes) == 1
