"""Files are written all together or not at all, and a copy of what is replaced stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from gate.adopt.files import Transaction, inside, planned
from gate.errors import UsageError


def tree(folder: Path) -> dict[str, str | None]:
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") if path.is_file() else None
        for path in folder.rglob("*")
    }


def test_undone_nothing_is_left_of_it(tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("old\n", encoding="utf-8")
    before = tree(tmp_path)
    written = Transaction()
    written.write(
        [
            planned(tmp_path / "a/b/new", "new\n", (tmp_path,)),
            planned(tmp_path / "a/b/other", "new\n", (tmp_path,)),
            planned(tmp_path / "kept", "new\n", (tmp_path,), force=True),
        ]
    )
    assert tree(tmp_path) == {
        "a": None,
        "a/b": None,
        "a/b/new": "new\n",
        "a/b/other": "new\n",
        "kept": "new\n",
        "kept.bak": "old\n",
    }
    written.undo()
    assert tree(tmp_path) == before


def test_what_is_there_stays_unless_forced_and_what_is_the_same_is_not_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"one\r\ntwo\r\n")
    assert planned(tmp_path / "file", "one\ntwo\n", (tmp_path,), force=True).state == "unchanged"
    assert planned(tmp_path / "file", "other\n", (tmp_path,)).state == "left"
    assert planned(tmp_path / "file", "other\n", (tmp_path,), force=True).state == "replaced"
    assert planned(tmp_path / "none", "other\n", (tmp_path,)).state == "written"


@pytest.mark.parametrize("target", ["there", "missing"])
def test_a_link_is_never_replaced(tmp_path: Path, target: str) -> None:
    (tmp_path / "there").write_text("mine\n", encoding="utf-8")
    (tmp_path / "link").symlink_to(tmp_path / target)
    assert planned(tmp_path / "link", "other\n", (tmp_path,), force=True).state == "left"


def test_a_copy_takes_no_name_that_is_taken(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("now\n", encoding="utf-8")
    (tmp_path / "file.bak").symlink_to(tmp_path / "nowhere")
    (outcome,) = Transaction().write([planned(tmp_path / "file", "new\n", (tmp_path,), force=True)])
    assert "file.bak.2" in outcome.says
    assert (tmp_path / "file.bak.2").read_text(encoding="utf-8") == "now\n"
    assert not (tmp_path / "nowhere").exists()


def test_a_folder_that_leads_elsewhere_is_refused(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "in/link").symlink_to(tmp_path / "out")
    inside(tmp_path / "in/plain/file", (tmp_path / "in",))
    with pytest.raises(UsageError, match="leads out of the repository"):
        inside(tmp_path / "in/link/file", (tmp_path / "in",))
