"""`gate run` against a baseline and `gate compare` of the same two results say the same, cell by cell."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from builders import corpus
from comparison_builders import found, results, topics

from gate.baselines import Baseline, baseline_path, parse_baseline, render_baseline, run_name
from gate.compare import Pair, compare_runs
from gate.comparison.compare import Wanted, compare
from gate.comparison.folder import read_folder
from gate.comparison.records import Compared, Difference, Side
from gate.methodology import methodology_hash
from gate.paired import GATED, LEAK, clusters_of
from gate.records import CellKey, Comparison, Corpus

MODES = ("keyword", "vector")
FIELDS = {"corpus": "f7da07ee", "depth": "100", "arm": "cpu-hash", "embedder": "none"}


def asked() -> Corpus:
    """Forty topics with an answer in twenty clusters and five alone, and five without an answer."""
    names = topics(50)
    forbidden = {name: {"old": "superseded", "older": "superseded"} for name in names[10:20]}
    slices = {"first": names[:25]}
    made = corpus(
        {t: {f"d-{t}": 1} for t in names[:45]} | {t: {} for t in names[45:]}, forbidden=forbidden, slices=slices
    )
    clusters = {name: f"c{number // 2}" if number < 40 else "" for number, name in enumerate(names)}
    return replace(made, topics=tuple(replace(t, cluster=clusters[t.topic_id]) for t in made.topics))


def before() -> dict[str, list[str]]:
    return {**found(50), **{t: [] for t in topics(50)[45:]}, "q010": ["d-q010", "old"], "q011": ["d-q011", "older"]}


def after() -> dict[str, list[str]]:
    """Ten topics lost, three refused, one answered that has no answer, one leak in place of another, one gone."""
    changed = {**before(), **{t: ["x", "y"] for t in topics(10)}, **{t: [] for t in topics(50)[30:33]}}
    return {**changed, "q010": ["d-q010", "older"], "q011": ["d-q011"], "q049": ["x"], "q020": ["x", "d-q020"]}


def both(folder: Path) -> tuple[Side, Side]:
    slices = ("all", "first")
    of = asked()
    made = (
        results(folder / "a", {"keyword": before(), "vector": found(50)}, of, slices=slices),
        results(folder / "b", {"keyword": after(), "vector": found(50, lost=[3, 42])}, of, slices=slices),
    )
    return read_folder(made[0], "A"), read_folder(made[1], "B")


def baseline(side: Side, of: Corpus) -> Baseline:
    header = {
        "store": "reference",
        "corpus": of.name,
        "tier": of.tier,
        "arm": "cpu-hash",
        "methodology": FIELDS,
        "methodology_hash": methodology_hash(FIELDS),
        "scores": {},
    }
    text = render_baseline([side.load(key) for key in side.runs], of.topics, of, header, 100)
    return parse_baseline(text, baseline_path(Path(), "reference", of.name, of.tier, "cpu-hash"))


def held(sides: tuple[Side, Side], cells: list[CellKey]) -> dict[CellKey, Comparison]:
    """What `gate run` makes of B with A as its baseline."""
    of = next(iter(sides[1].corpora.values()))
    stood = baseline(sides[0], of)
    members = {"all": of.topics, "first": [t for t in of.topics if "first" in t.slices]}
    pairs = [
        Pair(
            sides[1].load(key),
            stood.runs[run_name(key)],
            of,
            of.topics,
            tuple(cell for cell in cells if cell.run == key),
            members,
        )
        for key in sides[1].runs
    ]
    return compare_runs(pairs)


def p_of(one: Difference) -> float | None:
    return one.judged.p_better if one.judged.outcome == "better" else one.judged.p


def test_every_cell_has_the_same_outcome_p_and_counts(tmp_path: Path) -> None:
    sides = both(tmp_path)
    made = compare(*sides, Wanted())
    compared = {d.b: d for d in made.differences}
    assert {cell.measure for cell in compared} == {*GATED, LEAK}
    for cell, one in held(sides, list(compared)).items():
        other = compared[cell]
        said = (other.judged.outcome, other.judged.cause, p_of(other), other.lost, other.won, other.topics)
        assert said == (one.outcome, one.cause, one.p, one.lost, one.gained, one.topics), cell
        assert (other.mean_a, other.mean_b) == (one.before, one.after)
    outcomes = {(c.mode, c.slice, c.measure): (d.judged.outcome, d.judged.cause) for c, d in compared.items()}
    assert outcomes["keyword", "all", LEAK] == ("worse", "leak")
    assert outcomes["keyword", "first", "R@5"] == ("worse", "collapse")
    assert outcomes["keyword", "all", "FalseRefused"][0] != "same"
    assert outcomes["keyword", "all", "Refused"][0] != "same"


def cell_in(made: Compared, measure: str) -> Difference:
    return next(d for d in made.differences if (d.b.measure, d.b.mode, d.b.slice) == (measure, "keyword", "all"))


def test_tiers_of_one_corpus_share_their_clusters_and_no_topic_that_stands_alone() -> None:
    smoke, full = asked(), replace(asked(), tier="full")
    first, second = (
        {row.partition(" ")[2]: name for row, name in clusters_of(of, of.topics).items()} for of in (smoke, full)
    )
    assert first["q000"] == first["q001"] == second["q000"]
    assert first["q045"] != second["q045"]
    assert clusters_of(replace(smoke, name="other"), smoke.topics[:1])["other@smoke q000"] != first["q000"]


def test_a_store_that_refuses_everything_fails_both(tmp_path: Path) -> None:
    of = asked()
    sides = tuple(
        read_folder(results(tmp_path / name, {"keyword": before()}, of, refused=refused), name)
        for name, refused in (("a", topics(50)[45:]), ("b", topics(50)))
    )
    made = compare(sides[0], sides[1], Wanted())
    assert (cell_in(made, "FalseRefused").judged.outcome, made.verdict.exit_code) == ("worse", 1)
    cell = cell_in(made, "FalseRefused").b
    assert held((sides[0], sides[1]), [cell])[cell].outcome == "worse"


@pytest.mark.parametrize("measure", ["Forbidden@10", "Forbidden@2"])
def test_a_leak_at_any_cutoff_is_one(tmp_path: Path, measure: str) -> None:
    sides = both(tmp_path)
    leak = cell_in(compare(*sides, Wanted(measures=(measure,))), measure)
    assert (leak.judged.cause, leak.lost) == ("leak", 1)


def test_what_is_forbidden_and_gone_is_better(tmp_path: Path) -> None:
    of = asked()
    a = results(tmp_path / "a", {"keyword": before()}, of)
    b = results(tmp_path / "b", {"keyword": {**before(), "q011": ["d-q011"]}}, of)
    assert cell_in(compare(read_folder(a, "A"), read_folder(b, "B"), Wanted()), LEAK).judged.outcome == "better"


def test_an_answer_that_is_shorter_with_the_same_ranks_has_not_moved(tmp_path: Path) -> None:
    of = asked()
    a = read_folder(results(tmp_path / "a", {"keyword": before()}, of), "A")
    b = read_folder(results(tmp_path / "b", {"keyword": {**before(), "q000": ["d-q000"]}}, of), "B")
    made = compare(a, b, Wanted())
    assert {d.judged.outcome for d in made.differences} == {"same"}
    assert {one.outcome for one in held((a, b), [d.b for d in made.differences]).values()} == {"same"}
