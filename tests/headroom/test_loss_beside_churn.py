"""What a loss has to be beside the churn of a run: figures worked by hand, and every thing that can be said."""

from __future__ import annotations

import json
from collections.abc import Sequence
from math import sqrt
from pathlib import Path

import numpy as np
import pytest
from accepted_results import baseline
from builders import cell_key
from click.testing import CliRunner
from comparison_builders import found, results, subject

from gate.cli.budgets import budgets
from gate.compare import PairedRuns
from gate.files import LinedData, violations
from gate.headroom.churn import CellSight, ChurnAudit, Loss, churn_audit
from gate.headroom.compared import Beside
from gate.paired import PairedCell
from gate.records import CellKey
from gate.stats.rule import Paired

DAY = ("--today", "2026-11-30")
TOPICS = 140
CELL = "reference/seeded@smoke/all/cpu-hash/keyword/none/R@5"


def paired(differences: Sequence[float], *, gated: bool = True) -> PairedCell:
    names = {f"t{number:03}": difference for number, difference in enumerate(differences)}
    moved = tuple(name for name, difference in names.items() if difference)
    return PairedCell(Paired(names, len(moved), 0, gated), names, moved, (), (), leaks_only=False)


def audited(*cells: Sequence[float], size: int = 1) -> list[CellSight]:
    """What is told of cells of the same topics, each in a slice of its own; clusters have `size` topics each."""
    keys = [cell_key(part=f"s{number}") for number in range(len(cells))]
    made = {key: paired(differences) for key, differences in zip(keys, cells, strict=True)}
    clusters = {f"t{number:03}": f"c{number // size}" for number in range(len(cells[0]))}
    return list(audit_of(made, clusters).cells)


def audit_of(made: dict[CellKey, PairedCell], clusters: dict[str, str]) -> ChurnAudit:
    beside = Beside("baselines", PairedRuns(made, clusters, {}), {}, frozenset(), frozenset())
    return churn_audit(beside, made, {})


def moved(lost: int, gained: int, topics: int = TOPICS) -> list[float]:
    return [-1.0] * lost + [1.0] * gained + [0.0] * (topics - lost - gained)


def test_a_loss_beside_three_lost_and_three_gained() -> None:
    # The largest T of the 64 reshuffles of six is sqrt(6), below the sqrt(7) of seven lost and nothing else.
    # (7 + sqrt(49 + 28 * 6)) / 2 = 10.87; with 1.645 * sqrt(6) more in the way 16.61. 140 topics collapse at 28.
    (one,) = audited(moved(3, 3))
    assert (one.status, one.cause, one.outcome, one.churn, one.moved) == ("seen", "significant", "churned", 6.0, 6)
    assert one.apart == one.together == Loss(11, 17)
    assert one.says == (
        "beside the churn of this run, a loss of 11 topics (0.079 of the slice) is seen about every second time,"
        " one of 17 (0.121) 95% of the time"
    )


def test_of_a_cell_that_is_worse_what_was_gained_and_as_much_of_what_was_lost_is_churn() -> None:
    # Twenty lost and three gained: the squares are 23, those of three and three are 6.
    (one,) = audited(moved(20, 3))
    assert (one.outcome, one.churn, one.apart) == ("worse", 6.0, Loss(11, 17))
    (mirror,) = audited(moved(3, 20))
    assert (mirror.outcome, mirror.churn) == ("better", 6.0)
    # Nine lost and none gained is a loss and no churn: seven are seen beside it, whatever comes of the others.
    (pure,) = audited(moved(9, 0))
    assert (pure.outcome, pure.churn, pure.apart) == ("worse", 0.0, Loss(7, 7))
    assert pure.says == "beside the churn of this run, a loss of 7 topics (0.050 of the slice) is seen"


def test_of_a_cell_that_may_be_worse_all_is_churn() -> None:
    (one,) = audited(moved(6, 0))
    assert (one.outcome, one.churn) == ("uncertain", 6.0)


def test_topics_of_one_cluster_move_once_and_are_lost_once() -> None:
    # Pairs: three lost and three gained, of two topics each, so that each square is 4. Singly it takes
    # (7 + sqrt(49 + 28 * 24)) / 2 = 16.93; in pairs as many pairs as topics above, 10.87 of them.
    (one,) = audited([-1.0] * 6 + [1.0] * 6 + [0.0] * (TOPICS - 12), size=2)
    assert (one.churn, one.moved, one.clusters) == (24.0, 6, 70)
    assert (one.apart.half, one.together.half) == (17, 22)
    assert "a loss of 17 to 22 topics (0.121 to 0.157 of the slice) is seen about every second time" in one.says


def test_a_fifth_of_a_small_slice_is_seen_before_a_test_sees_it() -> None:
    # A fifth of 40 is 8, and the test asks for 11. In 95% of all cases 8 + 1.645 * sqrt(6) = 12.03 topics.
    (one,) = audited(moved(3, 3, 40))
    assert (one.cause, one.apart) == ("collapse", Loss(8, 13))
    assert "a loss of 8 topics (0.200 of the slice) is seen as a collapse about every second time" in one.says


def test_a_large_slice_has_to_lose_more_than_the_tolerance() -> None:
    # 0.005 of 3,000 are 15, and the loss has to be beyond that.
    (one,) = audited(moved(1, 0, 3000))
    assert one.apart.half == 16


@pytest.mark.parametrize(
    ("topics", "size", "says"),
    [
        (19, 1, "fewer than 20 topics, so no loss is significant whatever the churn; 5 topics or more lost"),
        (4, 1, "and none is large enough for a collapse: only a budget guards it"),
        (24, 4, "fewer than 7 clusters, so no loss is significant whatever the churn; 5 clusters or more lost"),
    ],
)
def test_a_slice_too_small_for_a_test_is_told_so(topics: int, size: int, says: str) -> None:
    for differences in (moved(1, 1, topics), moved(0, 0, topics)):
        (one,) = audited(differences, size=size)
        assert one.status == "small"
        assert says in one.says


def test_nothing_moved_anywhere() -> None:
    # 7 of 140 are always significant; with 11.84 hit on average, 0.0817 of them, seven are hit 95% of the time.
    (one,) = audited(moved(0, 0))
    assert one.status == "quiet"
    assert one.says.startswith("no value moved in this run: 7 topics lost are always significant, and a loss of 0.08")
    assert one.says.endswith("of the slice is seen 95% of the time")


def test_a_cell_in_which_nothing_moved_pays_for_the_others() -> None:
    rng = np.random.default_rng(20_260_101)
    churned = [rng.choice([-1.0, 0.0, 1.0], TOPICS, p=[0.1, 0.8, 0.1]).tolist() for _ in range(30)]
    made = {cell_key(part=f"s{number}"): paired(one) for number, one in enumerate([moved(0, 0), *churned])}
    found = audit_of(made, {f"t{number:03}": f"t{number:03}" for number in range(TOPICS)})
    assert found.critical > sqrt(7)
    still, *others = found.cells
    assert still.apart.half is not None
    assert still.apart.half - 1 < found.critical**2 <= still.apart.half
    for one in others:
        # L / sqrt(Q + L) reaches z at the loss told, and not with one topic less.
        loss = one.apart.half
        assert loss is not None
        if one.cause == "significant":
            assert loss / sqrt(one.churn + loss) >= found.critical > (loss - 1) / sqrt(one.churn + loss - 1)
        else:
            assert loss == TOPICS / 5
    assert {one.cause for one in others} == {"significant"}


def test_what_is_waived_is_not_judged_and_raises_no_bar() -> None:
    keys = [cell_key(part="one"), cell_key(part="two")]
    made = {keys[0]: paired(moved(0, 0)), keys[1]: paired(moved(30, 30), gated=False)}
    clusters = {f"t{number:03}": f"t{number:03}" for number in range(TOPICS)}
    beside = Beside("baselines", PairedRuns(made, clusters, {}), {}, frozenset(), frozenset({keys[1]}))
    found = churn_audit(beside, made, {keys[0]: 4})
    assert [(one.status, one.lets_go) for one in found.cells] == [("quiet", 4), ("waived", None)]
    assert (found.judged, found.clusters) == (1, 0)


JUDGED = subject(TOPICS)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run of two modes, of which keyword lost three topics and gained three, beside its baseline."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gate.yml").write_text("budgets: budgets.yml\nbaselines: accepted\n", encoding="utf-8")
    budget = f'schema: 1\nbudgets:\n  - cell: "{CELL}"\n    min: 0.95\n'
    (tmp_path / "budgets.yml").write_text(budget, encoding="utf-8")
    modes = {"keyword": found(TOPICS, lost=[10, 11, 12]), "hybrid": found(TOPICS)}
    results(tmp_path / "gate-results", modes, JUDGED)
    accepted(tmp_path)
    return tmp_path


def accepted(project: Path, depth: str = "100") -> Path:
    modes = {"keyword": found(TOPICS, lost=[13, 14, 15]), "hybrid": found(TOPICS)}
    return baseline(project / "accepted", JUDGED, modes, depth=depth)


def said(*arguments: str) -> str:
    result = CliRunner().invoke(budgets, ("audit", *arguments, *DAY), standalone_mode=False)
    assert result.exception is None
    return " ".join(result.output.split())


def test_the_command_says_what_is_seen_beside_the_churn_and_what_the_budget_lets_go(project: Path) -> None:
    text = said()
    assert "beside the churn of this run, held against the baselines in accepted" in text
    # FalseRefused, R@5 and nDCG@10 of two modes and two slices; no topic of these is unanswerable.
    assert "6 clusters moved; over 12 cells judged together z is 2.45, taken as 2.65" in text
    assert (
        "reference/seeded@smoke/all/cpu-hash/keyword/R@5, Q 6.00, 6 of 140 clusters moved: beside the churn of this"
        " run, a loss of 11 topics (0.079 of the slice) is seen about every second time, one of 17 (0.121) 95% of"
        " the time; its budget lets 4 topics go." in text
    )
    assert "4 cells in which nothing moved: a loss of 7 topics is seen" in text
    assert "first/cpu-hash/keyword/R@5 and 5 more cells: fewer than 20 topics" in text


def test_all_has_a_line_for_each_cell(project: Path) -> None:
    text = said("--all")
    assert "all/cpu-hash/hybrid/R@5, Q 0.00, 0 of 140 clusters moved: beside" in text
    assert "as reference/seeded@smoke/first/cpu-hash/hybrid/R@5" in text
    assert "more cell" not in text.partition("What is seen beside")[2]


def test_json_has_every_cell_and_holds_to_its_schema(project: Path) -> None:
    data = json.loads(said("--json"))
    assert violations(LinedData(project, data, {}), "budget-audit") == []
    churn = data["churn"]
    assert (churn["baselines"], churn["judged"], churn["clusters"]) == ("accepted", 12, 6)
    assert churn["critical"] == pytest.approx(sqrt(6), abs=1e-6)
    cells = {one["cell"]: one for one in churn["cells"]}
    one = cells[CELL]
    assert (one["status"], one["churn"], one["lets_go"]) == ("seen", 6.0, 4)
    assert one["apart"] == {"half": 11, "sure": 17}
    broken = {**data, "churn": {**churn, "cells": [{**one, "status": "fine"}]}}
    assert violations(LinedData(project, broken, {}), "budget-audit")


def test_without_any_results_nothing_is_told_of_churn(project: Path) -> None:
    from gate.data import data_path

    (project / "gate-results" / "verdict.json").unlink()
    settings = f"budgets: budgets.yml\nbaselines: {data_path('baselines')}\ncorpora: [seeded@smoke]\n"
    (project / "gate.yml").write_text(settings, encoding="utf-8")
    assert "What is seen beside the churn of a run is told of results: run `gate run` first." in said()
    assert json.loads(said("--json"))["churn"] is None


def test_no_value_moved(project: Path) -> None:
    modes = {"keyword": found(TOPICS, lost=[10, 11, 12]), "hybrid": found(TOPICS)}
    baseline(project / "accepted", JUDGED, modes)
    text = said()
    assert "Beside the baselines in accepted no value moved in any of 12 gated cells:" in text
    assert "no value moved in this run: 7 topics lost are always significant" in text
    assert "beside the churn of this run, a loss" not in text


def not_compared(text: str) -> str:
    assert "What is seen beside the churn of this run cannot be told: nothing is held against accepted." in text
    assert "beside the churn of this run, a loss" not in text
    return text.partition("nothing is held against accepted.")[2]


def test_there_is_no_baseline(project: Path) -> None:
    accepted(project).unlink()
    told = not_compared(said())
    assert "11 more cells: not compared: there is no baseline in accepted/reference/seeded@smoke.cpu-hash.jsonl" in told


def test_the_methodology_differs(project: Path) -> None:
    accepted(project, depth="50")
    told = not_compared(said())
    assert "it cannot be compared with its baseline: depth is 100 here and 50 in the baseline" in told


def test_the_baseline_was_measured_in_repeats(project: Path) -> None:
    modes = {"keyword": found(TOPICS), "hybrid": found(TOPICS)}
    baseline(project / "accepted", JUDGED, modes, repeats=[found(TOPICS)])
    assert "its baseline was measured in repeats, and `noisy` is not declared" in not_compared(said())


def test_a_baseline_that_cannot_be_read_is_told_with_its_line(project: Path) -> None:
    path = accepted(project)
    path.write_text(path.read_text(encoding="utf-8")[:-40], encoding="utf-8")
    told = not_compared(said())
    assert "the baseline file cannot be used" in told
    assert f"(accepted/reference/{path.name}:{TOPICS + 1}: not JSON: " in told


def test_a_run_that_the_baseline_has_not(project: Path) -> None:
    baseline(project / "accepted", JUDGED, {"keyword": found(TOPICS, lost=[13, 14, 15])})
    text = said()
    assert "hybrid/R@5 and 5 more cells: not compared: hybrid/none is not in its baseline" in text
    assert "over 6 cells judged together" in text


def test_a_slice_of_which_the_baseline_has_no_topic(project: Path) -> None:
    answers = {topic: docs for topic, docs in found(TOPICS).items() if topic >= "q010"}
    baseline(project / "accepted", JUDGED, {"keyword": answers, "hybrid": answers})
    assert "not compared: the baseline has no topic of this slice that the measure looks at" in said()


def test_a_cell_that_was_not_measured(project: Path) -> None:
    results(project / "gate-results", {"keyword": found(TOPICS), "hybrid": "the store raised"}, JUDGED)
    text = said()
    assert "not measured: the store raised" in text
    assert "over 6 cells judged together" in text


def test_results_without_their_answers(project: Path) -> None:
    for file in (project / "gate-results" / "answers").glob("*.keyword.*"):
        file.unlink()
    text = said()
    assert "not compared: answers/reference.seeded.smoke.cpu-hash.keyword.none.json is missing" in text
    for file in (project / "gate-results" / "topics").iterdir():
        file.unlink()
    assert "not compared: the topics are not in this folder" in not_compared(said())


def test_a_narrowed_run_is_told_of_what_it_has(project: Path) -> None:
    path = project / "gate-results" / "verdict.json"
    verdict = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**verdict, "narrowed": ["--mode keyword"]}), encoding="utf-8")
    text = said()
    assert "the run was narrowed by --mode keyword: what it left out is not looked at" in text
    assert "a loss of 11 topics (0.079 of the slice) is seen" in text


def test_a_waived_cell(project: Path) -> None:
    path = project / "gate-results" / "verdict.json"
    verdict = json.loads(path.read_text(encoding="utf-8"))
    for cell in verdict["cells"]:
        if cell["id"] == CELL:
            cell.update(status="waived", reason="until 2027-03-31: no segmentation yet")
    path.write_text(json.dumps(verdict), encoding="utf-8")
    text = said()
    assert "all/cpu-hash/keyword/R@5: waived: it is not judged, and raises no bar for others." in text
    assert "over 11 cells judged together" in text
