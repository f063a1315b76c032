"""Questions that share no word with their answer, within English and across languages."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable
from difflib import SequenceMatcher
from typing import Any

import pytest
import Stemmer
from bm25_judge import recall_at_5
from bm25s.stopwords import STOPWORDS_EN_PLUS

from gate.corpus.family import ChecksWords, Part
from gate.corpus.leakage import leakage
from gate.corpus.paraphrase import Paraphrase
from gate.corpus.recipe import load_recipe, read_family
from gate.corpus.rng import Rng
from gate.engines.tokens import characters_and_pairs, five_grams_of_words, folded_words, stems, trigrams_of_words
from gate.errors import UsageError
from gate.records import Corpus, Document

WITHIN, ACROSS = "paraphrase-en", "paraphrase-across"
FULL = {name: load_recipe("seeded").wanted("paraphrase", "full")[name] for name in (WITHIN, ACROSS)}
SMOKE = {name: load_recipe("seeded").wanted("paraphrase", "smoke")[name] for name in (WITHIN, ACROSS)}
GERUND = "How do I dry wet boots?"


@pytest.fixture(scope="module")
def shipped() -> dict[str, Any]:
    return dict(read_family(load_recipe("seeded"), "paraphrase"))


def build(data: dict[str, Any], seed: int = 7, **counts: int) -> Part:
    wanted = {WITHIN: counts.get("within", FULL[WITHIN]), ACROSS: counts.get("across", FULL[ACROSS])}
    return Paraphrase().build(Rng(seed, "paraphrase"), data, {name: count for name, count in wanted.items() if count})


def one_topic(data: dict[str, Any], slice_name: str, **texts: Any) -> dict[str, Any]:
    """The data with one topic changed, the first of its slice."""
    topics = data["slices"][slice_name]["topics"]
    next(iter(topics.values())).update(texts)
    return data


def texts_of(part: Part) -> list[tuple[str, str, list[str]]]:
    """Question, answer and the other documents of each topic."""
    told = {document.doc_id: document.text for document in part.documents}
    found = []
    for topic in part.topics:
        (answer,) = part.qrels[topic.topic_id]
        others = [text for key, text in told.items() if key.startswith(f"{topic.topic_id}-") and key != answer]
        found.append((topic.text, told[answer], others))
    return found


def words(text: str) -> list[str]:
    """English words that tell something, by a list that is not ours."""
    return [word for word in re.findall(r"\w+", text.lower()) if word not in STOPWORDS_EN_PLUS]


def longest_shared(left: str, right: str) -> str:
    found = SequenceMatcher(None, left, right, autojunk=False).find_longest_match()
    return left[found.a : found.a + found.size]


def test_no_stem_and_no_five_letters_are_shared_within_english(shipped: dict[str, Any]) -> None:
    stem = Stemmer.Stemmer("english").stemWord
    for question, answer, _ in texts_of(build(shipped, across=0)):
        asked, told = words(question), words(answer)
        assert not {stem(word) for word in asked} & {stem(word) for word in told}, (question, answer)
        for mine in asked:
            assert all(len(longest_shared(mine, other)) < 5 for other in told), (question, answer)


def test_no_token_is_shared_across_languages(shipped: dict[str, Any]) -> None:
    def plain(text: str) -> set[str]:
        letters = "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c)).lower()
        found = re.findall(r"[a-zа-я0-9]+", letters)
        return {*found, *(c for c in letters if unicodedata.category(c) == "Lo")}

    for question, answer, _ in texts_of(build(shipped, within=0)):
        assert not plain(question) & plain(answer), (question, answer)
        assert not re.search(r"\d", question + answer), "a number reads alike in every language"


def test_what_leads_astray_holds_words_of_the_question_and_the_answer_does_not(shipped: dict[str, Any]) -> None:
    stem = Stemmer.Stemmer("english").stemWord
    for question, _, others in texts_of(build(shipped, across=0)):
        asked = {stem(word) for word in words(question)}
        assert sum(len(asked & {stem(word) for word in words(text)}) >= 2 for text in others) == 2, question


@pytest.mark.parametrize(
    "tokens", [folded_words, stems("english"), trigrams_of_words, five_grams_of_words, characters_and_pairs]
)
def test_no_keyword_engine_finds_the_answers(
    shipped: dict[str, Any], noise: list[Document], tokens: Callable[[str], list[str]]
) -> None:
    assert recall_at_5(build(shipped), noise, tokens) <= 0.1


def test_a_question_in_the_words_of_the_answer_finds_it(shipped: dict[str, Any], noise: list[Document]) -> None:
    part = build(shipped)
    answers = {question: answer for question, answer, _ in texts_of(part)}
    assert recall_at_5(part, noise, lambda text: characters_and_pairs(answers.get(text, text))) == 1


def test_the_recipe_asks_for_enough_topics(shipped: dict[str, Any]) -> None:
    assert FULL[WITHIN] == len(shipped["slices"][WITHIN]["topics"]) >= 40
    assert FULL[ACROSS] == len(shipped["slices"][ACROSS]["topics"]) >= 30
    assert SMOKE[WITHIN] >= 20
    assert SMOKE[ACROSS] >= 8


def test_many_languages_are_asked_and_stored_both_ways(shipped: dict[str, Any]) -> None:
    topics = shipped["slices"][ACROSS]["topics"].values()
    for side in ("asked", "answered"):
        languages = Counter(topic[side] for topic in topics)
        assert len(languages) >= 5
        assert min(languages["zh-Hans"], languages["en"]) >= 5
    assert all(topic["asked"] != topic["answered"] for topic in topics)


def test_documents_have_the_language_they_are_in(shipped: dict[str, Any]) -> None:
    part = build(shipped, within=0)
    topics = {f"{ACROSS}-{name}": topic for name, topic in shipped["slices"][ACROSS]["topics"].items()}
    langs = {document.doc_id: document.lang for document in part.documents}
    for topic in part.topics:
        written = topics[topic.topic_id]
        told = [langs[f"{topic.topic_id}-{number}"] for number in range(3)]
        assert told == [written["answered"], written["asked"], written["answered"]]


@pytest.mark.parametrize("slice_name", [WITHIN, ACROSS])
def test_length_does_not_tell_the_answer_from_what_confuses(shipped: dict[str, Any], slice_name: str) -> None:
    part = build(shipped, **{"across" if slice_name == WITHIN else "within": 0})
    corpus = Corpus("mine", "full", lambda: iter(part.documents), part.topics, part.qrels, {}, ())
    documents = {document.doc_id: document for document in part.documents}
    relevant = Counter(documents[key].lang for grades in part.qrels.values() for key in grades)
    for leak in leakage(corpus):
        if leak.trait.startswith("length") and relevant[leak.trait[8:-1]] >= 5:
            assert 0.3 < leak.chance < 0.7, leak


def test_every_topic_is_a_cluster_and_every_document_a_session_of_its_own(shipped: dict[str, Any]) -> None:
    part = build(shipped)
    assert len({topic.cluster for topic in part.topics}) == len(part.topics) == sum(FULL.values())
    assert len({document.session_id for document in part.documents}) == len(part.documents)
    assert len({document.text for document in part.documents}) == len(part.documents)
    assert all(document.speaker and document.created_at.endswith("Z") for document in part.documents)
    assert all(set(grades.values()) == {3} and len(grades) == 1 for grades in part.qrels.values())


def test_no_document_is_keyed_like_its_topic(shipped: dict[str, Any]) -> None:
    part = build(shipped)
    assert not {topic.topic_id for topic in part.topics} & {document.doc_id for document in part.documents}


def test_the_same_seed_gives_the_same_part_and_another_seed_another(shipped: dict[str, Any]) -> None:
    assert build(shipped) == build(shipped)
    assert build(shipped) != build(shipped, seed=8)


def test_a_few_topics_are_drawn_from_all(shipped: dict[str, Any]) -> None:
    drawn = {topic.text for seed in range(9) for topic in build(shipped, seed, within=20, across=8).topics}
    assert len(drawn) > 70
    assert len(build(shipped, within=20, across=8).topics) == 28


@pytest.mark.parametrize(
    ("slice_name", "texts", "said"),
    [
        (WITHIN, {"answers": "The hatchback had a flat battery."}, "share 'hatchback'"),
        (WITHIN, {"asks": GERUND, "answers": "Stuff the shoes and let drying take a night."}, "share 'dri'"),
        (WITHIN, {"asks": "Who repainted the hatchback?", "answers": "Two painters did it in May."}, "share 'ainte'"),
        (WITHIN, {"near": ["The car tends to stall in winter."]}, "share 'stall'"),
        (WITHIN, {"words": ["A hatchback is parked in the yard."]}, "has 1 of the words that tell"),
        (WITHIN, {"asks": "Why did it stall?"}, "has fewer than 2 words that tell"),
        (ACROSS, {"answers": "爷爷小时候住在 Grandfather 村。"}, "share 'grandfather'"),
        (ACROSS, {"answers": "爷爷 up 小时候住在渔村。"}, "share 'up'"),
        (ACROSS, {"words": ["A grandfather reads."]}, "has 1 of the words that tell"),
        (ACROSS, {"asked": "ja", "asks": "祖父はどこで育ちましたか？", "words": ["祖父は育ちました。"]}, None),
        (ACROSS, {"asked": "ja", "asks": "村で育ったのは誰ですか？", "words": ["村で育った。"]}, "share '村'"),
        (ACROSS, {"asked": "es", "answered": "fr", "asks": "¿Dónde está la tía?", "answers": "Là-bas.",
                  "words": ["La tía dónde está."], "near": ["Ici."]}, "share 'la'"),
    ],
)  # fmt: skip
def test_what_question_and_answer_may_not_share_is_refused(
    data: dict[str, Any], slice_name: str, texts: dict[str, Any], said: str | None
) -> None:
    one_topic(data, slice_name, **texts)
    if said is None:
        build(data)
        return
    with pytest.raises(UsageError, match=re.escape(said)) as caught:
        build(data)
    assert caught.value.where.startswith(f"paraphrase.yml: slices.{slice_name}.topics.")


def test_function_words_may_be_shared_within_a_language(data: dict[str, Any]) -> None:
    one_topic(data, WITHIN, answers="Why it did so, nobody could tell until the battery was tested.")
    build(data)
    data["languages"]["en"]["small"].remove("did")
    with pytest.raises(UsageError, match="share 'did'"):
        build(data)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda data: data["slices"][WITHIN].update(asked="eo"), "there is no language 'eo'"),
        (lambda data: one_topic(data, ACROSS, answered="eo"), "there is no language 'eo'"),
        (lambda data: data["languages"]["en"].update(stemmer="klingon"), "no Snowball stemmer 'klingon'"),
        (lambda data: data["languages"].clear(), "at least one key"),
        (lambda data: one_topic(data, WITHIN, near=[]), "a list with at least one entry"),
        (lambda data: one_topic(data, WITHIN, answers=7), "has to be a text"),
        (lambda data: next(iter(data["slices"][WITHIN]["topics"].values())).pop("words"), "'words' is missing"),
        (lambda data: data["slices"][WITHIN]["topics"].pop("car"), f"{FULL[WITHIN] - 1} topics, and {FULL[WITHIN]}"),
    ],
)
def test_data_that_cannot_be_used_is_refused_with_its_place(data: dict[str, Any], change: Any, said: str) -> None:
    change(data)
    with pytest.raises(UsageError, match=said) as caught:
        build(data)
    assert caught.value.where.startswith("paraphrase.yml: ")


def test_words_of_a_lone_question_stand_in_no_other_document(data: dict[str, Any]) -> None:
    family = Paraphrase()
    assert isinstance(family, ChecksWords)
    family.check_words(data, {"en": frozenset({"car"}), "de": frozenset({"hatchback"})}, {"en": frozenset({"tea"})})
    for judged, distractors, place in (
        ({"hatchbacks"}, set(), "another family's documents"),
        (set(), {"hatchback"}, "the distractors"),
    ):
        with pytest.raises(UsageError, match="not written for them") as caught:
            family.check_words(data, {"en": frozenset(judged)}, {"en": frozenset(distractors)})
        (problem,) = caught.value.problems
        assert problem.what == f"'Why did the hatchback stall?' has 'hatchback', which stands in {place}"
        assert problem.where == f"paraphrase.yml: slices.{WITHIN}.topics.car"


def test_words_of_a_lone_question_stand_in_no_other_topic(data: dict[str, Any]) -> None:
    data["slices"][WITHIN]["topics"]["puppy"]["near"] = ["The young dog ran into a stall."]
    with pytest.raises(UsageError, match="not written for them") as caught:
        Paraphrase().check_words(data, {}, {})
    assert [problem.what.partition(" has ")[2] for problem in caught.value.problems] == [
        "'stall', which stands in the topic 'puppy'"
    ]


def test_a_slice_that_is_not_alone_may_share_its_words(data: dict[str, Any]) -> None:
    data["slices"][WITHIN]["alone"] = False
    Paraphrase().check_words(data, {"en": frozenset({"hatchback"})}, {})


def test_there_are_no_distractors(shipped: dict[str, Any]) -> None:
    assert Paraphrase().distractor(Rng(7), shipped, 0) is None
