"""The dictionary holds what jieba's own loading makes of it, as far as a text can ask."""

from __future__ import annotations

import warnings
from functools import cache
from typing import Any

import pytest

from gate.stores.reference import han
from gate.stores.reference.dictionary import Dictionary

FILE = "京 10 ns\n京都 7 ns\n京都府厅 2 nt\n都 5 d\nAT&T 3 nz\n都市 4 n\n".encode()
TEXTS = (
    "数据库备份每天凌晨两点开始",
    "梯子放在车库最里面",
    "南京市长江大桥",
    "中华人民共和国国歌",
    "她把雨伞落在了北京大学的图书馆里",
    "輕軌電車到車站要多久",
)


@cache
def whole() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        jieba = pytest.importorskip("jieba")
    jieba.setLogLevel(60)
    segmenter = jieba.Tokenizer()
    segmenter.FREQ, segmenter.total = segmenter.gen_pfdict(segmenter.get_dict_file())
    segmenter.initialized = True
    return segmenter


def test_entries_are_taken_apart_when_their_first_character_is_met() -> None:
    dictionary = Dictionary(FILE)
    assert dictionary.total == 31
    assert dictionary.frequencies == {}
    dictionary.meet("到京")
    assert dictionary.frequencies == {"京": 10, "京都": 7, "京都府": 0, "京都府厅": 2}
    dictionary.meet("京都A")
    assert dictionary.frequencies["都市"] == 4
    assert dictionary.frequencies["AT"] == 0


def test_all_of_it_is_what_jieba_makes_of_its_file() -> None:
    with whole().get_dict_file() as file:
        data = file.read()
    dictionary = Dictionary(data)
    dictionary.meet("".join({line[0] for line in data.decode("utf-8").splitlines()}))
    assert dictionary.frequencies == whole().FREQ
    assert dictionary.total == whole().total


@pytest.mark.parametrize("text", TEXTS)
def test_texts_are_segmented_as_with_all_of_it(text: str) -> None:
    words = list(whole().cut_for_search(text, HMM=False))
    assert han.words(text) == words
    assert any(len(word) > 1 for word in words)
