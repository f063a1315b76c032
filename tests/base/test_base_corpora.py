from __future__ import annotations

from pathlib import Path

import pytest
from commits import Commits, loosened, only, silent

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
