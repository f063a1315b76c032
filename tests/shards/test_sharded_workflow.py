"""`.github/workflows/sharded.yml`: what it must say, and one run of it by `act`, without Docker and without a network.

In place of the actions that it uses stand others: artifacts are copied to a folder, and Python is a virtual
environment that sees the packages of the tests.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

import pytest
import yaml
from act_runner import act_or_skip
from conftest import ROOT

WORKFLOW = ROOT / ".github" / "workflows" / "sharded.yml"
TEXT = WORKFLOW.read_text(encoding="utf-8")
ACTION = (ROOT / "action.yml").read_text(encoding="utf-8")
OURS = ("./", "retrieval-gate/retrieval-gate@v0.1.0")
DOCUMENTED = re.findall(r"^```yaml\n(.*?)^```$", (ROOT / "docs" / "sharding.md").read_text("utf-8"), re.M | re.S)
SETUP_PYTHON = """
    - shell: bash
      env: {PYTHON: %(python)s, PACKAGES: %(packages)s, MADE: %(made)s}
      run: |
        made="$MADE/$GITHUB_JOB-$$"
        "$PYTHON" -m venv --without-pip "$made"
        site=$("$made/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
        printf '%%s\\n' "$PACKAGES" > "$site/packages.pth"
        echo "$made/bin" >> "$GITHUB_PATH"
"""
UPLOAD = """
    - shell: bash
      env: {FROM: "${{ inputs.path }}", TO: "%(artifacts)s/${{ inputs.name }}"}
      run: mkdir -p "$TO" && cp -r "$FROM"/. "$TO"
"""
DOWNLOAD = """
    - shell: bash
      env: {FROM: %(artifacts)s, PATTERN: "${{ inputs.pattern }}", TO: "${{ inputs.path }}"}
      run: mkdir -p "$TO" && cp -r "$FROM"/$PATTERN "$TO"
"""


@pytest.mark.parametrize("text", [TEXT, *DOCUMENTED], ids=["own", "documented"])
def test_a_workflow_of_shards_holds_to_the_rules(text: str) -> None:
    workflow = yaml.safe_load(text)
    shards = workflow["jobs"]["shard"]["strategy"]["matrix"]["shard"]
    assert shards == list(range(1, int(workflow["env"]["SHARDS"]) + 1))
    assert workflow["jobs"]["shard"]["strategy"]["fail-fast"] is False
    assert workflow["permissions"] == {}
    (last,) = (job for name, job in workflow["jobs"].items() if name != "shard")
    assert "cancelled()" in last["if"], "a shard that failed must not keep the others from being judged"
    for job in workflow["jobs"].values():
        assert job["permissions"]["contents"] == "read"
        assert job is last or job["permissions"].keys() == {"contents"}, "only the verdict comments"
        for step in job["steps"]:
            assert "${{" not in step.get("run", "")
            ours = step.get("uses", "") in OURS
            assert ours or re.fullmatch(r"actions/[a-z-]+@[0-9a-f]{40}", step.get("uses", "actions/x@" + "0" * 40))
    (judges,) = (s for s in last["steps"] if s.get("uses") in OURS)
    assert judges["with"] == {"merge": "shards/gate-shard-*"}
    (searches,) = (s for s in workflow["jobs"]["shard"]["steps"] if s.get("uses") in OURS)
    assert searches["with"]["shard"] == "${{ matrix.shard }}/${{ env.SHARDS }}"
    (kept,) = (s for s in workflow["jobs"]["shard"]["steps"] if "upload-artifact" in s.get("uses", ""))
    assert {"${{ github.run_attempt }}", "${{ matrix.shard }}"} <= set(
        re.findall(r"\$\{\{.*?\}\}", kept["with"]["name"])
    )


def standin(folder: Path, name: str, steps: str) -> list[str]:
    """What act is told to use in place of an action, as pinned in the workflow and in our own Action."""
    made = folder / name
    made.mkdir(parents=True)
    inputs = "inputs: {name: {default: ''}, path: {default: ''}, pattern: {default: ''}, python-version: {default: ''}}"
    (made / "action.yml").write_text(f"name: Stand-in\n{inputs}\nruns:\n  using: composite\n  steps:{steps}", "utf-8")
    (commit,) = set(re.findall(rf"actions/{name}@([0-9a-f]{{40}})", TEXT + ACTION))
    return ["--local-repository", f"actions/{name}@{commit}={made}"]


def run_workflow(folder: Path, text: str) -> tuple[dict[str, list[str]], str, Path]:
    """The results of each job, the summary, and where the artifacts lie."""
    act = act_or_skip()
    own, artifacts = folder / "own", folder / "artifacts"
    left_out = shutil.ignore_patterns(".git", "tests", "*.pyc", "gate-*", ".venv")
    shutil.copytree(ROOT, own, ignore=left_out)
    (own / ".github" / "workflows" / "sharded.yml").write_text(text, encoding="utf-8")
    for command in (
        ["init", "-q"],
        ["add", "-A"],
        ["-c", "user.name=T", "-c", "user.email=t@example.org", "commit", "-qm", "x"],
    ):
        subprocess.run(["git", *command], cwd=own, check=True, capture_output=True)
    artifacts.mkdir()
    told = {
        name: json.dumps(str(value))
        for name, value in (
            ("python", sys.executable),
            ("packages", sysconfig.get_path("purelib")),
            ("made", folder / "venvs"),
        )
    }
    actions = [
        *standin(folder, "setup-python", SETUP_PYTHON % told),
        *standin(folder, "upload-artifact", UPLOAD % {"artifacts": artifacts}),
        *standin(folder, "download-artifact", DOWNLOAD % {"artifacts": artifacts}),
    ]
    (folder / "event.json").write_text("{}", encoding="utf-8")
    pip = {"PIP_NO_INDEX": "1", "PIP_NO_DEPS": "1", "PIP_NO_BUILD_ISOLATION": "0", "PIP_CONFIG_FILE": os.devnull}
    done = subprocess.run(
        [
            *(act, "workflow_dispatch", "-e", str(folder / "event.json"), "-W", ".github/workflows/sharded.yml"),
            *("-P", "ubuntu-latest=-self-hosted", "--no-cache-server", "--json"),
            *("--action-cache-path", str(folder / "cache"), *actions),
            *(part for name, value in pip.items() for part in ("--env", f"{name}={value}")),
        ],
        cwd=own,
        env={"PATH": os.environ["PATH"], "HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )
    lines: list[dict[str, Any]] = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    results: dict[str, list[str]] = {}
    for line in lines:
        if "jobResult" in line:
            results.setdefault(str(line["jobID"]), []).append(str(line["jobResult"]))
    summary = "\n".join(str(line["content"]) for line in lines if line.get("command") == "summary")
    return results, f"{summary}\n{done.stdout}", artifacts


def test_three_shards_and_one_verdict(tmp_path: Path) -> None:
    results, log, artifacts = run_workflow(tmp_path, TEXT.replace("TIER: 1k", "TIER: smoke"))
    assert results == {"shard": ["success"] * 3, "merge": ["success"]}, log
    for number in (1, 2, 3):
        assert f"## MEASURED: shard {number} of 3, nothing is judged yet (exit code 0)\n" in log
    assert "\n## PASS: " in log
    assert sorted(path.name for path in artifacts.iterdir()) == [
        "gate-results-1",
        *(f"gate-shard-1-{number}" for number in (1, 2, 3)),
    ]
    assert json.loads((artifacts / "gate-results-1" / "verdict.json").read_text("utf-8"))["verdict"] == "PASS"


def test_a_shard_that_was_lost_makes_the_verdict_red(tmp_path: Path) -> None:
    text = TEXT.replace("TIER: 1k", "TIER: smoke").replace("shard: [1, 2, 3]", "shard: [1, 3]")
    results, log, artifacts = run_workflow(tmp_path, text)
    assert results == {"shard": ["success"] * 2, "merge": ["failure"]}, log
    assert "shard 2 of 3 is missing" in log.partition('{"')[0]
    verdict = json.loads((artifacts / "gate-results-1" / "verdict.json").read_text("utf-8"))
    assert (verdict["verdict"], verdict["exit_code"]) == ("NOT_MEASURED", 2)
