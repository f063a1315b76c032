"""`action.yml` and the workflows as files: what a schema does not say and a review would have to look for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from conftest import ROOT

from gate.github.inputs import read_inputs, variable

ACTIONS = (ROOT / "action.yml", ROOT / "comment" / "action.yml")
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
FULL = re.compile(r"[\w.-]+(?:/[\w.-]+)+@[0-9a-f]{40}")


def read(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def steps_of(path: Path) -> Iterator[Mapping[str, Any]]:
    data = read(path)
    if "runs" in data:
        yield from data["runs"]["steps"]
    for job in data.get("jobs", {}).values():
        yield from job.get("steps", ())


@pytest.mark.parametrize("path", [*ACTIONS, *WORKFLOWS], ids=lambda path: str(path.relative_to(ROOT)))
def test_no_expression_stands_in_shell_text(path: Path) -> None:
    for step in steps_of(path):
        assert "${{" not in step.get("run", "")


@pytest.mark.parametrize("path", [*ACTIONS, *WORKFLOWS], ids=lambda path: str(path.relative_to(ROOT)))
def test_other_actions_are_pinned_by_a_full_commit_with_its_version(path: Path) -> None:
    for line in path.read_text(encoding="utf-8").splitlines():
        if found := re.search(r"uses: (\S+)(.*)", line):
            assert found[1].startswith("./") or (FULL.fullmatch(found[1]) and re.fullmatch(r" # v[\d.]+", found[2]))


@pytest.mark.parametrize("path", ACTIONS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_input_is_mapped_to_its_variable_and_no_other(path: Path) -> None:
    action = read(path)
    mapped = {
        name: value
        for step in action["runs"]["steps"]
        for name, value in step.get("env", {}).items()
        if name != "GATE_ACTION_PATH"
    }
    inputs = set(action["inputs"]) - {"python-version"}
    assert mapped == {variable(name): f"${{{{ inputs.{name} }}}}" for name in inputs}


def test_every_input_is_read_and_its_default_is_the_commands() -> None:
    """What the Action hands on by default is what no input at all means."""
    action = read(ROOT / "action.yml")
    given = {variable(name): one["default"] for name, one in action["inputs"].items() if name != "github-token"}
    assert read_inputs(given) == read_inputs({})


@pytest.mark.parametrize("path", ACTIONS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_output_is_one_that_the_step_writes(path: Path) -> None:
    from gate.github.outcome import Outcome

    written = {*Outcome(3, "").outputs(), "comment-url"}
    action = read(path)
    for name, output in action["outputs"].items():
        assert name in written
        assert re.fullmatch(rf"\$\{{\{{ steps\.\w+\.outputs\.{name} \}}\}}", output["value"])
    if path == ROOT / "action.yml":
        assert action["outputs"].keys() == written


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_may_do_little_ends_and_has_no_path_filter(path: Path) -> None:
    workflow = read(path)
    # YAML 1.1 reads the key `on` as true.
    triggers = workflow[True]
    assert "pull_request_target" not in triggers
    for event in triggers.values():
        assert not isinstance(event, Mapping) or not {"paths", "paths-ignore"} & set(event)
    assert workflow["permissions"] == {}
    assert "concurrency" in workflow
    for job in workflow["jobs"].values():
        assert job["timeout-minutes"] <= 60
        assert set(job["permissions"]) <= {"contents", "pull-requests"}
        # Nothing that a pull request, or anybody's push, can start may write to the repository.
        assert job["permissions"]["contents"] == "read" or triggers.keys() == {"workflow_dispatch"}
        for step in job["steps"]:
            if step.get("uses", "").startswith("actions/checkout@"):
                assert step["with"]["persist-credentials"] is False


@pytest.mark.parametrize("path", ACTIONS, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_page_tells_every_input_and_output(path: Path) -> None:
    page = (ROOT / "docs" / "action.md").read_text(encoding="utf-8")
    action = read(path)
    for name in (*action["inputs"], *action["outputs"]):
        assert f"`{name}`" in page


def blocks() -> list[str]:
    page = (ROOT / "docs" / "action.md").read_text(encoding="utf-8")
    return re.findall(r"^```yaml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)


def test_the_workflows_to_copy_name_the_actions_that_ours_name() -> None:
    pins: dict[str, str] = {}
    for path in (*ACTIONS, *WORKFLOWS):
        pins |= dict(re.findall(r"uses: (actions/[\w-]+)@(\w{40} # v[\d.]+)", path.read_text(encoding="utf-8")))
    page = "".join(blocks())
    for action, pin in re.findall(r"uses: (actions/[\w-]+)@(.+)", page):
        assert pin == pins.get(action, pin)
        assert re.fullmatch(r"\w{40} # v[\d.]+", pin)


def test_the_workflows_to_copy_are_ones_and_pass_only_known_inputs() -> None:
    whole = [yaml.safe_load(block) for block in blocks() if block.startswith("name:")]
    assert len(whole) == 2
    known = {"": read(ACTIONS[0])["inputs"], "/comment": read(ACTIONS[1])["inputs"]}
    used = set()
    for step in (step for workflow in whole for job in workflow["jobs"].values() for step in job["steps"]):
        if found := re.match(r"retrieval-gate/retrieval-gate([\w/]*)@", step["uses"]):
            used.add(found[1])
            assert step.get("with", {}).keys() <= known[found[1]].keys()
    assert used == known.keys()
