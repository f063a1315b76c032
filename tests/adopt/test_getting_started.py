"""The page is true: its commands, run in its order, print what it shows.

With GATE_UPDATE_GOLDEN=1 the lines that it shows are written anew.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

from adopting import ENVIRONMENT
from commits import Commits
from conftest import ROOT

PAGE = ROOT / "docs" / "getting-started.md"
BLOCK = re.compile(r"^```(console|diff)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
OWN = ("-c", "user.name=Test", "-c", "user.email=test@example.invalid")


def run(command: str, folder: Path) -> str:
    """What a command prints: for git all of it, since what its hooks say comes as an error."""
    program, *arguments = shlex.split(command)
    called = [sys.executable, "-P", "-m", "gate"] if program == "gate" else ["git", *OWN]
    assert program in ("gate", "git")
    quiet = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    done = subprocess.run(
        [*called, *arguments],
        cwd=folder,
        env={**quiet, **ENVIRONMENT, "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        stdin=subprocess.DEVNULL,
        check=False,
        timeout=300,
    )
    return done.stdout if program == "gate" else done.stdout + done.stderr


def test_the_commands_of_the_page_print_what_it_shows(tmp_path: Path) -> None:
    Commits(tmp_path / "bare", start=False).git("init", "--quiet", "--bare", "-b", "main")
    made = Commits(tmp_path / "project")
    (made.folder / ".github").mkdir()
    made.git("remote", "add", "origin", str(tmp_path / "bare"))
    page = PAGE.read_text(encoding="utf-8")
    shown, printed = [], []
    for kind, text in BLOCK.findall(page):
        if kind == "diff":
            old, new = (line[1:] for line in text.splitlines())
            driver = made.folder / "recall_driver.py"
            before = driver.read_text(encoding="utf-8")
            assert before.count(old) == 1
            driver.write_text(before.replace(old, new), encoding="utf-8")
            continue
        for command, lines in re.findall(r"^\$ (.+)\n((?:(?!\$ ).*\n)*)", text, re.MULTILINE):
            output = run(command, made.folder)
            whole = not lines.endswith("...\n")
            kept = output if whole else output[: output.index("\n") + 1] + "...\n"
            shown.append(lines)
            printed.append(kept)
            page = page.replace(f"$ {command}\n{lines}", f"$ {command}\n{kept}")
    if os.environ.get("GATE_UPDATE_GOLDEN") == "1":
        PAGE.write_text(page, encoding="utf-8")
        return
    assert printed == shown
