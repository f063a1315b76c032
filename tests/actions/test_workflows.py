"""The Action in workflows of a user's repository, run by `act`: conclusions, outputs, summary and annotations."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from act_runner import OURS, Act, Job, the_action
from commits import Commits
from conftest import ROOT
from github_standin import Failure, Standin, standin
from user_project import BROKEN, DOWN, QUERY, REPOSITORY, pull_request, user_project

WORKFLOW = """on: pull_request
permissions:
  contents: read
  pull-requests: write
jobs:
  gate:
    runs-on: ubuntu-latest
    outputs:
      code: ${{ steps.gate.outputs.exit-code }}
    steps:
      - uses: actions/checkout@de0fac2e4500dabe0009e67214ff5f5447ce83dd # v6.0.2
        with:
          fetch-depth: 0
          persist-credentials: false
      - id: gate
        uses: %(ours)s
        with:
          modes: keyword
          github-token: %(token)s
      - if: always()
        env:
          VERDICT: ${{ steps.gate.outputs.verdict }}
          CODE: ${{ steps.gate.outputs.exit-code }}
          FAILED: ${{ steps.gate.outputs.failed-checks }}
          REPORT: ${{ steps.gate.outputs.report-json }}
        run: |
          echo "told verdict=$VERDICT code=$CODE report=$REPORT"
          if [ -n "$FAILED" ]; then echo "failed $(printf '%%s\\n' "$FAILED" | wc -l)"; fi
  after:
    if: always()
    needs: gate
    runs-on: ubuntu-latest
    steps:
      - env: {CODE: "${{ needs.gate.outputs.code }}", RESULT: "${{ needs.gate.result }}"}
        run: echo "after code=$CODE result=$RESULT"
"""


@pytest.fixture(scope="module")
def act(tmp_path_factory: pytest.TempPathFactory) -> Act:
    return Act(tmp_path_factory.mktemp("act"))


@pytest.fixture(scope="module")
def accepted(tmp_path_factory: pytest.TempPathFactory) -> Commits:
    project = user_project(tmp_path_factory.mktemp("user") / "project")
    project.commit({".github/workflows/gate.yml": WORKFLOW % {"ours": OURS, "token": '""'}})
    return project


@pytest.fixture
def project(accepted: Commits, tmp_path: Path) -> Commits:
    shutil.copytree(accepted.folder, tmp_path / "project", ignore=shutil.ignore_patterns("gate-results"))
    copy = Commits(tmp_path / "project", start=False)
    copy.git("checkout", "--quiet", "-b", "change")
    return copy


@pytest.fixture
def github() -> Iterator[Standin]:
    with standin() as state:
        yield state


def run(act: Act, project: Commits, *, fork: bool = False, api: str = "") -> Job:
    event = pull_request(project, fork=fork)
    return act(project.folder, ".github/workflows/gate.yml", "pull_request", event, api=api)


def test_a_green_pull_request_succeeds(act: Act, project: Commits) -> None:
    project.commit({"README": "changed\n"})
    job = run(act, project)
    assert job.result("gate") == "success", job.log
    assert job.said("told ") == "verdict=PASS code=0 report=gate-results/verdict.json"
    assert job.summary.startswith("## PASS: ")
    assert job.annotations() == []
    assert job.said("after ") == "code=0 result=success"
    assert job.said("Retrieval gate: ") == "no comment: there is no github-token"


def test_a_red_pull_request_fails_at_the_line_of_its_budget(act: Act, project: Commits) -> None:
    project.commit({"recall.py": BROKEN})
    job = run(act, project)
    assert job.result("gate") == "failure", job.log
    assert job.returncode == 1
    assert job.said("told ") == "verdict=REGRESSION code=1 report=gate-results/verdict.json"
    assert int(job.said("failed ")) > 1
    assert QUERY in job.summary
    annotations = job.annotations()
    assert "budgets.yml:3" in [where for _, where, _ in annotations]
    assert [title for title, _, _ in annotations if title.startswith("Retrieval gate")] == [
        "Retrieval gate: regression"
    ]
    assert job.said("after ") == "code=1 result=failure"


def test_a_store_that_is_down_fails_as_not_measured(act: Act, project: Commits) -> None:
    project.commit({"recall.py": DOWN})
    job = run(act, project)
    assert job.result("gate") == "failure", job.log
    assert job.said("told ") == "verdict=NOT_MEASURED code=2 report=gate-results/verdict.json"
    assert job.annotations()[-1][0] == "Retrieval gate: not measured"
    assert "the index is down" in job.summary
    assert job.said("after ") == "code=2 result=failure"


def test_a_forks_read_only_token_fails_nothing(act: Act, project: Commits, github: Standin) -> None:
    project.commit({".github/workflows/gate.yml": WORKFLOW % {"ours": OURS, "token": "may-only-read"}})
    project.commit({"recall.py": BROKEN})
    github.fail("POST /repos", Failure(403, "Resource not accessible by integration"))
    project.git("remote", "add", "origin", f"https://github.com/{REPOSITORY}")
    job = run(act, project, fork=True, api=github.url)
    assert job.said("told ") == "verdict=REGRESSION code=1 report=gate-results/verdict.json"
    assert job.said("Retrieval gate: ").startswith("no comment: the token of a fork's pull request may only read")
    assert QUERY in job.summary
    assert github.comments == []


def test_the_projects_own_workflow_sees_its_gate_go_red(act: Act, tmp_path: Path) -> None:
    own = Commits(the_action(tmp_path / "own"), start=True)
    own.write({"tests/actions/store_down.py": (ROOT / "tests" / "actions" / "store_down.py").read_text("utf-8")})
    own.commit()
    job = act(own.folder, ".github/workflows/gate.yml", "pull_request", pull_request(own), only="goes-red")
    assert job.said("planted: ") == "failure 1; down: failure 2"
    assert job.result("goes-red") == "success", job.log


def test_the_projects_own_workflow_passes_on_its_own_store(act: Act, tmp_path: Path) -> None:
    """At the smaller of its two tiers: the other one takes as long as all tests of workflows together."""
    own = Commits(the_action(tmp_path / "own"), start=True)
    workflow = ".github/workflows/gate.yml"
    whole = (own.folder / workflow).read_text(encoding="utf-8")
    inputs = "        with:\n          # What a pull request's label"
    assert whole.count(inputs) == 1
    own.commit({workflow: whole.replace(inputs, inputs.replace("with:\n", "with:\n          tier: smoke\n"))})
    job = act(own.folder, workflow, "pull_request", pull_request(own), only="gate")
    assert job.result("gate") == "success", job.log[-3000:]
