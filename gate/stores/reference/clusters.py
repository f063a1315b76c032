"""Clusters of the scripts of South-East Asia: a letter with the vowels and marks written around it.

Thai, Lao, Burmese and Khmer write no spaces between words, and no cluster is ever split between two of them. After
Theeramunkong, Sornlertlamvanich, Tanhermhong and Chinnan, "Character cluster based Thai information retrieval",
IRAL 2000. The classes are read off the Unicode blocks: marks, and the vowels that are written before or behind the
letter that they are spoken after.
"""

from __future__ import annotations

import re

_BEFORE = "\u0e40-\u0e44\u0ec0-\u0ec4"  # Thai and Lao vowels that stand before their letter
_THAI = "\u0e30-\u0e3a\u0e45\u0e47-\u0e4e"
_LAO = "\u0eb0-\u0ebd\u0ec8-\u0ece"
_BURMESE = "\u102b-\u1038\u103a-\u103e\u1056-\u1059\u105e-\u1060\u1062-\u1064\u1067-\u106d\u1071-\u1074\u1082-\u108f"
_KHMER = "\u17b4-\u17d1\u17d3"
_BEHIND = _THAI + _LAO + _BURMESE + _KHMER
_JOINING = "\u1039\u17d2"  # what puts the next letter below the one before
_CLUSTER = re.compile(f"[{_BEFORE}]?[^{_BEFORE}](?:[{_BEHIND}]|[{_JOINING}].)*|.", re.DOTALL)


def clusters(run: str) -> list[str]:
    """The clusters of a run of one of these scripts, in order: together they are the run."""
    return _CLUSTER.findall(run)
