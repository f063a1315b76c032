"""A base that a shallow clone lacks: what is fetched for each kind of checkout, and what is left to be said."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from commits import Commits

from gate.base.event import base_of, read_event
from gate.base.fetch import fetch_base, fetched_ref
from gate.base.repository import NoBase, Repository


@pytest.fixture
def origin(tmp_path: Path) -> Commits:
    """Two branches with three commits each since they parted; any commit of them may be fetched."""
    made = Commits(tmp_path / "origin")
    made.commit({"gate.yml": "schema: 1\n"})
    made.git("branch", "topic")
    for number in range(3):
        made.commit({"main.txt": f"{number}\n"})
    made.git("checkout", "--quiet", "topic")
    for number in range(3):
        made.commit({"topic.txt": f"{number}\n"})
    made.git("config", "uploadpack.allowAnySHA1InWant", "true")
    return made


def shallow(origin: Commits, folder: Path, branch: str) -> Commits:
    clone = Commits(folder, start=False)
    clone.git("clone", "--quiet", "--depth=1", f"--branch={branch}", f"file://{origin.folder}", ".")
    return clone


def told(folder: Path, origin: Commits) -> dict[str, str]:
    payload = {
        "pull_request": {
            "number": 7,
            "base": {"sha": origin.git("rev-parse", "main")},
            "head": {"sha": origin.git("rev-parse", "topic")},
        }
    }
    (folder / "event.json").write_text(json.dumps(payload), encoding="utf-8")
    return {"GITHUB_EVENT_NAME": "pull_request", "GITHUB_EVENT_PATH": str(folder / "event.json")}


def found(clone: Commits, environment: dict[str, str]) -> str:
    event = read_event(environment)
    assert event is not None
    base = base_of(event, Repository(clone.folder))
    assert base is not None
    return base.commit


def test_a_merge_gets_its_first_parent(origin: Commits, tmp_path: Path) -> None:
    origin.git("checkout", "--quiet", "-b", "merge", "main")
    origin.git("merge", "--quiet", "--no-ff", "-m", "merged", "topic")
    clone = shallow(origin, tmp_path / "clone", "merge")
    environment = told(tmp_path, origin)
    with pytest.raises(NoBase):
        found(clone, environment)
    assert fetch_base(clone.folder, environment, "").startswith("fetched the base")
    assert found(clone, environment) == origin.git("rev-parse", "main")
    assert fetch_base(clone.folder, environment, "") == ""


def test_a_checkout_of_the_head_gets_the_history_to_the_merge_base(origin: Commits, tmp_path: Path) -> None:
    clone = shallow(origin, tmp_path / "clone", "topic")
    environment = told(tmp_path, origin)
    assert fetch_base(clone.folder, environment, "").startswith("fetched the base")
    assert found(clone, environment) == origin.git("merge-base", "main", "topic")


def test_a_remote_that_is_gone_is_one_line(origin: Commits, tmp_path: Path) -> None:
    clone = shallow(origin, tmp_path / "clone", "topic")
    clone.git("remote", "set-url", "origin", f"file://{tmp_path}/gone")
    said = fetch_base(clone.folder, told(tmp_path, origin), "a-token")
    assert "could not be fetched" in said
    assert "\n" not in said
    assert "a-token" not in said


@pytest.mark.skipif(os.name == "nt", reason="the stand-in of git is a shell script")
def test_the_token_is_tried_last_and_is_in_no_argument(
    origin: Commits, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A `git` that notes what it is given, and refuses."""
    clone = shallow(origin, tmp_path / "clone", "topic")
    environment = {**told(tmp_path, origin), "GITHUB_SERVER_URL": "https://github.example"}
    log = tmp_path / "calls"
    real = Commits(tmp_path, start=False).git("--exec-path") + "/git"
    fake = tmp_path / "bin" / "git"
    fake.parent.mkdir()
    fake.write_text(
        f'#!/bin/sh\ncase " $* " in *" fetch "*) printf "%s|%s\\n" "$GIT_CONFIG_VALUE_0" "$*" >> {log}; exit 1;; esac\n'
        f'exec {real} "$@"\n',
        encoding="utf-8",
    )
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", str(fake.parent), prepend=":")
    fetch_base(clone.folder, environment, "a-token")
    first, second = log.read_text(encoding="utf-8").splitlines()[:2]
    assert first.startswith("|")
    assert second.startswith("AUTHORIZATION: basic eC1hY2Nlc3MtdG9rZW46YS10b2tlbg==|")
    assert "a-token" not in second.partition("|")[2]


def test_no_event_and_no_repository_fetch_nothing(origin: Commits, tmp_path: Path) -> None:
    assert fetch_base(origin.folder, {}, "") == ""
    (tmp_path / "plain").mkdir()
    assert fetch_base(tmp_path / "plain", told(tmp_path, origin), "") == ""
    assert fetched_ref(tmp_path / "plain", "main", {}, "") == "main"


def test_a_name_is_fetched_only_where_it_is_unknown(origin: Commits, tmp_path: Path) -> None:
    clone = shallow(origin, tmp_path / "clone", "topic")
    assert fetched_ref(clone.folder, "HEAD", {}, "") == "HEAD"
    assert fetched_ref(clone.folder, "main", {}, "") == origin.git("rev-parse", "main")
    assert fetched_ref(clone.folder, "no-such", {}, "") == "no-such"
    assert fetched_ref(clone.folder, "--upload-pack=x", {}, "") == "--upload-pack=x"
