"""Which pull request a run speaks on, in every event, and what it says there."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from builders import check, measured
from github_standin import REPOSITORY, Failure, Standin, standin
from report_hostile import HOSTILE
from report_verdicts import everywhere

from gate.github.comment import DEFAULT_KEY, MOST_CHARACTERS, Published
from gate.github.conversation import Conversation, accepted_by, comment, conversation_of
from gate.github.outcome import Outcome
from gate.github.rest import Rest
from gate.github.workflow_run import conversation_of_run
from gate.records import Verdict

SHA = "a" * 40
PASS = Outcome(0, "gate-results", Verdict("PASS", 0, (check("pass"),), (measured(0.9),)))
RED = Outcome(1, "gate-results", Verdict("REGRESSION", 1, (check("fail"),), (measured(0.5),)))
ACCEPTED = Outcome(0, "r", Verdict("PASS", 0, (check("waived", source="base"),), (measured(0.5),)))


@pytest.fixture
def github() -> Iterator[Standin]:
    with standin() as state:
        yield state


def pull_request(fork: bool = False, **more: Any) -> dict[str, Any]:
    return {
        "pull_request": {
            "number": 7,
            "head": {"sha": SHA, "repo": {"full_name": "someone/recall" if fork else REPOSITORY}},
            "base": {"sha": "b" * 40, "repo": {"full_name": REPOSITORY}},
            "labels": [],
        },
        **more,
    }


class Told:
    """A run's environment, and what comes of commenting in it."""

    def __init__(self, folder: Path, github: Standin) -> None:
        self._path = folder / "event.json"
        self.environment = {
            "GITHUB_EVENT_PATH": str(self._path),
            "GITHUB_REPOSITORY": REPOSITORY,
            "GITHUB_RUN_ID": "123",
            "GITHUB_RUN_ATTEMPT": "2",
            "GITHUB_SERVER_URL": "https://github.example",
            "GITHUB_SHA": "c" * 40,
        }
        self._github = github

    def rest(self, environment: Mapping[str, str], token: str) -> Rest:
        return Rest(self._github.url, token, wait=lambda _: None)

    def conversation(self, name: str, payload: Mapping[str, Any], token: str = "t") -> Conversation:
        self._path.write_text(json.dumps(payload), encoding="utf-8")
        self.environment["GITHUB_EVENT_NAME"] = name
        return conversation_of(self.environment, token, self.rest)

    def __call__(
        self, name: str, payload: Mapping[str, Any], outcome: Outcome = RED, mode: str = "auto", token: str = "t"
    ) -> Published:
        conversation = self.conversation(name, payload, token)
        return comment(conversation, outcome, self.environment, mode=mode, key=DEFAULT_KEY, said="")


@pytest.fixture
def told(tmp_path: Path, github: Standin) -> Told:
    return Told(tmp_path, github)


@pytest.mark.parametrize("name", ["pull_request", "pull_request_target"])
def test_a_red_pull_request_gets_a_comment_with_verdict_commit_and_run(told: Told, github: Standin, name: str) -> None:
    assert told(name, pull_request()).says == "the comment was made"
    text = github.comments[0]["body"]
    assert "## Retrieval gate: REGRESSION: " in text
    assert "Commit `aaaaaaaaaa`." in text
    assert f"(https://github.example/{REPOSITORY}/actions/runs/123/attempts/2)" in text


def test_auto_is_silent_on_a_pass_until_there_is_a_comment(told: Told, github: Standin) -> None:
    assert told("pull_request", pull_request(), PASS).url == ""
    assert told("pull_request", pull_request(), RED).url
    assert told("pull_request", pull_request(), PASS).says == "the comment was updated"
    assert "PASS" in github.comments[0]["body"]


def test_always_makes_one_on_a_pass_and_never_makes_none(told: Told, github: Standin) -> None:
    assert told("pull_request", pull_request(), RED, "never") == Published("", "no comment: comment is never")
    assert github.requests == []
    assert told("pull_request", pull_request(), PASS, "always").says == "the comment was made"


@pytest.mark.parametrize("name", ["push", "schedule", "merge_group", "workflow_dispatch", "workflow_run", "release"])
@pytest.mark.parametrize("mode", ["auto", "always"])
def test_events_without_a_pull_request_have_no_comment(told: Told, github: Standin, name: str, mode: str) -> None:
    found = told(name, {"before": SHA, "merge_group": {"base_sha": SHA}}, RED, mode)
    assert found.says == f"no comment: a {name} event is about no pull request"
    assert github.requests == []


def test_a_forks_token_is_told_as_that(told: Told, github: Standin) -> None:
    github.fail("POST /repos", Failure(403, "Resource not accessible by integration"))
    assert "fork's pull request may only read" in told("pull_request", pull_request(fork=True)).says
    github.fail("POST /repos", Failure(403, "Resource not accessible by integration"))
    assert "Resource not accessible" in told("pull_request", pull_request()).says


def test_a_fork_whose_token_may_write_gets_its_comment(told: Told) -> None:
    assert told("pull_request", pull_request(fork=True)).url


def test_a_fork_that_is_gone_is_still_one(told: Told, github: Standin) -> None:
    payload = pull_request()
    payload["pull_request"]["head"]["repo"] = None
    github.fail("POST /repos", Failure(403, "no"))
    assert "fork" in told("pull_request", payload).says


@pytest.mark.parametrize(
    ("payload", "says"),
    [
        ({}, "about no pull request"),
        ({"pull_request": {"number": "7"}}, "about no pull request"),
        ({"pull_request": {"number": True}}, "about no pull request"),
        ({"pull_request": {"number": -1}}, "about no pull request"),
        ([], "not a mapping"),
    ],
)
def test_an_event_of_another_shape_is_told(told: Told, payload: Any, says: str) -> None:
    assert says in told("pull_request", payload).says


def test_no_token_and_no_repository_are_told(told: Told, github: Standin) -> None:
    assert told("pull_request", pull_request(), token="").says == "no comment: there is no github-token"
    told.environment["GITHUB_REPOSITORY"] = "../../x"
    assert "names no repository" in told("pull_request", pull_request()).says
    assert github.requests == []


def labelled(**more: Any) -> dict[str, Any]:
    payload = pull_request(**more)
    payload["pull_request"]["labels"] = [{"name": "gate-accept-loosened"}]
    return payload


def test_who_accepted_is_read_from_the_event_that_set_the_label(told: Told, github: Standin) -> None:
    label = {"name": "gate-accept-loosened"}
    found = told.conversation("pull_request", labelled(action="labeled", label=label, sender={"login": "maintainer"}))
    said = accepted_by(found, ACCEPTED)
    assert said == "What loosens the bar was accepted by the label `gate-accept-loosened`, set by `maintainer`."
    assert github.requests == []


def test_who_accepted_is_asked_for_in_any_later_event(told: Told, github: Standin) -> None:
    github.events = [
        {"event": "labeled", "label": {"name": "gate-accept-loosened"}, "actor": {"login": "maintainer"}},
    ]
    other = labelled(action="labeled", label={"name": "bug"}, sender={"login": "someone"})
    assert "set by `maintainer`" in accepted_by(told.conversation("pull_request", other), ACCEPTED)
    github.events = []
    assert accepted_by(told.conversation("pull_request", labelled()), ACCEPTED).endswith("`gate-accept-loosened`.")


def test_nothing_is_said_of_a_label_that_accepted_nothing(told: Told) -> None:
    assert accepted_by(told.conversation("pull_request", labelled()), PASS) == ""
    assert accepted_by(told.conversation("pull_request", pull_request()), ACCEPTED) == ""


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_no_text_leaves_its_place_in_a_comment(told: Told, github: Standin, text: str) -> None:
    verdict = replace(everywhere(text), exit_code=1)
    told("pull_request", pull_request(), Outcome(1, "r", verdict))
    body = github.comments[0]["body"]
    assert len(body) <= MOST_CHARACTERS
    assert body.count("<!-- retrieval-gate") == 1
    outside = [part for number, part in enumerate(body.split("`")) if number % 2 == 0]
    assert not any("<script" in part or "<img" in part for part in outside)


def run_of(**more: Any) -> dict[str, Any]:
    head = {"owner": {"login": "someone"}, "full_name": "someone/recall"}
    told = {"event": "pull_request", "head_sha": SHA, "head_branch": "fix", "head_repository": head}
    return {"workflow_run": {**told, "pull_requests": [], **more}}


def after_run(told: Told, payload: Mapping[str, Any]) -> Conversation:
    told.conversation("workflow_run", payload)
    return conversation_of_run(told.environment, "t", told.rest)


def test_a_finished_run_of_a_fork_finds_its_pull_request_by_the_event(told: Told, github: Standin) -> None:
    github.pulls = [
        {"label": "someone:fix", "number": 6, "head": {"sha": "d" * 40}},
        {"label": "someone:fix", "number": 7, "head": {"sha": SHA}},
        {"label": "other:fix", "number": 8, "head": {"sha": SHA}},
    ]
    found = after_run(told, run_of())
    assert found.pull is not None
    assert found.pull.number == 7
    published = comment(found, RED, told.environment, mode="auto", key=DEFAULT_KEY, said="As told by a fork.")
    assert published.url
    assert "As told by a fork.\nCommit `aaaaaaaaaa`." in github.comments[0]["body"]


def test_a_commit_that_was_pushed_over_has_no_comment(told: Told, github: Standin) -> None:
    github.pulls = [{"label": "someone:fix", "number": 7, "head": {"sha": "d" * 40}}]
    assert "no open pull request" in after_run(told, run_of()).refused


@pytest.mark.parametrize(
    "payload",
    [{}, run_of(event="push"), run_of(head_sha="x"), run_of(head_repository=None), run_of(head_branch=7)],
)
def test_a_finished_run_of_another_kind_has_no_comment(told: Told, github: Standin, payload: dict[str, Any]) -> None:
    found = after_run(told, payload)
    assert found.pull is None
    assert found.refused
    assert github.requests == []
