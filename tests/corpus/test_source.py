"""What is wrong in a family's data is said with the file that holds it, and with the line."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from conftest import ROOT

from gate.corpus import FAMILIES, _attribute, load_corpus
from gate.corpus.entry import Entry
from gate.corpus.recipe import Recipe, load_recipe, read_family, read_recipe
from gate.corpus.seeded import assemble
from gate.corpus.source import WordLists, add_lines
from gate.errors import Problem, UsageError
from gate.records import Corpus


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The seeded corpus in a folder of its own, where the command is run."""
    shutil.copy(ROOT / "corpora" / "seeded.yml", tmp_path)
    shutil.copytree(ROOT / "corpora" / "seeded", tmp_path / "seeded")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def changed(file: Path, old: str, new: str) -> int:
    """Replaces the first `old` in a file and gives the line, from 1, on which it stood."""
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
    return text[: text.index(old)].count("\n") + 1


def assembled(folder: Path) -> Corpus:
    recipe: Recipe = read_recipe(folder / "seeded.yml")
    families = {name: _attribute(FAMILIES[name])() for name in recipe.families}
    return assemble(recipe, recipe.tier("smoke"), families)


def refused(folder: Path) -> UsageError:
    with pytest.raises(UsageError) as caught:
        assembled(folder)
    return caught.value


def test_a_slice_in_a_file_of_its_own_is_named_by_that_file_and_line(mine: Path) -> None:
    line = changed(mine / "seeded" / "scripts" / "th.yml", "    asks:", "    ask:")
    error = refused(mine)
    assert "'asks' is missing" in error.what
    file, said, keys = error.where.split(":")
    assert file == "seeded/scripts/th.yml"
    assert line - 4 <= int(said) < line, "the line of the template"
    assert keys.startswith(" templates.")


def test_a_family_in_one_file_is_named_by_it(mine: Path) -> None:
    line = changed(mine / "seeded" / "typos.yml", "stemmer:", "stemer:")
    error = refused(mine)
    assert "'stemmer' is missing" in error.what
    assert error.where == "seeded/typos.yml"
    assert line > 0


def test_an_unknown_slice_of_a_family_is_named_by_the_line_of_the_recipe(mine: Path) -> None:
    line = changed(mine / "seeded.yml", "name: references", "name: referenzes")
    changed(mine / "seeded.yml", "scopes, references, deleted", "scopes, referenzes, deleted")
    error = refused(mine)
    assert "makes no slice 'referenzes'" in error.what
    assert error.where.startswith("seeded.yml:") or error.where.startswith(f"{mine}/seeded.yml:")
    assert int(error.where.rpartition(":")[2]) <= line


def test_an_unknown_family_is_named_by_the_line_of_the_recipe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gate.corpus.FAMILIES", {name: FAMILIES[name] for name in FAMILIES if name != "typos"})
    with pytest.raises(UsageError) as caught:
        load_corpus("seeded@smoke")
    recipe = ROOT / "corpora" / "seeded.yml"
    lines = recipe.read_text(encoding="utf-8").splitlines()
    place, _, line = caught.value.where.rpartition(":")
    assert Path(place).name == "seeded.yml"
    assert "name: typos" in lines[int(line) - 1]


def test_data_that_does_not_fit_together_names_the_family_s_file(mine: Path) -> None:
    (mine / "seeded" / "facts.yml").write_text("slices: {facts: {en: {}}}\n", encoding="utf-8")
    assert "seeded/facts.yml" in str(refused(mine))


def test_data_that_was_read_from_no_file_is_named_after_its_family() -> None:
    with pytest.raises(UsageError) as caught:
        Entry.of("typos", {}).at("templates")
    assert caught.value.where == "typos.yml"


def test_a_part_from_a_file_of_its_own_begins_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    part = WordLists({"slots": {"a": ["x"]}}, tmp_path / "scripts" / "th.yml")
    entry = Entry.of("scripts", WordLists({"slices": {"th": part}}, tmp_path / "scripts"))
    assert entry.at("slices").where == "scripts: slices"
    assert entry.at("slices", "th", "slots", "a").where == "scripts/th.yml: slots.a"


def test_lines_are_added_to_every_place_that_names_a_key(tmp_path: Path) -> None:
    file = tmp_path / "mine.yml"
    file.write_text("a:\n  b.c:\n    - x\n    - d: 1\n      e: 2\n", encoding="utf-8")
    places = {
        f"{file}: a": f"{file}:1: a",
        f"{file}: a.b.c": f"{file}:2: a.b.c",
        f"{file}: a.b.c.0": f"{file}:3: a.b.c.0",
        f"{file}: a.b.c.1.e": f"{file}:5: a.b.c.1.e",
        f"{file}: a.b.c.1.gone": f"{file}:4: a.b.c.1.gone",
        f"{file}: gone": f"{file}: gone",
        f"{file}: ": str(file),
        str(file): str(file),
        f"{tmp_path}/gone.yml: a": f"{tmp_path}/gone.yml: a",
        "": "",
    }
    for before, after in places.items():
        error = UsageError("s", "w", where=before, problems=(Problem("p", before),))
        add_lines(error)
        assert (error.where, error.problems[0].where) == (after, after)


def test_every_shipped_family_knows_its_file() -> None:
    recipe = load_recipe("seeded")
    for family in recipe.families:
        data = read_family(recipe, family)
        assert isinstance(data, WordLists)
        assert data.path.exists()
