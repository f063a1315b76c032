import pytest

from gate.errors import UsageError
from gate.faults import FAULTS, faults_matching
from gate.records import MODES


def names(*patterns: str) -> list[str]:
    return [fault.name for fault in faults_matching(patterns)]


def test_every_fault_is_known_by_its_own_name() -> None:
    for name, fault in FAULTS.items():
        assert fault.name == name
        assert fault.part in ("embedder", "reranker")
        assert name.startswith(f"{fault.part}-")
        assert fault.modes
        assert fault.modes <= set(MODES)
        assert fault.says
        assert fault.topics >= 0
        assert not fault.delays or fault.holds


def test_embedder_faults_can_be_lost_by_the_modes_that_embed() -> None:
    assert FAULTS["embedder-raises"].modes == {"vector", "hybrid", "rerank"}


def test_what_holds_calls_is_asked_on_few_topics_since_each_may_cost_a_wait() -> None:
    held = {fault.name for fault in FAULTS.values() if fault.holds}
    assert held == {"embedder-hangs", "embedder-slow", "reranker-hangs"}
    assert {FAULTS[name].topics for name in held} == {3}
    assert all(fault.topics in (0, 40) for fault in FAULTS.values() if not fault.holds)


def test_a_star_is_every_fault() -> None:
    assert names("*") == list(FAULTS)


def test_no_patterns_choose_nothing() -> None:
    assert names() == []


def test_an_exclamation_mark_leaves_out() -> None:
    assert names("embedder-*", "!embedder-zeros") == [
        name for name in FAULTS if name.startswith("embedder-") and name != "embedder-zeros"
    ]
    assert names("!embedder-zeros") == [name for name in FAULTS if name != "embedder-zeros"]


def test_the_last_pattern_that_matches_decides() -> None:
    assert names("embedder-*", "!embedder-*", "embedder-nan") == ["embedder-nan"]


def test_the_order_is_that_of_the_registry() -> None:
    assert names("embedder-nan", "embedder-raises") == ["embedder-raises", "embedder-nan"]


@pytest.mark.parametrize(
    ("pattern", "hint"),
    [
        ("embedder-raise", "Did you mean 'embedder-raises'?"),
        ("!embedder-zero", "Did you mean 'embedder-zeros'?"),
        ("Embedder-*", "Did you mean 'embedder-"),
        ("embedder-hang", "Did you mean 'embedder-hangs'?"),
        ("reranker-ordered", "Did you mean 'reranker-order'?"),
        ("???", "Known: embedder-raises"),
    ],
)
def test_a_pattern_that_matches_nothing_names_the_nearest(pattern: str, hint: str) -> None:
    with pytest.raises(UsageError) as caught:
        faults_matching(["*", pattern])
    assert caught.value.slug == "fault-unknown"
    assert hint in caught.value.hint


def test_every_pattern_that_matches_nothing_is_listed() -> None:
    with pytest.raises(UsageError) as caught:
        faults_matching(["gpu-melts", "disk-full"])
    assert "gpu-melts" in str(caught.value)
    assert "disk-full" in str(caught.value)
