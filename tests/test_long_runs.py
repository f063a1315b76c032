"""A run that was stopped or killed goes on with the same command; nothing is lost, and nothing counts twice."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from zlib import crc32

import pytest
from builders import pinned_beir
from conftest import RunGate

from gate.asking import REPEATED
from gate.measures import RUN_MEASURES
from gate.search import RECOVERY

KILLS = 50
TOPICS = 150
FAULTS = ("embedder-raises", "embedder-zeros", "embedder-nan")
DRIVER = Path(__file__).parent / "killed_runs.py"
STORE = '''
import os, signal, time
import numpy as np
from gate.records import ScoredDoc, SearchResult

LOG = os.open("asked.log", os.O_WRONLY | os.O_APPEND | os.O_CREAT)

class Slow:
    """Finds documents by shared words; a mode that needs the embedder says when that fails. Every search is logged."""
    name, modes, abilities = "slow", frozenset({"keyword", "vector"}), frozenset({"embedder"})

    def __init__(self, path, embedder=None, reranker=None):
        self.embedder, self.index, self.ids, self.asked = embedder, {}, set(), 0

    def environment(self):
        return {"engine": os.environ.get("ENGINE", "slow 1")}

    def add(self, documents):
        for document in documents:
            self.ids.add(document.doc_id)
            for word in document.text.split():
                self.index.setdefault(word, set()).add(document.doc_id)

    def count(self):
        return len(self.ids)

    def search(self, query, k, mode, scope=frozenset()):
        fault = self.fault(query) if mode == "vector" else "none"
        os.write(LOG, f"{os.getpid()} {mode} {fault} {query}\\n".encode())
        self.asked += 1
        if str(self.asked) == os.environ.get("STOP_AFTER"):
            os.kill(os.getpid(), signal.SIGTERM)
            time.sleep(0.3)
        time.sleep(0.0005)
        found = {}
        for word in query.split():
            for doc_id in self.index.get(word, ()):
                found[doc_id] = found.get(doc_id, 0) + 1
        ranked = sorted(found, key=lambda doc_id: (-found[doc_id], doc_id))[:k]
        hits = tuple(ScoredDoc(doc_id, float(found[doc_id])) for doc_id in ranked)
        return SearchResult(hits, frozenset() if fault == "none" else frozenset({"embedder"}))

    def fault(self, query):
        try:
            vector = self.embedder.embed([query], "query")
        except RuntimeError:
            return "embedder-raises"
        return "embedder-nan" if np.isnan(vector).any() else "none" if vector.any() else "embedder-zeros"

    def close(self):
        pass
'''


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with a slow store and a corpus in which each document shares a word with five others."""
    corpus = tmp_path / "notes"
    (corpus / "qrels").mkdir(parents=True)
    texts = [f"ware{number} stands in room{number % 30}" for number in range(TOPICS)]
    files = {
        "corpus.jsonl": [json.dumps({"_id": f"d{number}", "text": text}) for number, text in enumerate(texts)],
        "queries.jsonl": [
            json.dumps({"_id": f"q{number}", "text": f"ware{number} room{number % 30}"}) for number in range(TOPICS)
        ],
        "qrels/test.tsv": ["query-id\tcorpus-id\tscore", *(f"q{n}\td{n}\t1" for n in range(TOPICS))],
    }
    for name, lines in files.items():
        (corpus / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    (tmp_path / "slowstore.py").write_text(STORE, encoding="utf-8")
    pin(tmp_path)
    return tmp_path


def pin(project: Path) -> None:
    """Settings that pin the corpus as it is now."""
    # Its vector search is keyword search, which a probe would see.
    asked = "store: slowstore:Slow\nbaseline: optional\nprobes: off\ndepth: 10\nmeasures: [R@5, nDCG@10]\n"
    asked += f"fail_open: {{faults: [{', '.join(FAULTS)}]}}\n"
    (project / "gate.yml").write_text(asked + pinned_beir(project / "notes"), encoding="utf-8")


def timeless(results: Path) -> dict[str, object]:
    """All that a run leaves to be judged by, but for how long things took and what it says of being resumed."""
    verdict = json.loads((results / "verdict.json").read_text(encoding="utf-8"))
    cells = [cell for cell in verdict["cells"] if cell["id"].rpartition("/")[2].partition("@")[0] not in RUN_MEASURES]
    checks = [(check["id"], check["status"], check["level"]) for check in verdict["checks"]]
    files = [*results.glob("runs/*"), *results.glob("qrels/*"), *results.glob("baseline/*/*")]
    kept = {str(path.relative_to(results)): path.read_bytes() for path in files}
    return {"cells": cells, "checks": checks, "verdict": verdict["verdict"], **kept}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the driver forks")
def test_fifty_kills_at_any_moment_lose_nothing_and_count_nothing_twice(project: Path) -> None:
    subprocess.run(
        [sys.executable, str(DRIVER), str(KILLS)],
        cwd=project,
        env={**os.environ, "TMPDIR": str(project), "PYTHONPATH": os.pathsep.join(sys.path)},
        check=True,
        timeout=600,
        capture_output=True,
    )
    rounds = [json.loads(line) for line in (project / "rounds.jsonl").read_text(encoding="utf-8").splitlines()]
    assert sum(one["code"] is None for one in rounds) == KILLS
    assert {one["code"] for one in rounds} == {None, 0}
    assert timeless(project / "killed") == timeless(project / "whole")
    assert not (project / "killed" / "checkpoints").exists()

    # Nothing is kept twice, and what was kept stays kept until a verdict is written.
    for before, after in pairwise(rounds):
        kept = {tuple(entry) for entry in after["kept"]}
        assert len(kept) == len(after["kept"])
        if not before["whole"]:
            assert kept >= {tuple(entry) for entry in before["kept"]}

    # What was on disk when a run began was not asked by it. Some topics are asked more than once by plan:
    # the sample for noise, and those by which recovery is looked at.
    planned = set(sorted((f"q{n}" for n in range(TOPICS)), key=lambda name: (crc32(name.encode()), name))[:REPEATED])
    planned |= {f"q{number}" for number in range(RECOVERY)}
    asked = asked_by_process(project)
    resumed = 0
    for one in rounds:
        kept = {tuple(entry) for entry in one["kept"]}
        again = [search for search in asked.get(one["process"], ()) if search in kept and search[2] not in planned]
        assert not again
        twice = [search for search, many in Counter(asked.get(one["process"], ())).items() if many > 1]
        assert {search[2] for search in twice} <= planned
        resumed += bool(kept)
    assert resumed > KILLS / 2, "most runs went on from what an earlier one had left"


def asked_by_process(project: Path) -> dict[int, list[tuple[str, str, str]]]:
    """The mode, fault and topic of every search of each process that was no warm-up."""
    found: dict[int, list[tuple[str, str, str]]] = {}
    for line in (project / "asked.log").read_text(encoding="utf-8").splitlines():
        process, mode, fault, *words = line.split()
        if len(words) == 2:
            found.setdefault(int(process), []).append((mode, fault, f"q{words[0].removeprefix('ware')}"))
    return found


# --- the command -------------------------------------------------------------------------------


def stopped(run_gate: RunGate, *arguments: str) -> str:
    """What a run says that was stopped after 94 searches, 88 of which count."""
    done = run_gate("run", *arguments, env={"STOP_AFTER": "95"})
    assert done.returncode == 130, done.stdout + done.stderr
    return " ".join(done.stdout.split())


def said(run_gate: RunGate, *arguments: str, env: Mapping[str, str] | None = None) -> str:
    """What a run says that comes to its end."""
    done = run_gate("run", *arguments, env=env)
    assert done.returncode == 0, done.stdout + done.stderr
    return " ".join(done.stdout.split())


def test_130_the_same_command_goes_on_to_the_same_results(run_gate: RunGate, project: Path) -> None:
    says = stopped(run_gate)
    assert "searches are kept: the same command goes on from there, and with --fresh it starts anew" in says
    kept = int(says.partition(" searches are kept")[0].rpartition(" ")[2])
    assert kept in (88, 89)
    assert f"resumed: {kept} of 750 searches were answered by an earlier run of the same code" in said(run_gate)
    assert not (project / "gate-results" / "checkpoints").exists()
    assert "resumed" not in said(run_gate, "--out", "whole")
    assert timeless(project / "gate-results") == timeless(project / "whole")


def test_a_change_of_the_store_s_code_is_said_and_starts_anew(run_gate: RunGate, project: Path) -> None:
    stopped(run_gate)
    (project / "slowstore.py").write_text(STORE.replace("found.get(doc_id, 0) + 1", "found.get(doc_id, 0) + 2"))
    says = said(run_gate)
    assert "the checkpoint of an earlier run is not used: code of the store was " in says
    assert "resumed" not in says


@pytest.mark.parametrize(
    ("arguments", "env", "says"),
    [
        (("--k", "5"), {}, "depth was 10, is 5"),
        (("--mode", "vector"), {}, "runs was keyword/none, vector/none, "),
        ((), {"ENGINE": "slow 2"}, "environment of the store, engine was slow 1, is slow 2"),
        (("--plant", "reversed=0.1"), {}, "planted defect was none, is reversed=0.1"),
    ],
)
def test_answers_to_anything_else_are_refused_by_name(
    run_gate: RunGate, project: Path, arguments: tuple[str, ...], env: dict[str, str], says: str
) -> None:
    stopped(run_gate)
    heard = run_gate("run", *arguments, env=env).stdout
    assert f"the checkpoint of an earlier run is not used: {says}" in " ".join(heard.split())
    assert "resumed" not in heard


def test_another_corpus_is_refused_by_name(run_gate: RunGate, project: Path) -> None:
    stopped(run_gate)
    with (project / "notes" / "corpus.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps({"_id": "late", "text": "came later"}) + "\n")
    pin(project)
    assert "the checkpoint of an earlier run is not used: corpus was " in said(run_gate)


def test_a_narrowed_run_in_between_costs_nothing(run_gate: RunGate, project: Path) -> None:
    stopped(run_gate)
    assert "not used" in said(run_gate, "--mode", "keyword")
    assert "resumed: 8" in said(run_gate)


def test_fresh_starts_anew(run_gate: RunGate, project: Path) -> None:
    stopped(run_gate)
    says = said(run_gate, "--fresh")
    assert "resumed" not in says
    assert "not used" not in says


def test_a_mistake_on_the_command_line_costs_nothing(run_gate: RunGate, project: Path) -> None:
    stopped(run_gate)
    assert run_gate("run", "--slice", "nowhere").returncode == 3
    assert "resumed: 8" in said(run_gate)


def test_a_torn_block_is_asked_again_and_said(run_gate: RunGate, project: Path) -> None:
    stopped(run_gate)
    (block,) = (project / "gate-results" / "checkpoints").rglob("block-*.json")
    block.write_bytes(block.read_bytes()[:-100])
    says = said(run_gate)
    assert "1 block of the checkpoint could not be believed; what was lost was asked again" in says
    assert "resumed" not in says


def test_a_second_process_on_the_same_results_is_refused_and_touches_nothing(run_gate: RunGate, project: Path) -> None:
    stopped(run_gate)
    fcntl = pytest.importorskip("fcntl", reason="Windows locks files otherwise")
    before = {path: path.read_bytes() for path in (project / "gate-results").rglob("*") if path.is_file()}
    with (project / "gate-results" / ".gate-results").open("rb") as marker:
        fcntl.flock(marker, fcntl.LOCK_EX)
        done = run_gate("run", "--fresh")
        assert done.returncode == 3
        assert "another run is writing its results here" in done.stderr
    assert {path: path.read_bytes() for path in before} == before
    assert "resumed: 8" in said(run_gate)


def test_a_link_in_the_place_of_the_checkpoints_is_not_followed(run_gate: RunGate, project: Path) -> None:
    stopped(run_gate)
    (project / "gate-results" / "checkpoints").rename(project / "elsewhere")
    (project / "gate-results" / "checkpoints").symlink_to(project / "elsewhere")
    done = run_gate("run")
    assert done.returncode == 3
    assert "this is a link, and what it leads to is not ours" in done.stderr
    assert list((project / "elsewhere").rglob("block-*.json"))
