"""`gate latency` from the outside: real processes, and a clock that the store moves on: no machine is too busy."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from builders import pinned_beir
from commits import Commits
from conftest import RunGate
from jsonschema import Draft202012Validator

from gate.data import data_path

# What a search takes stands in the file `cost`; the clock of the process is the store's own.
STORE = """
from pathlib import Path

import gate.guard
from gate.records import SearchResult

TICKS = [0.0]
gate.guard.now = lambda: TICKS[0]
COST = float((Path(__file__).parent / "cost.txt").read_text())


class Recall:
    name, modes, abilities = "recall", frozenset({"keyword"}), frozenset()

    def __init__(self, path, embedder=None, reranker=None):
        self.stored = 0

    def environment(self):
        return {}

    def add(self, documents):
        print("what a store prints")
        self.stored += len(documents)

    def count(self):
        return self.stored

    def search(self, query, k, mode, scope=frozenset()):
        TICKS[0] += COST
        return SearchResult(())

    def close(self):
        pass
"""
DYING = STORE.replace('print("what a store prints")', "import os; print('no memory'); os._exit(7)")
RAISING = STORE.replace("TICKS[0] += COST", 'raise ConnectionError("the index is down")')
NOTES = {
    "notes/corpus.jsonl": "".join(json.dumps({"_id": f"d{n}", "text": f"note {n}"}) + "\n" for n in range(4)),
    "notes/queries.jsonl": "".join(json.dumps({"_id": f"q{n}", "text": f"which note is {n}"}) + "\n" for n in range(4)),
    "notes/qrels/test.tsv": "query-id\tcorpus-id\tscore\n" + "".join(f"q{n}\td{n}\t1\n" for n in range(4)),
}


@pytest.fixture
def project(tmp_path: Path) -> Commits:
    project = Commits(tmp_path / "project")
    project.write({**NOTES, "recall.py": STORE, "cost.txt": "0.001", ".gitignore": "__pycache__/\n"})
    project.write({"gate.yml": f"schema: 1\nstore: recall:Recall\n{pinned_beir(project.folder / 'notes')}"})
    project.commit()
    return project


def report(done: subprocess.CompletedProcess[str]) -> Any:
    data = json.loads(done.stdout)
    schema = json.loads(data_path("schemas", "latency.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator(schema).validate(data)
    return data


def test_a_tree_as_fast_as_its_base_is_green(project: Commits, run_gate: RunGate, tmp_path: Path) -> None:
    before = project.git("status", "--porcelain"), project.git("worktree", "list")
    log = tmp_path / "printed.log"
    done = run_gate("latency", "--base", "HEAD", "--log", str(log), cwd=project.folder)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("PASS  0 of 1 mode slower  (exit 0)")
    assert "keyword      1 ms      1 ms   1.00  1.00 to 1.00      3       3  pass" in done.stdout
    assert "what a store prints" in log.read_text(encoding="utf-8")
    assert (project.git("status", "--porcelain"), project.git("worktree", "list")) == before


def test_a_log_that_cannot_be_written_is_refused_before_anything_is_timed(
    project: Commits, run_gate: RunGate, tmp_path: Path
) -> None:
    log = tmp_path / ("a" * 300)
    done = run_gate("latency", "--base", "HEAD", "--log", str(log), cwd=project.folder)
    assert (done.returncode, done.stdout) == (3, "")
    assert "[log-unwritable]" in done.stderr


def test_a_tree_that_does_double_work_is_red(project: Commits, run_gate: RunGate) -> None:
    project.write({"cost.txt": "0.002"})
    done = run_gate("latency", "--base", "HEAD", "--json", "--quiet", cwd=project.folder)
    assert (done.returncode, done.stderr) == (1, "")
    data = report(done)
    (mode,) = data["modes"]
    assert (data["exit_code"], mode["outcome"], len(mode["pairs"])) == (1, "fail", 7)
    assert mode["ratio"] == pytest.approx(2)
    assert mode["p50"] == pytest.approx({"base": 1, "head": 2})
    assert mode["surely_above_equal"] is True


def test_a_base_in_a_folder_of_its_own(project: Commits, run_gate: RunGate, tmp_path: Path) -> None:
    base = Commits(tmp_path / "base", start=False)
    base.write({"recall.py": STORE, "cost.txt": "0.004"})
    done = run_gate("latency", "--base-folder", str(base.folder), "--json", cwd=project.folder)
    assert done.returncode == 0, done.stdout + done.stderr
    assert report(done)["modes"][0]["ratio"] == pytest.approx(0.25)


def test_an_installed_copy_is_not_the_tree_that_was_asked_for(
    project: Commits, run_gate: RunGate, tmp_path: Path
) -> None:
    installed = tmp_path / "installed" / "engine"
    installed.mkdir(parents=True)
    (installed / "__init__.py").write_text(STORE, encoding="utf-8")
    (installed / "cost.txt").write_text("0.001", encoding="utf-8")
    project.commit({"src/engine/__init__.py": STORE, "src/engine/cost.txt": "0.001"})
    elsewhere = {"PYTHONPATH": os.pathsep.join([str(installed.parent), os.environ.get("PYTHONPATH", "")])}
    arguments = ("latency", "--base", "HEAD", "--store", "engine:Recall", "--json")
    done = run_gate(*arguments, cwd=project.folder, env=elsewhere)
    assert done.returncode == 2
    (problem,) = report(done)["problems"]
    assert "the store of the base came from" in problem
    assert "--path src" in problem
    done = run_gate(*arguments, "--path", "src", cwd=project.folder, env=elsewhere)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_driver_of_the_tree_over_an_installed_copy_of_its_package_is_told(
    project: Commits, run_gate: RunGate, tmp_path: Path
) -> None:
    installed = tmp_path / "installed"
    installed.mkdir()
    (installed / "engine.py").write_text("", encoding="utf-8")
    # The package is found in its own tree only by way of --path.
    project.commit({"recall.py": f"import engine\n{STORE}", "src/engine.py": ""})
    elsewhere = {"PYTHONPATH": os.pathsep.join([str(installed), os.environ.get("PYTHONPATH", "")])}
    arguments = ("latency", "--base", "HEAD", "--json")
    done = run_gate(*arguments, "--path", "src", cwd=project.folder, env=elsewhere)
    assert done.returncode == 0, done.stdout + done.stderr
    done = run_gate(*arguments, cwd=project.folder, env=elsewhere)
    assert done.returncode == 2
    assert "the base imported what is not of the tree that was to be timed, " in report(done)["problems"][0]
    assert f"engine ({installed / 'engine.py'})" in report(done)["problems"][0]


def test_a_store_that_comes_with_the_gate_has_no_base(project: Commits, run_gate: RunGate) -> None:
    done = run_gate("latency", "--base", "HEAD", "--store", "reference", cwd=project.folder)
    assert done.returncode == 2
    assert "It comes with the gate, so both sides have the same one" in " ".join(done.stdout.split())


@pytest.mark.parametrize(
    ("head", "told"),
    [
        (DYING, "the process of the head ended at 'open' with exit code 7"),
        (RAISING, "keyword: head: recall, mode keyword: ConnectionError: the index is down"),
        (
            "1 / 0\n",
            "the store of the head cannot be timed: recall:Recall: importing 'recall' raised ZeroDivisionError",
        ),
        (STORE.replace('"keyword"', '"hybrid"'), "keyword: head does not declare this mode"),
    ],
    ids=["dies", "raises", "does not import", "lost the mode"],
)
def test_a_head_that_cannot_be_timed_is_not_measured(project: Commits, run_gate: RunGate, head: str, told: str) -> None:
    project.write({"recall.py": head})
    done = run_gate("latency", "--base", "HEAD", cwd=project.folder)
    assert done.returncode == 2, done.stdout + done.stderr
    assert done.stdout.startswith("NOT MEASURED")
    assert told in " ".join(done.stdout.split())


def test_a_search_that_hangs_is_not_measured(project: Commits, run_gate: RunGate) -> None:
    hanging = STORE.replace("gate.guard.now = ", "other = ").replace(
        "TICKS[0] += COST", "import threading; threading.Event().wait()"
    )
    settings = (project.folder / "gate.yml").read_text(encoding="utf-8")
    project.write({"recall.py": hanging, "gate.yml": f"{settings}timeout: 1\n"})
    done = run_gate("latency", "--base", "HEAD", cwd=project.folder)
    assert done.returncode == 2, done.stdout + done.stderr
    assert "keyword: head: recall, mode keyword: no answer within 1 s" in " ".join(done.stdout.split())


def test_both_sides_get_the_models_that_the_settings_choose(project: Commits, run_gate: RunGate) -> None:
    settings = (project.folder / "gate.yml").read_text(encoding="utf-8")
    telling = STORE.replace("self.stored = 0", "raise ValueError(f'the embedder is {embedder}')")
    project.write({"recall.py": telling, "gate.yml": f"{settings}models: {{cpu-hash: {{embedder: none}}}}\n"})
    done = run_gate("latency", "--base", "HEAD", cwd=project.folder)
    assert done.returncode == 2, done.stdout + done.stderr
    assert "the embedder is None" in " ".join(done.stdout.split())


@pytest.mark.parametrize(
    ("arguments", "slug"),
    [
        ((), "latency-base"),
        (("--base", "HEAD", "--base-folder", "."), "latency-base"),
        (("--base-folder", "."), "latency-base"),
        (("--base", "no-such-branch"), "base-unknown"),
        (("--base", "HEAD", "--path", "lib"), "latency-path"),
        (("--base", "HEAD", "--log", "no/such/folder.log"), "log-folder"),
    ],
)
def test_a_wrong_command_line_is_a_sentence(
    project: Commits, run_gate: RunGate, arguments: tuple[str, ...], slug: str
) -> None:
    done = run_gate("latency", *arguments, cwd=project.folder)
    assert done.returncode == 3, done.stdout + done.stderr
    assert f"[{slug}]" in done.stderr


def alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    # One that has ended and that nobody has asked after yet is not alive.
    state = Path(f"/proc/{process}/stat")
    return not (state.exists() and state.read_text().rpartition(")")[2].split()[0] == "Z")


@pytest.mark.skipif(os.name != "posix", reason="signals are sent as on POSIX systems")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_leaves_no_process(project: Commits, tmp_path: Path, number: signal.Signals) -> None:
    marker = tmp_path / "marker"
    hanging = STORE.replace(
        "TICKS[0] += COST",
        f"import os, threading; open({str(marker)!r}, 'a').write(f'{{os.getpid()}} '); threading.Event().wait()",
    )
    project.write({"recall.py": hanging})
    gate = subprocess.Popen(
        [sys.executable, "-m", "gate", "latency", "--base", "HEAD", "--quiet"],
        cwd=project.folder,
        env={**os.environ, "NO_COLOR": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        for _ in range(1200):
            if marker.exists() and marker.read_text(encoding="utf-8").endswith(" "):
                break
            time.sleep(0.05)
        gate.send_signal(number)
        _, errors = gate.communicate(timeout=60)
    finally:
        gate.kill()
    assert gate.returncode == 130, errors
    assert f"Stopped by {number.name}" in errors
    assert not any(alive(int(process)) for process in marker.read_text(encoding="utf-8").split())
