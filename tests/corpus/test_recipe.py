from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from gate.corpus.recipe import Pin, load_recipe, read_family, read_recipe, recipe_names
from gate.errors import UsageError
from gate.records import MODES

SAYS = "What the slice measures, and which fault it stands for."
DIGEST = "0123456789abcdef" * 4


def written(folder: Path, **changes: object) -> Path:
    data: dict[str, object] = {
        "schema": 1,
        "name": "mine",
        "seed": 1,
        "licence": "MIT",
        "distractors": {"memory": 1},
        "slices": [
            {"name": "memory", "family": "memory", "says": SAYS, "topics": {"few": 10}},
            {"name": "both", "covers": ["memory"], "says": SAYS},
        ],
        "tiers": {"small": {"topics": "few", "distractors": 5}},
    }
    path = folder / "mine.yml"
    path.write_text(yaml.safe_dump(data | changes, sort_keys=False), encoding="utf-8")
    return path


def problems(path: Path) -> str:
    with pytest.raises(UsageError) as caught:
        read_recipe(path)
    assert caught.value.slug == "recipe-invalid"
    assert str(path) in str(caught.value)
    return str(caught.value)


def test_recipe_is_read_with_its_defaults(tmp_path: Path) -> None:
    recipe = read_recipe(written(tmp_path))
    assert recipe.families == ("memory",)
    assert recipe.wanted("memory", "few") == {"memory": 10}
    assert recipe.slices[0].slice.modes == frozenset(MODES) - {"facts"}
    assert recipe.tier("small").pin is None
    assert recipe.folder == tmp_path / "mine"


def test_pin_and_modes_and_needs_are_read(tmp_path: Path) -> None:
    pin = {"digest": DIGEST, "documents": 9, "topics": 10, "qrels": 3}
    entry = {
        "name": "facts",
        "family": "facts",
        "says": SAYS,
        "topics": {"few": 10},
        "modes": ["facts"],
        "needs": ["scope"],
    }
    path = written(tmp_path, slices=[entry], tiers={"small": {"topics": "few", "distractors": 0, "pin": pin}})
    recipe = read_recipe(path)
    assert recipe.tier("small").pin == Pin(DIGEST, 9, 10, 3)
    assert recipe.slices[0].slice.modes == {"facts"}
    assert recipe.slices[0].slice.needs == {"scope"}
    assert recipe.families == ("facts", "memory")


def test_unknown_tier_names_the_nearest(tmp_path: Path) -> None:
    recipe = read_recipe(written(tmp_path))
    with pytest.raises(UsageError, match="did you mean 'small'"):
        recipe.tier("smal")
    with pytest.raises(UsageError, match="mine@small"):
        recipe.tier("")


def test_unknown_recipe_names_the_nearest() -> None:
    with pytest.raises(UsageError, match="did you mean 'seeded'"):
        load_recipe("seded")


def test_unknown_key_is_said_with_its_line_and_the_nearest_key(tmp_path: Path) -> None:
    said = problems(written(tmp_path, licenc="MIT"))
    assert "unknown key 'licenc'" in said
    assert "did you mean 'licence'?" in said
    assert "mine.yml:" in said


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"name": "other"}, "name both alike"),
        ({"tiers": {"small": {"topics": "many", "distractors": 5}}}, "gives no number of topics for 'many'"),
        ({"slices": [{"name": "all", "family": "memory", "says": SAYS, "topics": {"few": 10}}]}, "always exists"),
        (
            {"slices": [{"name": "memory", "family": "memory", "says": SAYS, "topics": {"few": 4}}]},
            "less than the minimum",
        ),
        ({"slices": [{"name": "memory", "says": SAYS}]}, "'covers' is missing"),
        ({"slices": [{"name": "both", "covers": ["memry"], "says": SAYS}]}, "no family makes the slice 'memry'"),
        ({"slices": [{"name": "memory", "family": "memory", "says": SAYS, "topics": {"few": 10}}] * 2}, "stands twice"),
        (
            {"tiers": {"small": {"topics": "few", "distractors": 5, "pin": {"digest": DIGEST}}}},
            "'documents' is missing",
        ),
        ({"seed": -1}, "less than the minimum"),
    ],
)
def test_contradictions_are_reported(tmp_path: Path, changes: dict[str, object], said: str) -> None:
    assert said in problems(written(tmp_path, **changes))


def test_all_problems_come_at_once(tmp_path: Path) -> None:
    slices = [{"name": "both", "covers": ["memory"], "says": SAYS}]
    said = problems(written(tmp_path, name="other", seed=-1, slices=slices))
    assert "name both alike" in said
    assert "no family makes" in said
    assert "'seed'" in said


def test_bad_word_list_is_said_with_its_line(tmp_path: Path) -> None:
    recipe = read_recipe(written(tmp_path))
    with pytest.raises(UsageError, match="no word list file"):
        read_family(recipe, "memory")
    recipe.folder.mkdir()
    (recipe.folder / "memory.yml").write_text("a: 1\nb: [1\n", encoding="utf-8")
    with pytest.raises(UsageError, match=r"memory\.yml:[23]"):
        read_family(recipe, "memory")
    (recipe.folder / "memory.yml").write_text("- a\n", encoding="utf-8")
    with pytest.raises(UsageError, match="has to be a mapping"):
        read_family(recipe, "memory")


def test_every_shipped_recipe_can_be_used() -> None:
    assert "seeded" in recipe_names()
    for name in recipe_names():
        recipe = load_recipe(name)
        assert [tier.name for tier in recipe.tiers][:1] == ["smoke"]
        for family in recipe.families:
            assert read_family(recipe, family)


def test_only_slices_of_facts_are_asked_in_mode_facts() -> None:
    for entry in load_recipe("seeded").slices:
        assert ("facts" in entry.slice.modes) == (entry.family == "facts")
