"""What a store prints stands in the log and nowhere else; what we say stands in our output and nowhere else.

Each test runs a process of its own, since it is about the process's own descriptors.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

BEGIN = """
import os, subprocess, sys, threading
from pathlib import Path
from gate.diverted import diverted
log = Path(sys.argv[1])
"""


def process(program: str, log: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", BEGIN + program, str(log)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
        check=False,
        env={**os.environ, "PYTHONUNBUFFERED": ""},  # print is buffered, as it is for users
    )


@pytest.mark.parametrize(
    "printing",
    [
        "print('noise')",
        "print('noise', end='')",
        "print('noise', file=sys.stderr)",
        "os.write(1, b'noise')",
        "os.write(2, b'noise')",
        "subprocess.run([sys.executable, '-c', 'print(\"noise\")'])",
        "subprocess.run([sys.executable, '-c', 'import sys; sys.exit(\"noise\")'])",
        "thread = threading.Thread(target=print, args=('noise',)); thread.start(); thread.join()",
    ],
)
def test_whatever_is_printed_goes_to_the_log(tmp_path: Path, printing: str) -> None:
    program = f"""
with diverted(log) as (output, errors):
    {printing}
    output.write("verdict\\n")
    errors.write("progress\\n")
"""
    done = process(program, tmp_path / "store.log")
    assert (done.returncode, done.stdout, done.stderr) == (0, "verdict\n", "progress\n")
    assert (tmp_path / "store.log").read_text(encoding="utf-8").strip() == "noise"


def test_what_is_printed_before_and_after_is_ours(tmp_path: Path) -> None:
    program = """
print("before")
with diverted(log) as (output, errors):
    print("noise")
    output.write("during\\n")
print("after")
print("told", file=sys.stderr)
"""
    done = process(program, tmp_path / "store.log")
    assert (done.stdout, done.stderr) == ("before\nduring\nafter\n", "told\n")
    assert (tmp_path / "store.log").read_text(encoding="utf-8") == "noise\n"


def test_output_comes_back_when_the_block_raises(tmp_path: Path) -> None:
    program = """
try:
    with diverted(log):
        print("noise")
        raise KeyError("broken")
except KeyError as error:
    print("caught", error)
"""
    assert process(program, tmp_path / "store.log").stdout == "caught 'broken'\n"


def test_output_comes_back_when_whoever_reads_us_has_gone(tmp_path: Path) -> None:
    program = """
read, write = os.pipe()
os.dup2(write, 1)
os.close(write)
os.close(read)
with diverted(log) as (output, errors):
    print("noise")
    output.write("verdict\\n")
    output.flush()
print("on it goes", file=sys.stderr, flush=True)
os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
"""
    done = process(program, tmp_path / "store.log")
    assert (done.returncode, done.stderr) == (0, "on it goes\n")
    assert (tmp_path / "store.log").read_text(encoding="utf-8") == "noise\n"


def test_a_log_that_cannot_be_opened_leaves_everything_as_it_was(tmp_path: Path) -> None:
    program = """
try:
    with diverted(log):
        print("never run")
except OSError:
    print("said")
"""
    assert process(program, tmp_path / "missing" / "store.log").stdout == "said\n"


def test_our_output_is_utf8_and_never_fails_to_be_written(tmp_path: Path) -> None:
    program = """
with diverted(log) as (output, errors):
    output.write("北京 \\udcff\\n")
"""
    assert process(program, tmp_path / "store.log").stdout == "北京 \\udcff\n"


def test_no_descriptor_is_left_open(tmp_path: Path) -> None:
    program = """
def count():
    return len(os.listdir("/dev/fd")) if os.path.isdir("/dev/fd") else 0
before = count()
with diverted(log):
    pass
print(count() - before)
"""
    assert process(program, tmp_path / "store.log").stdout == "0\n"


def test_a_store_that_prints_is_kept_out_of_our_output(tmp_path: Path) -> None:
    program = f"""
sys.path.insert(0, {str(Path(__file__).parent)!r})
from fakes import Switches
from gate.guard import Guard
from gate.stop import Stop
with diverted(log) as (output, errors):
    guard = Guard(Switches(prints=True).open_store, log.parent, None, None, timeout=30, stop=Stop())
    guard.search("q", 5, "keyword", frozenset())
    guard.close()
    output.write("verdict\\n")
"""
    done = process(program, tmp_path / "store.log")
    assert (done.stdout, done.stderr) == ("verdict\n", "")
    logged = (tmp_path / "store.log").read_text(encoding="utf-8")
    for said in ("by the store", "to descriptor 1", "to descriptor 2", "by a child process"):
        assert said in logged
