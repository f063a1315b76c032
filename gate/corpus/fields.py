"""Fields of records that others wrote, and all that is wrong with them at once.

What the readers of public formats share. A lone surrogate, which JSON can spell and UTF-8
cannot, is read as U+FFFD.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gate.corpus.lines import bounded_lines
from gate.errors import Problem, UsageError
from gate.files import shown

MOST_SHOWN = 20


@dataclass(slots=True)
class Problems:
    """What is wrong with a corpus: the first ones in full, the others as a count. `where` is its file or folder."""

    where: str
    found: list[Problem] = field(default_factory=list)
    more: int = 0

    def add(self, what: str, where: str, hint: str = "") -> None:
        if len(self.found) < MOST_SHOWN:
            self.found.append(Problem(what, where, hint))
        else:
            self.more += 1

    def check(self) -> None:
        """Raises UsageError with everything that was added."""
        if not self.found:
            return
        rest = (Problem(f"and {self.more} more problems like these"),) if self.more else ()
        raise UsageError(
            "corpus-invalid",
            "this corpus cannot be used",
            where=self.where,
            hint="Correct the lines above; nothing was measured.",
            problems=(*self.found, *rest),
        )


@dataclass(frozen=True, slots=True)
class Fields:
    """One JSON object. A field of the wrong kind becomes a problem, and reads as empty.

    `where` is the file and line, `prefix` the way to this object within it (`metadata.`).
    """

    record: Mapping[str, Any]
    where: str
    problems: Problems
    prefix: str = ""

    def identifier(self, key: str) -> str:
        """An id: a text that is not blank, or a whole number, which some public sets have."""
        value = self.record.get(key)
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        if isinstance(value, str) and value.strip():
            return readable(value)
        self._wrong(key, "an id (a text that is not empty)")
        return ""

    def text(self, key: str, *, required: bool = False) -> str:
        """A text, which may be blank. A missing or null one is empty unless it is required."""
        value = self.record.get(key)
        if isinstance(value, str):
            return readable(value)
        if required or value is not None:
            self._wrong(key, "a text")
        return ""

    def words(self, key: str) -> str:
        """A text that is not blank."""
        value = self.text(key, required=True)
        if not value.strip() and isinstance(self.record.get(key), str):
            self._wrong(key, "a text that is not blank")
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts, empty where it is missing."""
        value = self.record.get(key)
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            return tuple(readable(item) for item in value)
        if value is not None:
            self._wrong(key, "a list of texts")
        return ()

    def pairs(self, key: str) -> tuple[tuple[str, str], ...]:
        """A list of pairs of texts, empty where it is missing."""
        value = self.record.get(key)
        if isinstance(value, list) and all(
            isinstance(pair, list) and len(pair) == 2 and all(isinstance(item, str) for item in pair) for pair in value
        ):
            return tuple((readable(first), readable(second)) for first, second in value)
        if value is not None:
            self._wrong(key, "a list of pairs of texts")
        return ()

    def flag(self, key: str) -> bool:
        """True or false, false where it is missing."""
        value = self.record.get(key)
        if value is not None and not isinstance(value, bool):
            self._wrong(key, "true or false")
        return value is True

    def below(self, key: str) -> Fields:
        """The object in a field, empty where it is missing."""
        value = self.record.get(key)
        if value is not None and not isinstance(value, dict):
            self._wrong(key, "an object")
        return Fields(value if isinstance(value, dict) else {}, self.where, self.problems, f"{self.prefix}{key}.")

    def each(self, key: str) -> Iterator[Fields]:
        """The objects of a list that has to be there."""
        value = self.record.get(key)
        if not isinstance(value, list):
            self._wrong(key, "a list")
            return
        for index, item in enumerate(value):
            path = f"{self.prefix}{key}[{index}]"
            if isinstance(item, dict):
                yield Fields(item, self.where, self.problems, f"{path}.")
            else:
                self.problems.add(f"'{path}' has to be an object, not {shown(item)}", self.where)

    def _wrong(self, key: str, wanted: str) -> None:
        name = f"'{self.prefix}{key}'"
        if self.record.get(key) is None:
            self.problems.add(f"the field {name} is missing", self.where)
        else:
            self.problems.add(f"the field {name} has to be {wanted}, not {shown(self.record[key])}", self.where)


def read_lines(path: Path, problems: Problems) -> Iterator[Fields]:
    """The objects of a JSON Lines file, streamed, without blank lines. Raises UsageError where it cannot be read."""
    try:
        if not path.is_file() and not path.is_dir() and path.exists():
            raise UsageError("file-special", "this is no ordinary file", where=str(path), hint="Give a file on disk.")
        with path.open("rb") as file:
            yield from json_lines(bounded_lines(file, path), path, problems)
    except FileNotFoundError:
        raise UsageError(
            "file-missing",
            "there is no such file",
            where=str(path),
            hint="A BEIR folder holds corpus.jsonl, queries.jsonl and qrels/test.tsv.",
        ) from None
    except OSError as error:
        raise UsageError("file-unreadable", f"this file cannot be read: {error.strerror}", where=str(path)) from None


def json_lines(lines: Iterable[bytes], path: Path, problems: Problems) -> Iterator[Fields]:
    """The objects of lines of JSON, without blank lines. `path` is only for places."""
    for where, text in decoded(lines, path, problems):
        try:
            record = json.loads(text)
        except (ValueError, RecursionError) as error:
            problems.add(f"this line is not JSON: {json_fault(error)}", where)
        else:
            if isinstance(record, dict):
                yield Fields(record, where, problems)
            else:
                problems.add(f"a JSON object belongs here, not {shown(record)}", where)


def decoded(lines: Iterable[bytes], path: Path, problems: Problems) -> Iterator[tuple[str, str]]:
    """Place and text of each line that is not blank, its end taken off. One that is not UTF-8 is a problem."""
    for number, raw in enumerate(lines, start=1):
        if not raw.strip():
            continue
        try:
            yield f"{path}:{number}", raw.rstrip().decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            problems.add(f"this line is not UTF-8: byte {error.start} cannot be decoded", f"{path}:{number}")


def json_fault(error: ValueError | RecursionError) -> str:
    """What is wrong with a text that is no JSON, in words."""
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg} at column {error.colno}"
    return "nested too deeply" if isinstance(error, RecursionError) else str(error)


def readable(text: str) -> str:
    """The text without lone surrogates."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def corpus_name(written: str) -> str:
    """A name that is legal for a corpus, [a-z0-9-]+, from that of a file or folder."""
    return re.sub(r"[^a-z0-9]+", "-", written.lower()).strip("-") or "corpus"


def clusters(sources: Mapping[str, str]) -> dict[str, str]:
    """The cluster of each topic, from the one document that it was made from, empty where there is no such one.

    Topics from one document move together. Document ids are marked: they may well equal the id of
    a topic, which is the cluster of a topic that stands alone.
    """
    shared = Counter(sources.values())
    return {
        topic_id: f"document:{doc_id}" if doc_id and shared[doc_id] > 1 else topic_id
        for topic_id, doc_id in sources.items()
    }
