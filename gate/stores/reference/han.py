"""Words of Chinese text, by jieba's dictionary; nothing where jieba is not installed.

jieba and its dictionary (0.3 s) are loaded when Han text is first met. The hidden Markov model
is off: it guesses names that the dictionary lacks, and character pairs find those as well.
"""

from __future__ import annotations

import importlib
import warnings
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import Any

from gate.stores.reference.dictionary import Dictionary


def segmentation() -> str:
    """What segments Han text here: `jieba 0.42.1`, or `bigrams` where jieba is missing or broken."""
    if find_spec("jieba") is None or (_segmenter.cache_info().currsize and _segmenter() is None):
        return "bigrams"
    try:
        return f"jieba {version('jieba')}"
    except PackageNotFoundError:
        return "jieba"


def words(run: str) -> list[str]:
    """The words of a run of Han characters, each after the shorter words inside it; none without jieba."""
    loaded = _segmenter()
    if loaded is None:
        return []
    segmenter, dictionary = loaded
    dictionary.meet(run)
    return list(segmenter.cut_for_search(run, HMM=False))


@cache
def _segmenter() -> tuple[Any, Dictionary] | None:
    try:
        with warnings.catch_warnings():
            # Its first compilation warns about escape sequences.
            warnings.simplefilter("ignore")
            jieba = importlib.import_module("jieba")
    except Exception:  # noqa: BLE001 - a broken installation is an absent one, and `segmentation` says so
        return None
    jieba.setLogLevel(60)
    segmenter = jieba.Tokenizer()
    # What `initialize` does, without its cache file in the system's temporary folder, which anybody can write.
    with segmenter.get_dict_file() as file:
        dictionary = Dictionary(file.read())
    segmenter.FREQ, segmenter.total = dictionary.frequencies, dictionary.total
    segmenter.initialized = True
    return segmenter, dictionary
