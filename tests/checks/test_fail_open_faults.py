"""Every fault: the embedded store keeps the contract under it; a store that gets it wrong is caught, and by what."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from faulty_stores import Anxious, Cached, Latched, Mixed, Naked, Patient, PatientAndSilent, Plain, Quiet, contract

from gate.faults import FAULTS, embedder_time
from gate.protocols import OpenStore
from gate.records import Check
from gate.settings import FailOpen
from gate.stores.reference import open_store, parts

ALWAYS = {"reached", "answers", "within", "floor", "agreement", "declared", "recovery"}
# Some of their calls are answered well, or late.
SPARED = {"embedder-long-text", "embedder-recovers"}
CASES = [
    (mode, fault.name) for fault in FAULTS.values() for mode in ("vector", "hybrid", "rerank") if mode in fault.modes
]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Mapping[tuple[str, str, str], Check]:
    """What the contract says of the embedded store."""
    folder = tmp_path_factory.mktemp("reference")
    with pytest.MonkeyPatch.context() as patch:
        # More than a busy machine takes, and much less than what is held.
        patch.setattr(parts, "PATIENCE", 1.5)
        patch.setattr(parts, "RERANKING_PATIENCE", 1.5)
        patch.setattr(embedder_time, "DELAY", 600.0)
        return contract(open_store, ("*",), folder, ("keyword", "vector", "hybrid", "rerank"), FailOpen(within=30))


@pytest.mark.parametrize(("mode", "fault"), CASES)
def test_the_embedded_store_keeps_the_contract(
    kept: Mapping[tuple[str, str, str], Check], mode: str, fault: str
) -> None:
    checks = {rule: check for (one, other, rule), check in kept.items() if (one, other) == (mode, fault)}
    assert set(checks) == ALWAYS | ({"spared"} if fault in SPARED else set())
    assert {rule: check.message for rule, check in checks.items() if check.status != "pass"} == {}


def test_the_embedded_store_is_never_degraded_in_health(kept: Mapping[tuple[str, str, str], Check]) -> None:
    health = {mode: check.status for (mode, fault, _), check in kept.items() if fault == "none"}
    assert health == dict.fromkeys(("keyword", "vector", "hybrid", "rerank"), "pass")


def test_the_embedded_store_says_on_exactly_those_answers_that_it_went_without(
    kept: Mapping[tuple[str, str, str], Check],
) -> None:
    # Six of twelve questions are long. Ten calls fail: topics take all three modes in turn, so three and a bit.
    for mode in ("vector", "hybrid", "rerank"):
        assert "6 of 12 answers went without" in kept[mode, "embedder-long-text", "declared"].message
        assert "6 answers with the embedder" in kept[mode, "embedder-long-text", "spared"].message
    told = [kept[mode, "embedder-recovers", "declared"].message.split()[0] for mode in ("vector", "hybrid", "rerank")]
    assert sorted(told) == ["3", "3", "4"]


def test_reranking_falls_back_to_what_it_reranks(kept: Mapping[tuple[str, str, str], Check]) -> None:
    check = kept["rerank", "reranker-raises", "agreement"]
    assert check.actual == 1.0
    assert "of hybrid search's first five" in check.message


WITHIN = FailOpen(within=0.05)
# Whether what a wrong store returns is near enough to something else is not what it is wrong about.
NEARNESS = {"floor", "agreement"}
# A store, the fault that it gets wrong, the mode, the rules that it breaks, and what one of them says.
WRONG: list[tuple[OpenStore, str, str, set[str], str]] = [
    (Naked, "embedder-raises", "vector", {"answers"}, "it does not survive the fault"),
    (Quiet, "embedder-raises", "vector", {"declared"}, "12 of 12 answers did not say"),
    (Plain, "embedder-zeros", "vector", {"declared"}, "12 of 12 answers did not say"),
    (Plain, "embedder-nan", "vector", {"declared"}, "12 of 12 answers did not say"),
    (Plain, "embedder-constant", "vector", {"declared"}, "12 of 12 answers did not say"),
    (Plain, "embedder-length", "vector", {"declared"}, "12 of 12 answers did not say"),
    (Plain, "embedder-other-model", "vector", {"declared"}, "12 of 12 answers did not say"),
    (Plain, "embedder-empty", "vector", {"declared", "floor", "agreement"}, "12 of 12 answers did not say"),
    (Naked, "embedder-long-text", "vector", {"answers"}, "it does not survive the fault"),
    (Quiet, "embedder-long-text", "vector", {"declared"}, "6 of 12 answers did not say"),
    (Anxious, "embedder-long-text", "vector", {"declared", "recovery"}, "6 answers said without need"),
    (Latched, "embedder-long-text", "vector", {"recovery"}, "topic t00 is still degraded"),
    (Quiet, "embedder-recovers", "vector", {"declared"}, "10 of 12 answers did not say"),
    (Cached, "embedder-recovers", "vector", {"recovery"}, "topic t00 is still degraded"),
    (Latched, "embedder-recovers", "vector", {"recovery"}, "topic t00 is still degraded"),
    (Plain, "embedder-hangs", "vector", {"answers"}, "no answer within"),
    (PatientAndSilent, "embedder-hangs", "vector", {"declared"}, "3 of 3 answers did not say"),
    (Mixed, "embedder-hangs", "vector", {"recovery"}, "ranks otherwise than before the fault"),
    (Plain, "embedder-slow", "vector", {"within"}, "are allowed"),
    (PatientAndSilent, "embedder-slow", "vector", {"spared"}, "3 of 3 answers that say nothing"),
    (Naked, "reranker-raises", "rerank", {"answers"}, "it does not survive the fault"),
    (Quiet, "reranker-raises", "rerank", {"declared"}, "12 of 12 answers did not say"),
    (Plain, "reranker-hangs", "rerank", {"answers"}, "no answer within"),
    (Plain, "reranker-constant", "rerank", {"declared"}, "12 of 12 answers did not say"),
    (Plain, "reranker-idle", "rerank", {"declared"}, "12 of 12 answers did not say"),
    (Plain, "reranker-fewer", "rerank", {"declared"}, "12 of 12 answers did not say"),
    (Plain, "reranker-some", "rerank", {"declared"}, "12 of 12 answers did not say"),
    (Plain, "reranker-order", "rerank", {"declared"}, "12 of 12 answers did not say"),
]


@pytest.mark.parametrize(
    ("store", "fault", "mode", "broken", "says"),
    WRONG,
    ids=[f"{one[0].__name__}-{one[1]}" for one in WRONG],  # type: ignore[attr-defined]
)
def test_a_store_that_gets_a_fault_wrong_is_caught_by_the_rule_it_breaks(
    store: OpenStore,
    fault: str,
    mode: str,
    broken: set[str],
    says: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(embedder_time, "DELAY", 600.0 if store is PatientAndSilent else 0.4)
    modes = ("keyword", "vector", mode)
    held = FAULTS[fault].holds and store is Plain
    checks = contract(store, (fault,), tmp_path, modes, WITHIN if held else FailOpen(within=30))
    own = {rule: check for (one, other, rule), check in checks.items() if (one, other) == (mode, fault)}
    failing = {rule: check.message for rule, check in own.items() if check.status == "fail"}
    assert broken <= set(failing) <= broken | NEARNESS, failing
    assert any(says in message for message in failing.values()), failing


def test_every_fault_is_got_wrong_by_some_store() -> None:
    assert {fault for _, fault, *_ in WRONG} == set(FAULTS)


@pytest.mark.parametrize("fault", ["embedder-hangs", "embedder-slow"])
def test_a_store_that_waits_for_a_moment_and_says_so_keeps_the_contract(
    fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedder_time, "DELAY", 600.0)
    checks = contract(Patient, (fault,), tmp_path, ("keyword", "vector"), FailOpen(within=30))
    assert {name: check.message for name, check in checks.items() if check.status != "pass"} == {}


def test_a_store_that_waits_for_a_slow_part_keeps_the_contract_where_that_is_soon_enough(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedder_time, "DELAY", 0.05)
    checks = contract(Plain, ("embedder-slow",), tmp_path, ("keyword", "vector"), FailOpen(within=30))
    assert {name: check.message for name, check in checks.items() if check.status != "pass"} == {}
    assert checks["vector", "embedder-slow", "floor"].message == "no answer went without the embedder"
    assert checks["vector", "embedder-slow", "spared"].message == "3 answers with the embedder, as in health"
