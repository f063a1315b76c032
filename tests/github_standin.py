"""GitHub's API as far as a comment needs it, on 127.0.0.1, with failures on request."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

BOT = "github-actions[bot]"
REPOSITORY = "acme/recall"
MOST = 65_536


@dataclass(frozen=True)
class Failure:
    """An answer in the place of the right one; `obeyed` does what was asked all the same, `hang` in seconds."""

    status: int = 0
    message: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    hang: float = 0.0
    obeyed: bool = False
    raw: bytes | None = None


@dataclass
class Standin:
    """The comments of one repository, and every request that came: `POST /repos/...`."""

    url: str = ""
    login: str = BOT
    comments: list[dict[str, Any]] = field(default_factory=list)
    events: list[dict[str, Any]] = field(default_factory=list)
    pulls: list[dict[str, Any]] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    tokens: set[str] = field(default_factory=set)
    failures: list[tuple[str, Failure]] = field(default_factory=list)
    page: int = 100

    def fail(self, request: str, *failures: Failure) -> None:
        """The next requests that match are answered like this, one after the other."""
        self.failures += [(request, failure) for failure in failures]

    def add(self, body: str, login: str = BOT, pull: int = 7) -> dict[str, Any]:
        number = len(self.comments) + 1
        made = {
            "id": number,
            "body": body,
            "user": {"login": login},
            "html_url": f"https://github.example/{REPOSITORY}/pull/{pull}#issuecomment-{number}",
            "pull": pull,
        }
        self.comments.append(made)
        return made

    def sent(self, method: str) -> list[str]:
        return [request for request in self.requests if request.startswith(f"{method} /repos")]

    def answer(self, method: str, target: str, body: Any) -> tuple[int, Any, dict[str, str]]:
        parts = urlsplit(target)
        query = parse_qs(parts.query)
        if method == "POST" and parts.path == "/graphql":
            return 200, {"data": {"viewer": {"login": self.login}}}, {}
        if found := re.fullmatch(rf"/repos/{REPOSITORY}/issues/(\d+)/(comments|events)", parts.path):
            if method == "POST":
                if len(body["body"]) > MOST:
                    return 422, {"message": "Validation Failed: body is too long (maximum is 65536 characters)"}, {}
                return 201, self.add(body["body"], self.login, int(found[1])), {}
            items = self.events if found[2] == "events" else [c for c in self.comments if c["pull"] == int(found[1])]
            return self._page(items, query)
        if found := re.fullmatch(rf"/repos/{REPOSITORY}/issues/comments/(\d+)", parts.path):
            for comment in self.comments:
                if comment["id"] == int(found[1]):
                    comment["body"] = body["body"]
                    return 200, comment, {}
            return 404, {"message": "Not Found"}, {}
        if parts.path == f"/repos/{REPOSITORY}/pulls":
            return 200, [one for one in self.pulls if one["label"] == query["head"][0]], {}
        return 404, {"message": "Not Found"}, {}

    def _page(self, items: list[Any], query: Mapping[str, list[str]]) -> tuple[int, Any, dict[str, str]]:
        number = int(query.get("page", ["1"])[0])
        more = len(items) > number * self.page
        headers = {"Link": f'<{self.url}/x?page={number + 1}>; rel="next"'} if more else {}
        return 200, items[(number - 1) * self.page : number * self.page], headers


@contextmanager
def standin() -> Iterator[Standin]:
    """A server in a thread, gone when the block ends."""
    state = Standin()
    over = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the standard library's name
            pass

        def _serve(self) -> None:
            raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            state.requests.append(f"{self.command} {self.path}")
            state.tokens.add(self.headers.get("Authorization", ""))
            request = state.requests[-1]
            failure = next((one for one in state.failures if re.search(one[0], request)), None)
            body = json.loads(raw) if raw else None
            if failure is not None:
                state.failures.remove(failure)
                wrong = failure[1]
                if wrong.obeyed:
                    state.answer(self.command, self.path, body)
                if wrong.hang:
                    over.wait(wrong.hang)
                    return
                data = wrong.raw if wrong.raw is not None else json.dumps({"message": wrong.message}).encode()
                self._send(wrong.status, data, wrong.headers)
                return
            status, data_of, headers = state.answer(self.command, self.path, body)
            self._send(status, json.dumps(data_of).encode(), headers)

        def _send(self, status: int, data: bytes, headers: Mapping[str, str]) -> None:
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST = do_PATCH = _serve  # noqa: N815 - the standard library's names

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    state.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield state
    finally:
        over.set()
        server.shutdown()
        server.server_close()
        thread.join()
