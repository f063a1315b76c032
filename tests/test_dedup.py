"""Sessions and chunks from the store to the score: the digest stays, ids are counted, the best unit of each counts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from builders import check as check_of
from fakes import Switches, declared, make_corpus, make_subject
from hypothesis import given
from hypothesis import strategies as st

from gate.bench import run_trial
from gate.checks.coverage import stray_checks
from gate.corpus.digest import CorpusDigest
from gate.corpus.units import GRANULARITIES, units_of
from gate.measures import MEASURES, judge, parse_measure
from gate.moves import with_texts
from gate.outcome import Outcome
from gate.progress import Silent
from gate.records import NO_FAULT, Corpus, Document, MovedDoc, RunKey, ScoredDoc, SearchResult, Topic, TopicMove
from gate.score import score
from gate.search import seen
from gate.trial import Trial, plan_trial


def answer(*ids: str) -> SearchResult:
    return SearchResult(tuple(ScoredDoc(doc_id, 0.0) for doc_id in ids))


# --- the best unit of each session -------------------------------------------------------------

SESSIONS = {"a1": "a", "a2": "a", "b1": "b", "c": "c"}


def test_of_each_session_only_the_best_unit_counts() -> None:
    result = seen(answer("a2", "b1", "a1", "c", "a2"), 0.0, 10, SESSIONS)
    assert result.doc_ids == ("a", "b", "c")
    assert result.duplicates == 1, "two units of a session are no duplicates, a unit twice is"


def test_sessions_are_made_of_the_hits_asked_for_and_no_others() -> None:
    assert seen(answer("a1", "a2", "b1"), 0.0, 2, SESSIONS).doc_ids == ("a",)


def test_units_that_are_their_own_sessions_stay_as_they_are() -> None:
    hits = answer("x", "y", "z")
    assert seen(hits, 0.0, 10, {"x": "x", "y": "y", "z": "z"}) == seen(hits, 0.0, 10)


@given(
    st.lists(st.sampled_from([f"{s}{n}" for s in "abcdef" for n in "123"]), max_size=18),
    st.sets(st.sampled_from("abcdef"), min_size=1),
)
def test_dedup_leaves_hit_1_and_never_lowers_hit_5_and_10(ranked: list[str], relevant: set[str]) -> None:
    sessions = {f"{s}{n}": s for s in "abcdef" for n in "123"}
    hits = answer(*ranked)
    plain, best = seen(hits, 0.0, 100), seen(hits, 0.0, 100, sessions)
    # Relevance is the session's on both sides: each unit of a relevant session is relevant.
    units = {unit: 1 for unit in sessions if sessions[unit] in relevant}
    before = judge(plain.doc_ids, units, {}, plain.duplicates, plain.refused)
    after = judge(best.doc_ids, dict.fromkeys(relevant, 1), {}, best.duplicates, best.refused)
    hit = MEASURES["Hit"].score
    assert hit(after, 1) == hit(before, 1)
    assert hit(after, 5) >= hit(before, 5)
    assert hit(after, 10) >= hit(before, 10)


def test_the_property_is_not_empty_dedup_does_raise_hit_5() -> None:
    hits = answer("a1", "a2", "a3", "b1", "b2", "c1")
    sessions = {unit.doc_id: unit.doc_id[0] for unit in hits.hits}
    assert "c1" not in seen(hits, 0.0, 100).doc_ids[:5]
    assert "c" in seen(hits, 0.0, 100, sessions).doc_ids[:5]


# --- through a store ----------------------------------------------------------------------------

# Words of the question stand in two turns of the first session and in one of the second.
TURNS = (
    Document("d1", "the ferry leaves at noon", session_id="harbour", created_at="2026-01-01"),
    Document("d2", "the kettle is on the stove", session_id="kitchen", created_at="2026-01-01"),
    Document("d3", "noon is when the ferry leaves on sunday at six", session_id="harbour", created_at="2026-01-02"),
    Document("d4", "the ferry was late", session_id="news", created_at="2026-01-03"),
    Document("d5", "nothing of it"),
)


def ferry(pinned: str = "") -> Corpus:
    topics = [Topic("q", "leaves the ferry at noon")]
    return make_corpus(TURNS, topics, {"q": {"d3": 2, "d4": 1}}, pinned=pinned)


def measured(corpus: Corpus, folder: Path) -> tuple[Trial, Outcome]:
    switches = Switches(abilities=frozenset({"reopen"}))
    trial = plan_trial(
        make_subject(switches),
        declared(switches),
        corpus,
        slices=("*",),
        modes=("keyword",),
        faults=(),
        measures=[parse_measure("R@5")],
    )
    return trial, run_trial(trial, folder, 10, Silent())


KEYWORD = RunKey("fake", "tiny", "smoke", "cpu-hash", "keyword", NO_FAULT)


@pytest.mark.parametrize(
    ("granularity", "dedup", "found"),
    [
        ("turn", False, ("d1", "d3", "d4", "d2")),
        ("turn", True, ("harbour", "news", "kitchen")),
        ("session", False, ("harbour", "news", "kitchen")),
        ("chunk", False, ("harbour#0001", "news#0001", "kitchen#0001")),
        ("chunk", True, ("harbour", "news", "kitchen")),
    ],
)
def test_what_is_stored_comes_back_and_is_judged(
    tmp_path: Path, granularity: str, dedup: bool, found: tuple[str, ...]
) -> None:
    trial, outcome = measured(units_of(ferry(), granularity, dedup), tmp_path)
    run = outcome.runs[KEYWORD]
    assert run.failure == ""
    assert run.results["q"].doc_ids == found
    assert stray_checks([run], outcome.ingest.doc_ids) == []
    values = score(run, trial.topics("keyword"), trial.corpus, [parse_measure("R@5")]).values["R@5"]
    assert values == {"q": 1.0}


@pytest.mark.parametrize("granularity", GRANULARITIES)
@pytest.mark.parametrize("dedup", [False, True])
def test_the_digest_is_that_of_the_corpus_before_units_are_made(tmp_path: Path, granularity: str, dedup: bool) -> None:
    digest = CorpusDigest(ferry())
    for document in ferry().documents():
        digest.add(document)
    _, outcome = measured(units_of(ferry(digest.hexdigest()), granularity, dedup), tmp_path / "right")
    assert (outcome.ingest.digest, outcome.ingest.failure) == (digest.hexdigest(), "")
    _, outcome = measured(units_of(ferry("0" * 64), granularity, dedup), tmp_path / "wrong")
    assert "not the pinned one" in outcome.ingest.failure


def test_an_id_that_nobody_stored_is_still_seen_as_one(tmp_path: Path) -> None:
    _, outcome = measured(units_of(ferry(), "chunk", True), tmp_path)
    assert outcome.ingest.doc_ids == {"harbour", "kitchen", "news", "d5"}
    assert outcome.ingest.sessions["harbour#0001"] == "harbour"
    assert "harbour#0002" not in outcome.ingest.sessions


@pytest.mark.parametrize(
    ("granularity", "text"), [("turn", "the ferry leaves at noon"), ("session", "the ferry leaves")]
)
def test_a_session_that_a_report_names_is_shown_with_its_first_words(granularity: str, text: str) -> None:
    corpus = units_of(ferry(), granularity, True)
    move = TopicMove("q", "when", 1.0, 0.0, (MovedDoc("harbour", 2, 1, None),), ())
    named = replace(check_of("fail"), cell="fake/tiny@smoke/all/cpu-hash/keyword/none/R@5", moves=(move,))
    (told,) = with_texts([named], [corpus])
    assert told.moves[0].moved[0].text.startswith(text)
