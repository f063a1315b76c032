"""The shipped slices of Korean, Thai, Vietnamese, full width, Han beside Latin, and accents.

Each is found by engines that suit its script and missed by its natural wrong one, both of them bm25s
over tokens made here, among the documents of all other slices and the English of other families.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from bm25_judge import recall_at_5

from gate.corpus.facts import Facts
from gate.corpus.family import Family, Part
from gate.corpus.lifecycle import Lifecycle
from gate.corpus.memory import Memory
from gate.corpus.negatives import Negatives
from gate.corpus.recipe import load_recipe, read_family
from gate.corpus.rng import Rng
from gate.corpus.scripts import Scripts
from gate.records import Document, Topic

FULL = {"ko": 50, "ko-nfd": 40, "th": 50, "vi": 50, "width": 48, "mixed": 48, "accents": 48}
FEWEST = {"ko": 40, "ko-nfd": 10, "th": 20, "vi": 20, "width": 10, "mixed": 20, "accents": 20}
INVARIANT = {"ko-nfd", "width"}

HANGUL, THAI, CHINESE, KANA = r"\uac00-\ud7a3", r"\u0e00-\u0e7f", r"\u3400-\u9fff", r"\u3040-\u30ff"
THAI_MARKS = r"\u0e31\u0e34-\u0e3a\u0e47-\u0e4e"
FULLWIDTH = re.compile(r"[\uff01-\uff5e]")
PARTICLE = re.compile(r"\{([^{}\d]+)\d*\}』?(이|가|은|는|을|를|과|와|으로|로)(?=[ .,?]|고 |에요)")
ASKED_OF_CONSONANTS = {"이", "은", "을", "과", "으로"}

Tokens = Callable[[str], list[str]]


@pytest.fixture(scope="module")
def shipped() -> dict[str, Any]:
    return dict(read_family(load_recipe("seeded"), "scripts"))


def build(data: Mapping[str, Any], slice_name: str, count: int) -> Part:
    return Scripts().build(Rng(7, "scripts"), data, {slice_name: count})


@pytest.fixture(scope="module")
def parts(shipped: dict[str, Any]) -> dict[str, Part]:
    return {name: build(shipped, name, count) for name, count in FULL.items()}


@pytest.fixture(scope="module")
def english() -> list[Document]:
    """What other families say in English, as in the corpus itself."""
    recipe = load_recipe("seeded")
    families: tuple[Family, ...] = (Memory(), Facts(), Lifecycle(), Negatives())
    return [
        document
        for family in families
        for document in family.build(
            Rng(recipe.seed, family.name), read_family(recipe, family.name), recipe.wanted(family.name, "full")
        ).documents
    ]


def noise(shipped: dict[str, Any], parts: dict[str, Part], english: list[Document], slice_name: str) -> list[Document]:
    family = Scripts()
    made = (family.distractor(Rng(7, "noise", index), shipped, index) for index in range(300))
    others = [document for name, part in parts.items() if name != slice_name for document in part.documents]
    chinese = build(shipped, "zh-Hans", 100).documents
    return [*others, *chinese, *english, *(document for document in made if document is not None)]


def normal(text: str) -> str:
    return unicodedata.normalize("NFKC", text).lower()


def folded(text: str) -> str:
    decomposed = unicodedata.normalize("NFD", text.lower().replace("đ", "d"))
    return "".join(sign for sign in decomposed if not unicodedata.combining(sign))


def grams(size: int, script: str) -> Tokens:
    """Every `size` neighbours of a run of the script, and all other words whole."""

    def tokens(text: str) -> list[str]:
        found: list[str] = []
        for run in re.findall(f"[{script}]+|[^\\W{script}]+", normal(text)):
            if re.match(f"[{script}]", run) and len(run) > size:
                found += [run[at : at + size] for at in range(len(run) - size + 1)]
            else:
                found.append(run)
        return found

    return tokens


def without_particle(text: str) -> list[str]:
    ends = "까지|에서는|에서|으로|께서|께|에게|이|가|은|는|을|를|의|에|로|와|과|도|만"
    return [form for word in words(normal(text)) for form in dict.fromkeys((word, re.sub(f"({ends})$", "", word)))]


def jieba_words(text: str) -> list[str]:
    import jieba

    jieba.setLogLevel(60)
    return [word for word in jieba.cut_for_search(normal(text)) if re.match(r"\w", word)]


def characters_and_pairs(text: str) -> list[str]:
    return grams(1, CHINESE + KANA)(text) + grams(2, CHINESE + KANA)(text)


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text)


def lower_words(text: str) -> list[str]:
    return words(text.lower())


def words_and_folded(text: str) -> list[str]:
    return [form for word in lower_words(text) for form in dict.fromkeys((word, folded(word)))]


def ascii_words(text: str) -> list[str]:
    return re.findall(r"[0-9a-z]+", text.lower())


def phrases(text: str) -> list[str]:
    return text.split()


def unfolded_pairs(text: str) -> list[str]:
    """Pairs of Japanese characters, and words as they stand: full width is another word than half width."""
    script = CHINESE + KANA
    return [piece for run in re.findall(f"[{script}]+|[^\\W{script}]+", text.lower()) for piece in pairs_of(run)]


def pairs_of(run: str) -> list[str]:
    if not re.match(f"[{CHINESE}{KANA}]", run):
        return [run]
    return [run[at : at + 2] for at in range(max(1, len(run) - 1))]


GOOD: dict[str, tuple[Tokens, Tokens]] = {
    "ko": (grams(2, HANGUL), without_particle),
    "ko-nfd": (grams(2, HANGUL), without_particle),
    "th": (grams(2, THAI), grams(3, THAI)),
    "vi": (lambda text: words(normal(text)), lambda text: words(folded(text))),
    "width": (grams(2, CHINESE + KANA), characters_and_pairs),
    "mixed": (grams(2, CHINESE), jieba_words),
    "accents": (lambda text: words(folded(text)), words_and_folded),
}
WRONG: dict[str, dict[str, Tokens]] = {
    "ko": {"phrases between spaces": lower_words, "ASCII words": ascii_words},
    "ko-nfd": {"no normal form": lower_words, "ASCII words": ascii_words},
    "th": {"phrases between spaces": phrases, "ASCII words": ascii_words},
    "vi": {"no normal form": lower_words, "ASCII words": ascii_words},
    "width": {"no compatibility form": unfolded_pairs, "ASCII words": ascii_words},
    "mixed": {"Han and Latin in one token": lower_words, "ASCII words": ascii_words},
    "accents": {"no folding": lower_words, "ASCII words": ascii_words},
}


@pytest.mark.parametrize("name", list(FULL))
def test_good_engines_find_what_wrong_ones_miss(
    shipped: dict[str, Any], parts: dict[str, Part], english: list[Document], name: str
) -> None:
    others = noise(shipped, parts, english, name)
    good = [recall_at_5(parts[name], others, tokens) for tokens in GOOD[name]]
    wrong = {called: recall_at_5(parts[name], others, tokens) for called, tokens in WRONG[name].items()}
    assert min(good) >= 0.8
    assert max(wrong.values()) <= 0.4, wrong
    assert name in INVARIANT or min(good) < 1.0, good


@pytest.mark.parametrize("name", list(FULL))
@pytest.mark.parametrize("column", ["smoke", "full"])
def test_topics_come_from_enough_templates_and_none_twice(shipped: dict[str, Any], name: str, column: str) -> None:
    count = FULL[name] if column == "full" else 20
    part = build(shipped, name, count)
    texts = [document.text for document in part.documents]
    assert len(shipped["slices"][name]["templates"]) >= FEWEST[name]
    assert len({topic.cluster for topic in part.topics}) == min(count, len(shipped["slices"][name]["templates"]))
    assert len(part.topics) == len({topic.text for topic in part.topics}) == count
    assert len(set(texts)) == len(texts) == 3 * count
    assert not [text for text in texts if "{" in text]


def answers(part: Part) -> Iterator[tuple[Topic, list[str]]]:
    """Each topic with the texts of its relevant documents."""
    texts = {document.doc_id: document.text for document in part.documents}
    for topic in part.topics:
        yield topic, [texts[key] for key in part.qrels[topic.topic_id]]


def test_thai_questions_share_no_whole_phrase_with_their_answers(parts: dict[str, Part]) -> None:
    for topic, texts in answers(parts["th"]):
        assert set(phrases(topic.text)).isdisjoint(phrases(" ".join(texts)))


def test_thai_is_written_without_spaces_between_words(parts: dict[str, Part]) -> None:
    letters = [len(re.sub(f"[{THAI_MARKS}]", "", run)) for d in parts["th"].documents for run in phrases(d.text)]
    assert sum(letters) / len(letters) > 12


def test_korean_documents_are_decomposed_and_their_questions_composed(parts: dict[str, Part]) -> None:
    for topic, texts in answers(parts["ko-nfd"]):
        assert re.search(f"[{HANGUL}]", topic.text)
        assert not [text for text in texts if re.search(f"[{HANGUL}]", text)]
        assert not re.search(r"[\u1100-\u11ff]", topic.text)


def test_vietnamese_documents_are_composed_and_their_questions_decomposed(parts: dict[str, Part]) -> None:
    for topic, texts in answers(parts["vi"]):
        assert unicodedata.is_normalized("NFD", topic.text)
        assert not unicodedata.is_normalized("NFC", topic.text)
        assert all(unicodedata.is_normalized("NFC", text) for text in texts)


def test_a_code_stands_in_full_width_on_exactly_one_side_about_as_often_on_either(parts: dict[str, Part]) -> None:
    asked_full = 0
    for topic, texts in answers(parts["width"]):
        codes = re.findall(r"[A-Za-z0-9.-]{3,}", normal(topic.text))
        assert len(codes) == 1
        assert all(codes[0] in normal(text) and topic.text.split("、")[0] not in text for text in texts)
        sides = {bool(FULLWIDTH.search(re.sub("[？、]", "", text))) for text in (*texts, topic.text)}
        assert sides == {True, False}
        asked_full += bool(FULLWIDTH.search(re.sub("[？、]", "", topic.text)))
    assert 0.3 <= asked_full / FULL["width"] <= 0.7


def test_accents_are_on_one_side_only_and_either_way_half_of_the_time(parts: dict[str, Part]) -> None:
    asked_plain = 0
    for topic, texts in answers(parts["accents"]):
        plain = folded(topic.text) == topic.text.lower()
        asked_plain += plain
        assert plain != all(folded(text) == text.lower() for text in texts)
        assert all(set(words(folded(topic.text))) & set(words(folded(text))) for text in texts)
    assert 0.4 <= asked_plain / FULL["accents"] <= 0.6


def test_a_mixed_question_shares_its_latin_and_its_han_with_the_answers(parts: dict[str, Part]) -> None:
    for topic, texts in answers(parts["mixed"]):
        latin = re.findall(r"[A-Za-z]+[0-9.]*", topic.text)
        pairs = {pair for pair in grams(2, CHINESE)(topic.text) if re.match(f"[{CHINESE}]{{2}}", pair)}
        assert len(latin) == 1
        assert " " not in topic.text
        for text in texts:
            assert latin[0] in text
            assert pairs & set(grams(2, CHINESE)(text))


def disagreements(entry: Mapping[str, Any]) -> list[str]:
    """Slots with a particle that some word of their list may not have: 이, 을, 은, 과 and 으로 follow a consonant."""
    found: list[str] = []
    for template in entry["templates"].values():
        for text in template.values():
            for slot, particle in PARTICLE.findall(text):
                for word in entry["slots"][slot]:
                    final = (ord(word[-1]) - 0xAC00) % 28
                    # ㄹ (8) takes 로, as a vowel does.
                    closed = bool(final) and not (final == 8 and particle in ("로", "으로"))
                    if closed != (particle in ASKED_OF_CONSONANTS):
                        found.append(f"{word}{particle}")
    return found


@pytest.mark.parametrize("name", ["ko", "ko-nfd"])
def test_korean_particles_agree_with_every_word_before_them(shipped: dict[str, Any], name: str) -> None:
    assert not disagreements(shipped["slices"][name])


def test_a_particle_that_does_not_agree_is_seen() -> None:
    entry = {"slots": {"곳": ["서울", "부산", "대구"]}, "templates": {"only": {"asks": "{곳}로 가요? {곳}이 멀어요?"}}}
    assert disagreements(entry) == ["부산로", "대구이"]
