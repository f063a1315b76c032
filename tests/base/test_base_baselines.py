from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from builders import answer, corpus, run_of
from commits import Commits, baseline_file, key, loosened, only, silent

from gate.files import canonical_json
from gate.methodology import methodology_hash

CORPUS = corpus(
    {"q1": {"a": 1}, "q2": {"b": 1}, "q3": {"c": 1}},
    forbidden={"q1": {"old": "superseded"}, "q2": {"other": "other scope"}},
)
SETTINGS = "schema: 1\ncorpora: [seeded@smoke]\nmodes: [keyword, vector]\n"
ANSWERS = {"q1": ["a"], "q2": ["b"], "q3": ["c"]}
SCORES = {"all/keyword/none/R@5": 1.0, "all/keyword/none/FalseRefused": 0.1, "all/vector/none/nDCG@10": 0.5}
BOTH = (run_of(ANSWERS, key("keyword")), run_of(ANSWERS, key("vector")))


@pytest.fixture
def commits(tmp_path: Path) -> Commits:
    made = Commits(tmp_path / "project")
    made.commit({"gate.yml": SETTINGS, **baseline_file(BOTH, CORPUS, SCORES)})
    return made


def after(commits: Commits, files: Mapping[str, str]) -> dict[str, str]:
    commits.write(files)
    return loosened(commits.against(corpora=[CORPUS]))


def scored(**changed: float) -> dict[str, float]:
    names = {
        "recall": "all/keyword/none/R@5",
        "refused": "all/keyword/none/FalseRefused",
        "ndcg": "all/vector/none/nDCG@10",
    }
    return {**SCORES, **{names[name]: value for name, value in changed.items()}}


def test_an_unchanged_baseline_is_silent(commits: Commits) -> None:
    assert silent(commits.against(corpora=[CORPUS]))


def test_a_baseline_regenerated_with_a_loss_is_loosened_cell_by_cell(commits: Commits) -> None:
    commits.write(baseline_file(BOTH, CORPUS, scored(recall=0.9, ndcg=0.6)))
    check = only(commits.against(corpora=[CORPUS]))
    cell = "reference/seeded@smoke/all/cpu-hash/keyword/none/R@5"
    assert (check.check_id, check.cell) == (f"base baseline {cell}", cell)
    assert (check.operator, check.expected, check.actual) == (">=", 1.0, 0.9)
    assert check.message == "loosened: the baseline accepts 0.900, the base had 1.000"
    assert check.where.endswith("baselines/reference/seeded@smoke.cpu-hash.jsonl:1")


def test_a_loss_of_less_than_a_billionth_is_silent_and_one_of_more_is_not(commits: Commits) -> None:
    assert after(commits, baseline_file(BOTH, CORPUS, scored(recall=1 - 1e-10))) == {}
    assert len(after(commits, baseline_file(BOTH, CORPUS, scored(recall=1 - 1e-8)))) == 1


def test_a_measure_of_losses_is_worse_when_it_rises(commits: Commits) -> None:
    assert len(after(commits, baseline_file(BOTH, CORPUS, scored(refused=0.2)))) == 1
    assert after(commits, baseline_file(BOTH, CORPUS, scored(refused=0.0))) == {}


def test_cells_that_are_not_gated_may_go_down(commits: Commits) -> None:
    names = {"all/keyword/none/P@5": 0.5, "all/vector/embedder-raises/R@5": 0.5}
    runs = (*BOTH, run_of(ANSWERS, key("vector", "embedder-raises")))
    commits.commit(baseline_file(runs, CORPUS, {**SCORES, **names}))
    assert after(commits, baseline_file(runs, CORPUS, {**SCORES, **dict.fromkeys(names, 0.1)})) == {}


def test_a_baseline_that_is_gone_is_loosened(commits: Commits) -> None:
    (commits.folder / "baselines/reference/seeded@smoke.cpu-hash.jsonl").unlink()
    base = commits.git("rev-parse", "--short=10", "HEAD")
    check = only(commits.against(corpora=[CORPUS]))
    assert check.message == "loosened: the baseline of reference/seeded@smoke.cpu-hash is gone"
    assert check.where == f"{base}:baselines/reference/seeded@smoke.cpu-hash.jsonl"


def test_baselines_in_another_folder_are_the_ones_that_count(commits: Commits) -> None:
    commits.write({"gate.yml": f"{SETTINGS}baselines: accepted\n"})
    assert list(loosened(commits.against(corpora=[CORPUS]))) == ["baseline reference/seeded@smoke.cpu-hash"]
    assert after(commits, baseline_file(BOTH, CORPUS, SCORES, folder="accepted")) == {}


def test_a_baseline_under_a_new_name_of_the_store_is_loosened(commits: Commits) -> None:
    commits.commit(
        {
            **baseline_file([run_of(ANSWERS, key(store="former"))], CORPUS, SCORES),
            **baseline_file(BOTH, CORPUS, SCORES),
        }
    )
    commits.git("rm", "--quiet", "-r", "baselines/reference")
    commits.commit()
    commits.write(baseline_file(BOTH, CORPUS, SCORES))
    (said,) = loosened(commits.against(corpora=[CORPUS])).values()
    assert said == (
        "nothing reads the baseline of former/seeded@smoke.cpu-hash any more: the store calls itself reference"
    )


def test_the_baseline_of_another_store_beside_our_own_is_nobodys_business(commits: Commits) -> None:
    commits.commit(baseline_file([run_of(ANSWERS, key(store="former"))], CORPUS, SCORES))
    (commits.folder / "baselines/former/seeded@smoke.cpu-hash.jsonl").unlink()
    assert silent(commits.against(corpora=[CORPUS]))


def test_a_store_that_a_flag_puts_in_its_place_takes_no_baseline_away(commits: Commits) -> None:
    commits.commit(baseline_file([run_of(ANSWERS, key(store="former"))], CORPUS, SCORES))
    commits.git("rm", "--quiet", "-r", "baselines/reference")
    commits.commit()
    assert silent(commits.against(corpora=[CORPUS], store="null"))
    assert len(loosened(commits.against(corpora=[CORPUS]))) == 1


def test_a_run_that_is_gone_from_the_baseline_is_loosened(commits: Commits) -> None:
    found = after(commits, baseline_file(BOTH[:1], CORPUS, SCORES))
    assert found == {
        "baseline reference/seeded@smoke.cpu-hash vector/none": (
            "the baseline of reference/seeded@smoke.cpu-hash holds vector/none no more"
        )
    }
    commits.write({"gate.yml": SETTINGS.replace(", vector", "")})
    assert list(loosened(commits.against(corpora=[CORPUS]))) == ["mode vector"]


def test_a_mode_that_the_store_and_its_new_baseline_lack_is_loosened(commits: Commits) -> None:
    """Where the settings name no modes, only the base's baseline knows what the store could do."""
    commits.commit({"gate.yml": SETTINGS.replace("modes: [keyword, vector]\n", "")})
    assert silent(commits.against(modes={"keyword", "vector"}, corpora=[CORPUS]))
    commits.write(baseline_file(BOTH[:1], CORPUS, {n: s for n, s in SCORES.items() if "vector" not in n}))
    found = loosened(commits.against(modes={"keyword"}, corpora=[CORPUS]))
    assert found == {"mode vector": "the mode vector is declared by the store no more"}


def test_topics_that_are_gone_from_the_baseline_are_loosened(commits: Commits) -> None:
    fewer = [run_of({"q2": ["b"], "q3": ["c"]}, run.key) for run in BOTH]
    found = after(commits, baseline_file(fewer, CORPUS, SCORES))
    assert found == {
        "topics reference/seeded@smoke.cpu-hash": (
            "the baseline of reference/seeded@smoke.cpu-hash has lost 1 topic, q1 first"
        )
    }
    more = corpus({**CORPUS.qrels, "q4": {"d": 1}}, forbidden=CORPUS.forbidden)
    answers = {**ANSWERS, "q4": ["d"]}
    assert after(commits, baseline_file([run_of(answers, run.key) for run in BOTH], more, SCORES)) == {}


def test_topics_that_are_gone_from_one_run_are_loosened(commits: Commits) -> None:
    one = (BOTH[0], run_of({"q1": ["a"], "q2": ["b"]}, key("vector")))
    (said,) = after(commits, baseline_file(one, CORPUS, SCORES)).values()
    assert said == "the baseline of reference/seeded@smoke.cpu-hash holds 1 topic less in vector/none, q3 first"


def test_lowered_ranks_below_scores_that_stayed_are_loosened(commits: Commits) -> None:
    """Three topics with one relevant document each, one of them at rank 6 now: R@5 2/3, nDCG@10 (2 + 1/log2(7))/3."""
    lower = (run_of({**ANSWERS, "q1": ["1", "2", "3", "4", "5", "a"]}, key("keyword")), BOTH[1])
    commits.write(baseline_file(lower, CORPUS, SCORES))
    recall, ndcg = [one for one in commits.against(corpora=[CORPUS]).checks if one.status == "fail"]
    cell = "reference/seeded@smoke/all/cpu-hash/keyword/none/R@5"
    assert (recall.check_id, recall.cell, recall.operator) == (f"base baseline {cell}", cell, ">=")
    assert recall.expected == 1.0
    assert recall.actual == pytest.approx(2 / 3)
    assert recall.message == "loosened: the ranks of the baseline give 0.667, those of the base gave 1.000"
    assert recall.where.endswith("baselines/reference/seeded@smoke.cpu-hash.jsonl:1")
    assert ndcg.cell == cell.replace("R@5", "nDCG@10")
    assert ndcg.actual == pytest.approx((2 + 1 / math.log2(7)) / 3)


def test_ranks_that_rise_and_ranks_that_no_gated_measure_sees_are_silent(commits: Commits) -> None:
    second = (run_of({**ANSWERS, "q1": ["x", "a"]}, key("keyword")), BOTH[1])
    commits.commit(baseline_file(second, CORPUS, SCORES))
    assert after(commits, baseline_file(BOTH, CORPUS, SCORES)) == {}
    under = (*BOTH, run_of(ANSWERS, key("vector", "embedder-raises")))
    commits.commit(baseline_file(under, CORPUS, SCORES))
    broken = (*BOTH, run_of({**ANSWERS, "q1": ["x", "a"]}, key("vector", "embedder-raises")))
    assert after(commits, baseline_file(broken, CORPUS, SCORES)) == {}


def test_a_cell_whose_score_and_ranks_went_down_is_told_once(commits: Commits) -> None:
    lower = (run_of({**ANSWERS, "q1": ["x"]}, key("keyword")), BOTH[1])
    found = after(commits, baseline_file(lower, CORPUS, scored(recall=0.5)))
    cell = "baseline reference/seeded@smoke/all/cpu-hash/keyword/none"
    assert found == {
        f"{cell}/R@5": "the baseline accepts 0.500, the base had 1.000",
        f"{cell}/nDCG@10": "the ranks of the baseline give 0.667, those of the base gave 1.000",
    }


def test_ranks_are_held_against_each_other_slice_by_slice(commits: Commits) -> None:
    """What one slice loses and another gains leaves the mean of all as it was. `vector` is no matter of `words`."""
    parted = corpus(CORPUS.qrels, slices={"words": ["q1"], "facts": ["q2"]})
    parted = replace(parted, slices=(replace(parted.slices[0], modes=frozenset({"keyword"})), parted.slices[1]))
    scores = {**SCORES, "words/keyword/none/R@5": 1.0, "facts/keyword/none/R@5": 0.0}
    before, now = ({"q1": ["a"], "q2": ["x"], "q3": ["c"]}, {"q1": ["x"], "q2": ["b"], "q3": ["c"]})
    commits.write({"gate.yml": SETTINGS.replace("seeded@smoke", '"beir:notes"'), "notes/corpus.jsonl": ""})
    parted = replace(parted, name="notes", tier="full")
    runs = [
        [run_of(answers, replace(key(mode), corpus="notes", tier="full")) for mode in ("keyword", "vector")]
        for answers in (before, now)
    ]
    commits.commit(baseline_file(runs[0], parted, scores))
    commits.write(baseline_file(runs[1], parted, scores))
    found = loosened(commits.against(corpora=[parted]))
    assert list(found) == [f"baseline reference/notes@full/words/cpu-hash/keyword/none/{m}" for m in ("R@5", "nDCG@10")]


def test_a_measure_of_losses_is_worse_when_its_ranks_raise_it(commits: Commits) -> None:
    """Refusing what has an answer is a loss: of three topics one is refused."""
    refusing = replace(BOTH[0], results={**BOTH[0].results, "q1": answer(["a"], refused=True)})
    found = after(commits, baseline_file((refusing, BOTH[1]), CORPUS, SCORES))
    assert found == {
        "baseline reference/seeded@smoke/all/cpu-hash/keyword/none/FalseRefused": (
            "the ranks of the baseline give 0.333, those of the base gave 0.000"
        )
    }


def test_ranks_of_other_units_are_not_held_against_each_other(commits: Commits) -> None:
    lower = (run_of({**ANSWERS, "q1": []}, key("keyword")), BOTH[1])
    ((name, text),) = baseline_file(lower, CORPUS, SCORES).items()
    header, _, rest = text.partition("\n")
    told = json.loads(header)
    told["methodology"]["granularity"] = "session"
    told["methodology_hash"] = methodology_hash(told["methodology"])
    assert after(commits, {name: f"{canonical_json(told)}\n{rest}"}) == {}


def test_repeats_that_the_base_had_none_of_are_loosened(commits: Commits) -> None:
    noisy = (replace(BOTH[0], repeats=(BOTH[0].results,)), BOTH[1])
    assert after(commits, baseline_file(noisy, CORPUS, SCORES)) == {
        "repeats reference/seeded@smoke.cpu-hash keyword/none": (
            "the baseline of reference/seeded@smoke.cpu-hash holds repeats of a noisy store in keyword/none,"
            " on 3 topics, where the base had one answer, q1 first"
        )
    }
    commits.commit()
    noisier = (replace(BOTH[0], repeats=(BOTH[0].results,) * 2), BOTH[1])
    assert after(commits, baseline_file(noisier, CORPUS, SCORES)) == {}
    assert after(commits, baseline_file(BOTH, CORPUS, SCORES)) == {}


def test_a_noisy_topic_counts_with_the_mean_of_its_repeats(commits: Commits) -> None:
    """Of two answers to q1 one found its document: 1/2, and with q2 and q3 2.5/3. Both missed: 2/3."""
    found, missed = BOTH[0].results, {**BOTH[0].results, "q1": answer([])}
    one, other, none = (
        replace(BOTH[0], results=first, repeats=(second,))
        for first, second in ((found, missed), (missed, found), (missed, missed))
    )
    commits.commit(baseline_file((one, BOTH[1]), CORPUS, SCORES))
    assert after(commits, baseline_file((other, BOTH[1]), CORPUS, SCORES)) == {}
    said = after(commits, baseline_file((none, BOTH[1]), CORPUS, SCORES))
    assert said["baseline reference/seeded@smoke/all/cpu-hash/keyword/none/R@5"] == (
        "the ranks of the baseline give 0.667, those of the base gave 0.833"
    )


def test_scores_that_are_gone_from_the_baseline_are_loosened(commits: Commits) -> None:
    fewer = {name: score for name, score in SCORES.items() if "vector" not in name}
    (said,) = after(commits, baseline_file(BOTH, CORPUS, fewer)).values()
    assert said == "the baseline of reference/seeded@smoke.cpu-hash has no score of all in vector any more (1 cell)"


def test_a_leak_that_the_new_baseline_accepts_is_loosened_whatever_the_mean_does(commits: Commits) -> None:
    leak = "all/keyword/none/Forbidden@10"
    before = (run_of({**ANSWERS, "q2": ["b", "other"]}, key("keyword")), BOTH[1])
    commits.commit(baseline_file(before, CORPUS, {**SCORES, leak: 0.5}))
    moved = (run_of({**ANSWERS, "q1": ["a", "old"]}, key("keyword")), BOTH[1])
    assert after(commits, baseline_file(moved, CORPUS, {**SCORES, leak: 0.5})) == {
        "leak reference/seeded@smoke.cpu-hash keyword/none": (
            "the baseline accepts a leak in keyword/none, on 1 topic: a forbidden document that the base kept out,"
            " old on topic q1 first"
        )
    }
    assert after(commits, baseline_file(BOTH, CORPUS, {**SCORES, leak: 0.0})) == {}


def test_a_forbidden_document_beyond_the_cutoff_is_no_leak(commits: Commits) -> None:
    deep = [f"x{number}" for number in range(10)]
    moved = (run_of({**ANSWERS, "q1": ["a", *deep[:9], "old"]}, key("keyword")), BOTH[1])
    assert after(commits, baseline_file(moved, CORPUS, SCORES)) == {}
    moved = (run_of({**ANSWERS, "q1": ["a", *deep[:8], "old"]}, key("keyword")), BOTH[1])
    assert len(after(commits, baseline_file(moved, CORPUS, SCORES))) == 1


def test_a_generator_with_a_new_digest_is_a_changed_corpus_and_its_scores_are_not_compared(commits: Commits) -> None:
    found = after(commits, baseline_file(BOTH, CORPUS, scored(recall=0.2), digest="d" * 64))
    assert found == {
        "corpus seeded@smoke": (
            "the corpus seeded@smoke changed: its baselines were made on cccccccccccc, and are on dddddddddddd;"
            " what it asked before is asked no more"
        )
    }


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda text: text.replace('"schema":1', '"schema":9'), "has schema 9"),
        (lambda text: text[: len(text) // 2], "cannot be used"),
        (lambda text: "\0", "not JSON"),
    ],
)
def test_a_baseline_of_the_base_that_cannot_be_read_is_not_measured(
    commits: Commits, change: object, says: str
) -> None:
    assert callable(change)
    ((name, text),) = baseline_file(BOTH, CORPUS, SCORES).items()
    commits.commit({name: change(text)})
    commits.write({name: text})
    (check,) = commits.against(corpora=[CORPUS]).checks
    assert check.status == "not measured"
    assert says in check.message
    assert f":{name}" in check.message


def test_a_linked_folder_of_baselines_is_read(commits: Commits) -> None:
    (commits.folder / "accepted").symlink_to("baselines")
    commits.commit({"gate.yml": f"{SETTINGS}baselines: accepted\n"})
    assert len(after(commits, baseline_file(BOTH, CORPUS, scored(recall=0.5)))) == 1
