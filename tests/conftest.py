"""What all tests share: the data folder, and a way to run the command as a user does."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

RunGate = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session", autouse=True)
def no_event() -> Iterator[None]:
    """The suite gives the same result inside of GitHub Actions: its event is none of the tests' business."""
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith("GITHUB_")]:
            patch.delenv(name)
        yield


@pytest.fixture(scope="session", autouse=True)
def no_vectors_of_others(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test finds vectors or models that something else left on this machine, or leaves any there."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GATE_VECTORS", "off")
        patch.setenv("GATE_MODELS", str(tmp_path_factory.mktemp("models")))
        yield


@pytest.fixture(scope="session")
def public_data() -> Path:
    """The folder of public data: GATE_TEST_DATA, else `../shared/data` beside the checkout; skips without it."""
    folder = Path(os.environ.get("GATE_TEST_DATA", ROOT.parent / "shared" / "data"))
    if not (folder / "cranfield").is_dir():
        pytest.skip(f"no public data in {folder}: set GATE_TEST_DATA")
    return folder


@pytest.fixture
def run_gate(tmp_path: Path) -> RunGate:
    """Runs `gate ARGUMENTS` in a process of its own, in an empty folder unless one is given."""

    def run(
        *arguments: str,
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
        timeout: float = 120,
        prefix: Sequence[str] = (),
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*prefix, sys.executable, "-m", "gate", *arguments],
            cwd=cwd or tmp_path,
            env={**os.environ, "NO_COLOR": "1", **(env or {})},
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=timeout,
            check=False,
            stdin=subprocess.DEVNULL,
        )

    return run
