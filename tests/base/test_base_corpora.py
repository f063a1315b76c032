from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from builders import corpus as small_corpus
from builders import run_of
from commits import Commits, baseline_file, key, loosened, only, silent

from gate.base import extract
from gate.base.repository import Repository
from gate.corpus import recipe
from gate.corpus.recipe import load_recipe, recipe_names, recipes_in
from gate.data import data_path
from gate.errors import UsageError

RECIPE = """schema: 1
name: own
seed: 1
licence: MIT
distractors: {memory: 1}
slices:
  - {name: first, family: memory, says: One right answer to each question., topics: {smoke: 10}}
  - {name: second, family: memory, says: Two right answers to each one., topics: {smoke: 10}, modes: [keyword, vector]}
tiers:
  smoke: {distractors: 1, topics: smoke, pin: {digest: PIN, documents: 9, topics: 10, qrels: 10}}
  1k: {distractors: 5, topics: smoke, pin: {digest: PIN, documents: 9, topics: 10, qrels: 10}}
""".replace("PIN", "a" * 64)
SETTINGS = "schema: 1\ncorpora: [own@smoke]\n"


@pytest.fixture
def commits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Commits:
    """A checkout of the gate itself, as far as its recipes go: they are in the repository that is gated."""
    made = Commits(tmp_path / "project")

    def own_data(*parts: str) -> Path:
        return data_path(*parts) if parts[0] == "schemas" else made.folder.joinpath(*parts)

    for module in (recipe, extract):
        monkeypatch.setattr(module, "data_path", own_data)
    made.commit({"gate.yml": SETTINGS, "corpora/own.yml": RECIPE})
    return made


def after(commits: Commits, old: str, new: str) -> dict[str, str]:
    assert old in RECIPE
    commits.write({"corpora/own.yml": RECIPE.replace(old, new)})
    return loosened(commits.against())


def test_a_recipe_that_is_as_it_was_is_silent(commits: Commits) -> None:
    assert silent(commits.against())
    assert after(commits, "Two right answers", "Two good answers") == {}


def test_a_generator_with_a_new_digest_is_a_changed_corpus(commits: Commits) -> None:
    commits.write({"corpora/own.yml": RECIPE.replace("a" * 64, "b" * 64, 1)})
    check = only(commits.against())
    assert check.message.startswith(
        "loosened: the corpus own@smoke changed: its digest was aaaaaaaaaaaa and is bbbbbbbbbbbb"
    )
    assert check.where == f"{commits.folder}/corpora/own.yml"


def test_a_corpus_that_is_pinned_no_more_is_loosened(commits: Commits) -> None:
    pin = f", pin: {{digest: {'a' * 64}, documents: 9, topics: 10, qrels: 10}}"
    assert list(after(commits, pin, "")) == ["pin own@smoke"]


def test_a_slice_that_the_recipe_makes_no_more_is_loosened_and_one_more_is_not(commits: Commits) -> None:
    (line,) = [line for line in RECIPE.splitlines(keepends=True) if "second" in line]
    assert list(after(commits, line, "")) == ["slice second"]
    assert after(commits, line, line + line.replace("second", "third")) == {}


def test_a_slice_asked_in_fewer_modes_is_loosened(commits: Commits) -> None:
    assert after(commits, "modes: [keyword, vector]", "modes: [keyword]") == {
        "slice second modes": "the slice second is no longer asked in vector"
    }
    assert after(commits, "modes: [keyword, vector]", "modes: [keyword, vector, hybrid]") == {}


def test_a_slice_asked_of_fewer_stores_is_loosened(commits: Commits) -> None:
    assert after(commits, "modes: [keyword, vector]", "modes: [keyword, vector], needs: [delete]") == {
        "slice second needs": "the slice second is now asked only of stores that can delete"
    }


def test_a_tier_that_the_recipe_has_no_more_is_gone_and_the_base_can_still_be_read(commits: Commits) -> None:
    commits.commit({"gate.yml": "schema: 1\ncorpora: [own@smoke, own@1k]\n"})
    commits.write({"gate.yml": SETTINGS, "corpora/own.yml": RECIPE[: RECIPE.index("  1k:")]})
    assert list(loosened(commits.against())) == ["corpus own@1k"]


def test_recipes_of_another_folder_hold_within_their_block_only(tmp_path: Path) -> None:
    (tmp_path / "own.yml").write_text(RECIPE, encoding="utf-8")
    with recipes_in(tmp_path):
        assert recipe_names() == ("own",)
        assert load_recipe("own").seed == 1
    assert "seeded" in recipe_names()
    with pytest.raises(UsageError):
        load_recipe("own")


def test_files_of_a_corpus_given_by_path_that_differ_are_a_changed_corpus(tmp_path: Path) -> None:
    made = Commits(tmp_path / "project")
    made.commit(
        {
            "gate.yml": 'corpora: ["beir:my.notes"]\n',
            "my.notes/corpus.jsonl": '{"_id": "d", "text": "here"}\n',
            "my.notes/queries.jsonl": '{"_id": "q", "text": "where"}\n',
            "my.notes/qrels/test.tsv": "query-id\tcorpus-id\tscore\nq\td\t1\n",
        }
    )
    assert silent(made.against())
    made.write({"my.notes/queries.jsonl": '{"_id": "q", "text": "who"}\n', "my.notes/new.txt": "more\n"})
    check = only(made.against())
    assert check.check_id == "base corpus my-notes@full"
    assert "my.notes/new.txt, my.notes/queries.jsonl differ from the base" in check.message
    assert Repository(made.folder).changed("HEAD", "my.notes/corpus.jsonl") == []


NOTES = {
    "corpus.jsonl": '{"_id": "d", "text": "here"}\n',
    "queries.jsonl": '{"_id": "q", "text": "where"}\n',
    "qrels/test.tsv": "query-id\tcorpus-id\tscore\nq\td\t1\n",
}


def pinned(place: str, digit: str = "a") -> str:
    return f"schema: 1\ncorpora:\n  - seeded@smoke\n  - {{beir: {place}, sha256: {digit * 64}}}\n"


def notes_at(commits: Commits, place: str) -> None:
    commits.write({f"{place}/{name}": text for name, text in NOTES.items()})


@pytest.mark.parametrize("place", ["../ext", "../ext.v1", "ignored", "ignored.v1", "notes", "my.notes"])
def test_a_changed_pin_is_a_changed_corpus_wherever_the_corpus_lies(tmp_path: Path, place: str) -> None:
    made = Commits(tmp_path / "project")
    notes_at(made, place)
    made.commit({"gate.yml": pinned(place), ".gitignore": "ignored*\n"})
    assert silent(made.against())
    made.write({"gate.yml": pinned(place, "b")})
    check = only(made.against())
    label = f"{place.removeprefix('../').replace('.', '-')}@full"
    assert (check.check_id, check.where) == (f"base corpus {label}", f"{made.folder}/gate.yml:4")
    assert check.message == (
        f"loosened: the corpus {label} changed: its digest was aaaaaaaaaaaa and is bbbbbbbbbbbb;"
        " what it asked before is asked no more"
    )


def test_a_pin_that_changes_with_its_files_and_baselines_is_told_once(tmp_path: Path) -> None:
    made = Commits(tmp_path / "project")
    notes_at(made, "notes")
    answered = small_corpus({"q": {"d": 1}})
    run = run_of({"q": ["d"]}, replace(key(), corpus="notes", tier="full"))
    made.commit({"gate.yml": pinned("notes"), **baseline_file([run], answered, {}, digest="a" * 64)})
    assert silent(made.against())
    made.write({"gate.yml": pinned("notes", "b"), "notes/queries.jsonl": '{"_id": "q", "text": "who"}\n'})
    made.write(baseline_file([run], answered, {}, digest="b" * 64))
    assert list(loosened(made.against())) == ["corpus notes@full"]


def test_a_pin_that_goes_is_loosened_once_and_one_that_comes_is_not(tmp_path: Path) -> None:
    made = Commits(tmp_path / "project")
    notes_at(made, "notes")
    made.commit({"gate.yml": pinned("notes")})
    made.write({"gate.yml": 'corpora: [seeded@smoke, "beir:notes"]\n', "notes/new.txt": "more\n"})
    assert loosened(made.against()) == {
        "pin notes@full": (
            "the corpus notes@full was pinned to aaaaaaaaaaaa, and is not any more, so nothing vouches for its bytes"
        )
    }
    made.commit()
    made.write({"gate.yml": pinned("notes")})
    assert silent(made.against())


def test_two_corpora_that_differ_after_the_dot_are_two_on_both_sides(tmp_path: Path) -> None:
    made = Commits(tmp_path / "project")
    places = ("../data.v1", "../data.v2", "ignored.v1", "ignored.v2", "notes.v1", "notes.v2")
    for place in places:
        notes_at(made, place)
    lines = "".join(f"  - {{beir: {place}, sha256: {'a' * 64}}}\n" for place in places)
    made.commit({"gate.yml": f"corpora:\n{lines}", ".gitignore": "ignored*\n"})
    assert silent(made.against())


def test_a_corpus_behind_a_link_is_named_after_what_the_link_leads_to(tmp_path: Path) -> None:
    made = Commits(tmp_path / "project")
    for place in ("notes.v1", "../ext.v1"):
        notes_at(made, place)
    (made.folder / "inner").symlink_to("notes.v1")
    (made.folder / "outer").symlink_to("../ext.v1")
    lines = "".join(f"  - {{beir: {place}, sha256: {'a' * 64}}}\n" for place in ("inner", "outer"))
    made.commit({"gate.yml": f"corpora:\n{lines}"})
    assert silent(made.against())
    made.write({"gate.yml": f"corpora:\n{lines.replace('a' * 64, 'b' * 64)}"})
    assert list(loosened(made.against())) == ["corpus notes-v1@full", "corpus ext-v1@full"]
