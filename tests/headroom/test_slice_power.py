from __future__ import annotations

import pytest
from headroom_cells import SLICE, cells_of
from scipy import stats

from gate.headroom.power import SlicePower, clusters_hit, sentences, slice_power, slice_powers
from gate.headroom.slices import Slices
from gate.stats.power import power
from gate.stats.rule import ALPHA, Paired, judge


def power_of(topics: int, sizes: list[int] | None = None) -> SlicePower:
    return slice_power("seeded@1k", "ja-halfwidth", topics, sizes)


def test_a_small_slice_in_plain_words() -> None:
    (said,) = sentences([power_of(20)])
    assert said == (
        "seeded@1k: ja-halfwidth has 20 topics: only losses of 7 or more can be significant,"
        " 5 or more fail as a collapse; smaller losses are listed, not judged."
    )


def test_under_20_topics_there_is_no_test() -> None:
    one = power_of(19)
    assert (one.certain, one.collapse, one.together.seen) == (None, 5, None)
    assert "no loss can be significant (fewer than 20 topics), 5 or more lost fail as a collapse" in sentences([one])[0]
    assert power_of(20).certain == 7


def test_under_5_topics_nothing_can_fail() -> None:
    one = power_of(4)
    assert (one.certain, one.collapse) == (None, None)
    assert "only a budget guards it" in sentences([one])[0]


def test_topics_of_one_cluster_count_once() -> None:
    one = power_of(20, [5, 5, 5, 5])
    assert (one.certain, one.collapse, one.unit) == (None, None, "cluster")
    few = power_of(60, [5] * 12)
    assert (few.certain, few.collapse) == (7, 5)
    assert "has 60 topics in 12 clusters: only losses in 7 or more clusters" in sentences([few])[0]


def test_clusters_of_one_topic_are_topics() -> None:
    assert power_of(20, [1] * 20).unit == "topic"
    assert power_of(20, [1] * 20).apart == power_of(20).together


@pytest.mark.parametrize(
    ("sizes", "certain", "collapse"),
    [
        # Of 200 topics five clusters of 20 are half: a share counts topics, and a collapse five clusters.
        ([20] * 5 + [1] * 100, 7, 5),
        # 0.005 of 2,400 topics are 12, and seven clusters of 40 are beyond that; a fifth are 480: ten of 40, 80 of one.
        ([40] * 10 + [1] * 2000, 7, 90),
        ([1] * 2000, 11, 400),
        ([5] * 4, None, None),
    ],
)
def test_a_share_is_one_of_topics_whatever_the_size_of_clusters(
    sizes: list[int], certain: int | None, collapse: int | None
) -> None:
    one = power_of(sum(sizes), sizes)
    assert (one.certain, one.collapse) == (certain, collapse)


@pytest.mark.parametrize(
    "sizes",
    [[20] * 5 + [1] * 100, [40] * 10 + [1] * 2000, [9, 7, 5, 3, 2, 2, 1, 1, 1, 1], [6] * 12, [1] * 26, [1] * 19],
)
def test_the_rule_of_the_verdict_says_the_same(sizes: list[int]) -> None:
    topics = {f"{cluster} {topic}": cluster for cluster, size in enumerate(sizes) for topic in range(size)}
    clusters = {topic: str(cluster) for topic, cluster in topics.items()}

    def cause(lost: int, alpha: float) -> str:
        """Of the loss of so many clusters, the largest first, in a cell where nothing else moves."""
        paired = Paired({topic: -float(cluster < lost) for topic, cluster in topics.items()})
        return judge({"cell": paired}, clusters, alpha=alpha).cells["cell"].cause

    one = power_of(len(topics), sizes)
    for name, number, alpha in (("significant", one.certain, ALPHA), ("collapse", one.collapse, 0.0)):
        if number is None:
            assert cause(len(sizes), alpha) != name
        else:
            assert cause(number, alpha) == name
            assert cause(number - 1, alpha) != name


@pytest.mark.parametrize(("topics", "collapse"), [(24, 5), (25, 5), (26, 6), (100, 20)])
def test_a_collapse_is_a_fifth_and_at_least_five(topics: int, collapse: int) -> None:
    assert power_of(topics).collapse == collapse


def test_on_many_topics_a_significant_loss_has_to_pass_the_tolerance_too() -> None:
    # 0.005 of 2,000 is 10 topics, and the loss has to be beyond that.
    assert power_of(2000).certain == 11
    assert power_of(1000).certain == 7


def test_about_twelve_topics_are_seen_95_percent_of_the_time() -> None:
    seen = power_of(1000).together.seen
    assert seen is not None
    assert seen * 1000 == pytest.approx(11.8, abs=0.1)
    assert stats.binom.sf(6, 1000, seen) == pytest.approx(0.95, abs=1e-4)


def test_chances_are_those_of_the_binomial() -> None:
    assert power_of(300).together.chances == pytest.approx([stats.binom.sf(6, 300, d) for d in (0.03, 0.05, 0.10)])


def test_the_chance_of_a_very_large_slice_is_a_number() -> None:
    assert power(100_000, 0.005, 501) == pytest.approx(stats.binom.sf(500, 100_000, 0.005), abs=1e-6)
    assert (power(10, 0.0), power(10, 1.0), power(5, 1.0)) == (0.0, 1.0, 0.0)


def test_clusters_that_are_hit_are_counted_as_a_poisson_binomial() -> None:
    # Two clusters of one and two topics, each lost with probability 1/2: hit with 1/2 and 3/4.
    assert clusters_hit([1, 2], 0.5, 1) == pytest.approx(1 - 0.5 * 0.25)
    assert clusters_hit([1, 2], 0.5, 2) == pytest.approx(0.5 * 0.75)
    assert clusters_hit([1] * 300, 0.03, 7) == pytest.approx(power(300, 0.03))
    assert clusters_hit([8] * 24, 0.05, 7) == pytest.approx(stats.binom.sf(6, 24, 1 - 0.95**8))


def test_topics_lost_one_by_one_are_seen_sooner_than_whole_clusters() -> None:
    one = power_of(200, [10] * 20)
    assert one.apart.seen is not None
    assert one.together.seen is not None
    assert one.apart.seen < one.together.seen
    assert all(apart > together for apart, together in zip(one.apart.chances, one.together.chances, strict=True))


def test_large_slices_need_no_sentence_and_like_ones_share_one() -> None:
    assert sentences([power_of(1000)]) == []
    two = [slice_power("seeded@1k", name, 20, None) for name in ("ko", "th")]
    (said,) = sentences(two)
    assert said.startswith("seeded@1k: ko (20 topics), th (20 topics): only losses of 7")


def test_each_slice_is_told_once_with_the_most_topics() -> None:
    other = SLICE.replace("keyword", "vector")
    fault = SLICE.replace("none", "embedder-raises")
    measured = cells_of({SLICE: (1.0, 18), other: (1.0, 20), fault: (1.0, 99), SLICE.replace("R@5", "P@5"): (1.0, 99)})
    (one,) = slice_powers(measured, Slices((), {}))
    assert (one.corpus, one.slice, one.topics) == ("seeded@smoke", "zh-Hans", 20)


def test_clusters_come_from_the_corpus_that_was_measured() -> None:
    (known,) = slice_powers(cells_of({SLICE.replace("zh-Hans", "facts"): (1.0, 20)}), Slices((), {}))
    assert known.clusters is not None
    assert known.clusters < 20
    (other,) = slice_powers(
        cells_of({SLICE.replace("zh-Hans", "facts"): (1.0, 20)}), Slices((), {"seeded@smoke": "0" * 64})
    )
    assert other.clusters is None
    (fewer,) = slice_powers(cells_of({SLICE.replace("zh-Hans", "facts"): (1.0, 19)}), Slices((), {}))
    assert fewer.clusters is None


def test_a_corpus_that_cannot_be_loaded_has_no_clusters() -> None:
    (one,) = slice_powers(cells_of({SLICE.replace("seeded@smoke", "gone@full"): (1.0, 20)}), Slices(("beir:gone",), {}))
    assert one.clusters is None
