"""From a user's side: the workflow of `gate init`, run by `act` on pull requests against a store of their own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from act_runner import Act
from github_standin import Standin, standin
from user_project import BROKEN, BUDGETS, QUERY, REPOSITORY, accept, gate, pull_request, user_project

from gate.adopt.workflow import PATH
from gate.checks.loosened import LABEL

LOST = "fell, rank 1 → 6, `d05`"
LOWERED = "the floor was 0.900 and is 0.000"


@pytest.fixture
def github() -> Iterator[Standin]:
    with standin() as state:
        yield state


def test_a_broken_tokenizer_is_red_a_lowered_budget_hides_nothing_and_a_label_accepts_it(
    tmp_path: Path, github: Standin
) -> None:
    act = Act(tmp_path / "act")
    project = user_project(tmp_path / "project")
    project.git("remote", "add", "origin", f"https://github.com/{REPOSITORY}")
    gate(project, 0, "init", "--yes")
    project.commit()
    project.git("checkout", "--quiet", "-b", "change")

    project.commit({"recall.py": BROKEN})
    red = act(project.folder, PATH, "pull_request", pull_request(project), api=github.url, token="a-token")
    assert red.result("gate") == "failure", red.log
    (comment,) = github.comments
    assert comment["body"].splitlines()[1].startswith("## Retrieval gate: REGRESSION: ")
    for shown in (red.summary, comment["body"]):
        assert QUERY in shown
        assert LOST in shown
    assert "budgets.yml:3" in [where for _, where, _ in red.annotations()]
    assert red.annotations()[-1][0] == "Retrieval gate: regression"
    assert red.said("Retrieval gate: ") == "the comment was made"

    # What the broken store finds becomes the baseline, and the budget no longer minds.
    project.write({"budgets.yml": BUDGETS.replace("0.9", "0.0")})
    accept(project, 1)
    project.commit()
    hidden = act(project.folder, PATH, "pull_request", pull_request(project), api=github.url, token="a-token")
    assert hidden.result("gate") == "failure", hidden.log
    assert hidden.annotations()[-1][0] == "Retrieval gate: regression"
    (comment,) = github.comments
    for shown in (hidden.summary, comment["body"]):
        # Listed before anything else, with what would accept it.
        rows = [line for line in shown.splitlines() if line.startswith("| ")]
        assert rows[2].startswith("| base | ")
        assert LOWERED in shown
        assert f"put the label {LABEL} on the pull request" in shown.replace("`", "")

    event = {
        **pull_request(project, LABEL),
        "action": "labeled",
        "label": {"name": LABEL},
        "sender": {"login": "maintainer"},
    }
    accepted = act(project.folder, PATH, "pull_request", event, api=github.url, token="a-token")
    assert accepted.result("gate") == "success", accepted.log
    assert accepted.annotations() == []
    (comment,) = github.comments
    assert comment["body"].splitlines()[1].startswith("## Retrieval gate: PASS: ")
    for shown in (accepted.summary, comment["body"]):
        assert f"What loosens the bar was accepted by the label `{LABEL}`, set by `maintainer`." in shown
        assert LOWERED in shown
