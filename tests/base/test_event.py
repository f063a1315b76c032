from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from commits import SETTINGS, Commits, loosened, silent

from gate.base.event import Event, base_of, read_event
from gate.base.repository import NoBase, Repository

ZEROS = "0" * 40
FILES = {"gate.yml": SETTINGS, "budgets.yml": "schema: 1\n"}


def environment(folder: Path, name: str, payload: Mapping[str, Any] | str, **more: str) -> dict[str, str]:
    """What Actions sets for an event."""
    path = folder / "event.json"
    path.write_text(payload if isinstance(payload, str) else json.dumps(payload), encoding="utf-8")
    return {"GITHUB_EVENT_NAME": name, "GITHUB_EVENT_PATH": str(path), **more}


def pull_request(base: str, head: str, *labels: str) -> dict[str, Any]:
    return {
        "pull_request": {
            "base": {"sha": base},
            "head": {"sha": head},
            "labels": [{"name": label} for label in labels],
        }
    }


class Branched:
    """`start` - `main` on the main branch, `start` - `topic` beside it, and `merge` of the two."""

    def __init__(self, folder: Path) -> None:
        self.commits = Commits(folder / "project")
        self.start = self.commits.commit({**FILES, "gate.yml": f"{SETTINGS}depth: 90\n"})
        self.commits.git("checkout", "--quiet", "-b", "topic")
        self.topic = self.commits.commit({"store.py": "changed\n"})
        self.commits.git("checkout", "--quiet", "main")
        self.main = self.commits.commit({"gate.yml": f"{SETTINGS}depth: 80\n"})
        self.commits.git("checkout", "--quiet", "--detach", "main")
        self.commits.git("merge", "--quiet", "--no-ff", "-m", "merged", "topic")
        self.merge = self.commits.git("rev-parse", "HEAD")


@pytest.fixture
def branched(tmp_path: Path) -> Branched:
    return Branched(tmp_path)


def test_a_merge_ref_is_held_against_its_first_parent(branched: Branched, tmp_path: Path) -> None:
    told = environment(tmp_path, "pull_request", pull_request(branched.start, branched.topic))
    event = read_event(told)
    assert event is not None
    found = base_of(event, Repository(branched.commits.folder))
    assert found is not None
    assert (found.commit, found.says) == (branched.main, "the first parent of the pull request's merge")


def test_a_merge_ref_of_a_later_push_is_known_by_its_name(branched: Branched, tmp_path: Path) -> None:
    told = environment(
        tmp_path,
        "pull_request",
        pull_request(branched.start, "a" * 40),
        GITHUB_REF="refs/pull/7/merge",
        GITHUB_SHA=branched.merge,
    )
    event = read_event(told)
    assert event is not None
    found = base_of(event, Repository(branched.commits.folder))
    assert found is not None
    assert found.commit == branched.main


@pytest.mark.parametrize("name", ["pull_request", "pull_request_target"])
def test_a_checkout_of_the_head_is_held_against_the_merge_base(branched: Branched, tmp_path: Path, name: str) -> None:
    branched.commits.git("checkout", "--quiet", "topic")
    event = read_event(environment(tmp_path, name, pull_request(branched.main, branched.topic)))
    assert event is not None
    found = base_of(event, Repository(branched.commits.folder))
    assert found is not None
    assert (found.commit, found.says) == (branched.start, "the merge base of the pull request")


def test_a_merge_commit_of_the_pull_request_itself_is_no_merge_ref(branched: Branched, tmp_path: Path) -> None:
    """A branch into which main was merged: its tip has two parents, and neither is its own tip."""
    branched.commits.git("checkout", "--quiet", "topic")
    branched.commits.git("merge", "--quiet", "--no-ff", "-m", "main into topic", "main")
    tip = branched.commits.git("rev-parse", "HEAD")
    event = read_event(environment(tmp_path, "pull_request", pull_request(branched.main, tip)))
    assert event is not None
    found = base_of(event, Repository(branched.commits.folder))
    assert found is not None
    assert found.commit == branched.main


def test_a_merge_group_is_held_against_its_base(branched: Branched, tmp_path: Path) -> None:
    event = read_event(environment(tmp_path, "merge_group", {"merge_group": {"base_sha": branched.main}}))
    assert event is not None
    found = base_of(event, Repository(branched.commits.folder))
    assert found is not None
    assert (found.commit, found.says) == (branched.main, "the base of the merge group")


def test_a_push_is_held_against_what_was_before(branched: Branched, tmp_path: Path) -> None:
    event = read_event(environment(tmp_path, "push", {"before": branched.start, "after": branched.main}))
    assert event is not None
    found = base_of(event, Repository(branched.commits.folder))
    assert found is not None
    assert found.commit == branched.start


def test_a_forced_push_is_held_against_what_it_replaced(branched: Branched, tmp_path: Path) -> None:
    branched.commits.git("checkout", "--quiet", "topic")
    event = read_event(environment(tmp_path, "push", {"before": branched.main, "forced": True}))
    assert event is not None
    found = base_of(event, Repository(branched.commits.folder))
    assert found is not None
    assert found.commit == branched.main


def test_a_first_push_has_no_base_and_says_so(branched: Branched, tmp_path: Path) -> None:
    told = environment(tmp_path, "push", {"before": ZEROS})
    against = branched.commits.against("", environment=told)
    assert against.checks == ()
    assert against.notes == ("there is no base: nothing was there before this push",)


@pytest.mark.parametrize("name", ["schedule", "workflow_dispatch", "release", ""])
def test_other_events_have_no_base(branched: Branched, tmp_path: Path, name: str) -> None:
    told = environment(tmp_path, name, {"before": branched.start})
    assert read_event(told) is None
    assert branched.commits.against("", environment=told).checks == ()


@pytest.mark.parametrize(
    ("payload", "says"),
    [
        ("{", "it is not JSON"),
        ("[]", "not a mapping"),
        ("[" * 100_000, "it is not JSON"),
        ("\0", "it is not JSON"),
        ("{}", "names no commit at before"),
        ('{"before": 7}', "names no commit at before"),
        ('{"before": "a",\n"x": 0, "before": "b"}', 'the key "before" stands twice (PATH:2)'),
        (" " * (25 << 20) + "{}", "larger than 25600 KiB"),
        ('{"before": "--upload-pack=x"}', "names no commit at before"),
    ],
)
def test_a_broken_event_is_told_and_not_measured(branched: Branched, tmp_path: Path, payload: str, says: str) -> None:
    against = branched.commits.against("", environment=environment(tmp_path, "push", payload))
    (check,) = against.checks
    assert (check.status, check.level, check.source) == ("not measured", "error", "base")
    assert says.replace("PATH", str(tmp_path / "event.json")) in check.message


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_an_event_that_is_a_pipe_is_not_waited_for(branched: Branched, tmp_path: Path) -> None:
    told = environment(tmp_path, "push", "{}")
    (tmp_path / "event.json").unlink()
    os.mkfifo(tmp_path / "event.json")
    (check,) = branched.commits.against("", environment=told).checks
    assert check.status == "not measured"
    assert "the event file is no file, but a pipe" in check.message


def test_an_event_without_a_file_is_told(branched: Branched, tmp_path: Path) -> None:
    for told in (
        {"GITHUB_EVENT_NAME": "push"},
        {"GITHUB_EVENT_NAME": "push", "GITHUB_EVENT_PATH": str(tmp_path / "x")},
    ):
        (check,) = branched.commits.against("", environment=told).checks
        assert check.status == "not measured"


def test_a_shallow_merge_ref_names_the_depth_that_it_needs(branched: Branched, tmp_path: Path) -> None:
    clone = Commits(tmp_path / "clone", start=False)
    clone.git("init", "--quiet", "-b", "main")
    branched.commits.git("branch", "merged", branched.merge)
    clone.git("fetch", "--quiet", "--depth=1", f"file://{branched.commits.folder}", "merged")
    clone.git("checkout", "--quiet", "FETCH_HEAD")
    told = environment(tmp_path, "pull_request", pull_request(branched.start, branched.topic))
    (check,) = clone.against("", environment=told).checks
    assert check.status == "not measured"
    assert "this shallow clone does not have" in check.message
    assert "fetch-depth: 2" in check.message
    clone.git("fetch", "--quiet", "--depth=2", f"file://{branched.commits.folder}", "merged")
    assert silent(clone.against("", environment=told))


@pytest.mark.parametrize("name", ["push", "merge_group", "pull_request"])
def test_a_clone_that_lacks_the_base_names_the_depth_that_it_needs(
    branched: Branched, tmp_path: Path, name: str
) -> None:
    clone = Commits(tmp_path / "clone", start=False)
    clone.git("init", "--quiet", "-b", "main")
    clone.git("fetch", "--quiet", "--depth=1", f"file://{branched.commits.folder}", "main")
    clone.git("checkout", "--quiet", "FETCH_HEAD")
    payload = {
        "before": branched.start,
        "merge_group": {"base_sha": branched.start},
        **pull_request(branched.start, branched.topic),
    }
    (check,) = clone.against("", environment=environment(tmp_path, name, payload)).checks
    assert check.status == "not measured"
    assert "fetch-depth: 0" in check.message
    assert branched.start in check.message


def test_histories_without_a_common_commit_are_told(branched: Branched, tmp_path: Path) -> None:
    branched.commits.git("checkout", "--quiet", "--orphan", "alone")
    alone = branched.commits.commit()
    told = environment(tmp_path, "pull_request", pull_request(branched.main, alone))
    (check,) = branched.commits.against("", environment=told).checks
    assert check.status == "not measured"
    assert "no common commit" in check.message


def test_the_label_of_the_pull_request_accepts_and_stays_to_be_seen(branched: Branched, tmp_path: Path) -> None:
    branched.commits.write({"gate.yml": f"{SETTINGS}depth: 10\n"})
    told = environment(tmp_path, "pull_request", pull_request(branched.start, branched.topic, "bug"))
    assert loosened(branched.commits.against("", environment=told)) == {"depth": "10 hits are asked for, 80 were"}
    label = pull_request(branched.start, branched.topic, "bug", "gate-accept-loosened")
    against = branched.commits.against("", environment=environment(tmp_path, "pull_request", label))
    (check,) = against.checks
    assert check.status == "waived"
    assert check.message.endswith("accepted by the label gate-accept-loosened")
    said = "loosened, and accepted by the label gate-accept-loosened: 10 hits are asked for, 80 were"
    assert said in against.notes


@pytest.mark.parametrize("labels", ["gate-accept-loosened", [{"name": 7}], ["gate-accept-loosened"], None])
def test_labels_of_another_shape_accept_nothing(labels: object) -> None:
    assert not Event("pull_request", {"pull_request": {"labels": labels}}).accepts


def test_a_label_on_anything_but_a_pull_request_accepts_nothing() -> None:
    data = {"pull_request": {"labels": [{"name": "gate-accept-loosened"}]}}
    assert Event("pull_request", data).accepts
    assert not Event("push", data).accepts


def test_base_none_switches_the_automatic_base_off_and_says_so(branched: Branched, tmp_path: Path) -> None:
    branched.commits.write({"gate.yml": f"{SETTINGS}depth: 10\n"})
    told = environment(tmp_path, "push", {"before": branched.main})
    against = branched.commits.against("none", environment=told)
    assert against.checks == ()
    assert "--base none" in against.notes[0]
    assert branched.commits.against("none").notes == ()


def test_an_event_speaks_of_its_own_workspace_only(branched: Branched, tmp_path: Path) -> None:
    told = environment(tmp_path, "push", {"before": branched.main})
    elsewhere = {**told, "GITHUB_WORKSPACE": str(tmp_path / "elsewhere")}
    assert branched.commits.against("", environment=elsewhere).checks == ()
    assert silent(branched.commits.against("", environment={**told, "GITHUB_WORKSPACE": str(tmp_path)}))


def test_a_workspace_without_a_repository_is_not_measured(tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    plain = Commits(tmp_path / "project", start=False)
    plain.write(FILES)
    (check,) = plain.against("", environment=environment(tmp_path, "push", {"before": "a" * 40})).checks
    assert check.status == "not measured"
    assert "no git repository" in check.message


def test_an_event_that_is_broken_does_not_stand_against_a_base_that_is_named(
    branched: Branched, tmp_path: Path
) -> None:
    with pytest.raises(NoBase):
        read_event(environment(tmp_path, "push", "{"))
    assert silent(branched.commits.against("HEAD", environment=environment(tmp_path, "push", "{")))
