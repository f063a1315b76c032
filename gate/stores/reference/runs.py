"""Scripts without spaces: what a run of their characters is indexed under, and what is asked of it.

A run is indexed as characters, pairs of neighbours and, for Han, words of the dictionary; in the
scripts of South-East Asia, whose words are longer, also as triples, which are what is asked there.
Han text is converted to simplified characters first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from gate.stores.reference import han
from gate.stores.reference.asked import CHARACTER, EXACT, SINGLE, STEM, STRADDLING, Asked
from gate.stores.reference.conversion import simplified
from gate.stores.reference.scripts import HAN, HANGUL, SOUTH_EAST

_HAN_ONLY = re.compile(f"[{HAN}]+")
_HAN_SOMEWHERE = re.compile(f"[{HAN}]")
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
# Question words of Thai: what stands between them is asked for.
_THAI_QUESTION_WORDS = """
    เมื่อไหร่ เมื่อไร เท่าไหร่ เท่าไร หรือเปล่า หรือยัง อย่างไร ยังไง ที่ไหน แค่ไหน ตรงไหน อันไหน คนไหน อะไร ทำไม ใคร ไหน
"""
_THAI_BETWEEN = re.compile("|".join(_THAI_QUESTION_WORDS.split()))
_KOREAN_QUESTION = re.compile("얼마|언제|어디|누구|누가|무엇|무슨|뭐|뭘|왜|어떻게|어떤|어느|몇")
_KOREAN_PARTICLES = frozenset("은는이가을를에의도로와과")


def written_run(run: str) -> list[str]:
    """Characters, pairs of neighbours, and longer words: pairs that are words stand among the pairs."""
    run = _converted(run)
    terms = [*run, *_neighbours(run, 2)]
    if _SOUTH_EAST.match(run):
        terms += _neighbours(run, 3)
    elif _HAN_ONLY.fullmatch(run):
        terms += [word for word in han.words(run) if len(word) > 2]
    return terms


def asked_run(run: str) -> tuple[list[Asked], list[Asked]]:
    """What a run asks for: what has content, and function words."""
    run = _converted(run)
    if len(run) == 1:
        return ([], [_term(run, EXACT, False)]) if run in HAN_FUNCTION_WORDS else ([_term(run, STEM)], [])
    if _SOUTH_EAST.match(run):
        pieces = [piece for piece in _THAI_BETWEEN.split(run) if piece]
        return [_term(term, STEM) for piece in pieces or [run] for term in _neighbours(piece, 3) or [piece]], []
    content, function = _asked_hangul(run) if _HANGUL.match(run) else _asked_characters(run)
    return content + _singles(run, content), function


def _asked_characters(run: str) -> tuple[list[Asked], list[Asked]]:
    # A run with kana is Japanese, to which the Chinese dictionary does not apply.
    words = han.words(run) if _HAN_ONLY.fullmatch(run) else []
    if not words:
        return [_term(pair, _weight(pair)) for pair in _neighbours(run, 2)], []
    known = frozenset(words)
    small = frozenset("".join(known & HAN_FUNCTION_WORDS))
    function = [_term(word, EXACT, False) for word in words if word in HAN_FUNCTION_WORDS]
    content = [_term(word, STEM, False) for word in words if len(word) > 2 and word not in HAN_FUNCTION_WORDS]
    covered: set[str] = set()
    for pair in _neighbours(run, 2):
        # Two characters that are no words of more are likely a name that the dictionary lacks.
        if pair in known or known.issuperset(pair):
            if not small.issuperset(pair):
                content.append(_term(pair, STEM))
                covered.update(pair)
        elif small.isdisjoint(pair):
            content.append(_term(pair, STRADDLING, False))
    # A pair may have been a guess: the character itself is asked for too.
    singles = [word for word in words if len(word) == 1 and word not in small]
    content += [_term(one, STRADDLING, False) if one in covered else _term(one, CHARACTER) for one in singles]
    return content, function


def _asked_hangul(run: str) -> tuple[list[Asked], list[Asked]]:
    """Pairs of syllables. The one that a particle closes says less; a word that asks says nothing."""
    pairs = _neighbours(run, 2)
    if _KOREAN_QUESTION.match(run):
        return [], [_term(pair, EXACT, False) for pair in pairs]
    *inner, last = pairs
    clings = bool(inner) and run[-1] in _KOREAN_PARTICLES
    return [*(_term(pair, STEM) for pair in inner), _term(last, STRADDLING if clings else STEM, not clings)], []


def _singles(run: str, content: Sequence[Asked]) -> list[Asked]:
    """The characters of a run that has content, each lightly: but for hiragana, and what is asked or says little.

    Two that are no Hangul are one word, and another with the same character is no answer to it.
    """
    if not content or (len(run) == 2 and not _HANGUL.match(run)):
        return []
    listed = {term for one in content for term, _ in one.terms} | HAN_FUNCTION_WORDS
    return [_term(one, SINGLE, False) for one in dict.fromkeys(run) if one not in listed and not _HIRAGANA.match(one)]


def _weight(pair: str) -> float:
    """Hiragana write what Japanese says with particles and endings; kanji and katakana what a text is about."""
    return STRADDLING if _HIRAGANA.fullmatch(pair) else STEM


def _converted(run: str) -> str:
    return simplified(run) if _HAN_SOMEWHERE.search(run) else run


def _term(term: str, weight: float, content: bool = True) -> Asked:
    return Asked(((term, weight),), content)


def _neighbours(run: str, n: int) -> list[str]:
    return [run[at : at + n] for at in range(len(run) - n + 1)]
