"""Han: Traditional Chinese, the two scripts against each other, and words that are read alike."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import combinations, pairwise
from typing import Any

import bm25s
import pytest
from bm25_judge import recall_at_5

from gate.corpus.family import Part
from gate.corpus.recipe import load_recipe, read_family
from gate.corpus.rng import Rng
from gate.corpus.scripts import Scripts
from gate.records import Document

SLICES = ("zh-Hant", "hans-hant", "homophones")
FULL = 50
HAN = re.compile(r"[\u4e00-\u9fff]+")

# Characters of these slices that the two scripts write differently, as OpenCC converts them one by one.
TRADITIONAL = (
    "乾來倉個們偉側傘備傳傷價儲內兩凍凱別創劇劉劍劑動務勢勸匯區吳員問單嚴國圍園圓圖團執報場塊塗墊壓壞夠婦媽嬤嬸孫學實寧審寫寬寵寶將專對導"
    "層島峽師帳帶幫幾庫廂廈廟廠廣廳張彈後復徵慶憶應掃掛採揀換摺撥撿擋擔據攝攤數時暈書會東條棗楊業極構樂樓標樹橋機檔檜檢檯檸櫃櫸欄權歡歸氣"
    "沒淨測湯準溫滷滿漁漲漿潔潤濃濱瀋瀏灘為烏無燈燒燙營爐牆牽獎現環產畢畫當疊療發盞盤盧禮稅種筆節簡簽簾籠紀約紅紋紐紗紙級紡紮組結給統絲綁"
    "經綠綢維網綿線編縣縫縮總織繕繪纖纜罷羅義習聞職聽脫腦腸膚膽臘臨興舊華萊萬葉蓋蓮藍藝藥蘇蘭處號螢衛補裝裡複見親觀訂計訊訓記訪設許診試話"
    "該語說誰課調談請講謝證識議護讀讓豐貝負財貨責貴買費貼資賈賓賴購賽趙車軟軸載輛輪輯輸轉轎辦辭農這連進遊運過達遞遲選還邊鄉鄒鄭醫醬釘釣鈴鉛"
    "銀銅銷鋁鋼錄錢錫錯鍋鍵鎖鏟鏡鐘鐵鑰長門開間閘閥閱闆關陰陳陸陽隊隨隻雞離難雲電霧韋韓響頁頂順領頭題額顧風颱飄飛飩飯飲飾餅養餌餘餛館饅饒馬"
    "馮駁騎驗體髮鬆魚鮑鯖鰻鳥鳳鴻鹹鹽麗麥麵麼黃點齡龍龔"
)
SIMPLIFIED = (
    "干来仓个们伟侧伞备传伤价储内两冻凯别创剧刘剑剂动务势劝汇区吴员问单严国围园圆图团执报场块涂垫压坏够妇妈嬷婶孙学实宁审写宽宠宝将专对导"
    "层岛峡师帐带帮几库厢厦庙厂广厅张弹后复征庆忆应扫挂采拣换折拨捡挡担据摄摊数时晕书会东条枣杨业极构乐楼标树桥机档桧检台柠柜榉栏权欢归气"
    "没净测汤准温卤满渔涨浆洁润浓滨沈浏滩为乌无灯烧烫营炉墙牵奖现环产毕画当叠疗发盏盘卢礼税种笔节简签帘笼纪约红纹纽纱纸级纺扎组结给统丝绑"
    "经绿绸维网绵线编县缝缩总织缮绘纤缆罢罗义习闻职听脱脑肠肤胆腊临兴旧华莱万叶盖莲蓝艺药苏兰处号萤卫补装里复见亲观订计讯训记访设许诊试话"
    "该语说谁课调谈请讲谢证识议护读让丰贝负财货责贵买费贴资贾宾赖购赛赵车软轴载辆轮辑输转轿办辞农这连进游运过达递迟选还边乡邹郑医酱钉钓铃铅"
    "银铜销铝钢录钱锡错锅键锁铲镜钟铁钥长门开间闸阀阅板关阴陈陆阳队随只鸡离难云电雾韦韩响页顶顺领头题额顾风台飘飞饨饭饮饰饼养饵余馄馆馒饶马"
    "冯驳骑验体发松鱼鲍鲭鳗鸟凤鸿咸盐丽麦面么黄点龄龙龚"
)
# Simplified forms that are words of their own in Traditional Chinese: 只 only, 折 discount, 里 neighbourhood.
ALSO_TRADITIONAL = set("只台折板游里面")
ONLY_SIMPLIFIED = set(SIMPLIFIED) - set(TRADITIONAL) - ALSO_TRADITIONAL
ONLY_TRADITIONAL = set(TRADITIONAL)
TO_SIMPLIFIED = str.maketrans(TRADITIONAL, SIMPLIFIED)

# Readings, with tones, of the characters in which the words of a pair differ (Hanyu Pinyin).
READINGS = {
    "晨辰": "chen2",
    "定订": "ding4",
    "何和": "he2",
    "禾荷": "he2",
    "宏红鸿": "hong2",
    "画话": "hua4",
    "会绘": "hui4",
    "辑集": "ji2",
    "纪记": "ji4",
    "佳家": "jia1",
    "剑建": "jian4",
    "姜江": "jiang1",
    "结节": "jie2",
    "婧静": "jing4",
    "军君": "jun1",
    "俊峻": "jun4",
    "兰蓝": "lan2",
    "丽利力立": "li4",
    "明茗鸣": "ming2",
    "清青": "qing1",
    "施诗": "shi1",
    "势式": "shi4",
    "涛滔": "tao1",
    "同童": "tong2",
    "图途": "tu2",
    "务物": "wu4",
    "下夏": "xia4",
    "湘香": "xiang1",
    "小晓": "xiao3",
    "心新": "xin1",
    "洋阳": "yang2",
    "一壹": "yi1",
    "仪怡": "yi2",
    "盈莹": "ying2",
    "油游邮": "you2",
    "于余渔": "yu2",
    "宇羽语雨": "yu3",
    "悦月粤越": "yue4",
    "制志治致": "zhi4",
    "中终": "zhong1",
    "子紫": "zi3",
}
READING_OF = {character: reading for characters, reading in READINGS.items() for character in characters}

Tokens = Callable[[str], list[str]]


@pytest.fixture(scope="module")
def shipped() -> dict[str, Any]:
    return dict(read_family(load_recipe("seeded"), "scripts")["slices"])


@pytest.fixture(scope="module")
def parts(shipped: dict[str, Any]) -> dict[str, Part]:
    return {name: build(shipped, name, FULL) for name in (*SLICES, "zh-Hans")}


def build(shipped: dict[str, Any], name: str, count: int) -> Part:
    return Scripts().build(Rng(7, "scripts"), {"slices": shipped}, {name: count})


def others(parts: dict[str, Part], shipped: dict[str, Any], name: str) -> list[Document]:
    """The documents of the other slices, and distractors in both scripts."""
    data = {"slices": {key: shipped[key] for key in ("zh-Hans", "zh-Hant")}}
    made = [Scripts().distractor(Rng(7, "noise", index), data, index) for index in range(100)]
    judged = [document for other, part in parts.items() if other != name for document in part.documents]
    return judged + [document for document in made if document is not None]


def hit_at_1(part: Part, noise: Sequence[Document], tokens: Tokens) -> float:
    """The mean over topics of the share of relevant documents among those that score best: ties are drawn by lot."""
    documents = [*part.documents, *noise]
    listed = [tokens(document.text) for document in documents]
    known = {token for words in listed for token in words}
    engine = bm25s.BM25(k1=1.2, b=0.75)
    engine.index(listed, show_progress=False)
    total = 0.0
    for topic in part.topics:
        scores = engine.get_scores([token for token in tokens(topic.text) if token in known])
        best = [document.doc_id for document, score in zip(documents, scores, strict=True) if score == scores.max()]
        total += sum(key in part.qrels[topic.topic_id] for key in best) / len(best)
    return total / len(part.topics)


def pairs(text: str) -> list[str]:
    return [run[at : at + 2] for run in HAN.findall(text) for at in range(len(run) - 1)]


def words(text: str) -> list[str]:
    import jieba

    jieba.setLogLevel(60)
    return [word for word in jieba.cut(text) if HAN.match(word)]


def characters(text: str) -> list[str]:
    return [character for run in HAN.findall(text) for character in run]


def whole_runs(text: str) -> list[str]:
    return re.findall(r"[\u4e00-\u9fff]+|[0-9A-Za-z.]+", text)


def ascii_words(text: str) -> list[str]:
    return re.findall(r"[0-9A-Za-z]+", text)


def converted(tokens: Tokens) -> Tokens:
    return lambda text: tokens(text.translate(TO_SIMPLIFIED))


def by_reading(text: str) -> list[str]:
    """Pairs of characters as they are read; those that no pair of words asks about stand for themselves."""
    readings = [[READING_OF.get(character, character) for character in run] for run in HAN.findall(text)]
    return [f"{first} {second}" for run in readings for first, second in pairwise(run)]


@pytest.mark.parametrize("name", SLICES)
@pytest.mark.parametrize("count", [20, FULL])
def test_every_topic_asked_for_is_made_from_enough_templates(shipped: dict[str, Any], name: str, count: int) -> None:
    part = build(shipped, name, count)
    assert len(part.topics) == len({topic.text for topic in part.topics}) == count
    assert len({topic.cluster for topic in part.topics}) >= 20


@pytest.mark.parametrize("name", SLICES)
def test_no_two_documents_say_the_same(parts: dict[str, Part], name: str) -> None:
    texts = [document.text for document in parts[name].documents]
    assert len(set(texts)) == len(texts)
    assert not [text for text in texts if "{" in text]


def test_traditional_words_are_found_inside_runs_and_whole_runs_or_ascii_find_nothing(
    parts: dict[str, Part], shipped: dict[str, Any]
) -> None:
    part, noise = parts["zh-Hant"], others(parts, shipped, "zh-Hant")
    good = [recall_at_5(part, noise, pairs), recall_at_5(part, noise, words)]
    assert min(good) >= 0.8
    assert min(good) < 1
    assert recall_at_5(part, noise, whole_runs) <= 0.4
    assert recall_at_5(part, noise, ascii_words) <= 0.4


def test_traditional_subjects_are_no_simplified_ones_converted(shipped: dict[str, Any]) -> None:
    simplified = {word for each in shipped["zh-Hans"]["slots"].values() for word in each}
    traditional = {word for each in shipped["zh-Hant"]["slots"].values() for word in each}
    assert not simplified & {word.translate(TO_SIMPLIFIED) for word in traditional}


def test_a_traditional_text_has_no_simplified_character(parts: dict[str, Part]) -> None:
    texts = [document.text for name in SLICES for document in parts[name].documents if document.lang == "zh-Hant"]
    assert len(texts) > 2 * FULL
    assert not [text for text in texts if ONLY_SIMPLIFIED.intersection(text)]


def test_traditional_distractors_speak_of_nothing_that_is_asked(shipped: dict[str, Any]) -> None:
    data = {"slices": {"zh-Hant": shipped["zh-Hant"]}}
    subjects = {word for each in shipped["zh-Hant"]["slots"].values() for word in each}
    for index in range(200):
        made = Scripts().distractor(Rng(7, "noise", index), data, index)
        assert made is not None
        assert made.lang == "zh-Hant"
        assert "{" not in made.text
        assert not [word for word in subjects if word in made.text]


def test_the_other_script_is_found_by_conversion_only(parts: dict[str, Part], shipped: dict[str, Any]) -> None:
    part, noise = parts["hans-hant"], others(parts, shipped, "hans-hant")
    good = [recall_at_5(part, noise, converted(pairs)), recall_at_5(part, noise, converted(words))]
    assert min(good) >= 0.8
    assert min(good) < 1
    for tokens in (pairs, words, characters, whole_runs, ascii_words):
        assert recall_at_5(part, noise, tokens) <= 0.4


def test_half_of_the_templates_are_asked_in_either_script(shipped: dict[str, Any]) -> None:
    templates = shipped["hans-hant"]["templates"].values()
    stored = [template.get("lang", shipped["hans-hant"]["lang"]) for template in templates]
    assert stored.count("zh-Hans") == stored.count("zh-Hant") == 12


def test_a_question_and_its_answers_are_in_different_scripts(parts: dict[str, Part]) -> None:
    part = parts["hans-hant"]
    documents = {document.doc_id: document for document in part.documents}
    for topic in part.topics:
        for key in part.qrels[topic.topic_id]:
            simplified = documents[key].lang == "zh-Hans"
            only_stored, only_asked = (
                (ONLY_SIMPLIFIED, ONLY_TRADITIONAL) if simplified else (ONLY_TRADITIONAL, ONLY_SIMPLIFIED)
            )
            assert not only_asked.intersection(documents[key].text)
            assert not only_stored.intersection(topic.text)
            assert only_asked.intersection(topic.text)


def test_the_telling_words_have_no_character_of_both_scripts_and_convert(shipped: dict[str, Any]) -> None:
    for words_of_slot in shipped["hans-hant"]["sides"].values():
        for asked, stored in words_of_slot:
            assert not set(asked) & set(stored)
            assert asked.translate(TO_SIMPLIFIED) == stored.translate(TO_SIMPLIFIED) in (asked, stored)


def test_characters_put_the_right_word_first_and_readings_do_not(
    parts: dict[str, Part], shipped: dict[str, Any]
) -> None:
    part, noise = parts["homophones"], others(parts, shipped, "homophones")
    for good in (pairs, words):
        assert recall_at_5(part, noise, good) >= 0.8
        assert hit_at_1(part, noise, good) >= 0.9
    assert hit_at_1(part, noise, by_reading) <= 0.6
    assert recall_at_5(part, noise, whole_runs) <= 0.4
    assert recall_at_5(part, noise, ascii_words) <= 0.4


def test_the_words_of_a_pair_are_read_alike_and_written_differently(shipped: dict[str, Any]) -> None:
    listed = [pair for each in shipped["homophones"]["pairs"].values() for pair in each]
    assert len({frozenset(pair) for pair in listed}) >= 20
    for right, wrong in listed:
        assert right != wrong
        assert len(right) == len(wrong)
        for one, other in zip(right, wrong, strict=True):
            assert one == other or READING_OF[one] == READING_OF[other]


def test_no_two_pairs_of_a_list_confuse_the_same_word(shipped: dict[str, Any]) -> None:
    for each in shipped["homophones"]["pairs"].values():
        for one, other in combinations(each, 2):
            assert set(one) == set(other) or not set(one) & set(other)


def test_what_confuses_says_the_same_of_the_other_word(parts: dict[str, Part]) -> None:
    part = parts["homophones"]
    texts = {document.doc_id: document.text for document in part.documents}
    for topic in part.topics:
        for right, wrong in (("states", "other"), ("adds", "other-adds")):
            answer, confusable = texts[f"{topic.topic_id}-{right}"], texts[f"{topic.topic_id}-{wrong}"]
            assert answer != confusable
            assert by_reading(answer) == by_reading(confusable)
            assert f"{topic.topic_id}-{wrong}" not in part.qrels[topic.topic_id]
