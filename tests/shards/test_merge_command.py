"""`gate run --shard` and `gate merge` as a user runs them: files, words and exit codes."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from builders import pinned_beir
from conftest import RunGate

from gate.measures import RUN_MEASURES

SEARCHES = "searches/rooms.notes.full.cpu-hash.jsonl"

STORE = '''
import os, signal, time
import numpy as np
from gate.records import ScoredDoc, SearchResult

class Rooms:
    """Finds documents by shared words; says so when its embedder fails. TRICK makes it misbehave."""
    name, modes, abilities = "rooms", frozenset({"keyword", "vector"}), frozenset({"embedder"})

    def __init__(self, path, embedder=None, reranker=None):
        self.embedder, self.words, self.asked, self.trick = embedder, {}, 0, os.environ.get("TRICK", "")

        if self.trick == "closed":
            raise OSError("the door is closed")

    def environment(self):
        return {"engine": os.environ.get("ENGINE", "rooms 1")}

    def add(self, documents):
        if self.trick == "full":
            raise OSError("the disk is full")
        self.words |= {d.doc_id: set(d.text.split()) for d in documents}

    def count(self):
        return len(self.words)

    def search(self, query, k, mode, scope=frozenset()):
        self.asked += 1
        if self.trick == "stop" and self.asked == 12:
            os.kill(os.getpid(), signal.SIGTERM)
            time.sleep(0.3)
        if self.trick in query.split():
            raise ConnectionError("connection refused")
        degraded = frozenset()
        if mode == "vector":
            try:
                vector = self.embedder.embed([query], "query")
                whole = bool(np.isfinite(vector).all() and vector.any())
            except RuntimeError:
                whole = False
            degraded = frozenset() if whole else frozenset({"embedder"})
        asked = set(query.split())
        found = {name: len(asked & words) for name, words in self.words.items() if asked & words}
        ranked = sorted(found, key=lambda name: (-found[name], name))[:k]
        if self.trick == "worse" and mode == "keyword":
            ranked = ranked[1:]
        return SearchResult(tuple(ScoredDoc(name, float(found[name])) for name in ranked), degraded)

    def close(self):
        pass
'''
BUDGETS = """schema: 1
budgets:
  - cell: "rooms/*/all/*/keyword/none/R@5"
    min: 0.9
"""
WHOLE = "fail_open: {faults: [embedder-raises, embedder-zeros, embedder-nan]}\n"
# Those that the store notices: three that are asked of all topics, and two of a sample, which one shard has whole.
FAULTS = "fail_open: {faults: [embedder-raises, embedder-zeros, embedder-nan, embedder-long-text, embedder-recovers]}\n"
TOPICS = 30


@pytest.fixture(scope="module")
def origin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a store, thirty topics and settings."""
    folder = tmp_path_factory.mktemp("origin")
    corpus = folder / "notes"
    (corpus / "qrels").mkdir(parents=True)
    files = {
        "corpus.jsonl": [json.dumps({"_id": f"d{n}", "text": f"ware{n} lies in room{n % 6}"}) for n in range(TOPICS)],
        "queries.jsonl": [json.dumps({"_id": f"q{n}", "text": f"ware{n} room{n % 6}"}) for n in range(TOPICS)],
        "qrels/test.tsv": ["query-id\tcorpus-id\tscore", *(f"q{n}\td{n}\t1" for n in range(TOPICS))],
    }
    for name, lines in files.items():
        (corpus / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "roomstore.py").write_text(STORE, encoding="utf-8")
    (folder / "budgets.yml").write_text(BUDGETS, encoding="utf-8")
    # Its vector search is keyword search, which a probe would see.
    asked = "store: roomstore:Rooms\nbaseline: optional\nprobes: off\ndepth: 10\nbudgets: budgets.yml\n" + FAULTS
    (folder / "gate.yml").write_text(asked + pinned_beir(corpus), encoding="utf-8")
    return folder


@pytest.fixture
def project(origin: Path, tmp_path: Path) -> Path:
    shutil.copytree(origin, tmp_path, dirs_exist_ok=True)
    return tmp_path


def sharded(run_gate: RunGate, of: int, *arguments: str, env: Mapping[str, str] | None = None) -> list[int]:
    """The exit codes of all shards."""
    return [run_gate("run", *arguments, "--shard", f"{n}/{of}", env=env).returncode for n in range(1, of + 1)]


def folders(of: int) -> list[str]:
    return [f"gate-shard-{number}-of-{of}" for number in range(1, of + 1)]


def verdict_in(results: Path) -> dict[str, Any]:
    verdict: dict[str, Any] = json.loads((results / "verdict.json").read_text(encoding="utf-8"))
    return verdict


def timeless(results: Path) -> dict[str, object]:
    """All of the results as text but for how long things took: cells of times and the delays of fail-open are out."""
    verdict = (results / "verdict.json").read_text(encoding="utf-8").splitlines()
    kept = [line for line in verdict if not _of_time(line)]
    files = [
        path for name in ("runs", "qrels", "topics", "answers", "baseline") for path in results.glob(f"{name}/**/*")
    ]
    return {"verdict": kept, **{str(f.relative_to(results)): f.read_bytes() for f in files if f.is_file()}}


def _of_time(line: str) -> bool:
    if not line.startswith("  {"):
        return False
    name = json.loads(line.rstrip(","))["id"]
    return name.endswith(" within") or name.rpartition("/")[2].partition("@")[0] in RUN_MEASURES


def merge(run_gate: RunGate, shards: Sequence[str], code: int, *arguments: str) -> str:
    done = run_gate("merge", *shards, *arguments)
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    return " ".join(done.stdout.split())


@pytest.mark.parametrize("of", [1, 2, 3, 5])
def test_the_merged_verdict_is_that_of_the_run_in_one_piece(run_gate: RunGate, project: Path, of: int) -> None:
    assert run_gate("run", "--out", "whole").returncode == 0
    assert sharded(run_gate, of) == [0] * of
    merge(run_gate, folders(of), 0)
    assert timeless(project / "gate-results") == timeless(project / "whole")
    assert list((project / "gate-results").glob("baseline/*/*.jsonl"))
    merge(run_gate, folders(of)[::-1], 0, "--out", "backwards")
    assert timeless(project / "backwards") == timeless(project / "whole")


def without_samples(project: Path) -> None:
    """Leaves the faults that are asked of all topics: of those a topic is in one shard alone."""
    settings = project / "gate.yml"
    settings.write_text(settings.read_text(encoding="utf-8").replace(FAULTS, WHOLE), encoding="utf-8")


def test_a_store_that_raises_is_2_in_its_shard_and_said_as_by_the_whole(run_gate: RunGate, project: Path) -> None:
    without_samples(project)
    trick = {"TRICK": "ware20"}
    assert run_gate("run", "--out", "whole", env=trick).returncode == 2
    assert sharded(run_gate, 3, env=trick) == [0, 0, 2]
    assert "topic q20: ConnectionError: connection refused (1 error; 29 of 30 topics answered)" in merge(
        run_gate, folders(3), 2
    )
    assert timeless(project / "gate-results") == timeless(project / "whole")


def test_a_corpus_that_cannot_be_stored_is_said_as_by_the_whole(run_gate: RunGate, project: Path) -> None:
    assert run_gate("run", "--out", "whole", env={"TRICK": "full"}).returncode == 2
    assert sharded(run_gate, 2, env={"TRICK": "full"}) == [2, 2]
    assert "OSError: the disk is full" in merge(run_gate, folders(2), 2)
    assert timeless(project / "gate-results") == timeless(project / "whole")


def test_a_regression_that_no_shard_judged_is_1_when_merged(run_gate: RunGate, project: Path) -> None:
    assert sharded(run_gate, 2) == [0, 0]
    merge(run_gate, folders(2), 0)
    assert run_gate("accept", "--reason", "first").returncode == 0
    assert run_gate("run", "--out", "whole", env={"TRICK": "worse"}).returncode == 1
    assert sharded(run_gate, 2, env={"TRICK": "worse"}) == [0, 0]
    says = merge(run_gate, folders(2), 1)
    assert "REGRESSION" in says
    assert "30 of 30 topics lost" in says
    assert timeless(project / "gate-results") == timeless(project / "whole")


def test_budgets_are_read_when_merging(run_gate: RunGate, project: Path) -> None:
    assert sharded(run_gate, 2) == [0, 0]
    (project / "budgets.yml").write_text(BUDGETS.replace("min: 0.9", "max: 0.5"), encoding="utf-8")
    assert "is above the ceiling of 0.5" in merge(run_gate, folders(2), 1)


# --- shards that are no whole run --------------------------------------------------------------


def test_a_missing_shard_is_2_and_named(run_gate: RunGate, project: Path) -> None:
    assert sharded(run_gate, 3) == [0, 0, 0]
    says = merge(run_gate, [folders(3)[0], folders(3)[2]], 2)
    assert "shard 2 of 3 is missing" in says
    verdict = verdict_in(project / "gate-results")
    assert verdict["verdict"] == "NOT_MEASURED"
    assert {cell["status"] for cell in verdict["cells"]} == {"not measured"}
    assert len(verdict["cells"]) > TOPICS
    assert run_gate("accept", "--reason", "x").returncode == 2
    merge(run_gate, [folders(3)[0]], 2, "--not-measured", "allow")


def test_a_shard_that_is_there_twice_is_2(run_gate: RunGate, project: Path) -> None:
    assert sharded(run_gate, 2) == [0, 0]
    shutil.copytree(project / folders(2)[0], project / "again")
    assert "shard 1 of 2 is there 2 times" in merge(run_gate, [*folders(2), "again"], 2)


def test_of_two_attempts_at_a_shard_the_later_counts_and_is_told(run_gate: RunGate, project: Path) -> None:
    without_samples(project)
    assert sharded(run_gate, 2, env={"TRICK": "ware20"}) == [0, 2]
    again = run_gate("run", "--shard", "2/2", "--out", "again", env={"GITHUB_RUN_ATTEMPT": "2"})
    assert again.returncode == 0
    says = merge(run_gate, [*folders(2), "again"], 0)
    assert "shard 2 of 2: attempt 2 counts, and not the earlier attempt 1" in says


@pytest.mark.parametrize(
    ("arguments", "env", "says"),
    [
        (("--mode", "keyword"), {}, "flags is"),
        ((), {"ENGINE": "rooms 2"}, "environment of the store, engine is rooms 2 here, rooms 1 there"),
    ],
)
def test_a_shard_of_another_run_is_2_and_the_difference_named(
    run_gate: RunGate, project: Path, arguments: tuple[str, ...], env: dict[str, str], says: str
) -> None:
    assert sharded(run_gate, 3) == [0, 0, 0]
    assert run_gate("run", *arguments, "--shard", "2/3", env=env).returncode == 0
    heard = merge(run_gate, folders(3), 2)
    assert "this shard 2 of 3 belongs to another run than gate-shard-1-of-3" in heard
    assert says in heard
    assert "shard 2 of 3 is missing" in heard


def test_a_shard_of_another_number_of_shards_is_2(run_gate: RunGate, project: Path) -> None:
    assert sharded(run_gate, 2) == [0, 0]
    assert run_gate("run", "--shard", "3/3").returncode == 0
    assert "the number of shards is 3 here, 2 there" in merge(run_gate, [*folders(2), "gate-shard-3-of-3"], 2)


@pytest.mark.parametrize(
    ("file", "tear"),
    [
        ("shard.json", lambda raw: raw[:-40]),
        ("shard.json", lambda _: b""),
        (SEARCHES, lambda raw: raw[:-40]),
        (SEARCHES, lambda raw: raw.replace(b'"d1"', b'"d2"')),
        (SEARCHES, lambda _: b""),
    ],
)
def test_a_torn_shard_is_2(run_gate: RunGate, project: Path, file: str, tear: Any) -> None:
    assert sharded(run_gate, 2) == [0, 0]
    torn = project / folders(2)[1] / file
    changed = tear(torn.read_bytes())
    assert changed != torn.read_bytes()
    torn.write_bytes(changed)
    says = merge(run_gate, folders(2), 2)
    assert "this shard is torn" in says
    assert "shard 2 of 2 is missing" in says


def test_folders_that_hold_no_shard_are_2_and_said(run_gate: RunGate, project: Path) -> None:
    assert run_gate("run", "--out", "whole").returncode == 0
    (project / "empty").mkdir()
    says = merge(run_gate, ["whole", "empty", "absent"], 2)
    assert "these are the results of a run, not of a shard" in says
    assert "no shard was written here" in says
    assert "there is no such folder" in says
    assert verdict_in(project / "gate-results")["verdict"] == "NOT_MEASURED"


def test_other_settings_than_those_of_the_shards_are_2(run_gate: RunGate, project: Path) -> None:
    assert sharded(run_gate, 2) == [0, 0]
    settings = (project / "gate.yml").read_text(encoding="utf-8")
    (project / "gate.yml").write_text(settings.replace("depth: 10", "depth: 9"), encoding="utf-8")
    says = merge(run_gate, folders(2), 2)
    assert "the settings here are not those of the shards: rooms on notes@full, cpu-hash: depth was 10, is 9" in says


def test_another_corpus_than_that_of_the_shards_is_2(run_gate: RunGate, project: Path) -> None:
    assert sharded(run_gate, 2) == [0, 0]
    with (project / "notes" / "corpus.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps({"_id": "late", "text": "came later"}) + "\n")
    asked = (project / "gate.yml").read_text(encoding="utf-8").partition("corpora:")[0]
    (project / "gate.yml").write_text(asked + pinned_beir(project / "notes"), encoding="utf-8")
    assert "notes@full is another corpus here than the shards stored" in merge(run_gate, folders(2), 2)


def test_another_gate_than_that_of_the_shards_is_2(run_gate: RunGate, project: Path) -> None:
    assert sharded(run_gate, 1) == [0]
    shard = project / folders(1)[0] / "shard.json"
    data = json.loads(shard.read_text(encoding="utf-8"))
    data["shard"]["code"] = "0" * 16
    shard.write_text(json.dumps(data), encoding="utf-8")
    assert "was made by another gate: its code is 0000000000000000" in merge(run_gate, folders(1), 2)


# --- the command -------------------------------------------------------------------------------


def test_130_an_interrupted_shard_goes_on_and_says_so(run_gate: RunGate, project: Path) -> None:
    assert run_gate("run", "--out", "whole").returncode == 0
    assert run_gate("run", "--shard", "1/2").returncode == 0
    stopped = run_gate("run", "--shard", "2/2", env={"TRICK": "stop"})
    assert stopped.returncode == 130
    assert "INTERRUPTED" in stopped.stdout
    assert "this shard 2 of 2 was interrupted: the same command goes on from there" in merge(run_gate, folders(2), 2)
    done = run_gate("run", "--shard", "2/2")
    assert done.returncode == 0
    # Half of 30 topics: two modes in health, vector search under three faults; and all under a fault of a sample.
    assert "of 105 searches were answered by an earlier run" in " ".join(done.stdout.split())
    assert "shard 2 of 2: rooms on notes@full, cpu-hash: resumed:" in merge(run_gate, folders(2), 0)
    cells = [verdict_in(project / name)["cells"] for name in ("whole", "gate-results")]
    assert [(cell["id"], cell["topics"]) for cell in cells[0]] == [(cell["id"], cell["topics"]) for cell in cells[1]]


def test_a_limited_run_in_shards_is_that_run(run_gate: RunGate, project: Path) -> None:
    assert run_gate("run", "--limit", "7", "--out", "whole").returncode == 0
    assert sharded(run_gate, 2, "--limit", "7") == [0, 0]
    assert "narrowed by --limit 7" in merge(run_gate, folders(2), 0)
    assert timeless(project / "gate-results") == timeless(project / "whole")


@pytest.mark.parametrize("command", [("accept", "--reason", "x"), ("compare",), ("report",)])
def test_a_shard_is_taken_for_no_result(run_gate: RunGate, project: Path, command: tuple[str, ...]) -> None:
    assert run_gate("run", "--shard", "1/2").returncode == 0
    assert not (project / "gate-shard-1-of-2" / "verdict.json").exists()
    given = ["gate-shard-1-of-2"] * (2 if command == ("compare",) else 1)
    done = run_gate(*command, *given)
    assert done.returncode == 3
    assert "this is a shard, a part of a run that nobody has judged" in done.stderr


def test_a_store_that_opens_for_one_shard_alone_is_2(run_gate: RunGate, project: Path) -> None:
    assert sharded(run_gate, 3) == [0, 0, 0]
    done = run_gate("run", "--shard", "2/3", env={"TRICK": "closed"})
    assert done.returncode == 2
    assert "the store could not be opened" in " ".join(done.stdout.split())
    says = merge(run_gate, folders(3), 2)
    assert "the store roomstore:Rooms on cpu-hash is one that could not be opened here, opened there" in says


def test_a_store_that_does_not_open_is_said_as_by_the_whole(run_gate: RunGate, project: Path) -> None:
    assert run_gate("run", "--out", "whole", env={"TRICK": "closed"}).returncode == 2
    assert sharded(run_gate, 2, env={"TRICK": "closed"}) == [2, 2]
    assert "the door is closed" in merge(run_gate, folders(2), 2)
    assert timeless(project / "gate-results") == timeless(project / "whole")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--shard", "3/2"), "'3/2' names no shard"),
        (("--shard", "1/2", "--fail-on", "never"), "a shard judges nothing: --fail-on is for"),
        (("--shard", "1/2", "--not-measured", "allow"), "a shard judges nothing: --not-measured is for"),
        (("--shard", "1/2", "--base", "HEAD"), "a shard judges nothing: --base is for"),
        (("--shard", "1/2", "--accept-loosened"), "a shard judges nothing: --accept-loosened is for"),
    ],
)
def test_3_usage_of_shards(run_gate: RunGate, project: Path, arguments: tuple[str, ...], says: str) -> None:
    done = run_gate("run", *arguments)
    assert done.returncode == 3
    assert says in done.stderr


def test_a_shard_and_a_run_never_write_over_each_other(run_gate: RunGate, project: Path) -> None:
    assert run_gate("run").returncode == 0
    done = run_gate("run", "--shard", "1/2", "--out", "gate-results")
    assert done.returncode == 3
    assert "files that are not the results of a shard" in done.stderr
    assert run_gate("run", "--shard", "1/2").returncode == 0
    assert run_gate("run", "--out", "gate-shard-1-of-2").returncode == 3
