"""The shipped slices of Japanese, katakana in half width, questions of one or two characters, and signs beyond the BMP.

Each is found by engines that suit it and missed by its natural wrong one, all of them bm25s over
tokens made here, among the documents of the other slices and distractors.
"""

from __future__ import annotations

import copy
import re
import unicodedata
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from bm25_judge import recall_at_5

from gate.corpus.family import Part
from gate.corpus.recipe import load_recipe, read_family
from gate.corpus.rng import Rng
from gate.corpus.scripts import Scripts
from gate.records import Document

FULL = {"ja": 60, "ja-halfwidth": 40, "short": 40, "astral": 40}
FEWEST = {"ja": 40, "ja-halfwidth": 10, "short": 10, "astral": 10}

HAN = "\u3005\u3400-\u9fff\U00020000-\U0003fffd"
KANA = "\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff"
HANGUL = "\uac00-\ud7a3"
PICTURES = "\U0001f300-\U0001faff"
RUN = re.compile(f"[{HAN}{KANA}{HANGUL}]+|[{PICTURES}]|[0-9a-z]+")
PIECE = re.compile(f"[{HAN}]+|[\u30a1-\u30fa\u30fc-\u30ff]+|[\u3041-\u309f]+|[{HANGUL}]+|[{PICTURES}]|[0-9a-z]+")
HALFWIDTH_KATAKANA = re.compile("[\uff66-\uff9f]")
FULLWIDTH_KATAKANA = re.compile("[\u30a1-\u30fa\u30fc]")

Tokens = Callable[[str], list[str]]


def normal(text: str) -> str:
    return unicodedata.normalize("NFKC", text).lower()


def neighbours(run: str, size: int) -> list[str]:
    return [run[at : at + size] for at in range(len(run) - size + 1)]


def pairs_of_runs(text: str) -> list[str]:
    return [token for run in RUN.findall(text) for token in neighbours(run, 2) + re.findall(f"[{HAN}{PICTURES}]", run)]


def characters_and_pairs(text: str) -> list[str]:
    return pairs_of_runs(normal(text))


def pieces_of_one_script(text: str) -> list[str]:
    """Runs cut where the script changes: katakana whole, Han in characters and pairs, the others in pairs."""
    found: list[str] = []
    for piece in PIECE.findall(normal(text)):
        if re.match(f"[{HAN}]", piece):
            found += [*piece, *neighbours(piece, 2)]
        elif re.match(f"[\u3041-\u309f{HANGUL}]", piece):
            found += neighbours(piece, 2)
        else:
            found.append(piece)
    return found


def words_of_jieba(text: str) -> list[str]:
    import jieba

    jieba.setLogLevel(60)
    return [word for word in jieba.cut_for_search(normal(text)) if word.strip()]


def ascii_words(text: str) -> list[str]:
    return re.findall(r"[0-9A-Za-z]+", text)


def whole_runs(text: str) -> list[str]:
    return RUN.findall(normal(text))


def trigrams(text: str) -> list[str]:
    return [token for run in RUN.findall(normal(text)) for token in neighbours(run, 3)]


def not_normalised(text: str) -> list[str]:
    return pairs_of_runs(text)


def first_plane_only(text: str) -> list[str]:
    return characters_and_pairs("".join(sign for sign in text if ord(sign) < 0x10000))


GOOD: dict[str, tuple[Tokens, Tokens]] = {
    "ja": (characters_and_pairs, pieces_of_one_script),
    "ja-halfwidth": (characters_and_pairs, pieces_of_one_script),
    "short": (characters_and_pairs, words_of_jieba),
    "astral": (characters_and_pairs, words_of_jieba),
}
WRONG: list[tuple[str, Tokens]] = [
    ("ja", whole_runs),
    ("ja", ascii_words),
    ("ja-halfwidth", not_normalised),
    ("short", trigrams),
    ("short", whole_runs),
    ("astral", first_plane_only),
]
INVARIANT = {"ja-halfwidth"}


@pytest.fixture(scope="module")
def shipped() -> dict[str, Any]:
    return dict(read_family(load_recipe("seeded"), "scripts"))


def build(data: Mapping[str, Any], slice_name: str, count: int) -> Part:
    return Scripts().build(Rng(7, "scripts"), data, {slice_name: count})


@pytest.fixture(scope="module")
def parts(shipped: dict[str, Any]) -> dict[str, Part]:
    return {name: build(shipped, name, FULL.get(name, 20)) for name in shipped["slices"]}


@pytest.fixture(scope="module")
def noise(shipped: dict[str, Any]) -> list[Document]:
    family = Scripts()
    made = (family.distractor(Rng(7, "noise", index), shipped, index) for index in range(300))
    return [document for document in made if document is not None]


def others(parts: dict[str, Part], noise: list[Document], slice_name: str) -> list[Document]:
    return [document for name, part in parts.items() if name != slice_name for document in part.documents] + noise


@pytest.mark.parametrize("slice_name", sorted(GOOD))
def test_suitable_tokens_find_the_answers(slice_name: str, parts: dict[str, Part], noise: list[Document]) -> None:
    around = others(parts, noise, slice_name)
    found = [recall_at_5(parts[slice_name], around, tokens) for tokens in GOOD[slice_name]]
    assert min(found) >= 0.8
    assert slice_name in INVARIANT or min(found) < 1


@pytest.mark.parametrize(("slice_name", "tokens"), WRONG)
def test_its_natural_wrong_engine_misses_them(
    slice_name: str, tokens: Tokens, parts: dict[str, Part], noise: list[Document]
) -> None:
    assert recall_at_5(parts[slice_name], others(parts, noise, slice_name), tokens) <= 0.4


@pytest.mark.parametrize("slice_name", sorted(FULL))
@pytest.mark.parametrize("small", [True, False])
def test_topics_rest_on_enough_templates(slice_name: str, small: bool, shipped: dict[str, Any]) -> None:
    count = 20 if small else FULL[slice_name]
    topics = build(shipped, slice_name, count).topics
    assert len({topic.text for topic in topics}) == count
    assert len({topic.cluster for topic in topics}) >= min(count, FEWEST[slice_name])


def test_without_half_width_the_engine_that_does_not_normalise_finds_the_answers(
    shipped: dict[str, Any], parts: dict[str, Part], noise: list[Document]
) -> None:
    data = copy.deepcopy(shipped)
    del data["slices"]["ja-halfwidth"]["spelling"]
    part = build(data, "ja-halfwidth", FULL["ja-halfwidth"])
    assert recall_at_5(part, others(parts, noise, "ja-halfwidth"), not_normalised) >= 0.8


def test_katakana_is_half_width_in_documents_and_full_width_in_questions(parts: dict[str, Part]) -> None:
    part = parts["ja-halfwidth"]
    for document in part.documents:
        assert HALFWIDTH_KATAKANA.search(document.text)
        assert not FULLWIDTH_KATAKANA.search(document.text)
    for topic in part.topics:
        assert FULLWIDTH_KATAKANA.search(topic.text)
        assert not HALFWIDTH_KATAKANA.search(topic.text)


def test_a_question_and_its_answer_in_half_width_share_katakana_only(parts: dict[str, Part]) -> None:
    # A pair of neighbours without katakana that both sides had would let an engine do without normalisation.
    part = parts["ja-halfwidth"]
    texts = {document.doc_id: document.text for document in part.documents}
    for topic in part.topics:
        asked = {pair for pair in neighbours(topic.text, 2) if not FULLWIDTH_KATAKANA.search(pair)}
        for key in part.qrels[topic.topic_id]:
            assert asked.isdisjoint(neighbours(texts[key], 2))


def test_words_of_the_two_japanese_slices_differ(shipped: dict[str, Any]) -> None:
    plain, half = (shipped["slices"][name] for name in ("ja", "ja-halfwidth"))

    def asked_about(entry: Mapping[str, Any]) -> set[str]:
        names = {
            name for template in entry["templates"].values() for name in re.findall(r"\{(.+?)\}", template["asks"])
        }
        return {word for name in names for word in entry["slots"][name]}

    assert asked_about(plain).isdisjoint(asked_about(half))


def test_a_short_question_stands_in_its_answers_only(parts: dict[str, Part], noise: list[Document]) -> None:
    part = parts["short"]
    documents = [*part.documents, *others(parts, noise, "short")]
    for topic in part.topics:
        assert len(topic.text) <= 2
        holders = {document.doc_id for document in documents if topic.text in document.text}
        assert holders == set(part.qrels[topic.topic_id])


def test_short_questions_come_in_four_languages_and_with_one_character(parts: dict[str, Part]) -> None:
    part = parts["short"]
    assert {document.lang for document in part.documents} == {"zh-Hans", "zh-Hant", "ja", "ko"}
    assert sum(len(topic.text) == 1 for topic in part.topics) >= 8


def test_beyond_the_first_plane_stand_han_and_pictures_that_tell_answers_from_confusables(
    parts: dict[str, Part],
) -> None:
    part = parts["astral"]
    texts = {document.doc_id: document.text for document in part.documents}
    kinds = set()
    for topic in part.topics:
        (sign,) = (sign for sign in topic.text if ord(sign) > 0xFFFF)
        kinds.add(unicodedata.category(sign))
        assert all(sign in texts[key] for key in part.qrels[topic.topic_id])
        confusable = [text for key, text in texts.items() if key.startswith(f"{topic.topic_id}-other")]
        assert len(confusable) == 2
        assert not [text for text in confusable if sign in text]
    assert kinds == {"Lo", "So"}
