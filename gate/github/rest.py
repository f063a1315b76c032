"""Calls of GitHub's REST API by the standard library: bounded in time, in waiting and in what is read.

Source: "Best practices for using the REST API" and "Rate limits for the REST API" of GitHub's documentation.
"""

from __future__ import annotations

import json
import re
import socket
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from email.message import Message
from http.client import HTTPException, HTTPMessage
from typing import IO, Any

import gate
from gate.report.escape import cut, visible
from gate.stopwatch import pause

VERSION = "2022-11-28"
_LARGEST = 16 << 20
_ATTEMPTS = 3
_MOST_PAGES = 50
_A_PAGE = 100
# What GitHub asks to wait at least, where it does not say how long.
_SECONDARY = 60.0
_REDIRECTS = (301, 302, 307, 308)
_SAID = 200
_TOKEN = re.compile(r"[!-~]+")


class NoAnswer(Exception):
    """What was asked of GitHub did not happen; `says` is why, in one line.

    `status` is the HTTP status, 0 where none came. `uncertain`: it may have happened all the same.
    """

    def __init__(self, says: str, status: int = 0, *, uncertain: bool = False) -> None:
        super().__init__(says)
        self.says = says
        self.status = status
        self.uncertain = uncertain


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer: its status (0: none came), its headers by lower-case name, its JSON, and why there is none of it."""

    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    data: Any = None
    trouble: str = ""


class _Stay(urllib.request.HTTPRedirectHandler):
    """Follows nothing by itself: a token must not travel to another host."""

    def redirect_request(
        self,
        req: urllib.request.Request,  # noqa: ARG002 - the signature of the standard library
        fp: IO[bytes],  # noqa: ARG002
        code: int,  # noqa: ARG002
        msg: str,  # noqa: ARG002
        headers: HTTPMessage,  # noqa: ARG002
        newurl: str,  # noqa: ARG002
    ) -> None:
        return None


class Rest:
    """GitHub's API at a URL, with a token; `graphql` is the address of the other one, where it is known.

    `patience` bounds all waiting together, `timeout` one answer, in seconds.
    """

    def __init__(
        self,
        url: str,
        token: str,
        *,
        graphql: str = "",
        patience: float = 75.0,
        timeout: float = 10.0,
        wait: Callable[[float], object] = pause,
    ) -> None:
        self.graphql = graphql
        self._url = url.rstrip("/")
        self._token = token
        self._patience = patience
        self._timeout = timeout
        self._wait = wait
        self._opener = urllib.request.build_opener(_Stay)

    def call(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Reply:
        """The answer to one request, asked again where that can help. `path` may be a whole URL. Raises NoAnswer.

        A POST that got no answer is not sent again: it may have been obeyed.
        """
        if not _TOKEN.fullmatch(self._token):
            # Said here: what the standard library says of such a header quotes it.
            raise NoAnswer("the github-token holds characters that no token has")
        url = path if "://" in path else f"{self._url}{path}"
        reply = Reply(0)
        for attempt in range(_ATTEMPTS):
            reply = self._followed(method, url, body)
            if 200 <= reply.status < 300 and not reply.trouble:
                return reply
            seconds = _seconds_to_wait(reply, method, attempt)
            if seconds is None or seconds > self._patience or attempt == _ATTEMPTS - 1:
                break
            self._patience -= seconds
            self._wait(seconds)
        raise NoAnswer(_says(reply), reply.status, uncertain=not 300 <= reply.status < 500)

    def pages(self, path: str) -> Iterator[Any]:
        """The items of a list, page after page. Raises NoAnswer."""
        for page in range(1, _MOST_PAGES + 1):
            reply = self.call("GET", f"{path}?per_page={_A_PAGE}&page={page}")
            yield from reply.data if isinstance(reply.data, list) else ()
            if 'rel="next"' not in reply.headers.get("link", ""):
                return
        raise NoAnswer(f"there are more than {_MOST_PAGES * _A_PAGE} entries to look through")

    def _followed(self, method: str, url: str, body: Mapping[str, Any] | None) -> Reply:
        """One request, and that of the place it was moved to (a repository that was renamed), on the same host."""
        reply = self._once(method, url, body)
        if reply.status in _REDIRECTS:
            moved = urllib.parse.urljoin(url, reply.headers.get("location", ""))
            if urllib.parse.urlsplit(moved)[:2] == urllib.parse.urlsplit(url)[:2]:
                return self._once(method, moved, body)
        return reply

    def _once(self, method: str, url: str, body: Mapping[str, Any] | None) -> Reply:
        if not url.startswith(("https://", "http://")):
            return Reply(0, trouble="the address of its API is none")
        headers = {
            "Accept": "application/vnd.github+json",
            "Authorization": f"Bearer {self._token}",
            "User-Agent": f"retrieval-gate/{gate.__version__}",
            "X-GitHub-Api-Version": VERSION,
        }
        data = None
        if body is not None:
            data = json.dumps(body).encode()
            headers["Content-Type"] = "application/json"
        try:
            request = urllib.request.Request(url, data, headers, method=method)
            with self._opener.open(request, timeout=self._timeout) as answer:
                return _read(answer.status, answer.headers, answer.read(_LARGEST))
        except urllib.error.HTTPError as error:
            with error:
                return self._refused(error)
        except (OSError, HTTPException, ValueError) as error:
            return Reply(0, trouble=self._trouble(error))

    def _refused(self, error: urllib.error.HTTPError) -> Reply:
        try:
            return _read(error.code, error.headers, error.read(_LARGEST))
        except (OSError, HTTPException):
            return Reply(error.code)

    def _trouble(self, error: Exception) -> str:
        reason = error.reason if isinstance(error, urllib.error.URLError) else error
        if isinstance(reason, socket.timeout):
            return f"it did not answer within {self._timeout:g} s"
        return f"it cannot be reached: {getattr(reason, 'strerror', None) or reason or type(reason).__name__}"


def _read(status: int, headers: Message, raw: bytes) -> Reply:
    named = {name.lower(): value for name, value in headers.items()}
    try:
        return Reply(status, named, json.loads(raw) if raw else None)
    except (ValueError, RecursionError):
        return Reply(status, named, trouble="its answer is not JSON")


def _seconds_to_wait(reply: Reply, method: str, attempt: int) -> float | None:
    """How long to wait before the request is worth sending again; None where it never is."""
    asked = reply.headers.get("retry-after", "")
    if reply.status in (403, 429):
        if asked.isdecimal():
            return float(asked)
        if reply.headers.get("x-ratelimit-remaining") == "0":
            return None
        return _SECONDARY if reply.status == 429 or "secondary rate limit" in _message(reply) else None
    if (reply.status >= 500 or reply.status < 300) and method != "POST":
        return float(asked) if asked.isdecimal() else float(2**attempt)
    return None


def _message(reply: Reply) -> str:
    said = reply.data.get("message") if isinstance(reply.data, dict) else ""
    return said if isinstance(said, str) else ""


def _says(reply: Reply) -> str:
    said = cut(visible(_message(reply)), _SAID)
    told = f": {said}" if said else ""
    if reply.status < 300:
        return f"GitHub: {cut(visible(reply.trouble), _SAID)}"
    if reply.status == 401:
        return f"GitHub does not accept the token (401{told})"
    if reply.status in (403, 429) and (reply.headers.get("x-ratelimit-remaining") == "0" or _limited(reply)):
        return f"GitHub's rate limit is used up ({reply.status}{told})"
    if reply.status == 403:
        return f"the token may not do that (403{told})"
    if reply.status == 404:
        return f"GitHub does not find it, or the token may not see it (404{told})"
    if reply.status == 422:
        return f"GitHub refuses what was sent (422{told})"
    return f"GitHub answered with {reply.status}{told}"


def _limited(reply: Reply) -> bool:
    return reply.status == 429 or "retry-after" in reply.headers or "rate limit" in _message(reply)
