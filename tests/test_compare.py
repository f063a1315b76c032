from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import log2
from pathlib import Path

import pytest
from builders import KEYWORD, cell_key, corpus, run_of

from gate.baselines import Baseline, Standing
from gate.compare import Pair, compare_runs, unpaired
from gate.measures import ParsedMeasure, score_topics
from gate.records import CellKey, Comparison, Corpus, JudgedRanking, Run, RunKey

Answers = Mapping[str, Sequence[str]]


def standings(answers: Answers, judged: Corpus) -> dict[str, Standing]:
    """What a baseline would hold of some answers, counted out here."""
    kept = {}
    for topic, docs in answers.items():
        known = {*judged.qrels.get(topic, {}), *judged.forbidden.get(topic, {})}
        kept[topic] = Standing({doc: docs.index(doc) + 1 for doc in docs if doc in known}, len(docs))
    return kept


def compared(
    judged: Corpus,
    before: Answers,
    after: Answers,
    cell: CellKey | None = None,
    members: Sequence[str] | None = None,
) -> Comparison:
    cell = cell or cell_key("R@5")
    topics = [t for t in judged.topics if members is None or t.topic_id in members]
    pair = Pair(run_of(after), standings(before, judged), judged, judged.topics, (cell,), {cell.slice: topics})
    return compare_runs([pair])[cell]


def one_relevant(topics: int) -> Corpus:
    return corpus({f"q{n}": {f"d{n}": 1} for n in range(topics)})


def found_first(topics: int, *, except_for: Mapping[str, Sequence[str]] | None = None) -> dict[str, Sequence[str]]:
    return {f"q{n}": [f"d{n}", "noise"] for n in range(topics)} | dict(except_for or {})


def lost(topics: int, start: int = 0) -> dict[str, Sequence[str]]:
    """Answers of so many topics without their document."""
    return {f"q{n}": ["noise"] for n in range(start, start + topics)}


def test_a_lopsided_loss_is_worse_and_names_what_was_lost() -> None:
    # Seven topics lost and none gained: one in 2**7 harmless reshuffles looks like that.
    found = compared(one_relevant(140), found_first(140), found_first(140, except_for=lost(7)))
    assert (found.outcome, found.cause, found.before, found.after) == ("worse", "significant", 1.0, 0.95)
    assert (found.topics, found.lost, found.gained, found.p) == (140, 7, 0, 1 / 128)
    move = found.moves[3]
    assert (move.topic_id, move.before, move.after) == ("q3", 1.0, 0.0)
    assert [(doc.doc_id, doc.before, doc.after) for doc in move.moved] == [("d3", 1, None)]
    assert [(doc.doc_id, doc.rank) for doc in move.ahead] == [("noise", 1)]


@pytest.mark.parametrize(("topics", "outcome"), [(0, "same"), (4, "churned"), (5, "uncertain"), (6, "uncertain")])
def test_a_loss_that_a_reshuffle_could_show_is_not_worse(topics: int, outcome: str) -> None:
    # One-sided p of 4, 5 and 6 lost: 1/16, 1/32, 1/64.
    found = compared(one_relevant(140), found_first(140), found_first(140, except_for=lost(topics)))
    assert (found.outcome, found.cause, found.lost) == (outcome, "", topics)


@pytest.mark.parametrize(("topics", "outcome"), [(1400, "churned"), (1399, "worse")])
def test_a_loss_of_just_the_tolerance_is_none_however_lopsided(topics: int, outcome: str) -> None:
    # 7 of 1,400 topics are a loss of 0.005.
    found = compared(one_relevant(topics), found_first(topics), found_first(topics, except_for=lost(7)))
    assert (found.outcome, found.p) == (outcome, 1 / 128)


@pytest.mark.parametrize(("topics", "outcome"), [(4, "churned"), (5, "worse")])
def test_a_fifth_of_a_small_slice_is_a_collapse(topics: int, outcome: str) -> None:
    found = compared(one_relevant(19), found_first(19), found_first(19, except_for=lost(topics)))
    assert (found.outcome, found.cause) == (outcome, "collapse" if outcome == "worse" else "")


def test_topics_of_one_cluster_count_once() -> None:
    # Seven lost topics of one template are one event, not seven.
    together = one_relevant(140)
    together = replace(
        together, topics=tuple(replace(t, cluster="one" if int(t.topic_id[1:]) < 7 else "") for t in together.topics)
    )
    found = compared(together, found_first(140), found_first(140, except_for=lost(7)))
    assert (found.outcome, found.p, found.lost) == ("churned", 0.5, 7)


def test_cells_are_judged_together() -> None:
    # The known case of `all` and a slice of the first ten: six lost in it, two lost and one gained outside.
    judged = one_relevant(20)
    before = found_first(20, except_for=lost(1, 12))
    after = found_first(20, except_for={**lost(6), **lost(2, 10)})
    everything, part = cell_key("R@5"), cell_key("R@5", part="th")
    members = {"all": judged.topics, "th": judged.topics[:10]}
    pair = Pair(run_of(after), standings(before, judged), judged, judged.topics, (everything, part), members)
    found = compare_runs([pair])
    assert (found[everything].p, found[part].p) == (14 / 512, 8 / 512)


def test_runs_are_judged_together() -> None:
    # Two modes that move on other topics: the largest of both statistics is what chance is asked to reach.
    judged = one_relevant(140)
    keyword, vector = cell_key(), cell_key(mode="vector")
    stood = standings(found_first(140), judged)
    members = {"all": judged.topics}
    answers = {keyword: found_first(140, except_for=lost(7)), vector: found_first(140, except_for=lost(7, 50))}
    found = compare_runs(
        Pair(run_of(gave, cell.run), stood, judged, judged.topics, (cell,), members) for cell, gave in answers.items()
    )
    # Of 2**14 reshuffles those with all seven of either lost: 2 * 2**7 - 1.
    assert found[keyword].p is not None
    assert found[keyword].p == pytest.approx(255 / 2**14, abs=0.004)
    assert found[keyword].outcome == "uncertain"


def test_a_lopsided_gain_is_better() -> None:
    found = compared(one_relevant(140), found_first(140, except_for=lost(7)), found_first(140))
    assert (found.outcome, found.before, found.after, found.lost, found.gained) == ("better", 0.95, 1.0, 0, 7)
    found = compared(one_relevant(140), found_first(140, except_for=lost(6)), found_first(140))
    assert found.outcome == "churned"


def test_a_small_loss_of_ndcg_is_churn_and_is_named() -> None:
    # One of 200 topics fell from rank 1 to 2: its nDCG from 1 to 1 / log2(3), a mean loss of 0.0018.
    after = found_first(200, except_for={"q7": ["noise", "d7"]})
    found = compared(one_relevant(200), found_first(200), after, cell_key("nDCG@10"))
    assert (found.outcome, found.lost) == ("churned", 1)
    assert found.after == pytest.approx(1 - (1 - 1 / log2(3)) / 200, abs=1e-12)
    assert found.moves[0].topic_id == "q7"


def test_a_rank_that_moved_without_loss_is_churn_and_is_shown() -> None:
    after = found_first(20, except_for={"q7": ["noise", "d7"]})
    found = compared(one_relevant(20), found_first(20), after)
    assert (found.outcome, found.lost, found.before, found.after) == ("churned", 0, 1.0, 1.0)
    assert found.reason == "1 of 20 answers changed"
    assert [(doc.doc_id, doc.before, doc.after) for doc in found.moves[0].moved] == [("d7", 1, 2)]


def test_two_equal_documents_that_change_places_are_churn() -> None:
    judged = corpus({"q": {"a": 2, "b": 2}})
    found = compared(judged, {"q": ["a", "b"]}, {"q": ["b", "a"]}, cell_key("nDCG@10"))
    assert found.outcome == "churned"
    assert compared(judged, {"q": ["a", "b"]}, {"q": ["a", "b"]}, cell_key("nDCG@10")).outcome == "same"


def test_a_gain_elsewhere_does_not_hide_the_topic_that_lost() -> None:
    before = found_first(20, except_for={"q1": ["noise"]})
    after = found_first(20, except_for={"q2": ["noise"]})
    found = compared(one_relevant(20), before, after)
    assert (found.outcome, found.lost) == ("churned", 1)
    assert [move.topic_id for move in found.moves] == ["q2"]


def test_the_worst_losses_are_shown_first() -> None:
    judged = corpus({"q1": {"a": 1, "b": 1}, "q2": {"c": 1}})
    found = compared(judged, {"q1": ["a", "b"], "q2": ["c"]}, {"q1": ["a"], "q2": ["x"]})
    assert [move.topic_id for move in found.moves] == ["q2", "q1"]


def test_a_slice_is_compared_on_its_own_topics_only() -> None:
    after = found_first(20, except_for={"q3": ["noise"]})
    cell = cell_key(part="zh-Hans")
    assert compared(one_relevant(20), found_first(20), after, cell, ["q1", "q2"]).outcome == "same"
    assert compared(one_relevant(20), found_first(20), after, cell, ["q3", "q4"]).after == 0.5


def test_only_topics_of_both_sides_are_paired() -> None:
    before = {"q0": ["d0"], "q1": ["d1"]}
    found = compared(one_relevant(3), before, found_first(3))
    assert (found.topics, found.before, found.after) == (2, 1.0, 1.0)


def test_a_slice_that_the_baseline_does_not_have_is_not_measured() -> None:
    found = compared(one_relevant(3), {"q0": ["d0"]}, found_first(3), members=["q1", "q2"])
    assert (found.outcome, found.before, found.after) == ("not measured", None, None)
    assert "no topic of this slice" in found.reason


def leaky(topics: int) -> Corpus:
    return corpus(
        {f"q{n}": {f"d{n}": 1} for n in range(topics)},
        forbidden={f"q{n}": {f"old{n}": "superseded", f"other{n}": "other scope"} for n in range(topics)},
    )


def test_a_leak_on_one_topic_is_worse_whatever_the_mean() -> None:
    # 1 of 500 topics is a mean of 0.002, below any tolerance.
    after = found_first(500, except_for={"q9": ["d9", "old9"]})
    found = compared(leaky(500), found_first(500), after, cell_key("Forbidden@10"))
    assert (found.outcome, found.lost, found.before, found.after) == ("worse", 1, 0.0, 0.002)
    (move,) = found.moves
    assert [(doc.doc_id, doc.before, doc.after, doc.forbidden) for doc in move.moved] == [
        ("old9", None, 2, "superseded")
    ]


def test_another_forbidden_document_than_before_is_a_leak() -> None:
    found = compared(leaky(1), {"q0": ["d0", "old0"]}, {"q0": ["d0", "other0"]}, cell_key("Forbidden@10"))
    assert (found.outcome, found.lost, found.before, found.after) == ("worse", 1, 1.0, 1.0)


def test_a_forbidden_document_that_rises_into_the_first_ten_is_a_leak() -> None:
    noise = [f"n{n}" for n in range(10)]
    cell = cell_key("Forbidden@10")
    assert compared(leaky(1), {"q0": [*noise, "old0"]}, {"q0": ["old0"]}, cell).outcome == "worse"
    assert compared(leaky(1), {"q0": [*noise, "old0"]}, {"q0": [*noise, "x", "old0"]}, cell).outcome == "same"


def test_a_leak_of_the_baseline_that_stays_or_ends_is_none() -> None:
    cell = cell_key("Forbidden@10")
    assert compared(leaky(1), {"q0": ["old0"]}, {"q0": ["x", "old0"]}, cell).outcome == "same"
    assert compared(leaky(1), {"q0": ["old0"]}, {"q0": ["x"]}, cell).outcome == "better"


def baseline_of(runs: Mapping[str, Sequence[str]], scores: Sequence[CellKey] = ()) -> Baseline:
    standing = Standing({}, 100)
    header = {"scores": {str(cell): 1.0 for cell in scores}}
    return Baseline(header, {}, {name: dict.fromkeys(topics, standing) for name, topics in runs.items()}, Path("b"))


def test_runs_and_topics_of_both_sides_are_no_finding() -> None:
    both = {"keyword/none": ["q1", "q2"]}
    assert unpaired(baseline_of(both), both, both, narrowed=False) == []


def test_a_run_of_one_side_only_is_a_finding() -> None:
    base = baseline_of({"keyword/none": ["q1"], "vector/none": ["q1"]})
    asked = {"keyword/none": ["q1"], "hybrid/none": ["q1"]}
    assert unpaired(base, asked, asked, narrowed=False) == [
        "hybrid/none is not in the baseline",
        "vector/none is in the baseline, and the plan has no such run any more",
    ]


def test_topics_of_one_side_only_are_a_finding() -> None:
    base = baseline_of({"keyword/none": ["q1", "q2", "q3"]})
    asked = {"keyword/none": ["q3", "q4"]}
    assert unpaired(base, asked, asked, narrowed=False) == [
        "keyword/none: 2 topics of the baseline not asked",
        "keyword/none: 1 topic not in the baseline",
    ]


def test_what_flags_leave_out_is_no_finding() -> None:
    base = baseline_of({"keyword/none": ["q1", "q2"], "vector/none": ["q1", "q2"]})
    whole = ("keyword/none", "vector/none")
    assert unpaired(base, {"keyword/none": ["q1"]}, whole, narrowed=True) == []
    assert unpaired(base, {"keyword/none": ["q1"]}, whole, narrowed=False) != []


def test_a_slice_that_the_plan_lost_is_a_finding_though_its_topics_are_asked() -> None:
    base = baseline_of({"keyword/none": ["q1"]}, [cell_key(), cell_key(part="th"), cell_key("P@5", part="th")])
    asked = {"keyword/none": ["q1"]}
    assert unpaired(base, asked, asked, narrowed=False, full={cell_key()}) == [
        "keyword/none: the slice th is in the baseline, and the plan has no such slice any more"
    ]
    assert unpaired(base, asked, asked, narrowed=False, full={cell_key(), cell_key(part="th")}) == []


def test_topics_that_a_baseline_lacks_are_a_finding_under_flags_that_narrow_too() -> None:
    baseline = Baseline({"runs": ["keyword/none"], "scores": {}}, {}, {"keyword/none": {"q0": Standing({}, 0)}})
    asked = {"keyword/none": ["q0", "q1"]}
    (told,) = unpaired(baseline, asked, ["keyword/none"], narrowed=True)
    assert told == "keyword/none: 1 topic not in the baseline"
    assert unpaired(baseline, {"keyword/none": ["q0"]}, ["keyword/none"], narrowed=True) == []


def repeated(answers: Sequence[Answers], key: RunKey = KEYWORD) -> Run:
    first, *further = (run_of(one, key) for one in answers)
    return replace(first, repeats=tuple(run.results for run in further))


def noisy(judged: Corpus, before: Sequence[Answers], after: Sequence[Answers], measure: str = "R@5") -> Comparison:
    first, *further = (standings(one, judged) for one in before)
    stood = {t: replace(one, repeats=tuple(more[t] for more in further)) for t, one in first.items()}
    cell = cell_key(measure)
    pair = Pair(repeated(after), stood, judged, judged.topics, (cell,), {"all": judged.topics})
    return compare_runs([pair])[cell]


def test_a_noisy_store_is_judged_on_means() -> None:
    # Ten topics lost in one of two repeats: each counts by half.
    judged = one_relevant(100)
    calm = [found_first(100)] * 2
    found = noisy(judged, calm, [found_first(100, except_for=lost(10)), found_first(100)])
    assert (found.after, found.lost, found.p) == (0.95, 10, 1 / 1024)


def test_a_loss_within_the_range_of_the_repeats_is_only_uncertain() -> None:
    judged = one_relevant(100)
    calm = [found_first(100)] * 2
    one_bad = [found_first(100, except_for=lost(10)), found_first(100)]
    both_bad = [found_first(100, except_for=lost(10)), found_first(100, except_for=lost(9))]
    assert noisy(judged, calm, one_bad).outcome == "uncertain"
    assert noisy(judged, calm, both_bad).outcome == "worse"


def test_a_leak_in_every_repeat_is_a_leak_and_in_some_is_uncertain() -> None:
    calm, leaked = found_first(3), found_first(3, except_for={"q1": ["d1", "old1"]})
    found = noisy(leaky(3), [calm, calm], [leaked, leaked], "Forbidden@10")
    assert (found.outcome, found.cause) == ("worse", "leak")
    found = noisy(leaky(3), [calm, calm], [calm, leaked], "Forbidden@10")
    assert (found.outcome, found.cause, found.lost) == ("uncertain", "straddles", 1)
    assert noisy(leaky(3), [calm, leaked], [calm, leaked], "Forbidden@10").outcome == "same"
    assert noisy(leaky(3), [calm, leaked], [leaked, leaked], "Forbidden@10").outcome == "churned"


def test_what_is_waived_makes_no_loss_elsewhere_harder_to_see() -> None:
    judged = one_relevant(300)
    kept, churning = cell_key(), cell_key(mode="vector")
    stood = standings(found_first(300), judged)
    # Nine lost in one mode; in the other forty moved, half of them in each direction.
    before = found_first(300, except_for=lost(20, 100))
    after = found_first(300, except_for=lost(20, 150))
    members = {"all": judged.topics}

    def found(waived: frozenset[CellKey]) -> dict[CellKey, Comparison]:
        lossy = run_of(found_first(300, except_for=lost(9)), kept.run)
        old = standings(before, judged)
        noise = Pair(run_of(after, churning.run), old, judged, judged.topics, (churning,), members, waived)
        return compare_runs([Pair(lossy, stood, judged, judged.topics, (kept,), members), noise])

    alone, together = found(frozenset({churning})), found(frozenset())
    assert (alone[kept].p, alone[kept].outcome) == (1 / 512, "worse")
    assert (alone[churning].p, alone[churning].lost, alone[churning].gained) == (None, 20, 20)
    assert (together[kept].p or 0.0) > 1 / 512


def test_a_lucky_repeat_does_not_hide_that_a_fifth_is_lost() -> None:
    judged = one_relevant(100)
    fine, gone = found_first(100), found_first(100, except_for=lost(100))
    assert noisy(judged, [fine] * 5, [fine, gone, gone, gone, gone]).outcome == "worse"
    # Where the baseline's own repeats reached as low, it is noise.
    assert noisy(judged, [fine, fine, fine, fine, gone], [fine, gone, gone, gone, gone]).outcome == "uncertain"


def test_the_same_pair_is_paired_once_and_any_other_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    judged, cell = one_relevant(9), cell_key("R@5")
    stood, members = standings(found_first(9), judged), {"all": judged.topics}
    same = Pair(run_of(found_first(9)), stood, judged, judged.topics, (cell,), members)
    worked: list[str] = []

    def counted(rankings: Mapping[str, JudgedRanking], measure: ParsedMeasure) -> Mapping[str, float]:
        worked.append(measure.name)
        return score_topics(rankings, measure)

    monkeypatch.setattr("gate.compare.score_topics", counted)
    assert compare_runs([same])[cell].outcome == "same"
    assert compare_runs([replace(same)])[cell].outcome == "same"
    assert len(worked) == 2
    lossy = replace(same, ran=run_of(lost(9)))
    assert compare_runs([lossy])[cell].lost == 9
    assert compare_runs([replace(lossy, waived=frozenset({cell}))])[cell].p is None
    assert compare_runs([replace(lossy, members={"all": judged.topics[:4]})])[cell].lost == 4
    assert compare_runs([replace(lossy, stood=standings(lost(9), judged))])[cell].lost == 0
