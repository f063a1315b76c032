"""The Action as a step runs it, from a user's side: a process, an event, and GitHub's API on this machine."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from commits import Commits
from github_standin import Failure, Standin, standin
from user_project import BROKEN, BUDGETS, DOWN, QUERY, REPOSITORY, STORE, accept, pull_request, user_project


@dataclass(frozen=True)
class Step:
    """What a step left: its exit code, log, summary and outputs."""

    code: int
    log: str
    summary: str
    outputs: Mapping[str, str]


class Runner:
    """Runs `python -m gate.action` in a repository as GitHub's runner would."""

    def __init__(self, folder: Path, github: Standin) -> None:
        self.folder = folder
        self.github = github
        self.runs = 0

    def environment(self, project: Commits, name: str, event: Mapping[str, Any], **inputs: str) -> dict[str, str]:
        self.runs += 1
        own = self.folder / f"runner-{self.runs}"
        own.mkdir()
        (own / "event.json").write_text(json.dumps(event), encoding="utf-8")
        given = {f"GATE_{one.upper()}": value for one, value in inputs.items()}
        return {
            **os.environ,
            "NO_COLOR": "1",
            "GITHUB_ACTIONS": "true",
            "GITHUB_EVENT_NAME": name,
            "GITHUB_EVENT_PATH": str(own / "event.json"),
            "GITHUB_WORKSPACE": str(project.folder),
            "GITHUB_REPOSITORY": REPOSITORY,
            "GITHUB_RUN_ID": str(100 + self.runs),
            "GITHUB_SERVER_URL": "https://github.example",
            "GITHUB_API_URL": self.github.url,
            "GITHUB_GRAPHQL_URL": f"{self.github.url}/graphql",
            "GITHUB_OUTPUT": str(own / "output"),
            "GITHUB_STEP_SUMMARY": str(own / "summary"),
            "GATE_GITHUB_TOKEN": "a-token",
            "INPUT_FAIL-ON": "never",
            **given,
        }

    def __call__(self, project: Commits, name: str, event: Mapping[str, Any], *verb: str, **inputs: str) -> Step:
        environment = self.environment(project, name, event, **inputs)
        done = subprocess.run(
            [sys.executable, "-P", "-m", "gate.action", *verb],
            cwd=project.folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )
        outputs: dict[str, str] = {}
        text = read(environment["GITHUB_OUTPUT"])
        while text:
            head, _, text = text.partition("\n")
            key, _, delimiter = head.partition("<<")
            value, _, text = text.partition(f"\n{delimiter}\n")
            outputs[key] = value
        return Step(done.returncode, done.stdout, read(environment["GITHUB_STEP_SUMMARY"]), outputs)


def read(path: str) -> str:
    return Path(path).read_text(encoding="utf-8") if Path(path).exists() else ""


@pytest.fixture
def github() -> Iterator[Standin]:
    with standin() as state:
        yield state


@pytest.fixture(scope="module")
def accepted(tmp_path_factory: pytest.TempPathFactory) -> Commits:
    return user_project(tmp_path_factory.mktemp("user") / "project")


@pytest.fixture
def project(accepted: Commits, tmp_path: Path) -> Commits:
    """A copy of the user's repository, on a branch of its own."""
    shutil.copytree(accepted.folder, tmp_path / "project", ignore=shutil.ignore_patterns("gate-results"))
    copy = Commits(tmp_path / "project", start=False)
    copy.git("checkout", "--quiet", "-b", "change")
    return copy


@pytest.fixture
def runner(tmp_path: Path, github: Standin) -> Runner:
    return Runner(tmp_path, github)


def test_a_pull_request_that_breaks_the_tokenizer_is_red_cannot_hide_it_and_can_be_accepted(
    project: Commits, runner: Runner, github: Standin
) -> None:
    project.commit({"recall.py": BROKEN})
    red = runner(project, "pull_request", pull_request(project))
    assert (red.code, red.outputs["verdict"], red.outputs["exit-code"]) == (1, "REGRESSION", "1")
    assert "baseline recall/notes" in red.outputs["failed-checks"]
    assert red.outputs["report-json"] == os.path.join("gate-results", "verdict.json")
    for text in (red.log, red.summary, github.comments[0]["body"]):
        assert QUERY in text
    assert "fell, rank 1 → 6, `d05`" in github.comments[0]["body"]
    assert "::error file=budgets.yml,line=3,title=Failed" in red.log
    assert red.log.splitlines()[-2].startswith("::error title=Retrieval gate%3A regression::REGRESSION: ")
    assert red.outputs["comment-url"] == github.comments[0]["html_url"]

    project.write({"budgets.yml": BUDGETS.replace("0.9", "0.0")})
    accept(project, 1)
    project.commit()
    hidden = runner(project, "pull_request", pull_request(project))
    assert (hidden.code, hidden.outputs["verdict"]) == (1, "REGRESSION")
    assert "loosened: the floor was 0.900 and is 0.000" in hidden.log
    assert "loosened: the floor was 0.900 and is 0.000" in github.comments[0]["body"]

    label = "gate-accept-loosened"
    event = {
        **pull_request(project, label),
        "action": "labeled",
        "label": {"name": label},
        "sender": {"login": "maintainer"},
    }
    told = runner(project, "pull_request", event)
    assert (told.code, told.outputs["verdict"]) == (0, "PASS")
    (comment,) = github.comments
    assert comment["body"].splitlines()[1].startswith("## Retrieval gate: PASS: ")
    for text in (comment["body"], told.summary):
        assert "accepted by the label `gate-accept-loosened`, set by `maintainer`." in text
        assert "the floor was 0.900 and is 0.000" in text


def test_a_green_pull_request_is_0_and_silent(project: Commits, runner: Runner, github: Standin) -> None:
    project.commit({"README": "changed\n"})
    green = runner(project, "pull_request", pull_request(project))
    assert (green.code, green.outputs["verdict"], green.outputs["failed-checks"]) == (0, "PASS", "")
    assert green.outputs["comment-url"] == ""
    assert github.comments == []
    assert "::error" not in green.log
    assert green.summary.startswith("## PASS")


def test_a_store_that_is_down_is_2_with_a_title_of_its_own(project: Commits, runner: Runner, github: Standin) -> None:
    project.commit({"recall.py": DOWN})
    down = runner(project, "pull_request", pull_request(project))
    assert (down.code, down.outputs["verdict"], down.outputs["exit-code"]) == (2, "NOT_MEASURED", "2")
    assert "::error title=Retrieval gate%3A not measured::" in down.log
    assert "the index is down" in github.comments[0]["body"]


def test_a_shard_ends_with_the_code_of_its_own_file_and_without_a_comment(
    project: Commits, runner: Runner, github: Standin
) -> None:
    event = pull_request(project)
    done = runner(project, "pull_request", event, shard="1/2", comment="always")
    assert (done.code, done.outputs["verdict"], done.outputs["report-json"]) == (0, "MEASURED", ""), done.log
    assert done.summary.startswith("## MEASURED: shard 1 of 2, nothing is judged yet (exit code 0)\n")
    assert "no comment: a shard judges nothing" in done.log
    assert github.requests == []
    runner(project, "pull_request", event, shard="2/2", results_path="part-2")
    project.git("mv", "recall.py", "gone.py")
    merged = runner(project, "pull_request", event, merge="gate-results,part-*", results_path="all", comment="always")
    assert (merged.code, merged.outputs["verdict"]) == (0, "PASS"), merged.log
    assert merged.outputs["report-json"] == os.path.join("all", "verdict.json")
    assert "## Retrieval gate: PASS: " in github.comments[0]["body"]
    lost = runner(project, "pull_request", event, merge="gate-results", results_path="all")
    assert (lost.code, lost.outputs["verdict"]) == (2, "NOT_MEASURED")
    assert "shard 2 of 2 is missing" in github.comments[0]["body"]
    project.git("mv", "gone.py", "recall.py")
    project.commit({"recall.py": DOWN})
    down = runner(project, "pull_request", event, shard="1/2")
    assert (down.code, down.outputs["verdict"], down.outputs["exit-code"]) == (2, "NOT_MEASURED", "2")
    assert "the index is down" in down.summary
    assert "::error title=Retrieval gate%3A not measured::NOT MEASURED: shard 1 of 2" in down.log
    # What is there of an earlier run is not what this one came to.
    for wrong in ({"shard": "3/2"}, {"shard": "1/2", "fail_on": "never"}, {"shard": "1/2", "base": "main"}):
        refused = runner(project, "pull_request", event, **wrong)
        assert (refused.code, refused.outputs["verdict"]) == (3, "USAGE"), refused.log
        assert not (project.folder / "gate-results" / "shard.json").exists()


def test_a_gate_in_a_folder_of_the_repository_speaks_of_its_files_as_the_repository_has_them(
    project: Commits, runner: Runner
) -> None:
    inside = "packages/notes"
    (project.folder / inside).mkdir(parents=True)
    project.git("mv", "recall.py", "budgets.yml", "gate.yml", "notes", "baselines", ".gitignore", inside)
    project.commit()
    project.git("branch", "--force", "main")
    project.commit({f"{inside}/recall.py": BROKEN, f"{inside}/budgets.yml": BUDGETS.replace("0.9", "0.8")})
    event = pull_request(project)
    red = runner(project, "pull_request", event, working_directory=inside)
    assert (red.code, red.outputs["verdict"]) == (1, "REGRESSION"), red.log
    assert "the floor was 0.900 and is 0.800" in red.log
    assert f"::error file={inside}/budgets.yml,line=3,title=Failed" in red.log
    assert red.outputs["report-json"] == os.path.join(*inside.split("/"), "gate-results", "verdict.json")
    assert (project.folder / red.outputs["report-json"]).is_file()
    assert "gate accept gate-results --reason WHY" in red.summary
    for folder, says in (
        ("packages/others", "working-directory names no folder of the workspace"),
        ("..", "working-directory names no folder of the workspace"),
        # No settings there: the store that comes with the gate would be green.
        ("packages", "there is no settings file here"),
    ):
        nowhere = runner(project, "pull_request", event, working_directory=folder)
        assert (nowhere.code, nowhere.outputs["verdict"]) == (3, "USAGE"), nowhere.log
        assert says in nowhere.summary
    too_long = runner(project, "pull_request", event, working_directory=inside, results_path="x" * 300)
    assert (too_long.code, too_long.outputs["verdict"]) == (3, "USAGE"), too_long.log


def test_settings_that_cannot_be_used_are_3_and_shown(project: Commits, runner: Runner, github: Standin) -> None:
    project.commit({"gate.yml": "stoer: recall:Recall\n"})
    wrong = runner(project, "pull_request", pull_request(project))
    assert (wrong.code, wrong.outputs["verdict"], wrong.outputs["report-json"]) == (3, "USAGE", "")
    assert "did you mean 'store'" in wrong.summary
    assert "did you mean 'store'" in github.comments[0]["body"]


def test_inputs_that_cannot_be_used_are_3_before_anything_runs(project: Commits, runner: Runner) -> None:
    wrong = runner(project, "push", {}, fail_on="sometimes")
    assert (wrong.code, wrong.outputs["verdict"]) == (3, "USAGE")
    assert "fail-on cannot be" in wrong.summary
    assert not (project.folder / "gate-results").exists()


def test_a_verdict_that_a_pull_request_brought_along_tells_nothing(project: Commits, runner: Runner) -> None:
    """A committed results folder with a pass in it, and a run that comes to no verdict."""
    runner(project, "workflow_dispatch", {})
    verdict = (project.folder / "gate-results" / "verdict.json").read_text(encoding="utf-8")
    assert '"exit_code": 0' in verdict
    (project.folder / "gate.yml").write_text("stoer: x\n", encoding="utf-8")
    with_marker = runner(project, "workflow_dispatch", {})
    assert (with_marker.code, with_marker.outputs["verdict"]) == (3, "USAGE")
    (project.folder / "gate-results" / "verdict.json").write_text(verdict, encoding="utf-8")
    (project.folder / "gate-results" / ".gate-results").unlink()
    without = runner(project, "workflow_dispatch", {})
    assert (without.code, without.outputs["verdict"]) == (3, "USAGE")
    assert (project.folder / "gate-results" / "verdict.json").read_text(encoding="utf-8") == verdict


def test_a_token_that_may_only_read_fails_nothing(project: Commits, runner: Runner, github: Standin) -> None:
    project.commit({"recall.py": BROKEN})
    github.fail("POST /repos", Failure(403, "Resource not accessible by integration"))
    red = runner(project, "pull_request", pull_request(project, fork=True))
    assert (red.code, red.outputs["comment-url"]) == (1, "")
    assert "no comment: the token of a fork's pull request may only read" in red.log
    assert QUERY in red.summary


SPY = """
import os
print("::error::from the store", flush=True)
with open("seen.txt", "w") as file:
    file.write("\\n".join(sorted(os.environ)))
"""


def test_a_store_sees_no_token_and_no_file_of_the_runner_and_gives_no_command(project: Commits, runner: Runner) -> None:
    project.commit({"recall.py": SPY + STORE})
    done = runner(project, "workflow_dispatch", {})
    assert done.code == 0
    seen = (project.folder / "seen.txt").read_text(encoding="utf-8").split("\n")
    withheld = {"GATE_GITHUB_TOKEN", "GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "INPUT_FAIL-ON"}
    assert withheld.isdisjoint(seen)
    assert "GITHUB_REPOSITORY" in seen
    assert "::error::from the store" not in done.log


@pytest.mark.skipif(os.name == "nt", reason="descriptors are handed on otherwise on Windows")
def test_a_process_that_a_store_leaves_behind_is_not_waited_for(project: Commits, runner: Runner) -> None:
    left = (
        "self.words = {}; import subprocess; self.left = subprocess.Popen(['sleep', '300'], close_fds=False);"
        " print(self.left.pid, file=open('left', 'a'))"
    )
    # What a library in C starts may have every descriptor of the process.
    inherit = "import os; [os.set_inheritable(n, True) for n in range(3, 64) if os.path.exists(f'/proc/self/fd/{n}')]"
    project.commit({"recall.py": f"{inherit}\n{STORE.replace('self.words = {}', left)}"})
    environment = runner.environment(project, "workflow_dispatch", {})
    log = project.folder / "log"
    try:
        with log.open("w") as file:
            done = subprocess.run(
                [sys.executable, "-P", "-m", "gate.action"],
                cwd=project.folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=file,
                timeout=120,
                check=False,
            )
        assert done.returncode == 0, log.read_text(encoding="utf-8")
    finally:
        for pid in read(str(project.folder / "left")).split():
            os.kill(int(pid), signal.SIGKILL)


def test_a_folder_called_gate_in_the_workspace_is_not_the_gate(project: Commits, runner: Runner) -> None:
    project.commit({"gate/__init__.py": "raise SystemExit(0)\n", "gate/__main__.py": "raise SystemExit(0)\n"})
    assert runner(project, "workflow_dispatch", {}).outputs["verdict"] == "PASS"


def test_a_base_that_a_shallow_checkout_lacks_is_fetched(project: Commits, runner: Runner, tmp_path: Path) -> None:
    project.commit({"recall.py": STORE + "# changed\n"})
    event = pull_request(project)
    project.git("config", "uploadpack.allowAnySHA1InWant", "true")
    shallow = Commits(tmp_path / "shallow", start=False)
    shallow.git("clone", "--quiet", "--depth=1", "--branch=change", f"file://{project.folder}", ".")
    done = runner(shallow, "pull_request", event)
    assert done.code == 0, done.log
    assert "Retrieval gate: fetched the base" in done.log


def test_a_base_that_cannot_be_fetched_names_the_fetch_depth(project: Commits, runner: Runner, tmp_path: Path) -> None:
    project.commit({"recall.py": STORE + "# changed\n"})
    event = pull_request(project)
    shallow = Commits(tmp_path / "shallow", start=False)
    shallow.git("clone", "--quiet", "--depth=1", "--branch=change", f"file://{project.folder}", ".")
    shallow.git("remote", "set-url", "origin", f"file://{tmp_path}/gone")
    done = runner(shallow, "pull_request", event)
    assert (done.code, done.outputs["verdict"]) == (2, "NOT_MEASURED")
    assert "could not be fetched" in done.log
    assert "Check out with `fetch-depth: 0`." in done.log


def test_a_base_that_is_named_is_fetched(project: Commits, runner: Runner, tmp_path: Path) -> None:
    project.commit({"budgets.yml": BUDGETS.replace("0.9", "0.5")})
    shallow = Commits(tmp_path / "shallow", start=False)
    shallow.git("clone", "--quiet", "--depth=1", "--branch=change", f"file://{project.folder}", ".")
    done = runner(shallow, "workflow_dispatch", {}, base="main")
    assert done.code == 1
    assert "the floor was 0.900 and is 0.500" in done.log


@pytest.mark.skipif(os.name == "nt", reason="a process on Windows cannot be asked to stop")
def test_a_job_that_is_cancelled_keeps_what_was_measured(project: Commits, runner: Runner, github: Standin) -> None:
    slow = STORE.replace("hits = [", "import time; time.sleep(30); hits = [")
    project.commit({"recall.py": slow})
    environment = runner.environment(project, "pull_request", pull_request(project))
    with subprocess.Popen(
        [sys.executable, "-P", "-m", "gate.action"],
        cwd=project.folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    ) as process:
        assert process.stderr is not None
        for line in process.stderr:
            if "searching" in line:
                break
        process.send_signal(signal.SIGINT)
        process.stderr.read()
    assert process.returncode == 130
    assert "INTERRUPTED" in read(environment["GITHUB_OUTPUT"])
    assert github.comments == []


def test_the_verdict_of_a_finished_run_of_a_fork_is_shown_without_its_markup(
    project: Commits, runner: Runner, github: Standin
) -> None:
    project.commit({"recall.py": BROKEN})
    runner(project, "workflow_dispatch", {})
    (project.folder / "gate-results" / "report.md").write_text("# trust me\n", encoding="utf-8")
    sha = project.git("rev-parse", "HEAD")
    github.pulls = [{"label": "someone:change", "number": 7, "head": {"sha": sha}}]
    head = {"owner": {"login": "someone"}}
    event = {
        "workflow_run": {
            "event": "pull_request",
            "head_sha": sha,
            "head_branch": "change",
            "head_repository": head,
        }
    }
    done = runner(project, "workflow_run", event, "comment")
    assert done.code == 0
    assert "REGRESSION" in github.comments[0]["body"]
    assert "trust me" not in github.comments[0]["body"]
    (project.folder / "gate-results" / "verdict.json").write_text('{"schema": 1}', encoding="utf-8")
    assert runner(project, "workflow_run", event, "comment").code == 3
    assert len(github.comments) == 1
