"""What a run was answered so far, kept on disk in blocks, so that the same command goes on where it was killed.

A block is one file: a line with the SHA-256 of the rest, then JSON with the identity of the run and
what came of each search. It is written beside its place, synced and renamed, so that it is whole or not
there. A block is believed only if its checksum, the identity in it and the type of every value are right; whatever
is not believed is asked again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from copy import copy
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from gate.errors import UsageError
from gate.files import shown, write_atomic
from gate.plain import from_plain, to_json
from gate.records import RunKey, TopicResult
from gate.stopwatch import now

FOLDER = "checkpoints"
FORMAT = "2"
# What a kill loses at most, in seconds of searching. Writing a block takes some milliseconds.
SECONDS = 5.0
_LONGEST_VALUE = 120

Place = tuple[str, str, str]
Identity = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Asked:
    """What came of one search: a result, or an error in words.

    `calls` are those of a watched part meanwhile, `failures` those of them that went wrong. `hung` says
    that the store did not answer at all, and that the mode ended there.
    """

    result: TopicResult | None
    error: str = ""
    hung: bool = False
    calls: int = 0
    failures: int = 0


class Checkpoint:
    """The blocks of one store, corpus and arm in `folder`, for runs of one identity.

    Blocks of other identities are left where they are and never read, but to name in `refused` how the
    last of them differs, where there are none of ours. `damaged` counts blocks that were not
    believed, `resumed` the answers handed out. Where a block cannot be written, `failure` says
    why, and nothing is kept from then on.
    """

    def __init__(self, folder: Path, identity: Identity, *, fresh: bool = False) -> None:
        self.folder, self.identity = folder, {"format": FORMAT, **identity}
        self.refused, self.failure, self.damaged, self.resumed = "", "", 0, 0
        self._name = _checksum(json.dumps(self.identity).encode())[:16]
        self._kept: dict[Place, Asked] = {}
        self._open: dict[Place, Asked] = {}
        self._with_errors: list[Path] = []
        self._blocks: set[Path] = set()
        self._number, self._beside, self._behind = 0, "", False
        self._since = now()
        with suppress(OSError):
            if folder.is_symlink():
                folder.unlink()
        for left in folder.glob(".*.tmp"):
            _remove(left)
        if fresh:
            self._clear("block-*.json")
        self._read()

    @property
    def kept(self) -> int:
        """How many searches are on disk."""
        self._catch_up()
        return len(self._kept)

    @property
    def errors(self) -> int:
        """How many of them failed."""
        self._catch_up()
        return sum(asked.result is None for asked in self._kept.values())

    def recall(self, key: RunKey, topic_id: str) -> Asked | None:
        """What an earlier run was answered; None where it was not asked."""
        self._catch_up()
        asked = self._kept.get((key.mode, key.fault, topic_id))
        self.resumed += asked is not None
        return asked

    def add(self, key: RunKey, topic_id: str, asked: Asked) -> None:
        """Keeps what came of a search. It is on disk once the block is full, or with the next `write`."""
        if not self.failure:
            self._open[key.mode, key.fault, topic_id] = asked
            if now() - self._since >= SECONDS:
                self.write()

    def beside(self, name: str) -> Checkpoint:
        """The same for a process that was forked from this one: what it is answered goes to blocks of its own.

        Once it has ended, `join` takes over what is in them.
        """
        other = copy(self)
        other._beside, other._open, other.resumed = f"-{name}", {}, 0
        return other

    def join(self, resumed: int = 0, failure: str = "") -> None:
        """Takes over what processes beside this one left in blocks, and what is known of one that ended.

        The blocks are read when somebody asks for what is kept: a run that comes to its end needs none of it.
        """
        self.resumed += resumed
        self.failure = self.failure or failure
        self._behind = True

    def write(self) -> None:
        """Writes the open block, if anything is in it."""
        if self._open:
            path = self.folder / f"block-{self._name}-{self._number + 1:06}{self._beside}.json"
            body = to_json({"identity": self.identity, "asked": [(*place, a) for place, a in self._open.items()]})
            try:
                write_atomic(path, f"{_checksum(body.encode())}\n{body}\n")
            except UsageError as error:
                self.failure = error.what
            else:
                self._number += 1
                self._took(path, self._open)
            self._open = {}
        self._since = now()

    def finish(self, *, whole: bool, limited: bool) -> None:
        """What becomes of the blocks of a run that came to its end.

        After a `limited` run those stay in which nothing failed: a larger one goes on from them, and
        what failed is asked again. After any other the run's own go, and after a `whole` one all.
        """
        if limited:
            self._catch_up()
            for path in self._with_errors:
                _remove(path)
        else:
            self._clear("block-*.json" if whole else f"block-{self._name}-*.json")
        with suppress(OSError):
            self.folder.rmdir()
            self.folder.parent.rmdir()

    def _catch_up(self) -> None:
        if self._behind:
            self._behind = False
            self._read()

    def _clear(self, pattern: str) -> None:
        for path in self.folder.glob(pattern):
            _remove(path)

    def _read(self) -> None:
        others: list[Path] = []
        for path in sorted(self.folder.glob("block-*.json")):
            if not path.name.startswith(f"block-{self._name}-"):
                others.append(path)
                continue
            if path in self._blocks:
                continue
            number = path.stem.removeprefix(f"block-{self._name}-").partition("-")[0]
            self._number = max(self._number, int(number) if number.isdecimal() else 0)
            try:
                data = _believed(path)
                if data["identity"] != self.identity:
                    raise ValueError("it belongs to another run than its name says")
                asked = dict(_asked(data))
            except (OSError, ValueError, RecursionError):
                self.damaged += 1
                _remove(path)
            else:
                self._took(path, asked)
        if others and not self._kept:
            self.refused = self._difference(max(others, key=_age))

    def _took(self, path: Path, asked: Mapping[Place, Asked]) -> None:
        self._blocks.add(path)
        self._kept.update(asked)
        if any(one.result is None for one in asked.values()):
            self._with_errors.append(path)

    def _difference(self, path: Path) -> str:
        """The first part of its identity in which a block of another run differs from ours."""
        try:
            theirs = _believed(path)["identity"]
        except (OSError, ValueError, RecursionError):
            return ""
        for key in dict.fromkeys((*self.identity, *theirs)):
            was, now_is = theirs.get(key), self.identity.get(key)
            if was != now_is:
                return f"{key} was {_value(was)}, is {_value(now_is)}"
        return ""


def _believed(path: Path) -> dict[str, Any]:
    """The data of a block whose checksum is right. Raises OSError, ValueError or RecursionError."""
    if not path.is_file():
        raise ValueError("it is no ordinary file")
    checksum, _, body = path.read_bytes().partition(b"\n")
    if checksum.decode("ascii") != _checksum(body.removesuffix(b"\n")) or not body.endswith(b"\n"):
        raise ValueError("its checksum is wrong")
    data = json.loads(body)
    if not isinstance(data, dict) or not isinstance(data.get("identity"), dict):
        raise ValueError("it is no block")
    return data


def _asked(data: Mapping[str, Any]) -> Iterator[tuple[Place, Asked]]:
    """Every search of a block. Raises ValueError where a value has not the type that it should have."""
    entries = data.get("asked")
    if not isinstance(entries, list):
        raise ValueError("it is no block")
    for entry in entries:
        if not isinstance(entry, list) or len(entry) != 4 or not all(isinstance(part, str) for part in entry[:3]):
            raise ValueError("it holds something else than a search")
        mode, fault, topic_id, plain = entry
        yield (mode, fault, topic_id), from_plain(Asked, plain)


def _checksum(body: bytes) -> str:
    return sha256(body).hexdigest()


def _value(value: object) -> str:
    if isinstance(value, str) and 0 < len(value) <= _LONGEST_VALUE:
        return value
    return "not given" if value is None else shown(value, _LONGEST_VALUE)


def _age(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def _remove(path: Path) -> None:
    with suppress(OSError):
        path.unlink()
