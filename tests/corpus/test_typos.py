"""Slips of the hand: one edit in the word that tells."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
import Stemmer
from bm25_judge import recall_at_5
from bm25s.stopwords import STOPWORDS_EN_PLUS
from hypothesis import given
from hypothesis import strategies as st

from gate.corpus.family import Part
from gate.corpus.recipe import load_recipe, read_family
from gate.corpus.rng import Rng
from gate.corpus.typos import Typos, within_one_edit
from gate.errors import UsageError
from gate.records import Document

SLICE = "typos"
COUNT = 48


@pytest.fixture(scope="module")
def shipped() -> dict[str, Any]:
    return dict(read_family(load_recipe("seeded"), "typos"))


def build(data: dict[str, Any], count: int = COUNT, seed: int = 7) -> Part:
    return Typos().build(Rng(seed, "typos"), data, {SLICE: count})


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def stems(text: str) -> list[str]:
    return [
        str(stem)
        for stem in Stemmer.Stemmer("english").stemWords([w for w in words(text) if w not in STOPWORDS_EN_PLUS])
    ]


def grams(length: int) -> Callable[[str], list[str]]:
    """The character n-grams of a text's words but the small ones, with # at both ends of a word."""

    def tokens(text: str) -> list[str]:
        marked = [f"#{word}#" for word in words(text) if word not in STOPWORDS_EN_PLUS]
        return [word[at : at + length] for word in marked for at in range(len(word) - length + 1)]

    return tokens


def test_character_ngrams_find_what_words_and_stems_do_not(shipped: dict[str, Any], noise: list[Document]) -> None:
    part = build(shipped)
    three, four = (recall_at_5(part, noise, grams(length)) for length in (3, 4))
    assert three >= 0.8
    assert four >= 0.8
    assert three < 1 or four < 1
    assert recall_at_5(part, noise, words) <= 0.4
    assert recall_at_5(part, noise, stems) <= 0.4


def things_of(data: dict[str, Any]) -> list[str]:
    return [thing for things in data["things"].values() for thing in things]


def asked_and_meant(data: dict[str, Any], part: Part) -> list[tuple[str, str]]:
    """For each topic the slip, and the thing that stands in both of its documents."""
    documents = {document.doc_id: document.text for document in part.documents}
    things = set(things_of(data))
    pairs = []
    for topic in part.topics:
        states, adds = (documents[key] for key in part.qrels[topic.topic_id])
        (thing,) = things & set(words(states)) & set(words(adds))
        asks = data["templates"][topic.cluster.split("/")[1]]["asks"]
        pattern = re.escape(asks).replace(r"\{thing\}", "(.+)")
        match = re.fullmatch(pattern, topic.text, re.IGNORECASE)
        assert match is not None
        pairs.append((match[1], thing))
    return pairs


def test_a_slip_is_one_edit_from_its_thing_and_from_no_other(shipped: dict[str, Any]) -> None:
    stem = Stemmer.Stemmer("english").stemWord
    for slip, thing in asked_and_meant(shipped, build(shipped)):
        assert slip != thing
        assert stem(slip) != stem(thing)
        assert [other for other in things_of(shipped) if within_one_edit(other, slip)] == [thing]


def test_all_four_kinds_of_slips_are_made(shipped: dict[str, Any]) -> None:
    kinds = {"swapped": 0, "dropped": 0, "doubled": 0, "other": 0}
    for slip, thing in asked_and_meant(shipped, build(shipped)):
        if len(slip) < len(thing):
            kinds["dropped"] += 1
        elif len(slip) > len(thing):
            kinds["doubled"] += 1
        else:
            kinds["swapped" if sorted(slip) == sorted(thing) else "other"] += 1
    assert all(number >= COUNT // 8 for number in kinds.values())


def test_a_slip_stands_in_no_document(shipped: dict[str, Any]) -> None:
    part = build(shipped)
    known = {word for document in part.documents for word in words(document.text)}
    for slip, _ in asked_and_meant(shipped, part):
        assert slip not in known


def test_what_is_told_of_others_holds_the_other_words_and_answers_no_topic(shipped: dict[str, Any]) -> None:
    part = build(shipped)
    meant = dict(zip((topic.topic_id for topic in part.topics), asked_and_meant(shipped, part), strict=True))
    by_template: dict[str, set[str]] = {}
    for topic in part.topics:
        by_template.setdefault(topic.cluster, set()).add(meant[topic.topic_id][1])
    for topic in part.topics:
        plain = [stem for stem in stems(topic.text) if stem not in stems(meant[topic.topic_id][0])]
        for turn in range(2, 10):
            (other,) = (one for one in part.documents if one.doc_id == f"{topic.topic_id}-{turn}")
            assert not by_template[topic.cluster] & set(words(other.text))
        right = [one for one in part.documents if one.doc_id in part.qrels[topic.topic_id]]
        assert len(right) == 2
        assert plain


@pytest.mark.parametrize("count", [20, COUNT])
def test_every_topic_asked_for_is_made_from_enough_templates(shipped: dict[str, Any], count: int) -> None:
    part = build(shipped, count)
    assert len(part.topics) == len({topic.text for topic in part.topics}) == count
    assert len({topic.cluster for topic in part.topics}) == min(count, 24)
    assert len(part.documents) == 10 * count
    for topic in part.topics:
        assert sorted(part.qrels[topic.topic_id].values()) == [1, 3]


def test_the_same_seed_gives_the_same_part_and_another_seed_another(shipped: dict[str, Any]) -> None:
    assert build(shipped) == build(shipped)
    assert build(shipped) != build(shipped, seed=8)


@pytest.mark.parametrize(
    ("one", "other", "within"),
    [
        ("blender", "blender", True),
        ("blender", "bleder", True),
        ("bleder", "blender", True),
        ("blender", "blendder", True),
        ("blender", "blendre", True),
        ("blender", "blenser", True),
        ("blender", "blednre", False),
        ("blender", "lbenedr", False),
        ("blender", "bendr", False),
        ("abc", "cba", False),
        ("", "a", True),
    ],
)
def test_edits_are_counted(one: str, other: str, within: bool) -> None:
    assert within_one_edit(one, other) is within


def damerau(one: str, other: str) -> int:
    """Optimal string alignment by the textbook table (Wagner and Fischer 1974, with Damerau's swap)."""
    table = [[max(i, j) if not i or not j else 0 for j in range(len(other) + 1)] for i in range(len(one) + 1)]
    for i in range(1, len(one) + 1):
        for j in range(1, len(other) + 1):
            table[i][j] = min(
                table[i - 1][j] + 1, table[i][j - 1] + 1, table[i - 1][j - 1] + (one[i - 1] != other[j - 1])
            )
            if i > 1 and j > 1 and one[i - 1] == other[j - 2] and one[i - 2] == other[j - 1]:
                table[i][j] = min(table[i][j], table[i - 2][j - 2] + 1)
    return table[-1][-1]


@given(st.text("ab", max_size=6), st.text("ab", max_size=6))
def test_one_edit_is_what_the_full_table_says(one: str, other: str) -> None:
    assert within_one_edit(one, other) == (damerau(one, other) <= 1)


@pytest.mark.parametrize(
    ("change", "slug", "said"),
    [
        (lambda data: data["things"]["piece"].append("lamp"), "recipe-invalid", "at least 6 letters"),
        (lambda data: data["things"]["piece"].append("Trolleys"), "recipe-invalid", "from a to z"),
        (lambda data: data["things"]["piece"].append("trolley"), "recipe-invalid", "'trolley' stands twice"),
        (lambda data: data["templates"]["serial"].update(of="vessel"), "recipe-invalid", "of the kind 'vessel'"),
        (lambda data: data["templates"]["serial"].update(asks="which one?"), "recipe-invalid", "no slot {thing}"),
        (lambda data: data.update(stemmer="klingon"), "recipe-stemmer-unknown", "klingon"),
        (lambda data: data["things"].update(machine=data["things"]["machine"][:12]), "recipe-few-words", "fewer"),
    ],
)
def test_data_that_breaks_a_rule_is_refused(data: dict[str, Any], change: Any, slug: str, said: str) -> None:
    change(data)
    with pytest.raises(UsageError, match=said) as caught:
        build(data)
    assert caught.value.slug == slug
    assert caught.value.where.startswith("typos.yml: ")


def about_machines(data: dict[str, Any], machines: list[str]) -> dict[str, Any]:
    data["things"]["machine"] = machines
    data["templates"] = {name: one for name, one in data["templates"].items() if one["of"] == "machine"}
    return data


def test_fewer_other_things_than_a_topic_needs_are_refused(data: dict[str, Any]) -> None:
    machines = data["things"]["machine"]
    assert len(build(about_machines(data, machines[:9]), 1).topics) == 1
    with pytest.raises(UsageError, match="needs 8 other things of the kind 'machine', and there are 7") as caught:
        build(about_machines(data, machines[:8]), 1)
    assert caught.value.slug == "recipe-few-words"


def test_a_thing_all_of_whose_slips_are_words_of_the_slice_is_refused(data: dict[str, Any]) -> None:
    count = len(about_machines(data, [*data["things"]["machine"][:12], "xxxxxx"])["templates"])
    assert len(build(data, count).topics) == count == 13
    slips = ["xxxxx", *("x" * at + key + "x" * (5 - at) for at in range(1, 6) for key in "zc")]
    data["templates"]["serial"]["adds"] = f"Not {' or '.join(slips)}: the {{thing}}."
    with pytest.raises(UsageError, match="no slip in 'xxxxxx'") as caught:
        build(data, count)
    assert caught.value.slug == "recipe-typo"


def test_too_few_templates_are_refused(data: dict[str, Any]) -> None:
    data["templates"] = dict(list(data["templates"].items())[:9])
    with pytest.raises(UsageError) as caught:
        build(data, 20)
    assert caught.value.slug == "recipe-few-templates"
