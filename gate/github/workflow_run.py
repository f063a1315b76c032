"""The pull request of a run that another workflow finished, for comments on pull requests of forks.

The artifact of such a run was made by code of the fork. Whom it is about is told by the event alone.
Source: "workflow_run" in "Webhook events and payloads" of GitHub's documentation.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from gate.base.event import Event, read_payload
from gate.base.repository import NoBase
from gate.github.comment import PullRequest
from gate.github.conversation import REPOSITORY, Conversation, RestOf, rest_of
from gate.github.rest import NoAnswer, Rest

_SHA = re.compile(r"[0-9a-f]{40,64}")


def conversation_of_run(environment: Mapping[str, str], token: str, rest: RestOf = rest_of) -> Conversation:
    """The open pull request whose head is the commit that the finished run was about."""
    name = environment.get("GITHUB_EVENT_NAME", "")
    if name != "workflow_run":
        return Conversation(None, None, None, "this is no workflow_run event")
    try:
        run = read_payload(environment).get("workflow_run")
    except NoBase as error:
        return Conversation(None, None, None, error.what)
    repository = environment.get("GITHUB_REPOSITORY", "")
    if not isinstance(run, dict) or run.get("event") != "pull_request":
        return Conversation(None, None, None, "the finished run was not about a pull request")
    if not REPOSITORY.fullmatch(repository) or not token:
        return Conversation(None, None, None, "there is no github-token, or no GITHUB_REPOSITORY")
    api = rest(environment, token)
    try:
        number = _number(api, repository, run)
    except NoAnswer as error:
        return Conversation(None, None, None, error.says)
    if number is None:
        return Conversation(None, None, None, "no open pull request has the commit of the finished run as its head")
    event = Event(name, {}, "", str(run["head_sha"]))
    return Conversation(api, PullRequest(repository, number), event)


def _number(rest: Rest, repository: str, run: Mapping[str, Any]) -> int | None:
    """The event lists the pull requests of the repository's own branches; those of forks have to be looked for."""
    sha, branch, owner = run.get("head_sha"), run.get("head_branch"), _owner(run.get("head_repository"))
    if not isinstance(sha, str) or not _SHA.fullmatch(sha) or not isinstance(branch, str) or not owner:
        return None
    query = f"state=open&head={quote(owner, safe='')}:{quote(branch, safe='')}&per_page=100"
    found = rest.call("GET", f"/repos/{repository}/pulls?{query}").data
    for one in found if isinstance(found, list) else ():
        head = one.get("head") if isinstance(one, dict) else None
        if isinstance(head, dict) and head.get("sha") == sha and isinstance(one.get("number"), int):
            return int(one["number"])
    return None


def _owner(repository: Any) -> str:
    owner = repository.get("owner") if isinstance(repository, dict) else None
    login = owner.get("login") if isinstance(owner, dict) else None
    return login if isinstance(login, str) else ""
