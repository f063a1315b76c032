"""Writing systems: shared words stand inside unbroken runs."""

from __future__ import annotations

import copy
import re
from typing import Any

import pytest
from bm25_judge import recall_at_5

from gate.corpus.family import ListsDistractorWords, Part
from gate.corpus.recipe import load_recipe, read_family
from gate.corpus.rng import Rng
from gate.corpus.scripts import Scripts
from gate.errors import UsageError
from gate.records import Document

SLICE = "zh-Hans"
HAN = re.compile(r"[\u4e00-\u9fff]+")


@pytest.fixture(scope="module")
def shipped() -> dict[str, Any]:
    # One slice alone: the rules of the family hold whatever else it ships.
    slices = read_family(load_recipe("seeded"), "scripts")["slices"]
    return {"slices": {SLICE: slices[SLICE]}}


def build(data: dict[str, Any], count: int, seed: int = 7) -> Part:
    return Scripts().build(Rng(seed, "scripts"), data, {SLICE: count})


def noise(data: dict[str, Any], count: int) -> list[Document]:
    family = Scripts()
    made = [family.distractor(Rng(7, "noise", index), data, index) for index in range(count)]
    return [document for document in made if document is not None]


def words_and_pairs(text: str) -> list[str]:
    import jieba

    jieba.setLogLevel(60)
    pairs = [run[at : at + 2] for run in HAN.findall(text) for at in range(len(run) - 1)]
    return [word for word in jieba.cut(text) if HAN.match(word)] + pairs


def whole_runs(text: str) -> list[str]:
    return re.findall(r"[\u4e00-\u9fff]+|[0-9A-Za-z.]+", text)


def ascii_words(text: str) -> list[str]:
    return re.findall(r"[0-9A-Za-z]+", text)


def test_words_inside_runs_are_found_and_whole_runs_or_ascii_find_nothing(shipped: dict[str, Any]) -> None:
    part, others = build(shipped, 150), noise(shipped, 300)
    assert recall_at_5(part, others, words_and_pairs) >= 0.9
    assert recall_at_5(part, others, whole_runs) < 0.3
    assert recall_at_5(part, others, ascii_words) == 0


@pytest.mark.parametrize("count", [20, 150])
def test_every_topic_asked_for_is_made_from_enough_templates(shipped: dict[str, Any], count: int) -> None:
    part = build(shipped, count)
    assert len(part.topics) == len({topic.text for topic in part.topics}) == count
    assert len({topic.cluster for topic in part.topics}) >= min(count, 40)
    assert all(topic.slices == (SLICE,) for topic in part.topics)


def test_a_topic_has_an_answer_and_an_addition_of_one_session(shipped: dict[str, Any]) -> None:
    part = build(shipped, 20)
    documents = {document.doc_id: document for document in part.documents}
    for topic in part.topics:
        grades = part.qrels[topic.topic_id]
        assert sorted(grades.values()) == [1, 3]
        adds, states = (documents[key] for key in sorted(grades, key=lambda key: grades[key]))
        assert adds.session_id == states.session_id
        assert adds.created_at > states.created_at
        assert states.lang == "zh-Hans"


def test_what_confuses_differs_in_a_slot_of_the_question(shipped: dict[str, Any]) -> None:
    part = build(shipped, 150)
    texts = [document.text for document in part.documents]
    templates = shipped["slices"][SLICE]["templates"]
    assert len(part.documents) == 450
    assert len(set(texts)) == len(texts)
    for topic in part.topics:
        answer = next(d for d in part.documents if part.qrels[topic.topic_id].get(d.doc_id) == 3)
        template = templates[topic.cluster.split("/")[1]]
        # The answer's words for the slots of the question are those of the question itself.
        pattern = re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.+?)", re.escape(template["asks"]))
        asked = re.fullmatch(pattern, topic.text)
        assert asked is not None
        assert all(value in answer.text for value in asked.groupdict().values())


def test_a_question_has_neither_latin_letters_nor_digits(shipped: dict[str, Any]) -> None:
    assert not [topic.text for topic in build(shipped, 150).topics if re.search(r"[0-9A-Za-z]", topic.text)]


def test_a_distractor_depends_on_its_number_only(shipped: dict[str, Any]) -> None:
    first = noise(shipped, 20)
    family = Scripts()
    again = [family.distractor(Rng(7, "noise", index), shipped, index) for index in reversed(range(20))]
    assert first == again[::-1]
    assert len({document.text for document in first}) > 15


def test_distractors_have_no_word_that_a_topic_is_about(shipped: dict[str, Any]) -> None:
    entry = shipped["slices"][SLICE]
    subjects = {word for words in entry["slots"].values() for word in words}
    for document in noise(shipped, 300):
        assert "{" not in document.text
        assert not [word for word in subjects if word in document.text]


def test_the_words_of_distractors_are_listed_without_making_any(shipped: dict[str, Any]) -> None:
    family = Scripts()
    assert isinstance(family, ListsDistractorWords)
    listed = family.distractor_words(shipped)["zh-Hans"]
    assert {"白鹭", "月季"} <= listed
    for document in noise(shipped, 100):
        rest = document.text
        for word in sorted(listed, key=len, reverse=True):
            rest = rest.replace(word, "")
        assert not HAN.search(rest)


def test_new_data_is_read_anew(data: dict[str, Any]) -> None:
    family = Scripts()
    family.distractor(Rng(7), data, 0)
    changed = copy.deepcopy(data)
    changed["slices"][SLICE]["distractors"]["templates"] = {"only": "今天什么也没看到。"}
    made = family.distractor(Rng(7), changed, 0)
    assert made is not None
    assert made.text == "今天什么也没看到。"


def test_the_same_seed_gives_the_same_part_and_another_seed_another(shipped: dict[str, Any]) -> None:
    assert build(shipped, 20) == build(shipped, 20)
    assert build(shipped, 20) != build(shipped, 20, seed=8)


def only(data: dict[str, Any], **texts: str) -> dict[str, Any]:
    """The data with one template, in which nothing else can be wrong."""
    data["slices"][SLICE]["templates"] = {"only": texts}
    return data


def ten(data: dict[str, Any], **texts: str) -> dict[str, Any]:
    """The data with ten templates of the same texts, for as many topics as a test needs."""
    data["slices"][SLICE]["templates"] = {f"same-{number}": texts for number in range(10)}
    return data


def test_a_question_that_equals_a_run_of_its_answer_is_refused(data: dict[str, Any]) -> None:
    only(data, asks="{服务}由谁负责？", states="{服务}由谁负责，问{同事}。", adds="{服务}先不动。")
    with pytest.raises(UsageError) as caught:
        build(data, 1)
    assert caught.value.slug == "recipe-whole-run"


def test_a_question_with_latin_letters_is_refused(data: dict[str, Any]) -> None:
    only(data, asks="{服务}的 API 归谁？", states="{服务}的接口归{同事}。", adds="{服务}先不动。")
    with pytest.raises(UsageError) as caught:
        build(data, 1)
    assert caught.value.slug == "recipe-latin-question"


def test_a_script_with_spaces_may_share_whole_words(data: dict[str, Any]) -> None:
    data["slices"][SLICE]["spaces"] = True
    only(data, asks="{服务}由谁负责？", states="{服务}由谁负责，问{同事}。", adds="{服务}先不动。")
    assert len(build(data, 1).topics) == 1


def test_too_few_words_for_the_topics_are_refused(data: dict[str, Any]) -> None:
    data["slices"][SLICE]["slots"]["服务"] = ["支付网关"]
    with pytest.raises(UsageError) as caught:
        build(data, 150)
    assert caught.value.slug == "recipe-few-words"
    assert "服务" in str(caught.value)


def test_too_few_templates_are_refused(data: dict[str, Any]) -> None:
    templates = data["slices"][SLICE]["templates"]
    data["slices"][SLICE]["templates"] = dict(list(templates.items())[:9])
    with pytest.raises(UsageError) as caught:
        build(data, 20)
    assert caught.value.slug == "recipe-few-templates"


def test_a_text_without_the_slots_of_its_question_is_refused(data: dict[str, Any]) -> None:
    only(data, asks="{服务}归谁？", states="{服务}归{同事}。", adds="先不动。")
    with pytest.raises(UsageError, match="'states' and 'adds'"):
        build(data, 1)


def test_an_unknown_slice_is_refused_with_its_place(shipped: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="'xx' is missing") as caught:
        Scripts().build(Rng(7), shipped, {"xx": 20})
    assert caught.value.where == "scripts.yml: slices"


def test_each_side_is_spelt_as_its_slice_says(data: dict[str, Any]) -> None:
    data["slices"][SLICE]["spelling"] = {"documents": "halfwidth", "questions": "fullwidth"}
    only(data, asks="{服务}の件はサーバー?", states="サーバーは{服务}にある。", adds="サーバーに{服务}を置く。")
    data["slices"][SLICE]["distractors"]["templates"] = {"only": "サーバーは{n}台。"}
    part = build(data, 1)
    assert part.topics[0].text.endswith("の件はサーバー？")
    assert all("ｻｰﾊﾞｰ" in document.text and "サーバー" not in document.text for document in part.documents)
    made = Scripts().distractor(Rng(7), data, 0)
    assert made is not None
    assert "ｻｰﾊﾞｰは" in made.text
    assert "ｻｰﾊﾞｰは" in Scripts().distractor_words(data)["zh-Hans"]


def test_a_template_may_have_a_language_and_a_spelling_of_its_own(data: dict[str, Any]) -> None:
    data["slices"][SLICE]["spelling"] = {"documents": "halfwidth"}
    only(data, asks="{服务}ノ件？", states="サーバーに{服务}。", adds="サーバーは{服务}。")
    data["slices"][SLICE]["templates"]["only"] |= {"lang": "ja", "spelling": {"questions": "halfwidth"}}
    part = build(data, 1)
    assert {document.lang for document in part.documents} == {"ja"}
    assert all("サーバー" in document.text for document in part.documents)
    assert "ﾉ件" in part.topics[0].text


@pytest.mark.parametrize(
    ("spelling", "said"),
    [
        ({"documents": "nfk"}, "there is no spelling 'nfk': did you mean 'nf"),
        ({"document": "nfc"}, "there is no side 'document': did you mean 'documents'"),
    ],
)
def test_a_spelling_that_does_not_exist_is_refused_with_the_nearest(
    data: dict[str, Any], spelling: dict[str, str], said: str
) -> None:
    data["slices"][SLICE]["spelling"] = spelling
    with pytest.raises(UsageError) as caught:
        build(data, 20)
    assert said in str(caught.value)


def test_latin_in_questions_is_allowed_where_it_is_what_is_asked(data: dict[str, Any]) -> None:
    data["slices"][SLICE]["latin"] = True
    only(data, asks="{服务}的 API 归谁？", states="{服务}的接口归{同事}。", adds="{服务}先不动。")
    assert "API" in build(data, 1).topics[0].text


PAIR = {"词": [["权力", "权利"], ["权利", "权力"], ["必须", "必需"]]}


def test_the_confusable_documents_differ_by_the_second_word_of_the_pair_only(data: dict[str, Any]) -> None:
    data["slices"][SLICE] |= {"pairs": PAIR, "slots": {"部门": ["财务部", "法务部"], "同事": ["老周"]}}
    ten(data, asks="{部门}的{词}归谁？", states="关于{部门}的{词}，{同事}写了一页。", adds="{部门}的{词}再议。")
    # Of a template's six words of departments and pairs, two and two exclude each other: four topics at most.
    part = build(data, 40)
    confused = dict(PAIR["词"])
    texts = {document.doc_id: document.text for document in part.documents}
    asked = set()
    for topic in part.topics:
        word = next(word for word in confused if word in topic.text)
        for right, wrong in (("states", "other"), ("adds", "other-adds")):
            expected = texts[f"{topic.topic_id}-{right}"].replace(word, confused[word])
            assert texts[f"{topic.topic_id}-{wrong}"] == expected
        assert sorted(part.qrels[topic.topic_id]) == [f"{topic.topic_id}-adds", f"{topic.topic_id}-states"]
        asked.add((topic.cluster, topic.text))
    # What is wrong for one topic answers no other.
    assert len(asked) == 40
    assert not [
        text
        for name, text in asked
        for a, b in confused.items()
        if (name, text.replace(a, b)) in asked - {(name, text)}
    ]


def test_a_pair_that_the_question_does_not_hold_is_refused(data: dict[str, Any]) -> None:
    data["slices"][SLICE]["pairs"] = PAIR
    only(data, asks="{服务}归谁？", states="{服务}的{词}归{同事}。", adds="{服务}先不动。")
    with pytest.raises(UsageError, match="belongs into the question"):
        build(data, 1)


def test_a_word_with_two_sides_is_written_one_way_in_questions_and_another_in_documents(data: dict[str, Any]) -> None:
    stored = {"订单": "訂單", "发票": "發票", "账单": "帳單", "货单": "貨單"}
    data["slices"][SLICE]["sides"] = {"词": [[question, document] for question, document in stored.items()]}
    ten(data, asks="{词}归谁？", states="這些{词}歸{同事}。", adds="這些{词}先不動。")
    part = build(data, 20)
    texts = {document.doc_id: document.text for document in part.documents}
    for topic in part.topics:
        assert all(f"這些{stored[topic.text[:2]]}" in texts[key] for key in part.qrels[topic.topic_id])
    assert not [text for text in texts.values() for simplified in "订发账货" if simplified in text]


@pytest.mark.parametrize(
    ("lists", "said"),
    [
        ({"pairs": {"词": [["权力"]]}}, "two words belong here"),
        ({"pairs": {"词": [["权力", "权利"], ["权力", "权利"]]}}, "'权力' stands twice"),
        ({"sides": {"服务": [["订单", "訂單"]]}}, "there are two lists '服务'"),
    ],
)
def test_lists_of_two_forms_that_cannot_be_used_are_refused(
    data: dict[str, Any], lists: dict[str, Any], said: str
) -> None:
    data["slices"][SLICE] |= lists
    with pytest.raises(UsageError, match=said):
        build(data, 20)


def test_a_slice_without_distractors_leaves_them_to_the_others(data: dict[str, Any]) -> None:
    data["slices"]["bare"] = {**data["slices"][SLICE], "lang": "xx"}
    del data["slices"]["bare"]["distractors"]
    made = [Scripts().distractor(Rng(7, index), data, index) for index in range(4)]
    assert {document.lang for document in made if document is not None} == {"zh-Hans"}
    assert Scripts().distractor(Rng(7), {"slices": {"bare": data["slices"]["bare"]}}, 0) is None
