"""Which commit a run in GitHub Actions is held against, and what the event says of the pull request.

Sources: "Events that trigger workflows" and "Webhook events and payloads" of GitHub's documentation.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gate.base.repository import NoBase, NotHere, Repository
from gate.checks.loosened import LABEL
from gate.errors import UsageError
from gate.files import read_text
from gate.json_keys import KeyTwice, each_key_once, line_of_key_twice

_PULL_REQUEST = ("pull_request", "pull_request_target")
_WITH_BASE = (*_PULL_REQUEST, "merge_group", "push")
_LARGEST = 25 << 20  # GitHub sends no larger payload
_SHA = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
NO_MERGE_BASE = "base-no-merge-base"
_ALL_HISTORY = "Check out with `fetch-depth: 0`."


@dataclass(frozen=True, slots=True)
class Event:
    """An event that has a base: its name, its payload, and the reference and commit that the run is about."""

    name: str
    data: Mapping[str, Any]
    ref: str = ""
    sha: str = ""

    @property
    def accepts(self) -> bool:
        """Whether the pull request has the label by which a loosened bar is accepted."""
        labels = _at(self.data, "pull_request", "labels") if self.name in _PULL_REQUEST else None
        return isinstance(labels, list) and any(isinstance(one, dict) and one.get("name") == LABEL for one in labels)

    @property
    def pull_request(self) -> int | None:
        """The number of the pull request that the event is about; None for any other event."""
        number = _at(self.data, "pull_request", "number") if self.name in _PULL_REQUEST else None
        return number if isinstance(number, int) and not isinstance(number, bool) and number > 0 else None

    @property
    def head_sha(self) -> str:
        """The commit that the pull request offers, or the one that any other event is about."""
        sha = _at(self.data, "pull_request", "head", "sha") if self.name in _PULL_REQUEST else self.sha
        return sha if isinstance(sha, str) else ""

    @property
    def from_fork(self) -> bool:
        """Whether the pull request comes from another repository than it goes to, or from one that is gone."""
        if self.name not in _PULL_REQUEST:
            return False
        head, base = (_at(self.data, "pull_request", side, "repo", "full_name") for side in ("head", "base"))
        return base is not None and head != base

    @property
    def labelled_by(self) -> str:
        """Who set the label that accepts a loosened bar, where this event is the setting of it; else empty."""
        if _at(self.data, "action") != "labeled" or _at(self.data, "label", "name") != LABEL:
            return ""
        login = _at(self.data, "sender", "login")
        return login if isinstance(login, str) else ""


@dataclass(frozen=True, slots=True)
class Found:
    """The base: a commit that this clone has, and in words what it is."""

    commit: str
    says: str


def read_event(environment: Mapping[str, str]) -> Event | None:
    """The event of this run; None outside of Actions and for events without a base. Raises NoBase for a broken file."""
    name = environment.get("GITHUB_EVENT_NAME", "")
    if name not in _WITH_BASE:
        return None
    data = read_payload(environment)
    return Event(name, data, environment.get("GITHUB_REF", ""), environment.get("GITHUB_SHA", ""))


def read_payload(environment: Mapping[str, str]) -> Mapping[str, Any]:
    """The payload of the event of this run, whatever its name. Raises NoBase where it cannot be read."""
    name = environment.get("GITHUB_EVENT_NAME", "")
    path = environment.get("GITHUB_EVENT_PATH", "")
    if not path:
        raise NoBase("event-missing", f"this is a {name} event, but GITHUB_EVENT_PATH names no file to read it from")
    try:
        text = read_text(Path(path), "event", _LARGEST)
    except UsageError as error:
        raise NoBase("event-broken", error.what, where=error.where) from None
    try:
        data = json.loads(text, object_pairs_hook=each_key_once)
    except KeyTwice as error:
        where = f"{path}:{line_of_key_twice(text, error.key)}"
        raise NoBase("event-broken", f"the event file cannot be used: {error}", where=where) from None
    except (ValueError, RecursionError):
        raise NoBase("event-broken", "the event file cannot be read: it is not JSON", where=path) from None
    if not isinstance(data, dict):
        raise NoBase("event-broken", "the event file is not a mapping", where=path)
    return data


def base_of(event: Event, repository: Repository) -> Found | None:
    """The base of an event; None where there was nothing before. Raises NoBase where this clone lacks it."""
    if event.name in _PULL_REQUEST:
        return _of_pull_request(event, repository)
    if event.name == "merge_group":
        return _present(repository, _sha(event, "merge_group", "base_sha"), "the base of the merge group")
    before = _sha(event, "before")
    if not before.strip("0"):
        return None
    return _present(repository, before, "what was there before the push")


def _of_pull_request(event: Event, repository: Repository) -> Found:
    head = repository.commit("HEAD")
    if head is None:
        raise NoBase("base-no-head", "this repository has no commit yet")
    parents = repository.parents(head)
    tip = _at(event.data, "pull_request", "head", "sha")
    merged = event.ref.endswith("/merge") and head == event.sha
    if len(parents) == 2 and (parents[1] == tip or merged):
        says = "the first parent of the pull request's merge"
        return _present(repository, parents[0], says, "Check out with `fetch-depth: 2`.")
    target = _present(repository, _sha(event, "pull_request", "base", "sha"), "the base of the pull request")
    common = repository.merge_base(head, target.commit)
    if common is None:
        raise NoBase(
            NO_MERGE_BASE,
            f"{head[:10]} and the pull request's base {target.commit[:10]} have no common commit in this clone",
            hint=_ALL_HISTORY,
        )
    return Found(common, "the merge base of the pull request")


def _present(repository: Repository, sha: str, says: str, hint: str = _ALL_HISTORY) -> Found:
    if repository.commit(sha) is None:
        clone = "this shallow clone" if repository.shallow else "this clone"
        raise NotHere(
            sha,
            f"{says} is {sha[:10]}, which {clone} does not have",
            f"{hint} `git fetch --depth=1 origin {sha}` before the run brings this commit alone.",
        )
    return Found(sha, says)


def _sha(event: Event, *keys: str) -> str:
    value = _at(event.data, *keys)
    if not isinstance(value, str) or not _SHA.fullmatch(value):
        raise NoBase("event-broken", f"the {event.name} event names no commit at {'.'.join(keys)}")
    return value


def _at(data: Any, *keys: str) -> Any:
    for key in keys:
        data = data.get(key) if isinstance(data, dict) else None
    return data
