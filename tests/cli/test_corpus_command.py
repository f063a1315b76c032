from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gate.cli.corpus import corpus
from gate.corpus.recipe import Pin, Recipe, Tier, load_recipe
from gate.errors import UsageError


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(corpus, arguments)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def pin_smoke(monkeypatch: pytest.MonkeyPatch, pin: Pin | None) -> None:
    """Has the shipped recipe pin its smallest tier, whatever it pins today."""
    shipped = load_recipe("seeded")
    tiers = tuple(Tier(tier.name, tier.distractors, tier.column, pin) for tier in shipped.tiers if tier.name == "smoke")
    recipe = Recipe(
        shipped.name,
        shipped.seed,
        shipped.licence,
        shipped.slices,
        tiers,
        shipped.distractors,
        shipped.path,
        shipped.folder,
    )
    monkeypatch.setattr("gate.corpus.recipe.load_recipe", lambda name: recipe)
    monkeypatch.setattr("gate.corpus.recipe.recipe_names", lambda: ("seeded",))


def actual_pin(monkeypatch: pytest.MonkeyPatch) -> Pin:
    pin_smoke(monkeypatch, None)
    said = run("verify").output.split("{")[1].rstrip("}\n")
    values = dict(part.split(": ") for part in said.split(", "))
    return Pin(values["digest"], int(values["documents"]), int(values["topics"]), int(values["qrels"]))


def test_list_names_recipes_tiers_slices_and_readers() -> None:
    result = run("list")
    assert result.exit_code == 0
    for word in ("seeded@smoke", "seeded@1m", "memory", "unanswerable", "supersede", "beir:DIR", "squad:FILE"):
        assert word in result.output


def test_verify_passes_what_is_pinned(monkeypatch: pytest.MonkeyPatch) -> None:
    pin_smoke(monkeypatch, actual_pin(monkeypatch))
    result = run("verify", "seeded@smoke")
    assert result.exit_code == 0
    assert "matches" in result.output


def test_verify_exits_1_with_expected_and_actual_where_the_digest_differs(monkeypatch: pytest.MonkeyPatch) -> None:
    actual = actual_pin(monkeypatch)
    pin_smoke(monkeypatch, Pin("0" * 64, actual.documents + 1, actual.topics, actual.qrels))
    result = run("verify", "seeded@smoke")
    assert result.exit_code == 1
    assert f"digest: expected {'0' * 64}, actual {actual.digest}" in result.output
    assert f"documents: expected {actual.documents + 1}, actual {actual.documents}" in result.output
    assert "topics: expected" not in result.output


def test_verify_exits_2_and_prints_the_digest_where_nothing_is_pinned(monkeypatch: pytest.MonkeyPatch) -> None:
    actual = actual_pin(monkeypatch)
    result = run("verify", "seeded@smoke")
    assert result.exit_code == 2
    assert "unpinned" in result.output
    assert actual.digest in result.output


def test_verify_without_arguments_looks_at_every_tier(monkeypatch: pytest.MonkeyPatch) -> None:
    pin_smoke(monkeypatch, actual_pin(monkeypatch))
    result = run("verify")
    assert result.exit_code == 0
    assert "seeded@smoke: matches" in result.output


@pytest.mark.parametrize("spec", ["seeded@3k", "sedeed@1k", "beir:/nowhere/at/all"])
def test_verify_of_what_does_not_exist_is_a_usage_error(spec: str) -> None:
    with pytest.raises(UsageError) as caught:
        run("verify", spec)
    assert caught.value.exit_code == 3


def test_build_writes_a_folder_that_can_be_shown_and_verified(tmp_path: Path) -> None:
    out = tmp_path / "built"
    result = run("build", str(out), "--corpus", "seeded@smoke")
    assert result.exit_code == 0
    assert (out / "qrels" / "test.tsv").exists()
    digest = next(line.split()[1] for line in result.output.splitlines() if line.startswith("digest"))
    verified = run("verify", f"beir:{out}")
    assert verified.exit_code == 2
    assert digest in verified.output
    with pytest.raises(UsageError, match="--force"):
        run("build", str(out), "--corpus", "seeded@smoke")
    assert run("build", str(out), "--corpus", "seeded@smoke", "--force").exit_code == 0


def test_show_prints_queries_grades_reasons_and_deletions() -> None:
    result = run("show", "--slice", "deleted", "--limit", "2")
    assert result.exit_code == 0
    assert "[grade 3]" in result.output
    assert "[forbidden: deleted, deleted once all is stored]" in result.output
    assert "2 of 20 topics of seeded@smoke, slice deleted" in result.output


def test_show_says_where_nothing_answers() -> None:
    result = run("show", "seeded@smoke", "--slice", "unanswerable", "--limit", "1")
    assert "(nothing answers this)" in result.output


def test_show_of_one_topic_prints_only_that(tmp_path: Path) -> None:
    topic_id = run("show", "--slice", "memory", "--limit", "1").output.split()[0]
    result = run("show", "--topic", topic_id)
    assert result.output.startswith(topic_id)
    assert "1 of 1 topics" in result.output


def test_show_of_unknown_slice_or_topic_says_what_to_do() -> None:
    with pytest.raises(UsageError, match="did you mean 'memory'"):
        run("show", "--slice", "memmory")
    with pytest.raises(UsageError, match="no topic 'q0'"):
        run("show", "--topic", "q0")
