import pytest

from gate.errors import UsageError
from gate.measures import (
    ALIASES,
    DEFAULT_MEASURES,
    MEASURES,
    RUN_MEASURES,
    ParsedMeasure,
    RunMeasure,
    TopicMeasure,
    parse_measure,
)


@pytest.mark.parametrize("label", DEFAULT_MEASURES)
def test_default_measures_print_as_they_are_written(label: str) -> None:
    assert parse_measure(label).label == label


def test_every_measure_is_known_by_its_own_name() -> None:
    named = [(name, m.name) for name, m in MEASURES.items()] + [(name, m.name) for name, m in RUN_MEASURES.items()]
    for name, own in named:
        assert name == own
        # A cell's name is split at slashes, a measure's at its @.
        assert not {"/", "@"} & set(name)


@pytest.mark.parametrize("measure", [*MEASURES.values(), *RUN_MEASURES.values()], ids=lambda measure: measure.name)
def test_every_measure_says_its_version_and_source(measure: TopicMeasure | RunMeasure) -> None:
    assert measure.version >= 1
    assert measure.source


def test_every_topic_measure_says_which_topics_it_is_for() -> None:
    assert {measure.applies_to for measure in MEASURES.values()} == {
        "relevant",
        "unanswerable",
        "forbidden",
        "evidence",
    }


def test_every_measure_is_measured_by_default() -> None:
    assert {parse_measure(label).name for label in DEFAULT_MEASURES} == {*MEASURES, *RUN_MEASURES}


@pytest.mark.parametrize(("written", "label"), [("MRR", "RR"), ("MRR@10", "RR@10"), ("RR", "RR"), ("P@1", "P@1")])
def test_mrr_is_a_name_for_rr(written: str, label: str) -> None:
    assert parse_measure(written).label == label


def test_a_parsed_measure_knows_its_direction() -> None:
    assert parse_measure("nDCG@10").higher_is_better
    assert parse_measure("ingest-rate").higher_is_better
    assert not parse_measure("Forbidden@10").higher_is_better
    assert not parse_measure("latency-p99").higher_is_better
    assert parse_measure("nDCG@10") == ParsedMeasure("nDCG", 10)


@pytest.mark.parametrize(
    ("written", "slug", "said"),
    [
        ("ndcg@10", "measure-unknown", "Did you mean 'nDCG'?"),
        ("ndgc@10", "measure-unknown", "Did you mean 'nDCG'?"),
        ("mrr@10", "measure-unknown", "Did you mean 'MRR'?"),
        ("Duplicate", "measure-unknown", "Did you mean 'Duplicates'?"),
        ("latency-p90", "measure-unknown", "Did you mean 'latency-p9"),
        ("zzz@5", "measure-unknown", "Known: P, R,"),
        ("", "measure-unknown", "Measures look like"),
        ("@10", "measure-unknown", "Measures look like"),
        ("nDCG", "measure-cutoff", "Write 'nDCG@10'"),
        ("R@", "measure-cutoff", "Write 'R@10'"),
        ("R@0", "measure-cutoff", "Write 'R@10'"),
        ("R@-5", "measure-cutoff", "Write 'R@10'"),
        ("R@5.0", "measure-cutoff", "Write 'R@10'"),
        ("R@05", "measure-cutoff", "Write 'R@10'"),
        ("R@٥", "measure-cutoff", "Write 'R@10'"),
        ("R@5@6", "measure-cutoff", "Write 'R@10'"),
        (" R@5", "measure-unknown", "Measures look like"),
        ("Refused@10", "measure-cutoff", "Write 'Refused'"),
        ("latency-p50@10", "measure-cutoff", "Write 'latency-p50'"),
    ],
)
def test_a_measure_that_cannot_be_read_says_what_to_write(written: str, slug: str, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_measure(written)
    assert caught.value.slug == slug
    assert said in caught.value.hint


def test_aliases_lead_to_measures() -> None:
    assert set(ALIASES.values()) <= {*MEASURES, *RUN_MEASURES}
    assert not set(ALIASES) & {*MEASURES, *RUN_MEASURES}
