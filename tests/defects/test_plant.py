import pytest

from gate.defects import DEFECTS, parse_plant
from gate.errors import UsageError


def test_every_defect_is_known_by_its_own_name() -> None:
    for name, defect in DEFECTS.items():
        assert defect.name == name
        assert defect.family
        assert defect.stands_for


@pytest.mark.parametrize("name", ["ascii-only", "reversed", "k-capped"])
def test_a_plant_without_a_dose_touches_everything(name: str) -> None:
    assert parse_plant(name) == (DEFECTS[name], 1.0)


@pytest.mark.parametrize(("written", "dose"), [("1", 1.0), ("0.25", 0.25), (".5", 0.5), ("1e-3", 0.001)])
def test_a_plant_has_a_dose(written: str, dose: float) -> None:
    assert parse_plant(f"reversed={written}") == (DEFECTS["reversed"], dose)


@pytest.mark.parametrize("written", ["", "0", "-0.5", "1.01", "nan", "inf", "half", "0,5", "50%", "0.5=0.5"])
def test_a_dose_outside_its_range_says_what_it_is(written: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_plant(f"k-capped={written}")
    assert caught.value.slug == "plant-dose"
    assert f"not '{written}'" in caught.value.what
    assert "'k-capped=0.25'" in caught.value.hint


@pytest.mark.parametrize(
    ("written", "hint"),
    [
        ("reverse", "Did you mean 'reversed'?"),
        ("ascii=0.5", "Did you mean 'ascii-only'?"),
        ("Reversed", "Did you mean 'reversed'?"),
        ("", f"Known: {', '.join(DEFECTS)}"),
    ],
)
def test_an_unknown_defect_names_the_nearest(written: str, hint: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_plant(written)
    assert caught.value.slug == "plant-unknown"
    assert caught.value.hint == hint
