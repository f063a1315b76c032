"""Scripts without spaces: what a run of their characters is indexed under, and what is asked of it.

A run is indexed as characters, pairs of neighbours and, for Han, words of the dictionary; in the scripts of
South-East Asia, where a letter alone says little, as clusters of them and pairs of clusters. Han text is converted
to simplified characters first.

What is asked of a run weighs by words, as far as they show: a word of many pairs is one word all the same.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from gate.stores.reference import han
from gate.stores.reference.asked import CHARACTER, EXACT, SINGLE, STEM, STRADDLING, Asked, per_pair
from gate.stores.reference.clusters import clusters
from gate.stores.reference.conversion import simplified
from gate.stores.reference.scripts import HAN, HANGUL, KATAKANA, SOUTH_EAST

_HAN_ONLY = re.compile(f"[{HAN}]+")
_HAN_SOMEWHERE = re.compile(f"[{HAN}]")
# Kanji that ask, and roots of the verbs of asking and of being about; converted as a run is.
_JAPANESE_QUESTION = "何誰谁"
_JAPANESE_ASKING = frozenset("教知言思見见来行出入付持取使分聞闻忘覚要")
_SCRIPT_STRETCHES = re.compile(f"(?:(?![{_JAPANESE_QUESTION}])[{HAN}])+|[{KATAKANA}]+")
_STRETCHES = re.compile(f"[{HAN}]+|[{KATAKANA}]+")
_HANGUL = re.compile(f"[{HANGUL}]")
_HIRAGANA = re.compile("[\u3041-\u309f]+")
_SOUTH_EAST = re.compile(f"[{SOUTH_EAST}]")

_HAN_FUNCTION_WORDS = """
    的 了 吗 呢 吧 啊 是 我 你 您 他 她 它 们 在 有 和 与 也 就 都 而 及 或 这 那 哪 谁 把 被 从 到 对 给 让 很 还 要 会
    能 嗎 們 這 與 從 對 給 讓 還 會 誰
    什么 怎么 怎样 如何 为什么 哪里 哪儿 哪个 哪些 多少 我们 你们 他们 她们 咱们 这个 那个 这些 那些 一个 是否 可以
    什麼 怎麼 怎樣 為什麼 哪裡 哪個 我們 你們 他們 這個 那個 這些 一個
"""
HAN_FUNCTION_WORDS = frozenset(_HAN_FUNCTION_WORDS.split())
# Words that questions are asked with, and single ones that two others meet at: an answer need not hold them.
_HAN_LITTLE = frozenset(
    "的了吗呢吧啊是我你您他她它们在有和与也就都而及或这那哪谁把被从到对给让很还要会能几些时为没不去来用由因该请问想说之其"
    "所已将又才再则但个次往里上下什么怎多少啥何着过嗎們與這誰從對給讓還會幾時為沒來該請問說將則個裡過麼著"
)
_HAN_ASKING_WORDS = """
    现在 记得 知道 时候 时间 哪天 哪位 多长 多久 原因 告诉 需要 应该 有人 目前 当前 没有 一下 请问
    現在 記得 時候 時間 多長 告訴 應該 當前 沒有 請問
    """
_HAN_ASKING = frozenset(_HAN_ASKING_WORDS.split())
# Question words of Thai: what stands between them is asked for.
_THAI_QUESTION_WORDS = """
    เมื่อไหร่ เมื่อไร เท่าไหร่ เท่าไร หรือเปล่า หรือยัง อย่างไร ยังไง ที่ไหน แค่ไหน ตรงไหน อันไหน คนไหน อะไร ทำไม ใคร ไหน
"""
_THAI_BETWEEN = re.compile("|".join(_THAI_QUESTION_WORDS.split()))
_KOREAN_QUESTION = re.compile("얼마|언제|어디|누구|누가|무엇|무슨|뭐|뭘|왜|어떻게|어떤|어느|몇")
# Endings of verbs, long particles, and what joins a clause to the next.
_KOREAN_ENDING = re.compile(
    "(?:이|하|되|했|됐|였|었|았|겠)?(?:나요|가요|까요|지요|어요|아요|에요|예요|해요|세요|습니까|니까|습니다|니다)$"
    "|(?:했|였|었|았|겠|하|되)(?:죠|지|니|냐|어|나)$"
    "|(?:까지|부터|에서|에게|한테|라고|다고|려면|으면|하면|하는|했던|되는|이라|이나)$"
)
_KOREAN_PARTICLES = frozenset("은는이가을를에의도로와과")


def written_run(run: str) -> list[str]:
    """Characters, pairs of neighbours, and longer words: pairs that are words stand among the pairs."""
    if _SOUTH_EAST.match(run):
        pieces = clusters(run)
        return [*pieces, *_joined(pieces)]
    run = _converted(run)
    terms = [*run, *_neighbours(run, 2)]
    if _HAN_ONLY.fullmatch(run):
        terms += [word for word in han.words(run) if len(word) > 2]
    return terms


def asked_run(run: str) -> tuple[list[Asked], list[Asked]]:
    """What a run asks for: what has content, and function words."""
    run = _converted(run)
    if len(run) == 1:
        return ([], [_term(run, EXACT, False)]) if run in HAN_FUNCTION_WORDS else ([_term(run, STEM)], [])
    if _SOUTH_EAST.match(run):
        between = [clusters(piece) for piece in _THAI_BETWEEN.split(run) if piece] or [clusters(run)]
        return [_term(term, STEM) for pieces in between for term in _joined(pieces) or pieces], []
    if _HANGUL.match(run):
        content, function = _asked_hangul(run)
        return content + _singles(run, content), function
    content, function = _asked_characters(run)
    content += _singles(run, content)
    return (content if _HAN_ONLY.fullmatch(run) else _japanese_evidence(run, content)), function


def _japanese_evidence(run: str, wanted: Sequence[Asked]) -> list[Asked]:
    """What is asked of a run with kana, with what says nothing of an answer marked as asking.

    An answer should hold the words: pairs of kanji or of katakana, and a kanji that stands alone as the root of a verb
    does. Pairs across scripts or with hiragana are particles and endings, of which no two writers use the same.
    """
    stretches = _SCRIPT_STRETCHES.findall(run)
    if not stretches:
        return list(wanted)
    words = [stretch for stretch in stretches if stretch not in _JAPANESE_ASKING]
    telling = {term for word in words for term in (_neighbours(word, 2) or [word])}
    return [
        replace(one, content=one.content or one.terms[0][0] in telling, asking=one.terms[0][0] not in telling)
        for one in wanted
    ]


def _asked_characters(run: str) -> tuple[list[Asked], list[Asked]]:
    # A run with kana is Japanese, to which the Chinese dictionary does not apply.
    words = han.words(run) if _HAN_ONLY.fullmatch(run) else []
    if not words:
        return _asked_stretches(run), []
    known = frozenset(words)
    small = frozenset("".join(known & HAN_FUNCTION_WORDS))
    function = [_term(word, EXACT, False) for word in words if word in HAN_FUNCTION_WORDS]
    # A longer word that shorter ones stand in is asked for by those.
    content = [
        _term(word, STEM, False)
        for word in words
        if len(word) > 2 and word not in HAN_FUNCTION_WORDS and known.isdisjoint(_neighbours(word, 2))
    ]
    covered: set[str] = set()
    for pair in _neighbours(run, 2):
        # Two characters that are no words of more are likely a name that the dictionary lacks.
        if pair in known or known.issuperset(pair):
            if not small.issuperset(pair):
                # With a word that says little it is no name, but may find one.
                asking = pair not in known and not _HAN_LITTLE.isdisjoint(pair)
                content.append(replace(_term(pair, STEM), asking=asking or pair in _HAN_ASKING))
                covered.update(pair)
        elif small.isdisjoint(pair):
            content.append(_term(pair, STRADDLING, False))
    # A pair may have been a guess: the character itself is asked for too.
    singles = [word for word in words if len(word) == 1 and word not in small]
    content += [
        _term(one, STRADDLING, False) if one in covered else replace(_term(one, CHARACTER), asking=one in _HAN_LITTLE)
        for one in singles
    ]
    return content, function


def _asked_stretches(run: str) -> list[Asked]:
    """Pairs, each as the script tells: within kanji and within katakana they are words or of words.

    Hiragana write what Japanese says with particles and endings, and a pair of two scripts joins a word to those or
    to another. A kanji alone among kana is a word.
    """
    within: dict[int, float] = {}
    alone: list[Asked] = []
    for stretch in _STRETCHES.finditer(run):
        word, kanji = stretch[0], bool(_HAN_SOMEWHERE.match(stretch[0]))
        if len(word) > 1:
            weight = STEM if kanji else STEM * per_pair(len(word))
            within |= dict.fromkeys(range(stretch.start(), stretch.end() - 1), weight)
        elif kanji:
            alone.append(_term(word, STEM, False))
    return [_term(pair, within.get(at, STRADDLING)) for at, pair in enumerate(_neighbours(run, 2))] + alone


def _asked_hangul(run: str) -> tuple[list[Asked], list[Asked]]:
    """Pairs of syllables. The one that a particle closes says less; a word that asks says nothing."""
    pairs = _neighbours(run, 2)
    if _KOREAN_QUESTION.match(run):
        return [], [_term(pair, EXACT, False) for pair in pairs]
    *inner, last = pairs
    clings = bool(inner) and run[-1] in _KOREAN_PARTICLES
    share = per_pair(len(run))
    content = [
        *(_term(pair, STEM * share) for pair in inner),
        _term(last, (STRADDLING if clings else STEM) * share, not clings),
    ]
    ending = _KOREAN_ENDING.search(run)
    if ending is None:
        return content, []
    # A pair that reaches into the ending says how something is asked.
    return [replace(one, asking=at + 1 >= ending.start()) for at, one in enumerate(content)], []


def _singles(run: str, content: Sequence[Asked]) -> list[Asked]:
    """The characters of a run that has content, each lightly: but for hiragana, and what is asked or says little.

    Two that are no Hangul are one word, and another with the same character is no answer to it.
    """
    if not content or (len(run) == 2 and not _HANGUL.match(run)):
        return []
    listed = {term for one in content for term, _ in one.terms} | HAN_FUNCTION_WORDS
    return [_term(one, SINGLE, False) for one in dict.fromkeys(run) if one not in listed and not _HIRAGANA.match(one)]


def _converted(run: str) -> str:
    return simplified(run) if _HAN_SOMEWHERE.search(run) else run


def _term(term: str, weight: float, content: bool = True) -> Asked:
    return Asked(((term, weight),), content)


def _neighbours(run: str, n: int) -> list[str]:
    return [run[at : at + n] for at in range(len(run) - n + 1)]


def _joined(pieces: Sequence[str]) -> list[str]:
    return [pieces[at] + pieces[at + 1] for at in range(len(pieces) - 1)]
