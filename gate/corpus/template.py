"""Sentences with slots, the clusters that topics made from them form, and the times at which they were said."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta

from gate.corpus.rng import Rng
from gate.errors import UsageError

FEWEST_TEMPLATES = 10
_SLOT = re.compile(r"\{([^{}]+)\}")
_EPOCH = datetime(2025, 1, 6, tzinfo=UTC)
_DAYS = 480


def slots_of(template: str) -> tuple[str, ...]:
    """The distinct slots of a template, in order of appearance."""
    return tuple(dict.fromkeys(_SLOT.findall(template)))


def draw(rng: Rng, slots: Iterable[str], lists: Mapping[str, Sequence[str]], where: str) -> dict[str, str]:
    """A word for each slot that has a list. `day2` and `day3` are other words of the list `day` than `day`.

    A slot without a list is left out: `fill` says so unless something else fills it. Raises
    UsageError where a list is too short.
    """
    values: dict[str, str] = {}
    for slot in slots:
        name = slot if slot in lists else slot.rstrip("0123456789")
        if name not in lists:
            continue
        taken = {value for other, value in values.items() if other.rstrip("0123456789") == name}
        words = [word for word in lists[name] if word not in taken] if taken else lists[name]
        if not words:
            raise UsageError("recipe-few-words", f"the list '{name}' has too few words for {{{slot}}}", where=where)
        values[slot] = rng.choice(words)
    return values


def fill(template: str, values: Mapping[str, str], where: str) -> str:
    """The sentence with every slot filled. Raises UsageError for a slot without a value."""

    def value(match: re.Match[str]) -> str:
        name = match.group(1)
        if name not in values:
            raise UsageError(
                "recipe-invalid",
                f"nothing fills the slot {{{name}}} of '{template}'",
                where=where,
                hint=f"Slots that can be filled here: {', '.join(values)}.",
            )
        return values[name]

    return _SLOT.sub(value, template)


def fewest_templates(topics: int) -> int:
    """How many templates that many topics of a slice have to come from: ten, or one for two topics of a small slice."""
    return min(FEWEST_TEMPLATES, -(-topics // 2))


def require_templates(slice_name: str, clusters: Iterable[str], topics: int, where: str) -> None:
    """Raises UsageError where a slice's topics come from too few templates."""
    count = len(set(clusters))
    if count < fewest_templates(topics):
        raise UsageError(
            "recipe-few-templates",
            f"the {topics} topics of slice '{slice_name}' rest on {count} templates",
            where=where,
            hint=f"They need at least {fewest_templates(topics)}: topics of one template win and lose together.",
        )


def session_start(rng: Rng) -> int:
    """A minute within working hours on some day of 2025 or early 2026, counted from the first such day."""
    return rng.below(_DAYS) * 1440 + 7 * 60 + rng.below(10 * 60)


def moment(minute: int) -> str:
    """ISO 8601 in UTC."""
    return (_EPOCH + timedelta(minutes=minute)).strftime("%Y-%m-%dT%H:%M:%SZ")
