from __future__ import annotations

import errno
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from builders import KEYWORD, corpus, run_of

from gate.errors import UsageError
from gate.report import REPORTS
from gate.results import MARKER, clear, read_manifest, results_folder, write_runs

VIEWS = [report.file_name for report in REPORTS.values()]

OURS = (
    "verdict.json",
    "manifest.json",
    "report.md",
    "runs/a.run",
    "runs/a.run.partial",
    "qrels/a.qrels",
    "topics/a.json",
    "answers/a.json",
    "baseline/reference/seeded@smoke.cpu-hash.jsonl",
    ".verdict.json.x1.tmp",
)


def put(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("x", encoding="utf-8")


def held(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def test_a_new_folder_is_made_and_marked(tmp_path: Path) -> None:
    with results_folder(tmp_path / "deep" / "results", VIEWS) as folder:
        assert held(folder) == {MARKER}


def test_earlier_results_are_gone_when_a_run_starts(tmp_path: Path) -> None:
    put(tmp_path, MARKER, *OURS)
    with results_folder(tmp_path, VIEWS) as folder:
        assert held(folder) == {MARKER, *OURS} - set(VIEWS), "only verdict and views go before the plan stands"
        clear(folder, VIEWS)
        assert held(folder) == {MARKER}
        assert [path.name for path in folder.iterdir()] == [MARKER]


def test_a_person_s_files_stay_though_they_lie_among_results(tmp_path: Path) -> None:
    theirs = ("notes.txt", "runs/notes.txt", "baseline/reference/old.json", "plots/a.run", "verdict.json.bak")
    put(tmp_path, MARKER, *OURS, *theirs)
    with results_folder(tmp_path, VIEWS) as folder:
        clear(folder, VIEWS)
        assert held(folder) == {MARKER, *theirs}


def test_every_report_is_ours_to_replace(tmp_path: Path) -> None:
    put(tmp_path, MARKER, *(report.file_name for report in REPORTS.values()))
    with results_folder(tmp_path, VIEWS) as folder:
        clear(folder, VIEWS)
        assert held(folder) == {MARKER}


def test_a_folder_that_is_not_ours_is_left_as_it_is(tmp_path: Path) -> None:
    put(tmp_path, "verdict.json", "thesis.txt")
    with pytest.raises(UsageError, match="not the results of a run") as caught, results_folder(tmp_path, VIEWS):
        pass
    assert caught.value.slug == "results-not-ours"
    assert held(tmp_path) == {"verdict.json", "thesis.txt"}


def test_two_runs_never_share_a_folder(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from gate.results import results_folder\n"
        "with results_folder(Path(sys.argv[1]), ()): pass\n"
    )
    with results_folder(tmp_path, VIEWS):
        put(tmp_path, "verdict.json")
        other = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=False)
        assert "another run is writing its results here" in other.stderr
        assert "verdict.json" in held(tmp_path)
    again = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=False)
    assert again.returncode == 0


def test_a_file_system_without_locks_keeps_nobody_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fcntl = pytest.importorskip("fcntl", reason="Windows locks files otherwise")

    def unsupported(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", unsupported)
    with results_folder(tmp_path, VIEWS) as folder:
        clear(folder, VIEWS)
        assert held(folder) == {MARKER}


def test_a_folder_that_cannot_be_made_is_a_sentence(tmp_path: Path) -> None:
    put(tmp_path, "file")
    with (
        pytest.raises(UsageError, match="results cannot be written here") as caught,
        results_folder(tmp_path / "file", VIEWS),
    ):
        pass
    assert "--out" in caught.value.hint


@pytest.mark.parametrize("call", ["open", "write", "ftruncate"])
def test_a_full_or_read_only_disk_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(f"gate.results.os.{call}", full)
    with pytest.raises(UsageError, match="No space left on device"), results_folder(tmp_path, VIEWS):
        pass


def test_a_file_that_cannot_be_removed_is_a_sentence(tmp_path: Path) -> None:
    put(tmp_path, MARKER)
    (tmp_path / "manifest.json").mkdir()
    with (
        results_folder(tmp_path, VIEWS) as folder,
        pytest.raises(UsageError, match="results cannot be written here"),
    ):
        clear(folder, VIEWS)


def test_what_a_link_leads_to_is_left_alone(tmp_path: Path) -> None:
    put(tmp_path / "theirs", "a.run")
    put(tmp_path / "results", MARKER)
    (tmp_path / "results" / "runs").symlink_to(tmp_path / "theirs")
    with (
        results_folder(tmp_path / "results", VIEWS) as folder,
        pytest.raises(UsageError, match="this is a link"),
    ):
        clear(folder, VIEWS)
    assert held(tmp_path / "theirs") == {"a.run"}


def test_a_store_that_removes_the_folder_does_not_lock_us_out(tmp_path: Path) -> None:
    with results_folder(tmp_path / "results", VIEWS) as folder:
        (folder / MARKER).unlink()
    with results_folder(tmp_path / "results", VIEWS) as folder:
        assert held(folder) == {MARKER}


def test_an_error_of_the_block_stays_what_it_is(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), results_folder(tmp_path, VIEWS):
        raise FileNotFoundError("something else")


def test_a_run_that_is_not_whole_is_named_so(tmp_path: Path) -> None:
    judged = corpus({"q": {"a": 1}})
    whole = run_of({"q": ["a"]})
    partial = run_of({"q": ["a"]}, replace(KEYWORD, mode="vector"), failure="hung")
    empty = run_of({}, replace(KEYWORD, mode="hybrid"), failure="raised")
    write_runs(tmp_path, [whole, partial, empty], {("seeded", "smoke"): judged})
    assert held(tmp_path) == {
        "runs/reference.seeded.smoke.cpu-hash.keyword.none.run",
        "runs/reference.seeded.smoke.cpu-hash.vector.none.run.partial",
        "qrels/seeded.smoke.qrels",
    }


def test_a_manifest_is_read_and_one_that_cannot_be_says_nothing(tmp_path: Path) -> None:
    assert read_manifest(tmp_path) == {}
    (tmp_path / "manifest.json").write_text('{"depth": 100}', encoding="utf-8")
    assert read_manifest(tmp_path) == {"depth": 100}
    for text in ("{", "[1]", "\udcff"):
        (tmp_path / "manifest.json").write_bytes(text.encode("utf-8", "surrogateescape"))
        assert read_manifest(tmp_path) == {}
