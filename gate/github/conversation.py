"""Where a verdict is shown on a pull request, whether it is, and what stands below it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from gate.base.event import Event, read_event
from gate.base.repository import NoBase
from gate.checks.loosened import LABEL, SOURCE
from gate.github.comment import Published, PullRequest, comment_body, publish, who_labelled
from gate.github.outcome import Outcome
from gate.github.rest import Rest
from gate.report.escape import code, visible

REPOSITORY = re.compile(r"[A-Za-z0-9._-]+/[A-Za-z0-9._-]+")
_SERVER = re.compile(r"https?://[A-Za-z0-9.:-]+")
_NUMBER = re.compile(r"[0-9]{1,20}")
_SHA = re.compile(r"[0-9a-f]{40,64}")
RestOf = Callable[[Mapping[str, str], str], Rest]


def rest_of(environment: Mapping[str, str], token: str) -> Rest:
    """The API that the runner names."""
    url = environment.get("GITHUB_API_URL", "") or "https://api.github.com"
    return Rest(url, token, graphql=environment.get("GITHUB_GRAPHQL_URL", ""))


@dataclass(frozen=True, slots=True)
class Conversation:
    """A pull request that can be written to, or, in `refused`, why there is none."""

    rest: Rest | None
    pull: PullRequest | None
    event: Event | None
    refused: str = ""


def conversation_of(environment: Mapping[str, str], token: str, rest: RestOf = rest_of) -> Conversation:
    """The pull request of the event of this run."""
    name = environment.get("GITHUB_EVENT_NAME", "")
    try:
        event = read_event(environment)
    except NoBase as error:
        return Conversation(None, None, None, error.what)
    if event is None or event.pull_request is None:
        told = f"a {visible(name)} event is about no pull request" if name else "this is no run of GitHub Actions"
        return Conversation(None, None, event, told)
    repository = environment.get("GITHUB_REPOSITORY", "")
    if not REPOSITORY.fullmatch(repository):
        return Conversation(None, None, event, "GITHUB_REPOSITORY names no repository")
    if not token:
        return Conversation(None, None, event, "there is no github-token")
    return Conversation(rest(environment, token), PullRequest(repository, event.pull_request), event)


def accepted_by(conversation: Conversation, outcome: Outcome) -> str:
    """A Markdown sentence on who accepted a loosened bar by the label; empty where no label did."""
    verdict, event = outcome.verdict, conversation.event
    accepted = verdict is not None and any(one.source == SOURCE and one.status == "waived" for one in verdict.checks)
    if event is None or not event.accepts or not accepted:
        return ""
    login = event.labelled_by
    if not login and conversation.rest is not None and conversation.pull is not None:
        login = who_labelled(conversation.rest, conversation.pull)
    by = f", set by {code(login, limit=60)}" if login else ""
    return f"What loosens the bar was accepted by the label {code(LABEL)}{by}."


def foot(environment: Mapping[str, str], event: Event | None, *more: str) -> str:
    """What a comment ends with: further sentences, the commit, and the run that made it."""
    parts = [one for one in more if one]
    sha = event.head_sha if event is not None else environment.get("GITHUB_SHA", "")
    if _SHA.fullmatch(sha):
        parts.append(f"Commit {code(sha[:10])}.")
    server, repository = environment.get("GITHUB_SERVER_URL", ""), environment.get("GITHUB_REPOSITORY", "")
    run, attempt = environment.get("GITHUB_RUN_ID", ""), environment.get("GITHUB_RUN_ATTEMPT", "") or "1"
    known = _SERVER.fullmatch(server) and REPOSITORY.fullmatch(repository)
    if known and _NUMBER.fullmatch(run) and _NUMBER.fullmatch(attempt):
        parts.append(f"[The run]({server}/{repository}/actions/runs/{run}/attempts/{attempt}).")
    return "\n".join(parts) + "\n"


def comment(
    conversation: Conversation, outcome: Outcome, environment: Mapping[str, str], *, mode: str, key: str, said: str
) -> Published:
    """Shows the outcome on the pull request, as `mode` has it. Whatever stands against that is a sentence.

    `auto` makes a comment only where there is more to say than that all is well, and updates one that is there
    whatever the verdict; `always` makes one; `never` does nothing.
    """
    if mode == "never":
        return Published("", "no comment: comment is never")
    if conversation.rest is None or conversation.pull is None:
        return Published("", f"no comment: {conversation.refused}")
    run = environment.get("GITHUB_RUN_ID", "")
    body = comment_body(
        key,
        run if _NUMBER.fullmatch(run) else "",
        outcome.markdown,
        foot(environment, conversation.event, said),
        "the summary of the run",
    )
    create = mode == "always" or outcome.speaks
    published = publish(conversation.rest, conversation.pull, key, body, create=create)
    if not published.url and published.forbidden and conversation.event is not None and conversation.event.from_fork:
        told = "no comment: the token of a fork's pull request may only read; the summary of the run has the report"
        return Published("", told)
    return published
