"""Statements about oneself as a table of keys and values, of which the latest is current.

What is understood is a handful of plain sentences (`my city is Porto`, `I changed my city to
Porto`, `我的城市改成了波尔图`) and the pairs that a writer gives with a document. Nothing is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from gate.models.hashed import FUNCTION_WORDS
from gate.records import Document
from gate.stores.reference.normal import folded, normalised
from gate.stores.reference.scripts import UNSPACED
from gate.stores.reference.stems import stem_terms

_KEY = r"(?P<key>[\w'-]+(?: [\w'-]+){0,4}?)"
_VALUE = r"(?P<value>[^\n]+?)(?=[.!?;](?:\s|$)|,? (?:and|but) my\b|\n|$)"
_CHANGED = r"(?:has (?:been )?(?:changed|moved|switched) (?:from [^\n]+? )?to|(?:was|is) changed to|is(?: now)?)"
_ENGLISH = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\bmy {_KEY} {_CHANGED} {_VALUE}",
        rf"\b(?:changed?|set|switch(?:ed)?|moved?|updated?) my {_KEY} (?:from [^\n]+? )?to {_VALUE}",
    )
)
_HAN_VALUE = r"(?P<value>[^\n。！？；，,!?;]+)"
_HAN_CHANGED = "(?:现在|現在|已经|已經)?(?:是|改成了?|改为了?|改為了?|换成了?|換成了?)"
_CHINESE = re.compile(rf"我的(?P<key>[^\s。！？；，,!?;是改换換现現已我]{{1,10}}){_HAN_CHANGED}{_HAN_VALUE}")
_HYPOTHETICAL = re.compile(r"\b(?:if|whether|unless|suppose)\s+$", re.IGNORECASE)
_NO_VALUE = re.compile(r"(?:not|no longer|what|which|where|who|why|how)\b|什么|什麼|哪|谁|誰|多少|不", re.IGNORECASE)
_SMALL = frozenset({"new", "current"})
_UNSPACED = re.compile(f"[{UNSPACED}]")
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing said in a document: `order` counts from its beginning."""

    doc_id: str
    order: int
    key: str
    value: str
    created_at: str
    scope: frozenset[str]

    @property
    def moment(self) -> tuple[str, str, int]:
        """Later statements compare higher, whatever the order in which documents arrived."""
        return self.created_at, self.doc_id, self.order


def stated(document: Document) -> tuple[tuple[str, str], ...]:
    """The (key, value) pairs of a document: what its text says, in order, then those its writer gave."""
    text = normalised(document.text)
    found: list[tuple[int, str, str]] = []
    for pattern in (*_ENGLISH, _CHINESE):
        for match in pattern.finditer(text):
            key = _key(match["key"])
            value = _value(match["value"])
            if key and value and not _NO_VALUE.match(value) and not _HYPOTHETICAL.search(text, 0, match.start()):
                found.append((match.start(), key, value))
    given = ((_key(key), value.strip()) for key, value in document.facts)
    return tuple((key, value) for _, key, value in sorted(found)) + tuple(pair for pair in given if all(pair))


def _value(said: str) -> str:
    bare = said.strip(" \t\"'“”‘’")
    return bare.removesuffix(" now").removesuffix("了").removesuffix(".").strip()


def _key(said: str) -> str:
    words = folded(normalised(said)).split()
    return " ".join(word for word in words if word not in _SMALL or len(words) == 1)


class FactTable:
    """All statements by document, and the current one of every (scope, key)."""

    def __init__(self) -> None:
        self._said: dict[str, tuple[Statement, ...]] = {}
        self._by_key: dict[str, set[str]] = {}
        self._stems: dict[str, frozenset[str]] = {}

    def add(self, doc_id: str, pairs: Iterable[tuple[str, str]], created_at: str, scope: frozenset[str]) -> None:
        """What a document states, in order."""
        statements = tuple(
            Statement(doc_id, order, key, value, created_at, scope) for order, (key, value) in enumerate(pairs)
        )
        if statements:
            self._said[doc_id] = statements
            for statement in statements:
                if statement.key not in self._by_key:
                    self._by_key[statement.key] = set()
                    self._stems[statement.key] = _stems(statement.key)
                self._by_key[statement.key].add(doc_id)

    def remove(self, doc_id: str) -> None:
        """Forgets what a document states, where it states anything."""
        for statement in self._said.pop(doc_id, ()):
            holders = self._by_key.get(statement.key, set())
            holders.discard(doc_id)
            if not holders and self._by_key.pop(statement.key, None) is not None:
                del self._stems[statement.key]

    def search(self, query: str, scope: frozenset[str], hidden: frozenset[str]) -> list[Statement]:
        """The current statements on the keys that a question names, the most specific key first.

        A key is named when the question holds the stems of all of its words or, in a script
        without spaces, the key itself. With a `scope`,
        only statements whose scope is a subset of it count. `hidden` documents do not count.
        """
        asked = folded(normalised(query))
        stems = _stems(asked)
        named = [key for key, wanted in self._stems.items() if (wanted <= stems if wanted else key in asked)]
        named.sort(key=lambda key: (-len(key), key))
        return [statement for key in named for statement in self._current(key, scope, hidden)]

    def _current(self, key: str, scope: frozenset[str], hidden: frozenset[str]) -> Iterator[Statement]:
        latest: dict[frozenset[str], Statement] = {}
        for doc_id in self._by_key[key] - hidden:
            for statement in self._said[doc_id]:
                if statement.key != key or (scope and not statement.scope <= scope):
                    continue
                known = latest.get(statement.scope)
                if known is None or known.moment < statement.moment:
                    latest[statement.scope] = statement
        yield from sorted(latest.values(), key=lambda one: (-len(one.scope), sorted(one.scope)))


def context(statements: Iterable[Statement]) -> str:
    """The block of text that an agent would be given: `city: Porto (since 2026-03-01)`, one line a fact."""
    lines = []
    for statement in statements:
        since = f" (since {statement.created_at[:10]})" if statement.created_at else ""
        lines.append(f"{statement.key}: {statement.value}{since}")
    return "\n".join(lines)


def _stems(text: str) -> frozenset[str]:
    """The stems of a text's content words; none for a key of an unspaced script, which is looked for as it stands."""
    return frozenset(
        (stem_terms(word, ()) or (word,))[0]
        for word in _WORD.findall(text)
        if word not in FUNCTION_WORDS and not _UNSPACED.search(word)
    )
