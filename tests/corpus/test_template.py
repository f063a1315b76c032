"""Sentences with slots."""

from __future__ import annotations

import pytest

from gate.corpus.rng import Rng
from gate.corpus.template import draw, fill, moment, require_templates, session_start, slots_of
from gate.errors import UsageError


def test_slots_are_distinct_and_in_order_of_appearance() -> None:
    assert slots_of("{b} and {a}, {b} and {城市}") == ("b", "a", "城市")


def test_every_slot_is_filled_and_values_are_not_filled_again() -> None:
    assert fill("{a} meets {b}, {a}", {"a": "{b}", "b": "Ana"}, "here") == "{b} meets Ana, {b}"


def test_a_slot_without_a_value_is_refused_with_the_sentence() -> None:
    with pytest.raises(UsageError, match=r"\{b\} of '\{a\} \{b\}'") as caught:
        fill("{a} {b}", {"a": "x"}, "here")
    assert (caught.value.where, caught.value.hint) == ("here", "Slots that can be filled here: a.")


@pytest.mark.parametrize("seed", range(20))
def test_numbered_slots_take_other_words_of_the_same_list(seed: int) -> None:
    values = draw(Rng(seed), ("day", "day2", "day3", "else"), {"day": ("Mon", "Tue", "Wed")}, "here")
    assert sorted(values.values()) == ["Mon", "Tue", "Wed"]
    assert list(values) == ["day", "day2", "day3"]


def test_a_list_that_is_too_short_is_refused() -> None:
    with pytest.raises(UsageError, match=r"'day' has too few words for \{day2\}"):
        draw(Rng(1), ("day", "day2"), {"day": ("Mon",)}, "here")


def test_ten_templates_are_enough_and_nine_are_not_unless_there_are_no_more_topics() -> None:
    require_templates("s", map(str, range(10)), 20, "here")
    require_templates("s", map(str, range(5)), 9, "here")
    require_templates("s", map(str, range(4)), 8, "here")
    with pytest.raises(UsageError, match="the 8 topics of slice 's' rest on 3 templates"):
        require_templates("s", map(str, range(3)), 8, "here")
    with pytest.raises(UsageError, match="the 20 topics of slice 's' rest on 9 templates"):
        require_templates("s", map(str, range(9)), 20, "here")


def test_moments_are_utc_and_sessions_start_within_working_hours() -> None:
    assert moment(0) == "2025-01-06T00:00:00Z"
    assert moment(24 * 60 + 61) == "2025-01-07T01:01:00Z"
    assert all(7 <= int(moment(session_start(Rng(seed)))[11:13]) < 17 for seed in range(50))
