from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path

import pytest
from commits import BUDGETS, SETTINGS, Commits, loosened, only, silent

from gate.base.asked import FAIL_OPEN, RULES
from gate.errors import UsageError
from gate.settings import FailOpen, Settings

PLAIN = "schema: 1\ncorpora: [seeded@smoke]\n"


def held(folder: Path, before: str, after: str, modes: frozenset[str] | None = None) -> dict[str, str]:
    """What fails when settings change from one text to another."""
    commits = Commits(folder / "project")
    commits.commit({"gate.yml": PLAIN + before})
    commits.write({"gate.yml": PLAIN + after})
    return loosened(commits.against(modes=modes or frozenset({"keyword", "vector", "hybrid", "facts"})))


def test_every_key_of_the_settings_has_a_rule_or_a_reason_why_not() -> None:
    assert RULES.keys() == {field.name for field in fields(Settings)}
    assert FAIL_OPEN.keys() == {field.name for field in fields(FailOpen)}


LOOSER = {
    "baseline: optional": ("", "baseline: optional\n", "baseline optional"),
    "larger units": ("", "granularity: session\n", "granularity"),
    "sessions judged by their best unit": ("", "dedup: true\n", "dedup"),
    "noise declared": ("", "noisy: true\n", "noisy"),
    "probes switched off": ("", "probes: off\n", "probes"),
    "fewer probes": ("probes: full\n", "probes: fast\n", "probes"),
    "depth lowered": ("", "depth: 50\n", "depth"),
    "a mode dropped": ("modes: [keyword, hybrid]\n", "modes: [hybrid]\n", "mode keyword"),
    "modes named that were all": ("", "modes: [keyword, vector, hybrid]\n", "mode facts"),
    "a slice left out": ("", 'slices: ["!zh-Hans"]\n', "slice zh-Hans"),
    "a measure dropped": ("measures: [R@5, RR@10]\n", "measures: [R@5]\n", "measure RR@10"),
    "a fault dropped": ("", 'fail_open: {faults: ["!embedder-nan"]}\n', "fault embedder-nan"),
    "all faults dropped": ("fail_open: {faults: [embedder-nan]}\n", "fail_open: {faults: []}\n", "fault embedder-nan"),
    "within raised": ("", "fail_open: {within: 9}\n", "fail-open within"),
    "floor lowered": ("", "fail_open: {floor: 0.1}\n", "fail-open floor"),
    "agreement lowered": ("", "fail_open: {agreement: 0.1}\n", "fail-open agreement"),
    "a required cell dropped": (
        'require: ["*/seeded@smoke/all/*/rerank/none/R@5"]\n',
        "",
        "require */seeded@smoke/all/*/rerank/none/R@5",
    ),
}


@pytest.mark.parametrize("case", LOOSER.values(), ids=LOOSER)
def test_whatever_settings_ask_for_less_of_is_loosened(tmp_path: Path, case: tuple[str, str, str]) -> None:
    before, after, name = case
    assert list(held(tmp_path, before, after)) == [name]


@pytest.mark.parametrize("case", LOOSER.values(), ids=LOOSER)
def test_the_same_change_the_other_way_round_is_silent(tmp_path: Path, case: tuple[str, str, str]) -> None:
    before, after, _ = case
    assert held(tmp_path, after, before) == {}


SAME = {
    "comments and order": ("depth: 50\nmodes: [keyword]\n", "modes: [keyword]  # the only one\ndepth: 50\n"),
    "a default written out": ("", 'depth: 100\nslices: ["*"]\nbaseline: required\n'),
    "slices by other globs": ('slices: ["mem*", zh-Hans]\n', "slices: [memory, zh-Hans]\n"),
    "another timeout": ("timeout: 5\n", "timeout: 500\n"),
    "another name of a measure": ("measures: [RR@10]\n", "measures: [MRR@10]\n"),
    "cells required by another glob": (
        'require: ["*/seeded@smoke/memory/*/keyword/none/R@5"]\n',
        'require: ["*/seeded@*/*/*/*/*/R@5"]\n',
    ),
}


@pytest.mark.parametrize("case", SAME.values(), ids=SAME)
def test_settings_that_say_the_same_otherwise_are_silent(tmp_path: Path, case: tuple[str, str]) -> None:
    assert held(tmp_path, *case) == {}


def test_modes_of_the_settings_that_the_store_does_not_declare_are_gone_when_no_longer_named(tmp_path: Path) -> None:
    found = held(tmp_path, "modes: [keyword, rerank]\n", "", frozenset({"keyword"}))
    assert found == {"mode rerank": "the mode rerank is declared by the store no more"}


def test_a_corpus_and_its_tiers_gone_are_loosened(tmp_path: Path) -> None:
    commits = Commits(tmp_path / "project")
    commits.commit({"gate.yml": "corpora: [seeded@smoke, seeded@1k]\n"})
    commits.write({"gate.yml": "corpora: [seeded@smoke]\n"})
    assert only(commits.against()).message == "loosened: the corpus seeded@1k is asked for no more"
    commits.write({"gate.yml": "corpora: [seeded@smoke, seeded@1k, seeded@10k]\n"})
    assert silent(commits.against())


def test_a_loosening_names_the_line_of_the_head_or_of_the_base(tmp_path: Path) -> None:
    commits = Commits(tmp_path / "project")
    base = commits.commit({"gate.yml": "schema: 1\nmodes: [keyword, vector]\n"})
    commits.write({"gate.yml": "schema: 1\n\nmodes: [keyword]\n"})
    assert only(commits.against()).where == f"{commits.folder}/gate.yml:3"
    commits.write({"gate.yml": "schema: 1\n"})
    check = only(commits.against(modes={"keyword"}))
    assert check.where == f"{base[:10]}:gate.yml:2"


def test_another_store_is_told_as_a_note(tmp_path: Path) -> None:
    commits = Commits(tmp_path / "project")
    commits.commit({"gate.yml": "store: exact-cosine\n"})
    commits.write({"gate.yml": "store: reference\n"})
    against = commits.against()
    assert silent(against)
    assert "the store is reference, and was exact-cosine in the base" in against.notes


def test_a_first_adoption_loosens_nothing(tmp_path: Path) -> None:
    commits = Commits(tmp_path / "project")
    base = commits.commit({"README.md": "no settings yet\n"})
    commits.write({"gate.yml": f"{SETTINGS}baseline: optional\n", "budgets.yml": BUDGETS})
    against = commits.against()
    assert against.checks == ()
    assert against.notes == (f"the base {base[:10]} has no gate.yml: a first adoption, so nothing is loosened",)


def test_settings_that_moved_are_no_first_adoption(tmp_path: Path) -> None:
    commits = Commits(tmp_path / "project")
    commits.commit({"gate.yml": "depth: 90\n"})
    (commits.folder / "gate.yml").unlink()
    commits.write({"ci/gate.yml": "depth: 10\n"})
    against = commits.against(settings="ci/gate.yml")
    assert list(loosened(against)) == ["depth"]
    assert "the settings of the base stood in gate.yml" in against.notes
    commits.write({"gate.yml": "depth: 90\n"})
    assert commits.against(settings="ci/gate.yml").checks == ()


def test_settings_that_are_gone_are_no_first_adoption(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from commits import TODAY, scope_of_store

    from gate.base.against import against_base
    from gate.plan import Flags, Request
    from gate.records import Budgets
    from gate.settings import find_settings, read_settings

    commits = Commits(tmp_path / "project")
    commits.commit({"gate.yml": "corpora: [seeded@smoke]\nslices: [memory]\n"})
    (commits.folder / "gate.yml").unlink()
    monkeypatch.chdir(commits.folder)
    shipped = replace(read_settings(find_settings(None)), budgets=None)
    request = Request(shipped, Flags(), TODAY, base="HEAD")
    against = against_base(request, Budgets(), scope_of_store(), tmp_path / "scratch", {})
    assert list(loosened(against)) == ["settings"]


def test_a_settings_file_in_a_folder_and_a_linked_one_are_found_in_the_base(tmp_path: Path) -> None:
    commits = Commits(tmp_path / "project")
    commits.commit({"ci/gate.yml": "budgets: limits.yml\n", "ci/limits.yml": BUDGETS})
    (commits.folder / "gate.yml").symlink_to("ci/gate.yml")
    commits.commit()
    commits.write({"ci/limits.yml": BUDGETS.replace("0.90", "0.50")})
    assert len(loosened(commits.against(settings="ci/gate.yml"))) == 1
    assert len(loosened(commits.against(settings="gate.yml"))) == 1


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ({"gate.yml": "dept: 5\n"}, "unknown key 'dept'"),
        ({"gate.yml": "schema: 2\n"}, "schema"),
        ({"gate.yml": "{"}, "not valid YAML"),
        ({"gate.yml": "budgets: none.yml\n"}, "there is no budgets file here"),
        ({"gate.yml": SETTINGS, "budgets.yml": "budgets: 5\n"}, "has to be a list"),
        ({"gate.yml": "corpora: [seeded@2k]\n"}, "has no tier '2k'"),
    ],
)
def test_a_base_that_cannot_be_read_is_not_measured_and_names_its_own_files(
    tmp_path: Path, files: dict[str, str], says: str
) -> None:
    commits = Commits(tmp_path / "project")
    base = commits.commit(files)
    commits.write({"gate.yml": "schema: 1\n"})
    (check,) = commits.against().checks
    assert (check.status, check.level, check.check_id) == ("not measured", "error", "base")
    assert says in check.message
    assert f"{base[:10]}:" in check.message or "2k" in says
    assert str(tmp_path) not in check.message
    accepted = commits.against(accept=True)
    assert [one.status for one in accepted.checks] == ["waived"]
    assert accepted.notes[0].endswith("Accepted by --accept-loosened.")


def test_a_base_that_is_not_utf8_is_not_measured(tmp_path: Path) -> None:
    commits = Commits(tmp_path / "project")
    (commits.folder / "gate.yml").write_bytes(b"store: \xff\n")
    commits.commit()
    commits.write({"gate.yml": "schema: 1\n"})
    (check,) = commits.against().checks
    assert check.status == "not measured"
    assert "not UTF-8" in check.message


def test_a_reference_that_does_not_exist_is_a_usage_error(tmp_path: Path) -> None:
    commits = Commits(tmp_path / "project")
    commits.commit({"gate.yml": "schema: 1\n"})
    for ref in ("no-such-branch", "-x", "f" * 40):
        with pytest.raises(UsageError, match="there is no such commit") as caught:
            commits.against(ref)
        assert caught.value.hint


def test_a_named_base_outside_of_a_repository_is_a_usage_error(tmp_path: Path) -> None:
    plain = Commits(tmp_path / "project", start=False)
    plain.write({"gate.yml": "schema: 1\n"})
    with pytest.raises(UsageError, match="no git repository"):
        plain.against("HEAD")


def test_without_a_flag_or_an_event_there_is_no_base(tmp_path: Path) -> None:
    commits = Commits(tmp_path / "project")
    commits.commit({"gate.yml": "depth: 90\n"})
    commits.write({"gate.yml": "depth: 5\n"})
    assert commits.against("") == type(commits.against(""))()


def test_files_outside_of_the_repository_are_read_as_they_are_now_and_told(tmp_path: Path) -> None:
    (tmp_path / "outside.yml").write_text(BUDGETS, encoding="utf-8")
    commits = Commits(tmp_path / "project")
    commits.commit({"gate.yml": f"budgets: {tmp_path}/outside.yml\nbaselines: ../accepted\n"})
    against = commits.against()
    assert silent(against)
    assert sum("outside of the repository" in note for note in against.notes) == 2
    commits.commit({"gate.yml": "budgets: ../outside.yml\n"})
    commits.write({"gate.yml": "budgets: inside.yml\n", "inside.yml": BUDGETS.replace("0.90", "0.50")})
    assert len(loosened(commits.against())) == 1
