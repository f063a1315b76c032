"""The entry for pre-commit: inserted as text, so that all else stays byte for byte."""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path

import pytest
import yaml
from commits import Commits
from conftest import ROOT

from gate.adopt.hook import PRE_COMMIT, hook
from gate.adopt.place import Place, look

OURS = {
    "repo": "local",
    "hooks": [
        {
            "id": "retrieval-gate",
            "name": "retrieval gate",
            "entry": "gate run --quiet --tier smoke",
            "language": "system",
            "stages": ["pre-push"],
            "pass_filenames": False,
            "always_run": True,
        }
    ],
}
OTHER = {"repo": "https://example.org/x", "rev": "v1", "hooks": [{"id": "x"}]}


def place(folder: Path, config: str | bytes, inside: str = "") -> Place:
    Commits(folder)
    (folder / PRE_COMMIT).write_bytes(config.encode() if isinstance(config, str) else config)
    (folder / inside).mkdir(exist_ok=True, parents=True)
    return look(folder / inside)


@pytest.mark.parametrize(
    "config",
    [
        "repos:\n- repo: https://example.org/x\n  rev: v1\n  hooks:\n  - id: x\n",
        """# top
default_stages: [pre-commit]
repos: # ours
  # formatters
  - repo: https://example.org/x  # why
    rev: v1
    hooks:
      - id: x  # last
# end
ci:
  skip: [x]
""",
        "repos:\n\n\n      - {repo: https://example.org/x, rev: v1, hooks: [{id: x}]}\n",
        "'repos':\n- repo: https://example.org/x\n  rev: v1\n  hooks: [{id: x}]",
        "repos:\r\n  - repo: https://example.org/x\r\n    rev: v1\r\n    hooks:\r\n      - id: x\r\n",
        "---\nrepos:\n  - repo: https://example.org/x\n    rev: v1\n    hooks:\n      - id: x\n...\n",
    ],
    ids=["flush", "comments", "flow items", "no last line end", "CRLF", "document marks"],
)
def test_the_entry_is_inserted_and_every_other_line_stays(tmp_path: Path, config: str) -> None:
    found = hook(place(tmp_path, config), ("smoke",), force=False)
    assert found.state == "extended"
    assert yaml.safe_load(found.text) == {**yaml.safe_load(config), "repos": [OURS, OTHER]}
    lines = found.text.splitlines(keepends=True)
    at = next(number for number, line in enumerate(lines) if "repo: local" in line)
    assert "".join((*lines[:at], *lines[at + 9 :])) == config
    assert found.text.count("\r\n") in (0, found.text.count("\n"))
    (tmp_path / PRE_COMMIT).write_bytes(found.text.encode())
    assert hook(look(tmp_path), ("smoke",), force=True).state == "unchanged"


@pytest.mark.parametrize(
    "config",
    [
        "repos: []\n",
        "repos: [{repo: local, hooks: []}]\n",
        "{repos: []}\n",
        "repos:\n",
        "- repos\n",
        "hooks: here\n",
        "",
        "repos: [\n",
        b"\xff\xfe",
        "repos: &all\n  - repo: local\n    hooks: []\nrepos:\n  - repo: meta\n",
        "a: !!python/object:os.system x\nrepos:\n  - repo: local\n",
    ],
)
def test_what_cannot_be_inserted_safely_is_left_and_the_lines_are_shown(tmp_path: Path, config: str | bytes) -> None:
    found = hook(place(tmp_path, config), ("smoke",), force=True)
    assert found.state == "left"
    assert yaml.safe_load(found.lines) == [OURS]


def test_a_link_is_left(tmp_path: Path) -> None:
    Commits(tmp_path / "here")
    (tmp_path / "shared.yaml").write_text("repos:\n  - repo: meta\n    hooks: []\n", encoding="utf-8")
    (tmp_path / "here" / PRE_COMMIT).symlink_to(tmp_path / "shared.yaml")
    assert hook(look(tmp_path / "here"), (), force=True).state == "left"


@pytest.mark.parametrize(
    "inside", ["packages/recall", "it's", 'a "b" $(touch x) `touch x`', "半角 ü", "-rf", "a: b # c"]
)
def test_the_entry_of_a_folder_runs_in_that_folder(tmp_path: Path, inside: str) -> None:
    config = "repos:\n  - repo: meta\n    hooks:\n      - id: identity\n"
    found = hook(place(tmp_path, config, inside), (), force=False)
    entry = yaml.safe_load(found.text)["repos"][0]["hooks"][0]["entry"]
    program, flag, script = shlex.split(entry)
    assert (program, flag) == ("sh", "-c")
    said = subprocess.run(
        [program, flag, script.replace("gate run --quiet", "pwd")],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert said.stdout.rstrip("\n") == str(tmp_path / inside)
    assert not (tmp_path / "x").exists()


def test_the_hook_for_stores_that_are_packages_is_what_pre_commit_reads() -> None:
    (entry,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert entry["id"] == "retrieval-gate"
    assert entry["entry"] == "gate run --quiet"
    assert entry["language"] == "python"
    assert entry["stages"] == ["pre-push"]
    assert entry["pass_filenames"] is False
    assert entry["always_run"] is True
