"""jieba's dictionary, of which only the entries that a text may hold are taken apart.

jieba looks up a word by its beginnings, from the first character on, so that entries under a character that no
text has met are never asked for. Taking all 350,000 apart takes most of the time that loading jieba does.
"""

from __future__ import annotations

import re

_COUNT = re.compile(rb" (\d+)(?: [^ \n]*)?$", re.MULTILINE)


class Dictionary:
    """Lines of `word count tag`, as jieba's own file has them, in UTF-8.

    `frequencies` are the counts of words by the words, and 0 for beginnings of words that are none, as jieba has them:
    of all words under the characters that `meet` was told of. `total` is the sum of all counts of the file.
    """

    def __init__(self, file: bytes) -> None:
        self.total = sum(map(int, _COUNT.findall(file)))
        self.frequencies: dict[str, int] = {}
        self._lines: dict[str, list[str]] = {}
        for line in file.decode("utf-8").split("\n"):
            self._lines.setdefault(line[:1], []).append(line)
        # After the last line there is nothing.
        self._lines.pop("", None)

    def meet(self, text: str) -> None:
        """Takes the entries apart that begin with a character of the text, where that was not done before."""
        known = self.frequencies
        for character in self._lines.keys() & set(text):
            for line in self._lines.pop(character):
                word, count = line.split(" ")[:2]
                known[word] = int(count)
                # Where a beginning is known, so are all that are shorter.
                while (word := word[:-1]) and word not in known:
                    known[word] = 0
