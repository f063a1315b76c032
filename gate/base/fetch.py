"""Fetches a base that a shallow checkout lacks. Only the Action does: `gate run` never touches a network."""

from __future__ import annotations

import base64
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from gate.base.event import NO_MERGE_BASE, Event, base_of, read_event
from gate.base.repository import NoBase, NotHere, Repository
from gate.report.escape import cut, visible

_SECONDS = 120
_SAID = 200


def fetch_base(folder: Path, environment: Mapping[str, str], token: str) -> str:
    """Brings the base of the event into the clone that `folder` is in, if that lacks it.

    Gives back one line on what was done, empty where there was nothing to do. What cannot be fetched is
    no error here: whoever needs the base says what is missing.
    """
    try:
        event = read_event(environment)
        if event is None:
            return ""
        repository = Repository(folder)
        fetch = _Fetch(repository.root, environment.get("GITHUB_SERVER_URL", ""), token)
        # The base's commit first; a merge base needs the history between the two as well.
        told = [_step(event, repository, fetch) for _ in range(2)]
    except NoBase:
        return ""
    return ". ".join(dict.fromkeys(one for one in told if one))


def _step(event: Event, repository: Repository, fetch: _Fetch) -> str:
    try:
        base_of(event, repository)
    except NotHere as lacking:
        return fetch("--depth=1", lacking.sha)
    except NoBase as error:
        head = repository.commit("HEAD")
        if error.slug == NO_MERGE_BASE and repository.shallow and head is not None:
            return fetch("--unshallow", event.data["pull_request"]["base"]["sha"], head)
    return ""


def fetched_ref(folder: Path, ref: str, environment: Mapping[str, str], token: str) -> str:
    """A base that somebody named, as a commit of this clone where it has to be fetched first; else as it was named."""
    try:
        repository = Repository(folder)
        if ref.startswith("-") or repository.commit(ref) is not None:
            return ref
        fetch = _Fetch(repository.root, environment.get("GITHUB_SERVER_URL", ""), token)
        fetch("--depth=1", ref.removeprefix("origin/"))
        return repository.commit(ref) or (repository.commit("FETCH_HEAD") if fetch.done else None) or ref
    except NoBase:
        return ref


class _Fetch:
    """`git fetch` from the remote of a checkout: as it is set up, and if that is refused, with a token of its own."""

    def __init__(self, root: Path, server: str, token: str) -> None:
        self.done = False
        self._root = root
        self._server = server.rstrip("/")
        self._token = token

    def __call__(self, depth: str, *refs: str) -> str:
        told = self._run(depth, refs, {})
        if told and self._token and self._server:
            told = self._run(depth, refs, self._authorized())
        self.done = not told
        shown = visible(refs[0])
        return f"the base {shown} could not be fetched: {told}" if told else f"fetched the base {shown}"

    def _authorized(self) -> dict[str, str]:
        """By the environment, and not among the arguments, which every process of the machine can read."""
        basic = base64.b64encode(f"x-access-token:{self._token}".encode()).decode()
        return {
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": f"http.{self._server}/.extraheader",
            "GIT_CONFIG_VALUE_0": f"AUTHORIZATION: basic {basic}",
        }

    def _run(self, depth: str, refs: tuple[str, ...], more: Mapping[str, str]) -> str:
        """What git said against it; empty where it was done."""
        quiet = ("-c", f"core.hooksPath={os.devnull}", "-c", "core.fsmonitor=false", "-c", "maintenance.auto=false")
        plain = ("--quiet", "--no-tags", "--no-recurse-submodules")
        kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        try:
            done = subprocess.run(
                ["git", *quiet, "fetch", *plain, depth, "origin", "--", *refs],
                cwd=self._root,
                env={**kept, "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C", **more},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return f"git did not answer within {_SECONDS} s"
        except OSError as error:
            return f"git cannot be run: {error.strerror}"
        if not done.returncode:
            return ""
        lines = done.stderr.decode("utf-8", "replace").split("\n")
        said = next((line.removeprefix("fatal: ") for line in lines if line.startswith("fatal: ")), "")
        return cut(visible(said), _SAID) or f"git ended with {done.returncode}"
