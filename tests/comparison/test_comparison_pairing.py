"""What is compared with what: runs, questions and topics that have a counterpart, and every one that has none."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from comparison_builders import found, methodology, results, subject

from gate.comparison.compare import Wanted, compare
from gate.comparison.folder import read_folder
from gate.comparison.pairing import Chosen
from gate.comparison.records import Compared
from gate.errors import UsageError


def compared(a: Path, b: Path, wanted: Wanted | None = None) -> Compared:
    return compare(read_folder(a, "A"), read_folder(b, "B"), wanted or Wanted())


def gaps(made: Compared) -> list[str]:
    return [f"{gap.subject}: {gap.reason}" for gap in made.pairing.gaps]


def test_the_same_run_of_both_sides_is_a_pair(tmp_path: Path) -> None:
    a = results(tmp_path / "a", {"keyword": found(), "vector": found()})
    made = compared(a, results(tmp_path / "b", {"keyword": found(), "vector": found()}))
    assert [str(pair.b.key) for pair in made.pairing.pairs] == [
        "reference/seeded@smoke/cpu-hash/keyword/none",
        "reference/seeded@smoke/cpu-hash/vector/none",
    ]
    assert [len(pair.topics) for pair in made.pairing.pairs] == [30, 30]
    assert (gaps(made), made.verdict.exit_code) == ([], 0)


def test_a_run_on_one_side_only_is_not_measured(tmp_path: Path) -> None:
    a = results(tmp_path / "a", {"keyword": found(), "vector": found()})
    b = results(tmp_path / "b", {"keyword": found(), "hybrid": found()})
    made = compared(a, b)
    assert gaps(made) == [
        "reference/seeded@smoke/cpu-hash/vector/none: only in A",
        "reference/seeded@smoke/cpu-hash/hybrid/none: only in B",
    ]
    assert (made.verdict.verdict, made.verdict.exit_code) == ("NOT_MEASURED", 2)
    assert len(made.differences) == 6, "what has its counterpart is compared all the same"
    assert compared(a, b, Wanted(not_measured="allow")).verdict.exit_code == 0
    assert compared(a, b, Wanted(Chosen(modes=("keyword",)))).verdict.exit_code == 0


def test_gated_stores_of_different_names_are_partners(tmp_path: Path) -> None:
    a = results(tmp_path / "a", {"keyword": found()}, store="old-store")
    made = compared(a, results(tmp_path / "b", {"keyword": found(lost=[0])}, store="new-store"))
    assert made.pairing.pairs[0].a.key.store == "old-store"
    assert made.differences[0].b.store == "new-store"
    assert gaps(made) == []


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"corpus": "0000"}, "corpus is f7da07ee in A and 0000 in B"),
        ({"depth": "50", "embedder": "other"}, "depth is 100 in A and 50 in B"),
        ({"granularity": "chunk"}, "granularity is not given in A and chunk in B"),
    ],
)
def test_another_methodology_is_refused_with_both_values(tmp_path: Path, changed: dict[str, str], says: str) -> None:
    a = results(tmp_path / "a", {"keyword": found()})
    made = compared(a, results(tmp_path / "b", {"keyword": found()}, fields=methodology(**changed)))
    assert gaps(made) == [f"reference on seeded@smoke, cpu-hash: cannot be compared: {says}"]
    assert (made.differences, made.verdict.exit_code) == ((), 2)
    allowed = compared(a, tmp_path / "b", Wanted(not_measured="allow")).verdict
    assert allowed.exit_code == 2, "where nothing at all was compared, nothing passes"


def test_other_judgements_under_the_same_digest_are_refused(tmp_path: Path) -> None:
    a = results(tmp_path / "a", {"keyword": found()})
    b = results(tmp_path / "b", {"keyword": found()})
    qrels = b / "qrels" / "seeded.smoke.qrels"
    qrels.write_text(qrels.read_text(encoding="utf-8").replace("q003 0 d-q003 1", "q003 0 d-q003 2"), encoding="utf-8")
    assert "the grade of d-q003 for topic q003 is 1 in A and 2 in B" in gaps(compared(a, b))[0]


@pytest.mark.parametrize(
    ("what", "says"),
    [
        ("cluster", "the cluster of topic q000 is 'template q000' in A and 'other' in B"),
        ("text", "the text of topic q000 is 'question q000' in A and 'other' in B"),
    ],
)
def test_other_topics_under_the_same_digest_are_refused(tmp_path: Path, what: str, says: str) -> None:
    ours = subject()
    theirs = replace(ours, topics=(replace(ours.topics[0], **{what: "other"}), *ours.topics[1:]))  # type: ignore[arg-type]
    a, b = results(tmp_path / "a", {"keyword": found()}, ours), results(tmp_path / "b", {"keyword": found()}, theirs)
    assert says in gaps(compared(a, b))[0]


def test_topics_on_one_side_only_are_counted_and_named(tmp_path: Path) -> None:
    a = results(tmp_path / "a", {"keyword": found()})
    fewer = {topic: docs for topic, docs in found().items() if topic not in ("q004", "q007")}
    made = compared(a, results(tmp_path / "b", {"keyword": fewer}))
    assert gaps(made) == ["reference/seeded@smoke/cpu-hash/keyword/none: paired on 28 topics; 2 only in A: q004, q007"]
    assert made.pairing.pairs[0].only_a == ("q004", "q007")
    assert [difference.topics for difference in made.differences] == [28, 28, 28, 8, 8, 8]
    assert made.verdict.exit_code == 2


def test_a_topic_without_hits_was_asked_and_found_nothing(tmp_path: Path) -> None:
    a = results(tmp_path / "a", {"keyword": found()})
    made = compared(a, results(tmp_path / "b", {"keyword": {**found(), "q004": []}}))
    assert gaps(made) == []
    assert (made.differences[0].topics, made.differences[0].lost) == (30, 1)


def test_a_slice_on_one_side_only_is_not_measured(tmp_path: Path) -> None:
    a = results(tmp_path / "a", {"keyword": found()})
    b = results(tmp_path / "b", {"keyword": found()}, slices=("all",))
    assert gaps(compared(a, b)) == ["reference/seeded@smoke/cpu-hash/keyword/none first: the slice is only in A"]
    assert compared(a, b, Wanted(Chosen(slices=("all",)))).verdict.exit_code == 0


def test_a_run_that_failed_is_not_measured_with_its_reason(tmp_path: Path) -> None:
    a = results(tmp_path / "a", {"keyword": found(), "vector": "connection refused"})
    made = compared(a, results(tmp_path / "b", {"keyword": found(), "vector": found()}))
    assert gaps(made) == ["reference/seeded@smoke/cpu-hash/vector/none: not measured in A: connection refused"]
    assert made.verdict.exit_code == 2


def test_an_interrupted_run_says_so(tmp_path: Path) -> None:
    a = results(tmp_path / "a", {"keyword": found()})
    b = results(tmp_path / "b", {"keyword": "stopped after 3 topics"}, interrupted=True)
    made = compared(a, b)
    assert "B: this run was interrupted, and not all of it was measured" in made.pairing.notes
    assert "not measured in B: stopped after 3 topics" in gaps(made)[0]
    assert made.verdict.exit_code == 2


def test_a_planted_defect_is_told(tmp_path: Path) -> None:
    a = results(tmp_path / "a", {"keyword": found()})
    made = compared(a, results(tmp_path / "b", {"keyword": found()}, planted="reversed"))
    assert made.pairing.notes == ("B: a defect was planted: reversed",)


def test_a_run_file_that_is_gone_is_not_measured(tmp_path: Path) -> None:
    a, b = results(tmp_path / "a", {"keyword": found()}), results(tmp_path / "b", {"keyword": found()})
    (b / "runs" / "reference.seeded.smoke.cpu-hash.keyword.none.run").unlink()
    assert "runs/reference.seeded.smoke.cpu-hash.keyword.none.run is missing" in gaps(compared(a, b))[0]


@pytest.mark.parametrize(
    ("chosen", "says"),
    [
        (Chosen(modes=("vektor",)), "no mode is called 'vektor'"),
        (Chosen(slices=("frist",)), "no slice is called 'frist'"),
        (Chosen(faults=("embedder-*",)), "no fault is called"),
    ],
)
def test_globs_of_nothing_are_refused(tmp_path: Path, chosen: Chosen, says: str) -> None:
    a = results(tmp_path / "a", {"keyword": found()})
    with pytest.raises(UsageError, match=says):
        compared(a, a, Wanted(chosen))


def test_slices_are_chosen_by_globs(tmp_path: Path) -> None:
    a = results(tmp_path / "a", {"keyword": found()})
    made = compared(a, a, Wanted(Chosen(slices=("!all",))))
    assert {difference.b.slice for difference in made.differences} == {"first"}


@pytest.mark.parametrize("name", ["manifest.json", "topics/seeded.smoke.json", "qrels/seeded.smoke.qrels"])
def test_a_folder_with_a_broken_file_is_refused(tmp_path: Path, name: str) -> None:
    a = results(tmp_path / "a", {"keyword": found()})
    (a / name).write_text("{", encoding="utf-8")
    with pytest.raises(UsageError) as broken:
        read_folder(a, "A")
    assert name in broken.value.where
    (a / name).unlink()
    with pytest.raises(UsageError) as gone:
        read_folder(a, "A")
    assert name in gone.value.where


def test_runs_of_a_control_on_one_side_only_are_a_note(tmp_path: Path) -> None:
    a = read_folder(results(tmp_path / "a", {"keyword": found(), "vector": found()}, store="whole-words"), "A")
    b = read_folder(results(tmp_path / "b", {"keyword": found()}, store="whole-words"), "B")
    made = compare(replace(a, subject="reference"), replace(b, subject="reference"), Wanted())
    assert gaps(made) == []
    assert made.pairing.notes == ("whole-words, a control, has runs only in A: left out",)


def test_a_gated_store_is_no_partner_of_a_control_of_its_name(tmp_path: Path) -> None:
    a = read_folder(results(tmp_path / "a", {"keyword": found()}, store="whole-words"), "A")
    b = read_folder(results(tmp_path / "b", {"keyword": found()}, store="whole-words"), "B")
    made = compare(replace(a, subject="reference"), b, Wanted())
    assert gaps(made) == ["whole-words/seeded@smoke/cpu-hash/keyword/none: only in B"]
    assert made.verdict.exit_code == 2
