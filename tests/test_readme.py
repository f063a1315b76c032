"""The README is true: its transcripts are what the commands print, and its store is one.

With GATE_UPDATE_GOLDEN=1 the transcripts are written anew.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
from pathlib import Path

import pytest
from conftest import ROOT, RunGate

README = (ROOT / "README.md").read_text(encoding="utf-8")
TRANSCRIPTS = re.findall(r"^```console\n\$ (.+?)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def scrubbed(text: str) -> str:
    """Without what a clock decides."""
    return re.sub(r"; [\d.]+ s$", "; N s", text, flags=re.MULTILINE)


def block(language: str, containing: str) -> str:
    blocks = re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    return str(next(text for text in blocks if containing in text))


def without_opencc(folder: Path) -> dict[str, str]:
    """An environment as the first command of the README sets it up, without extras."""
    hidden = folder / "hidden"
    hidden.mkdir()
    (hidden / "sitecustomize.py").write_text('import sys\n\nsys.modules["opencc"] = None\n', encoding="utf-8")
    known = os.environ.get("PYTHONPATH")
    return {"PYTHONPATH": os.pathsep.join([str(hidden), *([known] if known else [])])}


def test_there_are_a_green_and_a_red_transcript() -> None:
    assert TRANSCRIPTS[0][1].startswith("PASS")
    assert "REGRESSION" in TRANSCRIPTS[1][1]


@pytest.mark.parametrize(("command", "shown"), TRANSCRIPTS, ids=["green", "red"])
def test_a_transcript_is_what_the_command_prints(run_gate: RunGate, tmp_path: Path, command: str, shown: str) -> None:
    program, *arguments = shlex.split(command)
    assert program == "gate"
    shutil.copy(ROOT / "gate.yml", tmp_path)
    for name in ("budgets", "baselines"):
        shutil.copytree(ROOT / name, tmp_path / name)
    done = run_gate(*arguments, cwd=tmp_path, env=without_opencc(tmp_path))
    if os.environ.get("GATE_UPDATE_GOLDEN") == "1":
        text = (ROOT / "README.md").read_text(encoding="utf-8")
        (ROOT / "README.md").write_text(text.replace(shown, done.stdout), encoding="utf-8")
        return
    assert scrubbed(done.stdout) == scrubbed(shown)


def test_there_are_exactly_two_commands_and_each_sets_everything_up() -> None:
    commands = re.findall(r"^```sh command\n(.*?)\n```$", README, re.MULTILINE | re.DOTALL)
    assert len(commands) == 2
    assert all(command.startswith("python3 -m venv .venv && ") and "pip install" in command for command in commands)


def test_the_store_of_the_readme_is_gated_accepted_and_red_when_it_breaks(run_gate: RunGate, tmp_path: Path) -> None:
    (tmp_path / "recall.py").write_text(block("python", "class Recall"), encoding="utf-8")
    (tmp_path / "gate.yml").write_text(block("yaml", "recall:Recall"), encoding="utf-8")
    assert run_gate("run", "-q").returncode == 2
    assert run_gate("accept", "--reason", "first baseline").returncode == 0
    assert run_gate("run", "-q").returncode == 0
    text = (tmp_path / "recall.py").read_text(encoding="utf-8")
    (tmp_path / "recall.py").write_text(text.replace(".lower()", "", 1), encoding="utf-8")
    assert run_gate("run", "-q").returncode == 1


def test_every_exit_code_is_in_the_table() -> None:
    from gate.exit_codes import ExitCode

    for code in ExitCode:
        assert f"| {int(code)} | {code.name} |" in README


def test_every_page_that_is_linked_is_there() -> None:
    for page in (ROOT / "README.md", *(ROOT / "docs").glob("*.md")):
        for link in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            if "://" not in link:
                assert (page.parent / link).exists(), f"{page.name}: {link}"
