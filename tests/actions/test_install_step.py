"""The shell text of the step that installs, with a `python` that only tells what it was given."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
import yaml
from conftest import ROOT

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the stand-in of python is a shell script")
PIP = ["-m", "pip", "install", "--disable-pip-version-check"]


def installed(folder: Path, install: str, extras: str = "", inside: str = ".") -> list[str]:
    """The arguments of python, in one call."""
    steps = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))["runs"]["steps"]
    (text,) = [step["run"] for step in steps if step["name"] == "Install"]
    fake = folder / "python"
    fake.write_text('#!/bin/sh\nprintf "%s\\0" "$@" >> "$TOLD"; pwd > "$TOLD.where"\n', encoding="utf-8")
    fake.chmod(0o755)
    environment = {
        "PATH": f"{folder}:{os.environ['PATH']}",
        "TOLD": str(folder / "told"),
        "GATE_ACTION_PATH": "/the action",
        "GATE_INSTALL": install,
        "GATE_EXTRAS": extras,
        "GATE_WORKING_DIRECTORY": inside,
        "CDPATH": "/",
    }
    # As GitHub runs `shell: bash`.
    shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", text]
    subprocess.run(shell, env=environment, cwd=folder, check=True)
    return (folder / "told").read_text(encoding="utf-8").removesuffix("\0").split("\0")


@pytest.mark.parametrize("inside", ["packages/notes", "-rf", "$(touch x)", "etc"])
def test_pip_stands_in_the_folder_that_is_named(tmp_path: Path, inside: str) -> None:
    (tmp_path / inside).mkdir(parents=True)
    assert installed(tmp_path, "-e .", inside=inside) == [*PIP, "/the action", "--quiet", "-e", "."]
    assert (tmp_path / "told.where").read_text(encoding="utf-8").rstrip() == str(tmp_path / inside)
    with pytest.raises(subprocess.CalledProcessError):
        installed(tmp_path, "-e .", inside="no such folder")


def test_nothing_to_install_is_the_gate_alone(tmp_path: Path) -> None:
    assert installed(tmp_path, "") == [*PIP, "/the action", "--quiet"]


def test_the_gate_and_the_store_are_one_call(tmp_path: Path) -> None:
    told = installed(tmp_path, "-r requirements.txt\n-e .\n'a store' \"x>=1; python_version > '3'\"", "onnx,opencc")
    assert told == [
        *PIP,
        "/the action[onnx,opencc]",
        "--quiet",
        *("-r", "requirements.txt", "-e", ".", "a store", "x>=1; python_version > '3'"),
    ]


@pytest.mark.parametrize("text", ["$(touch x)", "`touch x`", "; touch x", "&& touch x", "| touch x", "* ~"])
def test_no_word_is_run_or_expanded(tmp_path: Path, text: str) -> None:
    assert installed(tmp_path, text) == [*PIP, "/the action", "--quiet", *text.split()]
    assert not (tmp_path / "x").exists()


def test_an_install_that_fails_fails_the_step(tmp_path: Path) -> None:
    with pytest.raises(subprocess.CalledProcessError):
        installed(tmp_path, "'unbalanced")
