"""One comment a key on a pull request, found by a hidden marker and by who wrote it, and updated in place.

Source: "REST API endpoints for issue comments" and "... for issue events" of GitHub's documentation.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gate.checks.loosened import LABEL
from gate.errors import UsageError
from gate.figures import count
from gate.github.fitting import fitted, utf16_units
from gate.github.rest import NoAnswer, Rest
from gate.report.escape import code

DEFAULT_KEY = "retrieval-gate"
MOST_CHARACTERS = 65_536
# Whom a token of GITHUB_TOKEN's kind comments as.
ACTIONS = "github-actions[bot]"
_KEY = re.compile(r"[A-Za-z0-9](?:[ ._/-]?[A-Za-z0-9])*")
_LONGEST_KEY = 100
_MARKER = re.compile(r"<!-- retrieval-gate key=\"(?P<key>[^\"]*)\" run=\"(?P<run>\d*)\" -->")
_HEADING = re.compile(r"(?m)^## ")


@dataclass(frozen=True, slots=True)
class PullRequest:
    """A pull request: `owner/name` of the repository that it is opened in, and its number."""

    repository: str
    number: int


@dataclass(frozen=True, slots=True)
class Published:
    """The comment's address, empty where there is none, and one line on what became of it.

    `forbidden`: the token may not write here.
    """

    url: str
    says: str
    forbidden: bool = False


def check_key(key: str) -> None:
    """Raises UsageError for a key that no marker can hold."""
    if not _KEY.fullmatch(key) or len(key) > _LONGEST_KEY:
        raise UsageError(
            "comment-key",
            f"comment-key is {count(len(key), 'character')} of which not all can stand in a marker",
            hint=f"Letters, digits and single . / - or spaces between them, at most {_LONGEST_KEY}.",
        )


def comment_body(key: str, run: str, report: str, foot: str, where: str) -> str:
    """The comment: a hidden marker, the report with the verdict first, and a foot, which is never cut."""
    named = "Retrieval gate" if key == DEFAULT_KEY else f"Retrieval gate {code(key)}"
    titled = _HEADING.sub(lambda _: f"## {named}: ", report, count=1)
    marker = f'<!-- retrieval-gate key="{key}" run="{run}" -->\n'
    room = MOST_CHARACTERS - utf16_units(marker) - utf16_units(foot) - 1
    return f"{marker}{fitted(titled, room, utf16_units, where)}\n{foot}"


def publish(rest: Rest, pull: PullRequest, key: str, body: str, *, create: bool) -> Published:
    """Updates the comment of a key, or makes one where `create` says so. Never raises for what GitHub refuses."""
    try:
        return _publish(rest, pull, key, body, create)
    except NoAnswer as error:
        return Published("", f"no comment: {error.says}", forbidden=error.status == 403)


def _publish(rest: Rest, pull: PullRequest, key: str, body: str, create: bool) -> Published:
    login = _login(rest)
    found = _found(rest, pull, key, login)
    if found is not None:
        if _run_of(found["body"]) > _run_of(body):
            return Published(_url(found), "the comment is left as it is: a later run wrote it")
        try:
            data = rest.call("PATCH", f"/repos/{pull.repository}/issues/comments/{found['id']}", {"body": body}).data
            return Published(_url(data), "the comment was updated")
        except NoAnswer as error:
            # Somebody deleted it since it was listed.
            if error.status not in (404, 410):
                raise
    elif not create:
        return Published("", "no comment: all is well, and there is none to update (comment: always makes one)")
    path = f"/repos/{pull.repository}/issues/{pull.number}/comments"
    try:
        return Published(_url(rest.call("POST", path, {"body": body}).data), "the comment was made")
    except NoAnswer as error:
        again = _found(rest, pull, key, login) if error.uncertain else None
        if again is None or _run_of(again["body"]) != _run_of(body):
            raise
        return Published(_url(again), "the comment was made")


def _login(rest: Rest) -> str:
    """Whom the token comments as. Only GraphQL tells that to every kind of token, those of apps included."""
    if not rest.graphql:
        return ACTIONS
    try:
        data = rest.call("POST", rest.graphql, {"query": "query { viewer { login } }"}).data
    except NoAnswer as error:
        if error.status == 401:
            raise
        return ACTIONS
    for key in ("data", "viewer"):
        data = data.get(key) if isinstance(data, dict) else None
    return _name(data, "login") or ACTIONS


def _found(rest: Rest, pull: PullRequest, key: str, login: str) -> Mapping[str, Any] | None:
    """The first comment of that author that starts with the marker of a key."""
    for one in rest.pages(f"/repos/{pull.repository}/issues/{pull.number}/comments"):
        if not isinstance(one, dict) or not isinstance(one.get("id"), int) or not isinstance(one.get("body"), str):
            continue
        author = one.get("user")
        marker = _MARKER.match(one["body"].lstrip())
        if marker and marker["key"] == key and isinstance(author, dict) and author.get("login") == login:
            return one
    return None


def _run_of(body: str) -> int:
    marker = _MARKER.match(body.lstrip())
    return int(marker["run"] or 0) if marker else 0


def _url(data: Any) -> str:
    url = data.get("html_url") if isinstance(data, dict) else ""
    return url if isinstance(url, str) and re.fullmatch(r"https?://[!-~]+", url) else ""


def who_labelled(rest: Rest, pull: PullRequest) -> str:
    """Who last put the label on a pull request by which a loosened bar is accepted; empty where nobody can tell."""
    login = ""
    try:
        for one in rest.pages(f"/repos/{pull.repository}/issues/{pull.number}/events"):
            if isinstance(one, dict) and one.get("event") == "labeled" and _name(one.get("label"), "name") == LABEL:
                login = _name(one.get("actor"), "login")
    except NoAnswer:
        return ""
    return login


def _name(data: Any, key: str) -> str:
    value = data.get(key) if isinstance(data, dict) else ""
    return value if isinstance(value, str) else ""
