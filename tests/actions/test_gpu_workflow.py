"""The scheduled job on a GPU: what may start it, and what it does on a machine whose GPU cannot be used."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from act_runner import Act, Job, the_action
from commits import Commits
from conftest import ROOT
from fake_gpu import a100, nvidia_smi, on_path

from gate.models.onnx.runtime import installed
from gate.settings import read_settings

WORKFLOW = ".github/workflows/gpu.yml"
OURS = "https://github.com/retrieval-gate/retrieval-gate"


@pytest.fixture(scope="module")
def act(tmp_path_factory: pytest.TempPathFactory) -> Act:
    return Act(tmp_path_factory.mktemp("act"))


def workflow() -> dict[Any, Any]:
    found: dict[Any, Any] = yaml.safe_load((ROOT / WORKFLOW).read_text(encoding="utf-8"))
    return found


def test_only_a_clock_or_a_maintainer_starts_it() -> None:
    # YAML 1.1 reads the key `on` as true.
    assert workflow()[True].keys() == {"schedule", "workflow_dispatch"}


def test_nothing_is_written_and_no_two_run_at_once() -> None:
    data = workflow()
    (job,) = data["jobs"].values()
    assert data["permissions"] == {}
    assert job["permissions"] == {"contents": "read"}
    assert data["concurrency"] == {"group": "gpu", "cancel-in-progress": False}
    assert job["runs-on"] == ["self-hosted", "linux", "x64", "gpu", "a100"]
    assert "secrets" not in (ROOT / WORKFLOW).read_text(encoding="utf-8")


def test_signals_reach_the_gate_and_what_it_wrote_is_kept_whatever_happens() -> None:
    (job,) = workflow()["jobs"].values()
    steps = {step.get("name", step.get("uses", "")): step for step in job["steps"]}
    assert steps["Gate"]["run"].startswith("exec gate run ")
    assert steps["Keep the results"]["if"] == "always()"
    assert "gate-results" in steps["Keep the results"]["with"]["path"].split()


def test_its_settings_are_of_one_arm_with_a_folder_of_baselines() -> None:
    """In one folder, each would take the other's baselines for forgotten ones."""
    own, usual = read_settings(ROOT / "gate-gpu.yml"), read_settings(ROOT / "gate.yml")
    assert own.arms == ("cuda-onnx",)
    assert "cuda-onnx" not in usual.arms
    assert own.baselines != usual.baselines


def ran(act: Act, folder: Path, origin: str, branch: str) -> Job:
    own = Commits(the_action(folder / "own"), start=True)
    own.git("remote", "add", "origin", origin)
    own.commit()
    own.git("checkout", "--quiet", "-B", branch)
    event = {"ref": f"refs/heads/{branch}", "inputs": {}}
    return act(own.folder, WORKFLOW, "workflow_dispatch", event, label="self-hosted")


@pytest.mark.skipif("onnxruntime-gpu" in installed(), reason="this machine may have a GPU")
def test_a_gpu_that_cannot_be_used_fails_the_job_before_the_gate_and_says_why(
    act: Act, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", on_path(nvidia_smi(tmp_path, a100())))
    job = ran(act, tmp_path, OURS, "main")
    assert job.result("gate") == "failure", job.log
    steps = job.steps()
    assert steps["Look at the machine"] == "failure"
    assert steps["Keep the results"] == "success"
    assert steps.get("Gate", "skipped") == "skipped"
    for shown in ("NVIDIA A100-SXM4-80GB", "has no CUDAExecutionProvider", "cannot run here: cuda-onnx  (exit 2)"):
        assert shown in job.summary


@pytest.mark.parametrize(
    ("origin", "branch"), [("https://github.com/someone/retrieval-gate", "main"), (OURS, "change")]
)
def test_no_other_repository_and_no_other_branch_gets_the_machine(
    act: Act, tmp_path: Path, origin: str, branch: str
) -> None:
    job = ran(act, tmp_path, origin, branch)
    assert "Look at the machine" not in job.steps(), job.log
