"""What many tests share: the data folder, a way to run the command as a user does, a fake store, a family's data."""

from __future__ import annotations

import copy
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from fakes import Switches

from gate.corpus.memory import Memory
from gate.corpus.recipe import load_recipe, read_family
from gate.corpus.rng import Rng
from gate.records import Document

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


@pytest.fixture
def switches() -> Iterator[Switches]:
    """What a fake store does; whatever a test left hanging in it goes on afterwards."""
    made = Switches()
    yield made
    made.release.set()


@pytest.fixture
def data(shipped: dict[str, Any]) -> dict[str, Any]:
    """A family's data, for a test to change; `shipped` is a fixture of the family's own tests."""
    return copy.deepcopy(shipped)


@pytest.fixture(scope="session")
def noise() -> list[Document]:
    """Turns of the memory family, whose distractors speak of everyday matters too."""
    data = read_family(load_recipe("seeded"), "memory")
    family = Memory()
    made = [family.distractor(Rng(7, "noise", index), data, index) for index in range(500)]
    return [document for document in made if document is not None]
