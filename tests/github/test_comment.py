"""The comment against a local stand-in of GitHub's API."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from github_standin import BOT, REPOSITORY, Failure, Standin, standin

from gate.errors import UsageError
from gate.github.comment import (
    DEFAULT_KEY,
    MOST_CHARACTERS,
    Published,
    PullRequest,
    check_key,
    comment_body,
    publish,
    who_labelled,
)
from gate.github.rest import Rest

PULL = PullRequest(REPOSITORY, 7)
REPORT = "## PASS: all 3 checks passed (exit code 0)\n\n- a note\n"
CREATED = rf"POST /repos/{REPOSITORY}/issues/7/comments"
UPDATED = rf"PATCH /repos/{REPOSITORY}/issues/comments/"


@pytest.fixture
def github() -> Iterator[Standin]:
    with standin() as state:
        yield state


def body(key: str = DEFAULT_KEY, run: str = "100", report: str = REPORT) -> str:
    return comment_body(key, run, report, "Commit `abc`.\n", "the summary")


class Put:
    """Publishes to a stand-in without waiting; `waited` are the seconds that it would have."""

    def __init__(self, github: Standin, *, timeout: float = 5.0, graphql: bool = True) -> None:
        self.waited: list[float] = []
        url = f"{github.url}/graphql" if graphql else ""
        self.rest = Rest(github.url, "a-token", graphql=url, timeout=timeout, wait=self.waited.append)

    def __call__(self, text: str = "", *, key: str = DEFAULT_KEY, create: bool = True) -> Published:
        return publish(self.rest, PULL, key, text or body(key), create=create)


def test_a_comment_is_made_where_there_is_none(github: Standin) -> None:
    told = Put(github)()
    assert told.says == "the comment was made"
    assert told.url == f"https://github.example/{REPOSITORY}/pull/7#issuecomment-1"
    (made,) = github.comments
    assert made["body"].splitlines()[1] == "## Retrieval gate: PASS: all 3 checks passed (exit code 0)"
    assert github.tokens == {"Bearer a-token"}


def test_a_comment_is_updated_in_place(github: Standin) -> None:
    put = Put(github)
    first = put()
    second = put(body(run="101", report="## REGRESSION: 1 failed\n"))
    assert (second.url, second.says) == (first.url, "the comment was updated")
    (only,) = github.comments
    assert "REGRESSION" in only["body"]
    assert "PASS" not in only["body"]


def test_a_comment_is_found_among_several_pages(github: Standin) -> None:
    github.page = 3
    for number in range(7):
        github.add(f"remark {number}", "someone")
    github.add(body(run="99"))
    github.add("the last word", "someone")
    assert Put(github)().says == "the comment was updated"
    assert len(github.comments) == 9
    assert len(github.sent("GET")) == 3


def test_a_comment_of_another_author_with_our_marker_is_left_alone(github: Standin) -> None:
    github.add(body(run="1"), "someone")
    assert Put(github)().says == "the comment was made"
    assert github.comments[0]["body"] == body(run="1")


def test_a_marker_that_is_only_quoted_is_not_ours(github: Standin) -> None:
    github.add(f"somebody wrote:\n\n{body(run='1')}")
    assert Put(github)().says == "the comment was made"


def test_line_ends_of_a_comment_do_not_hide_it(github: Standin) -> None:
    github.add(body(run="1").replace("\n", "\r\n"))
    assert Put(github)().says == "the comment was updated"


def test_two_keys_have_a_comment_each(github: Standin) -> None:
    put = Put(github)
    put(key="python store")
    put(key="rust-store")
    put(key="python store")
    assert [one["body"].split("\n")[0] for one in github.comments] == [
        '<!-- retrieval-gate key="python store" run="100" -->',
        '<!-- retrieval-gate key="rust-store" run="100" -->',
    ]
    assert "## Retrieval gate `python store`: PASS" in github.comments[0]["body"]


def test_a_run_that_is_started_again_updates_and_an_older_one_does_not(github: Standin) -> None:
    put = Put(github)
    put(body(run="100"))
    assert put(body(run="100", report="## PASS: again\n")).says == "the comment was updated"
    told = put(body(run="99", report="## REGRESSION: of an older commit\n"))
    assert told.says == "the comment is left as it is: a later run wrote it"
    assert told.url
    assert "again" in github.comments[0]["body"]


def test_nothing_is_made_where_only_an_update_is_asked_for(github: Standin) -> None:
    put = Put(github)
    assert put(create=False) == Published(
        "", "no comment: all is well, and there is none to update (comment: always makes one)"
    )
    assert github.sent("POST") == []
    github.add(body(run="1"))
    assert put(create=False).says == "the comment was updated"


@pytest.mark.parametrize(
    ("failure", "says"),
    [
        (Failure(401, "Bad credentials"), "no comment: GitHub does not accept the token (401: Bad credentials)"),
        (
            Failure(403, "Resource not accessible by integration"),
            "no comment: the token may not do that (403: Resource not accessible by integration)",
        ),
        (
            Failure(404, "Not Found"),
            "no comment: GitHub does not find it, or the token may not see it (404: Not Found)",
        ),
        (
            Failure(422, "Validation Failed"),
            "no comment: GitHub refuses what was sent (422: Validation Failed)",
        ),
        (Failure(410, "Gone"), "no comment: GitHub answered with 410: Gone"),
        (Failure(418, "a\nb\x1b[31m"), "no comment: GitHub answered with 418: a b<U+001B>[31m"),
    ],
)
@pytest.mark.parametrize("request_", ["GET /repos", CREATED])
def test_what_github_refuses_is_one_line_and_asked_once(
    github: Standin, failure: Failure, says: str, request_: str
) -> None:
    github.fail(request_, failure)
    put = Put(github)
    told = put()
    assert (told.url, told.says) == ("", says)
    assert told.forbidden == (failure.status == 403)
    assert put.waited == []
    assert github.comments == []


@pytest.mark.parametrize("status", [403, 429])
@pytest.mark.parametrize("request_", ["GET /repos", CREATED])
def test_a_limit_is_waited_for_as_long_as_github_asks(github: Standin, status: int, request_: str) -> None:
    github.fail(request_, Failure(status, "secondary rate limit", {"Retry-After": "7"}))
    put = Put(github)
    assert put().says == "the comment was made"
    assert put.waited == [7.0]
    assert len(github.comments) == 1


def test_a_secondary_limit_that_names_no_time_is_a_minute(github: Standin) -> None:
    github.fail(CREATED, Failure(403, "You have exceeded a secondary rate limit."))
    put = Put(github)
    assert put().says == "the comment was made"
    assert put.waited == [60.0]


def test_waiting_is_bounded(github: Standin) -> None:
    github.fail(CREATED, Failure(429, "slow down", {"Retry-After": "3600"}))
    put = Put(github)
    assert put().says == "no comment: GitHub's rate limit is used up (429: slow down)"
    assert put.waited == []
    github.fail("GET /repos", *[Failure(429, "slow down", {"Retry-After": "40"})] * 3)
    assert put().says.startswith("no comment: GitHub's rate limit")
    assert put.waited == [40.0]


def test_a_primary_limit_is_not_waited_for(github: Standin) -> None:
    github.fail(CREATED, Failure(403, "API rate limit exceeded", {"X-RateLimit-Remaining": "0"}))
    put = Put(github)
    assert "rate limit is used up" in put().says
    assert put.waited == []


def test_a_server_error_is_asked_again_a_few_times(github: Standin) -> None:
    github.fail("GET /repos", Failure(502, "Bad Gateway"), Failure(503))
    put = Put(github)
    assert put().says == "the comment was made"
    assert put.waited == [1.0, 2.0]
    github.fail("PATCH", *[Failure(500, "Server Error")] * 3)
    assert put().says == "no comment: GitHub answered with 500: Server Error"


def test_a_comment_is_not_made_twice_when_the_answer_to_it_is_lost(github: Standin) -> None:
    github.fail(CREATED, Failure(502, "Bad Gateway", obeyed=True))
    told = Put(github)()
    assert (told.says, len(github.comments)) == ("the comment was made", 1)
    assert told.url.endswith("issuecomment-1")


def test_a_server_error_that_made_nothing_is_told(github: Standin) -> None:
    github.fail(CREATED, Failure(502, "Bad Gateway"))
    assert Put(github)().says == "no comment: GitHub answered with 502: Bad Gateway"
    assert len(github.sent("POST")) == 1


@pytest.mark.parametrize("token", ["a\r\nX-Evil: 1", "ключ", "a b", "\udcff"])
def test_a_token_that_is_none_is_sent_nowhere_and_not_quoted(github: Standin, token: str) -> None:
    told = publish(Rest(github.url, token), PullRequest(REPOSITORY, 7), DEFAULT_KEY, "body", create=True)
    assert told.says == "no comment: the github-token holds characters that no token has"
    assert github.requests == []


def test_a_timeout_is_told(github: Standin) -> None:
    github.fail("GET /repos", *[Failure(hang=5)] * 3)
    put = Put(github, timeout=0.05)
    assert put().says == "no comment: GitHub: it did not answer within 0.05 s"


def test_a_timeout_of_the_making_is_looked_at_again(github: Standin) -> None:
    github.fail(CREATED, Failure(hang=5, obeyed=True))
    assert Put(github, timeout=0.2)().says == "the comment was made"
    assert len(github.comments) == 1


def test_nobody_there_is_told() -> None:
    rest = Rest("http://127.0.0.1:9", "a-token", wait=lambda _: None)
    assert publish(rest, PULL, DEFAULT_KEY, body(), create=True).says.startswith("no comment: GitHub: it cannot be")
    rest = Rest("file:///etc/passwd", "a-token", wait=lambda _: None)
    assert "address" in publish(rest, PULL, DEFAULT_KEY, body(), create=True).says


def test_an_answer_that_is_no_json_is_told(github: Standin) -> None:
    github.fail("GET /repos", *[Failure(200, raw=b"<html>")] * 3)
    assert Put(github)().says == "no comment: GitHub: its answer is not JSON"


def test_a_comment_deleted_meanwhile_is_made_again(github: Standin) -> None:
    github.add(body(run="1"))
    github.fail(UPDATED, Failure(404, "Not Found"))
    assert Put(github)().says == "the comment was made"
    assert len(github.comments) == 2


def test_the_author_is_whom_the_token_speaks_for(github: Standin) -> None:
    github.login = "recall-app[bot]"
    put = Put(github)
    put()
    assert put(body(run="101")).says == "the comment was updated"
    assert [one["user"]["login"] for one in github.comments] == ["recall-app[bot]"]


def test_the_author_is_the_token_of_the_workflow_where_github_does_not_say(github: Standin) -> None:
    github.add(body(run="1"), BOT)
    assert Put(github, graphql=False)().says == "the comment was updated"
    github.fail("POST /graphql", Failure(403, "no"))
    assert Put(github)().says == "the comment was updated"


def test_a_token_never_follows_to_another_host(github: Standin) -> None:
    github.fail("GET /repos", Failure(301, headers={"Location": "http://localhost:9/elsewhere"}))
    assert "301" in Put(github)().says
    github.fail("GET /repos", Failure(301, headers={"Location": f"/repos/{REPOSITORY}/issues/7/comments"}))
    assert Put(github)().says == "the comment was made"


def test_a_long_comment_is_cut_with_a_note_and_keeps_its_foot() -> None:
    row = "- 望江茶楼的对接人换成了吴主管 𠀀\n"
    long = "## REGRESSION: much\n\n<details><summary>x</summary>\n\n" + row * 9000
    text = body(report=long)
    assert MOST_CHARACTERS - 400 < len(text.encode("utf-16-le")) // 2 <= MOST_CHARACTERS
    assert text.count("<details>") == text.count("</details>") == 1
    assert "more lines of this report in the summary." in text
    assert text.endswith("Commit `abc`.\n")
    kept = text.count(row)
    assert f"**Cut here:** {9000 - kept} more lines" in text
    assert "Cut here" not in body()


def test_a_report_that_starts_with_a_planted_defect_keeps_that_first() -> None:
    text = body(report="> **A DEFECT WAS PLANTED:** `x`.\n\n## REGRESSION: 1 failed\n\n## other\n")
    assert text.splitlines()[1].startswith("> **A DEFECT")
    assert text.count("Retrieval gate: ") == 1


@pytest.mark.parametrize("key", ["a-b", "python 3.12", "gate/a.b", "x" * 100])
def test_a_key_may_be_a_plain_name(key: str) -> None:
    check_key(key)


@pytest.mark.parametrize("key", ["", "a--b", "-->", "a\nb", 'a"b', "x" * 101, "é", "a ", "`a`"])
def test_a_key_that_could_leave_its_marker_is_refused(key: str) -> None:
    with pytest.raises(UsageError):
        check_key(key)


def test_the_last_who_set_the_label_is_named(github: Standin) -> None:
    label = {"name": "gate-accept-loosened"}
    github.page = 2
    github.events = [
        {"event": "labeled", "label": label, "actor": {"login": "first"}},
        {"event": "labeled", "label": {"name": "bug"}, "actor": {"login": "other"}},
        {"event": "unlabeled", "label": label, "actor": {"login": "second"}},
        {"event": "labeled", "label": label, "actor": {"login": "third"}},
        {"event": "closed", "actor": None},
    ]
    assert who_labelled(Put(github).rest, PULL) == "third"
    github.fail("GET", Failure(403, "no"))
    assert who_labelled(Put(github).rest, PULL) == ""
