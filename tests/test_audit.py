"""Every slice is proved by a good and a wrong engine, and an audit that cannot tell says so."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import pytest
from click.testing import CliRunner, Result

from gate.audit import FAILED, NOT_MEASURED, PROVED, UNJUDGED, Audit, audit, judged
from gate.cli.corpus import corpus as command
from gate.corpus import load_corpus
from gate.corpus.audit import anatomy
from gate.corpus.recipe import load_recipe, recipe_names
from gate.engines import PANELS, WITHOUT_PANEL, installed
from gate.errors import UsageError
from gate.records import Corpus, Document, Slice, Topic

NEEDS_OPENCC = pytest.mark.skipif(not installed("opencc"), reason="OpenCC is not installed: pip install -e '.[dev]'")

# Of each: the question, the document that answers, and one that does not.
STEMMED = ("who repaired bicycles", "Ada was repairing the bicycle.", "Tea at four in the garden.")
EXACT = ("who repaired bicycles", "Ada repaired bicycles.", "Tea at four in the garden.")
HARDER = (
    STEMMED,
    ("who paints fences", "Ben was painting the fence.", "Saint Olaf, assailing the gate."),
    ("who folds napkins", "Cleo was folding the napkin.", "Saint Anne, assailing the tower."),
    ("who planted tulips", "Dora was planting the tulip.", "Saint Mark, assailing the bridge."),
    # 4-grams find five saints that assail before the one who sails.
    ("sailing", "On most of the long and quiet days of summer Emil sails.", "Saint Paul, assailing, assailing."),
    ("who weighed parcels", "Finn was weighing the parcel.", "Saint John, assailing, assailing."),
)
UNRELATED = ("who repaired bicycles", "Tea at four in the garden.", "Ada was repairing the bicycle.")


def made(slice_name: str, *texts: tuple[str, str, str]) -> Corpus:
    """A corpus of one slice and one topic for each question, answer and other document."""
    documents = [
        Document(f"{kind}{number}", text)
        for number, (_, answer, other) in enumerate(texts)
        for kind, text in (("a", answer), ("o", other))
    ]
    topics = tuple(
        Topic(f"q{number}", asks, slices=(slice_name,), cluster="c") for number, (asks, _, _) in enumerate(texts)
    )
    return Corpus(
        name="mine",
        tier="full",
        documents=lambda: iter(documents),
        topics=topics,
        qrels={topic.topic_id: {f"a{topic.topic_id[1:]}": 3} for topic in topics},
        forbidden={},
        slices=(Slice(slice_name, "says"),),
    )


def audited(corpus: Corpus, slices: Sequence[str] = ()) -> Audit:
    return audit(corpus, slices or [part.name for part in corpus.slices], lambda _: None)


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Makes a package look as if it were not installed."""

    def hide(package: str) -> None:
        monkeypatch.setattr("gate.audit.installed", lambda name: name != package and installed(name))

    return hide


def test_every_slice_of_the_seeded_corpus_meets_its_bars_or_has_a_reason() -> None:
    seeded = audited(load_corpus("seeded@1k"))
    slices = [entry.slice.name for entry in load_recipe("seeded").slices]
    assert [finding.anatomy.slice for finding in seeded.findings] == slices
    for finding in seeded.findings:
        name = finding.anatomy.slice
        if name in WITHOUT_PANEL:
            assert (finding.status, finding.good, finding.wrong) == (UNJUDGED, None, None)
        elif name == "memory":
            assert finding.status == UNJUDGED
            assert finding.good is not None
            assert finding.good >= 0.95
            assert finding.wrong is not None
            assert 0.35 <= finding.wrong <= 0.75
        elif name == "hans-hant" and not installed("opencc"):
            assert finding.status == NOT_MEASURED
        else:
            assert finding.status == PROVED, finding
            assert finding.good is not None
            assert finding.good >= 0.8, finding
            assert finding.other is not None
            assert finding.other >= 0.8, finding
            assert PANELS[name].invariant or min(finding.good, finding.other) < 1, finding
            assert finding.wrong is not None
            assert finding.wrong <= 0.4, finding


def test_few_topics_of_the_seeded_corpus_repeat_one_another() -> None:
    seeded = load_corpus("seeded@1k")
    for part in anatomy(seeded, [entry.name for entry in seeded.slices]):
        assert part.near_duplicates <= 0.05 * part.topics, part


def test_every_shipped_slice_has_engines_or_a_reason_and_none_has_both() -> None:
    shipped = {entry.slice.name for name in recipe_names() for entry in load_recipe(name).slices}
    assert not PANELS.keys() & WITHOUT_PANEL.keys()
    assert shipped | {"all"} == PANELS.keys() | WITHOUT_PANEL.keys()


def test_a_panel_is_of_three_engines() -> None:
    for name, panel in PANELS.items():
        assert len({engine.name for engine in panel.engines}) == 3, name
        assert len({(engine.tokens, engine.asks, engine.pieces) for engine in panel.engines}) >= 2, name


def test_two_good_engines_differ_in_their_tokens_or_in_what_they_index() -> None:
    for name, panel in PANELS.items():
        assert (panel.good.tokens, panel.good.pieces) != (panel.other.tokens, panel.other.pieces), name


def test_invariants_are_widths_normal_forms_and_signs_between_plain_words() -> None:
    assert {name for name, panel in PANELS.items() if panel.invariant} == {"width", "ja-halfwidth", "ko-nfd", "hostile"}


def test_a_slice_that_both_good_engines_find_whole_is_too_easy() -> None:
    result = audited(made("morphology-en", STEMMED))
    (finding,) = result.findings
    assert (finding.status, finding.good, finding.other, finding.wrong) == (FAILED, 1.0, 1.0, 0.0)
    assert finding.reason == "too easy: both good engines find everything"
    assert result.exit_code == 1


def test_a_slice_that_one_good_engine_does_not_find_whole_is_proved() -> None:
    result = audited(made("morphology-en", *HARDER))
    (finding,) = result.findings
    assert (finding.status, finding.reason) == (PROVED, "")
    assert (finding.good, finding.wrong) == (1.0, 0.0)
    assert finding.other == pytest.approx(5 / 6)
    assert result.exit_code == 0


def test_an_invariant_may_be_found_whole_and_the_audit_says_so() -> None:
    result = audited(made("hostile", ("who (repaired) bicycles", "Ada repaired bicycles.", "Tea at four.")))
    (finding,) = result.findings
    assert (finding.status, finding.good, finding.other, finding.wrong) == (PROVED, 1.0, 1.0, 0.0)
    assert finding.reason.startswith("both good engines find all, signs between plain words")
    assert result.exit_code == 0


def test_a_slice_that_the_good_engine_misses_fails() -> None:
    result = audited(made("morphology-en", UNRELATED))
    (finding,) = result.findings
    assert (finding.status, finding.good) == (FAILED, 0.0)
    assert finding.reason == (
        "the good engine finds 0.000, less than 0.8; the other good engine finds 0.000, less than 0.8"
    )
    assert result.exit_code == 1


def test_a_slice_that_the_wrong_engine_finds_fails() -> None:
    result = audited(made("morphology-en", EXACT))
    (finding,) = result.findings
    assert (finding.status, finding.good, finding.wrong) == (FAILED, 1.0, 1.0)
    assert finding.reason == (
        "too easy: both good engines find everything; the wrong engine finds 1.000, more than 0.4"
    )
    assert result.exit_code == 1


@pytest.mark.parametrize(
    ("good", "other", "wrong", "invariant", "status"),
    [
        (0.8, 0.8, 0.4, False, PROVED),
        (0.7999, 0.9, 0.4, False, FAILED),
        (0.9, 0.7999, 0.4, False, FAILED),
        (0.9, 0.9, 0.4001, False, FAILED),
        (1.0, 1.0, 0.4, False, FAILED),
        (1.0, 0.9999, 0.4, False, PROVED),
        (1.0, 1.0, 0.4, True, PROVED),
        (1.0, 0.7, 0.4, True, FAILED),
        (math.nan, 0.9, 0.0, False, FAILED),
        (0.9, math.nan, 0.0, False, FAILED),
        (0.9, 0.9, math.nan, False, FAILED),
        (None, 0.9, 0.0, False, NOT_MEASURED),
        (0.9, None, 0.0, False, NOT_MEASURED),
        (0.9, 0.9, None, False, NOT_MEASURED),
    ],
)
def test_the_bars_hold_to_the_last_digit_and_no_number_never_meets_them(
    good: float | None, other: float | None, wrong: float | None, invariant: bool, status: str
) -> None:
    assert judged(good, other, wrong, invariant=invariant)[0] == status


def test_recall_is_the_share_of_the_relevant_documents_in_the_first_five() -> None:
    # By hand: one of the two answers shares a stem with the question, and half of two is 0.5.
    corpus = made("morphology-en", STEMMED)
    qrels = {"q0": {"a0": 3, "o0": 1}}
    half = Corpus(corpus.name, corpus.tier, corpus.documents, corpus.topics, qrels, {}, corpus.slices)
    assert audited(half).findings[0].good == 0.5


def test_a_slice_of_few_plain_words_by_design_is_shown_and_not_judged() -> None:
    result = audited(made("memory", EXACT))
    (finding,) = result.findings
    assert (finding.status, finding.good, finding.wrong) == (UNJUDGED, 1.0, 1.0)
    assert "by design" in finding.reason
    assert result.exit_code == 0


def test_a_slice_that_nobody_knows_engines_for_is_not_measured() -> None:
    result = audited(made("klingon", STEMMED))
    assert (result.findings[0].status, result.findings[0].reason) == (NOT_MEASURED, "no engines are known for it")
    assert result.exit_code == 2


def test_a_slice_without_a_relevant_document_is_not_measured() -> None:
    corpus = made("morphology-en", STEMMED)
    bare = Corpus(corpus.name, corpus.tier, corpus.documents, corpus.topics, {}, {}, corpus.slices)
    result = audited(bare)
    assert (result.findings[0].status, result.exit_code) == (NOT_MEASURED, 2)
    assert "no topic with a relevant document" in result.findings[0].reason


def test_without_bm25s_the_rest_is_said_and_nothing_passes(without: Callable[[str], None]) -> None:
    without("bm25s")
    result = audited(made("morphology-en", STEMMED))
    (finding,) = result.findings
    assert (finding.status, finding.reason) == (NOT_MEASURED, "needs bm25s")
    assert (finding.good, finding.wrong) == (None, None)
    assert (finding.anatomy.topics, finding.anatomy.relevant) == (1, 1.0)
    assert (result.missing, result.exit_code) == (("bm25s",), 2)


def test_without_opencc_only_the_slice_that_needs_it_is_not_measured(without: Callable[[str], None]) -> None:
    without("opencc")
    corpus = made("hans-hant", ("订单归谁", "這些訂單歸小王。", "今天喝茶。"))
    (finding,) = audited(corpus).findings
    assert (finding.status, finding.reason) == (NOT_MEASURED, "needs opencc")
    assert (finding.good, finding.wrong) == (None, 0.0)
    assert audited(made("zh-Hans", ("订单归谁", "这些订单归小王。", "今天喝茶。"))).missing == ()


@NEEDS_OPENCC
def test_conversion_finds_the_other_script() -> None:
    (finding,) = audited(made("hans-hant", ("订单归谁", "這些訂單歸小王。", "今天喝茶。"))).findings
    assert (finding.status, finding.good, finding.wrong) == (FAILED, 1.0, 0.0)
    assert "too easy" in finding.reason


def test_what_was_not_measured_outranks_what_failed() -> None:
    corpus = made("morphology-en", UNRELATED)
    assert audited(corpus, ["morphology-en", "klingon"]).exit_code == 2


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(command, ["audit", *arguments])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def test_the_command_prints_a_line_a_slice_and_what_it_counted() -> None:
    result = run("seeded@smoke", "--slice", "morphology-en", "--slice", "scopes")
    assert result.exit_code == 0
    head, first, second, *rest = result.output.splitlines()
    assert head.split()[:2] == ["slice", "topics"]
    assert first.split()[0] == "morphology-en"
    assert first.split()[-1] == "proved"
    assert second.split()[0] == "scopes"
    assert "  scopes: not judged, what is replaced" in result.output
    assert rest[-1] == "seeded@smoke: 1 proved, 0 failed, 1 not judged"


def test_the_command_exits_with_1_and_says_which_slice_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gate.corpus.load_corpus", lambda _: made("morphology-en", EXACT))
    result = run("mine@full")
    assert result.exit_code == 1
    assert "morphology-en: failed, too easy: both good engines find everything" in result.output
    assert "mine@full: 0 proved, 1 failed" in result.output


def test_the_command_exits_with_2_and_says_what_to_install(without: Callable[[str], None]) -> None:
    without("bm25s")
    result = run("seeded@smoke", "--slice", "zh-Hans")
    assert result.exit_code == 2
    assert "zh-Hans: not measured, needs bm25s" in result.output
    assert "pip install bm25s" in result.output
    assert "0 proved, 0 failed, 1 not measured" in result.output


def test_the_command_shows_what_names_hold_and_obeys_none_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gate.corpus.load_corpus", lambda _: made("a\x1b[2Jb\u202e", STEMMED))
    result = run("mine@full")
    assert "a<U+001B>[2Jb<U+202E>" in result.output
    assert "\x1b" not in result.output
    assert "\u202e" not in result.output


def test_a_corpus_without_slices_is_described_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = made("x", STEMMED)
    bare = Corpus(corpus.name, corpus.tier, corpus.documents, corpus.topics, corpus.qrels, {}, ())
    monkeypatch.setattr("gate.corpus.load_corpus", lambda _: bare)
    result = run("beir:mine")
    assert result.exit_code == 0
    assert result.output.splitlines()[1].split()[:2] == ["all", "1"]


@pytest.mark.parametrize(
    ("glob", "slug", "said"), [("morphology-enn", "slice-unknown", "morphology-en"), ("!*", "slice-none", "is left")]
)
def test_globs_that_choose_nothing_are_refused(glob: str, slug: str, said: str) -> None:
    with pytest.raises(UsageError, match=said) as caught:
        run("seeded@smoke", "--slice", glob)
    assert caught.value.slug == slug
