"""The figures of cells, by hand: two sides, their differences, and what the rule makes of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from comparison_builders import found, methodology, results, subject, topics

from gate.comparison.compare import Wanted, compare
from gate.comparison.folder import read_folder
from gate.comparison.pairing import Chosen
from gate.comparison.records import Compared, Difference
from gate.errors import UsageError
from gate.report.json import from_json


def compared(a: Path, b: Path, wanted: Wanted | None = None) -> Compared:
    return compare(read_folder(a, "A"), read_folder(b, "B"), wanted or Wanted())


def two(folder: Path, wanted: Wanted | None = None, *, number: int = 30, lost: int = 0, gained: int = 0) -> Compared:
    """`lost` topics that only A finds, and `gained` ones that only B finds."""
    asked = subject(number)
    a = results(folder / "a", {"keyword": found(number, lost=range(lost, lost + gained))}, asked)
    return compared(a, results(folder / "b", {"keyword": found(number, lost=range(lost))}, asked), wanted)


def cell(made: Compared, measure: str = "R@5", part: str = "all") -> Difference:
    return next(d for d in made.differences if (d.b.measure, d.b.slice) == (measure, part))


def test_a_folder_compared_with_itself_moved_nowhere(tmp_path: Path) -> None:
    made = two(tmp_path)
    assert {difference.judged.outcome for difference in made.differences} == {"same"}
    assert all(d.judged.p is None and d.interval is None and d.holm is None for d in made.differences)
    assert (made.moved, made.moved_count, made.verdict.exit_code) == ((), 0, 0)


def test_seven_topics_lost_are_worse(tmp_path: Path) -> None:
    made = two(tmp_path, number=100, lost=7)
    found = cell(made)
    assert (found.judged.outcome, found.judged.cause) == ("worse", "significant")
    assert (found.mean_a, found.mean_b) == (1.0, 0.93)
    assert (found.won, found.lost, found.tied) == (0, 7, 93)
    assert made.verdict.exit_code == 1
    assert made.moved_count == 7


def test_six_topics_lost_are_uncertain_and_only_warn(tmp_path: Path) -> None:
    made = two(tmp_path, Wanted(Chosen(slices=("all",)), ("R@5",)), number=100, lost=6)
    assert cell(made).judged.outcome == "uncertain"
    assert made.verdict.exit_code == 0
    strict = two(tmp_path / "x", Wanted(Chosen(slices=("all",)), ("R@5",), fail_on="warn"), number=100, lost=6)
    assert strict.verdict.exit_code == 1


def test_five_of_ten_topics_lost_are_a_collapse(tmp_path: Path) -> None:
    found = cell(two(tmp_path, number=100, lost=5), part="first")
    assert (found.judged.outcome, found.judged.cause, found.topics) == ("worse", "collapse", 10)


def test_all_cells_are_judged_together(tmp_path: Path) -> None:
    # Two measures that move alike count once; the slice of the first ten is another question.
    # Of nine clusters, eight lost and one gained: `all` by itself 10/512; the slice, six lost, 8/512.
    asked = subject(20)
    a = results(tmp_path / "a", {"keyword": found(20, lost=[12])}, asked)
    b = results(tmp_path / "b", {"keyword": found(20, lost=[0, 1, 2, 3, 4, 5, 10, 11])}, asked)
    made = compared(a, b, Wanted(measures=("R@5",)))
    assert [d.judged.p for d in made.differences] == [14 / 512, 8 / 512]
    assert [d.judged.alone for d in made.differences] == [10 / 512, 8 / 512]
    assert [d.holm for d in made.differences] == [16 / 512, 16 / 512]
    assert [d.benjamini_hochberg for d in made.differences] == [10 / 512, 10 / 512]
    assert (made.test.cells, made.test.clusters, made.test.flips) == (2, 9, 512)


def test_mcnemar_and_wilson_stand_where_every_value_is_0_or_1(tmp_path: Path) -> None:
    made = two(tmp_path, number=20, lost=1)
    hit = cell(made)
    assert hit.mcnemar is not None
    assert (hit.mcnemar.lost, hit.mcnemar.gained, hit.mcnemar.one_sided, hit.mcnemar.two_sided) == (1, 0, 0.5, 1.0)
    assert hit.wilson_a == pytest.approx((0.838875, 1.0), abs=1e-6)
    assert hit.wilson_b == pytest.approx((0.763869, 0.991119), abs=1e-6)
    lower = {**found(20), "q000": ["x", "d-q000"]}
    graded = compared(
        results(tmp_path / "c", {"keyword": found(20)}, subject(20)),
        results(tmp_path / "d", {"keyword": lower}, subject(20)),
    )
    assert cell(graded, "nDCG@10").mcnemar is None
    assert cell(graded, "nDCG@10").wilson_b is None
    assert cell(graded, "R@5").judged.outcome == "churned"


def test_the_interval_of_a_difference_is_the_paired_t_interval(tmp_path: Path) -> None:
    # 3 lost of 30: mean -0.1, standard error sqrt(0.09 * 30 / 29 / 30), t(29) at 97.5% 2.0452.
    interval = cell(two(tmp_path, lost=3)).interval
    assert interval == pytest.approx((-0.1 - 2.0452296 * 0.0557086, -0.1 + 2.0452296 * 0.0557086), abs=1e-6)


def test_a_cell_of_few_topics_has_no_interval(tmp_path: Path) -> None:
    made = two(tmp_path, lost=5, number=20)
    assert cell(made, part="first").topics == 10
    assert cell(made, part="first").interval is None
    assert cell(made).interval is not None


def test_topics_of_one_cluster_move_together(tmp_path: Path) -> None:
    asked = subject(100)
    asked = replace(asked, topics=tuple(replace(t, cluster="one template") for t in asked.topics))
    a = results(tmp_path / "a", {"keyword": found(100)}, asked)
    made = compared(a, results(tmp_path / "b", {"keyword": found(100, lost=range(10))}, asked))
    assert (cell(made).judged.outcome, cell(made).judged.p) == ("churned", 0.5)
    assert cell(made).interval is None


def test_a_topic_without_cluster_stands_alone(tmp_path: Path) -> None:
    asked = subject(100)
    asked = replace(asked, topics=tuple(replace(t, cluster="") for t in asked.topics))
    a = results(tmp_path / "a", {"keyword": found(100)}, asked)
    made = compared(a, results(tmp_path / "b", {"keyword": found(100, lost=range(10))}, asked))
    assert cell(made).judged.outcome == "worse"


def test_swapping_the_sides_mirrors_every_cell(tmp_path: Path) -> None:
    asked = subject(60, part=25)
    a = results(tmp_path / "a", {"keyword": found(60, lost=[3, 9, 40]), "vector": found(60)}, asked)
    b = results(tmp_path / "b", {"keyword": found(60, lost=range(20, 44)), "vector": found(60, lost=[1])}, asked)
    there, back = compared(a, b), compared(b, a)
    assert there.test.clusters > 13, "sampled, and not enumerated"
    for one, other in zip(there.differences, back.differences, strict=True):
        assert (one.mean_a, one.mean_b, one.won, one.lost) == (other.mean_b, other.mean_a, other.lost, other.won)
        assert (one.judged.p, one.judged.p_better) == (other.judged.p_better, other.judged.p)
        assert one.judged.mean == -other.judged.mean
        assert (one.two_sided, one.wilson_a, one.wilson_b) == (other.two_sided, other.wilson_b, other.wilson_a)
        if one.interval is not None and other.interval is not None:
            assert one.interval == pytest.approx((-other.interval[1], -other.interval[0]))
    assert there.moved_count == back.moved_count


def test_a_forbidden_document_that_comes_back_is_a_leak(tmp_path: Path) -> None:
    asked = subject(30, forbidden={"q001": {"old": "superseded"}, "q002": {"old": "superseded"}})
    kept_out = {**found(), "q002": ["d-q002", "old"]}
    leaking = {**found(), "q001": ["d-q001", "old"]}
    made = compared(
        results(tmp_path / "a", {"keyword": kept_out}, asked), results(tmp_path / "b", {"keyword": leaking}, asked)
    )
    leak = cell(made, "Forbidden@10")
    assert (leak.judged.outcome, leak.judged.cause, leak.mean_a, leak.mean_b) == ("worse", "leak", 0.5, 0.5)
    assert (leak.won, leak.lost) == (1, 1)
    assert made.verdict.exit_code == 1
    check = next(check for check in made.verdict.checks if check.cell == str(leak.b))
    assert [(move.topic_id, [doc.doc_id for doc in move.moved]) for move in check.moves] == [("q001", ["old"])]


def test_one_forbidden_document_in_place_of_another_is_a_leak(tmp_path: Path) -> None:
    asked = subject(30, forbidden={"q001": {"old": "superseded", "older": "superseded"}})
    a = results(tmp_path / "a", {"keyword": {**found(), "q001": ["d-q001", "old"]}}, asked)
    made = compared(a, results(tmp_path / "b", {"keyword": {**found(), "q001": ["d-q001", "older"]}}, asked))
    assert cell(made, "Forbidden@10").judged.cause == "leak"
    assert made.verdict.exit_code == 1


def test_leaks_are_counted_and_not_tested(tmp_path: Path) -> None:
    asked = subject(30, forbidden={"q001": {"old": "superseded"}})
    a = results(tmp_path / "a", {"keyword": {**found(lost=[3]), "q001": ["d-q001", "old"]}}, asked)
    made = compared(a, results(tmp_path / "b", {"keyword": found()}, asked))
    assert cell(made, "Forbidden@10").judged.p is None
    assert made.test.cells == 6, "R@5, nDCG@10 and FalseRefused of two slices"


def test_what_is_forbidden_and_stays_is_no_leak(tmp_path: Path) -> None:
    asked = subject(30, forbidden={"q001": {"old": "superseded"}})
    leaking = {**found(), "q001": ["d-q001", "old"]}
    a = results(tmp_path / "a", {"keyword": leaking}, asked)
    assert compared(a, results(tmp_path / "b", {"keyword": leaking}, asked)).verdict.exit_code == 0
    assert compared(a, results(tmp_path / "c", {"keyword": found()}, asked)).verdict.exit_code == 0


def test_refusals_are_compared_too_and_less_is_better(tmp_path: Path) -> None:
    asked = subject(100)
    a = results(tmp_path / "a", {"keyword": found(100)}, asked)
    b = results(tmp_path / "b", {"keyword": found(100)}, asked, refused=topics(8))
    made = compared(a, b, Wanted(measures=("FalseRefused",)))
    refused = cell(made, "FalseRefused")
    assert (refused.mean_a, refused.mean_b, refused.judged.mean) == (0.0, 0.08, -0.08)
    assert (refused.judged.outcome, refused.lost) == ("worse", 8)
    assert refused.interval is not None
    assert refused.interval[0] > 0, "the interval is in the direction of the measure"


def test_measures_are_those_of_the_settings_where_all_are_asked_for(tmp_path: Path) -> None:
    made = two(tmp_path, Wanted(measures=("all",)), lost=1)
    assert {difference.b.measure for difference in made.differences} == {"R@5", "nDCG@10", "FalseRefused"}
    made = two(tmp_path / "x", Wanted(measures=("MRR@10", "Hit@1")), lost=1)
    assert {difference.b.measure for difference in made.differences} == {"RR@10", "Hit@1"}


@pytest.mark.parametrize(
    ("measure", "says"),
    [("latency-p50", "no value for a topic"), ("R@200", "further down"), ("Recall@5", "no measure is called")],
)
def test_measures_that_cannot_be_compared_are_refused(tmp_path: Path, measure: str, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        two(tmp_path, Wanted(measures=(measure,)))


def shallow(folder: Path, wanted: Wanted, *, forbids: bool = True) -> Compared:
    """Two runs that were asked for five hits."""
    asked = subject(30, forbidden={"q001": {"old": "superseded"}} if forbids else None)
    a, b = (results(folder / name, {"keyword": found()}, asked, fields=methodology(depth="5")) for name in "ab")
    return compared(a, b, wanted)


def test_measures_deeper_than_the_runs_are_told_and_a_lost_check_of_leaks_is_a_gap(tmp_path: Path) -> None:
    made = shallow(tmp_path, Wanted())
    assert {d.b.measure for d in made.differences} == {"R@5", "FalseRefused"}
    note = "left out, further down than the 5 hits that these runs were asked for: nDCG@10, Forbidden@10"
    assert note in made.pairing.notes
    assert [gap.subject for gap in made.pairing.gaps] == ["Forbidden@10"]
    assert made.verdict.exit_code == 2
    assert shallow(tmp_path / "x", Wanted(not_measured="allow")).verdict.exit_code == 0


def test_a_check_of_leaks_that_runs_are_deep_enough_for_leaves_no_gap(tmp_path: Path) -> None:
    named = shallow(tmp_path, Wanted(measures=("Forbidden@5",)))
    assert (named.pairing.gaps, named.verdict.exit_code) == ((), 0)
    nothing_forbidden = shallow(tmp_path / "x", Wanted(), forbids=False)
    assert (nothing_forbidden.pairing.gaps, nothing_forbidden.verdict.exit_code) == ((), 0)


def test_equivalence_is_tested_where_something_moved_only(tmp_path: Path) -> None:
    margin = Wanted(margin=0.02, measures=("R@5",))
    shown = cell(two(tmp_path, margin, number=300, lost=3, gained=3))
    assert shown.tost is not None
    assert shown.equivalence == "equivalent"
    assert shown.tost.p == pytest.approx(0.00752285, abs=1e-6)
    other = cell(two(tmp_path / "x", margin, number=400, lost=8, gained=4))
    assert other.tost is not None
    assert other.equivalence == "not shown to be equivalent"
    assert other.tost.p == pytest.approx(0.124353, abs=1e-6)
    same = cell(two(tmp_path / "y", margin))
    assert (same.equivalence, same.tost) == ("identical on 30 topics", None)
    everything = cell(two(tmp_path / "z", margin, number=30, lost=30))
    assert everything.tost is None
    lower = {t: ["x", docs[0]] for t, docs in found().items()}
    a = results(tmp_path / "m", {"keyword": found()})
    moved = cell(compared(a, results(tmp_path / "n", {"keyword": lower}), margin))
    assert (moved.equivalence, moved.tost) == ("ranks moved, and no value on 30 topics", None)


def test_ranks_that_move_below_every_cutoff_are_churn(tmp_path: Path) -> None:
    deep = {t: [f"x{n}" for n in range(20)] + [f"d-{t}"] for t in topics(30)}
    deeper = {**deep, "q000": [f"x{n}" for n in range(21)] + ["d-q000"]}
    a = results(tmp_path / "a", {"keyword": deep})
    made = compared(a, results(tmp_path / "b", {"keyword": deeper}))
    assert cell(made).judged.outcome == "churned"
    assert (made.moved_count, made.moved[0].values) == (1, {})
    assert [(doc.before, doc.after) for doc in made.moved[0].move.moved] == [(21, 22)]


def test_documents_that_nobody_judged_are_counted_where_only_they_moved(tmp_path: Path) -> None:
    other = {**found(), "q005": ["d-q005", "z"]}
    a = results(tmp_path / "a", {"keyword": found()})
    made = compared(a, results(tmp_path / "b", {"keyword": other}))
    assert list(made.unjudged.values()) == [1]
    assert {difference.judged.outcome for difference in made.differences} == {"same"}


def test_topics_that_moved_are_listed_once_the_largest_loss_first_and_counted(tmp_path: Path) -> None:
    made = two(tmp_path, number=100, lost=30, gained=10)
    assert (len(made.moved), made.moved_count) == (20, 40)
    assert len(two(tmp_path / "x", Wanted(every_topic=True), number=100, lost=30, gained=10).moved) == 40
    first = made.moved[0]
    assert first.values == {"R@5": (1.0, 0.0), "nDCG@10": (1.0, 0.0)}
    assert [(doc.doc_id, doc.before, doc.after) for doc in first.move.moved] == [("d-q000", 1, None)]
    assert [ahead.doc_id for ahead in first.move.ahead] == ["x", "y"]
    gained = two(tmp_path / "y", Wanted(every_topic=True), lost=1, gained=1).moved
    assert [topic.values["R@5"] for topic in gained] == [(1.0, 0.0), (0.0, 1.0)]


def test_the_values_are_those_of_the_runs_own_verdicts(tmp_path: Path) -> None:
    made = two(tmp_path, lost=4, gained=2)
    for name, side in (("a", "mean_a"), ("b", "mean_b")):
        path = tmp_path / name / "verdict.json"
        cells = {str(cell.key): cell.value for cell in from_json(path.read_text(encoding="utf-8"), path).cells}
        for difference in made.differences:
            assert getattr(difference, side) == cells[str(difference.b)]
