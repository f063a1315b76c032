from __future__ import annotations

import json
from pathlib import Path

import pytest
from builders import run_of
from commits import Commits, baseline_file, loosened, silent

from gate.base.renames import digest_under
from gate.corpus import load_corpus
from gate.corpus.digest import CorpusDigest
from gate.records import Corpus, RunKey

SETTINGS = 'schema: 1\ncorpora: ["beir:notes"]\nmodes: [keyword]\nbudgets: budgets.yml\n'
KEYWORD = RunKey("reference", "notes", "full", "cpu-hash", "keyword")
ANSWERS = {"q0": ["d0"], "q1": ["d1"]}


def budgets(part: str, floor: float = 0.9) -> str:
    return f'schema: 1\nbudgets:\n  - cell: "*/notes@full/{part}/*/keyword/none/R@5"\n    min: {floor}\n'


def notes(part: str, *, text: str = "where is it", document: str = "here") -> dict[str, str]:
    """A corpus of two topics, one of them in a slice."""
    asked = [{"_id": "q0", "text": "what"}, {"_id": "q1", "text": text, "metadata": {"slices": [part]}}]
    stored = [{"_id": "d0", "text": document}, {"_id": "d1", "text": "there"}]
    return {
        "notes/corpus.jsonl": "".join(json.dumps(one) + "\n" for one in stored),
        "notes/queries.jsonl": "".join(json.dumps(one) + "\n" for one in asked),
        "notes/qrels/test.tsv": "query-id\tcorpus-id\tscore\nq0\td0\t1\nq1\td1\t1\n",
    }


class Renamed:
    """A base with the slice `old`, and the same project afterwards."""

    def __init__(self, folder: Path) -> None:
        self.commits = Commits(folder / "project")
        self.commits.write({"gate.yml": SETTINGS, "budgets.yml": budgets("old"), **notes("old")})
        self.commits.commit(self.baseline("old"))

    def corpus(self) -> Corpus:
        return load_corpus(f"beir:{self.commits.folder / 'notes'}")

    def baseline(self, part: str, score: float = 1.0) -> dict[str, str]:
        corpus = self.corpus()
        scores = {"all/keyword/none/R@5": 1.0, f"{part}/keyword/none/R@5": score}
        return baseline_file([run_of(ANSWERS, KEYWORD)], corpus, scores, digest=digest_under(corpus, {}))

    def found(self, renames: str = "", score: float = 1.0, floor: float = 0.9, **changed: str) -> dict[str, str]:
        """What fails once the slice is called `new`, and whatever else changed."""
        self.commits.write({"gate.yml": SETTINGS + renames, "budgets.yml": budgets("new", floor)})
        self.commits.write(notes("new", **changed))
        self.commits.write(self.baseline("new", score))
        return loosened(self.commits.against())


RENAMES = "renames: {old: new}\n"


@pytest.fixture
def renamed(tmp_path: Path) -> Renamed:
    return Renamed(tmp_path)


def test_a_renamed_slice_that_no_setting_names_is_gone(renamed: Renamed) -> None:
    assert {name.split()[0] for name in renamed.found()} == {"slice", "corpus"}


def test_a_renamed_slice_with_the_same_topics_and_judgements_is_silent(renamed: Renamed) -> None:
    assert renamed.found(renames=RENAMES) == {}
    assert silent(renamed.commits.against())


def test_a_loss_under_the_new_name_is_seen(renamed: Renamed) -> None:
    assert renamed.found(renames=RENAMES, score=0.5) == {
        "baseline reference/notes@full/new/cpu-hash/keyword/none/R@5": "the baseline accepts 0.500, the base had 1.000"
    }


def test_a_budget_lowered_under_the_new_name_is_seen(renamed: Renamed) -> None:
    (said,) = renamed.found(renames=RENAMES, floor=0.5).values()
    assert "the floor was 0.900 and is 0.500" in said
    assert "reference/notes@full/new/cpu-hash/keyword/none/R@5 first" in said


@pytest.mark.parametrize("changed", [{"text": "where was it"}, {"document": "elsewhere"}])
def test_a_slice_renamed_and_changed_is_gone_and_says_why(renamed: Renamed, changed: dict[str, str]) -> None:
    found = renamed.found(RENAMES, 1.0, 0.9, **changed)
    assert "slice old" in found
    assert "corpus notes@full" in found
    assert found["rename old"] == (
        "new of notes@full is not shown to be the same: under the old names, its topics, judgements and documents"
        " are not those of the base"
    )


def test_a_rename_that_the_base_knows_already_only_warns(renamed: Renamed) -> None:
    renamed.found(renames=RENAMES)
    renamed.commits.commit()
    against = renamed.commits.against()
    assert loosened(against) == {}
    (check,) = [check for check in against.checks if check.status == "fail"]
    assert (check.level, check.check_id) == ("warn", "base rename old: new")


def test_a_rename_to_a_slice_that_is_not_there_fails(renamed: Renamed) -> None:
    found = renamed.found(renames="renames: {old: newer}\n")
    assert found["rename newer"] == "renames: no corpus here has a slice newer"


def test_the_digest_under_the_names_that_a_corpus_has_is_its_own() -> None:
    corpus = load_corpus("seeded@smoke")
    digest = CorpusDigest(corpus)
    for document in corpus.documents():
        digest.add(document)
    assert digest_under(corpus, {}) == digest.hexdigest() == corpus.pinned
    assert digest_under(corpus, {"zh-Hans": "chinese"}) != corpus.pinned
