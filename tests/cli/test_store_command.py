"""`gate store check` as a user runs it: what it prints, and how it exits."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from conftest import ROOT, RunGate

from gate.files import schema_of

STORE = """
from gate.records import ScoredDoc, SearchResult

class Words:
    name, modes, abilities = "words", frozenset({"keyword"}), frozenset()

    def __init__(self, path, embedder=None, reranker=None):
        self.words = {}

    def environment(self):
        return {}

    def add(self, documents):
        print("printed by the store")
        self.words |= {d.doc_id: set(d.text.lower().split()) for d in documents}

    def count(self):
        return len(self.words)

    def search(self, query, k, mode, scope=frozenset()):
        asked = set(query.lower().split())
        found = {name: len(asked & own) for name, own in self.words.items() if asked & own}
        ranked = sorted(found, key=lambda name: (-found[name], name))[: self.most(k)]
        return SearchResult(tuple(ScoredDoc(name, float(found[name])) for name in ranked))

    def most(self, k):
        return k

    def close(self):
        pass

class Capped(Words):
    def most(self, k):
        return min(k, 2)

class Down(Words):
    def add(self, documents):
        raise ConnectionError("the index is down")

def closed(path, embedder=None, reranker=None):
    raise OSError("the door is closed")
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "words.py").write_text(STORE, encoding="utf-8")
    return tmp_path


def test_the_fast_probes_find_nothing_in_a_plain_sound_store(run_gate: RunGate, project: Path) -> None:
    done = run_gate("store", "check", "words:Words", "--fast")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("PASS  words: ")
    assert "note: words is not asked the probes reopen, update, update-each, delete" in done.stdout
    assert "printed by the store" not in done.stdout
    assert list(project.glob("gate*")) == []


def test_a_finding_is_a_sentence_with_lines_and_exit_1(run_gate: RunGate, project: Path) -> None:
    done = run_gate("store", "check", "words:Capped", "--probe", "fills-k", "--log", "store.log")
    assert done.returncode == 1, done.stdout + done.stderr
    lines = done.stdout.split("\n")
    assert lines[0] == "REGRESSION  words: 1 failed of 1 look  (exit 1)"
    assert lines[3] == "  k = 3 gave 2 hits, and 12 documents hold 'harbour ledger'"
    assert lines[4].startswith("    from words import Capped; from gate.probes.by_hand import ids, opened; ")
    assert "gate: words on cpu-hash: probes" in done.stderr
    assert "printed by the store" in (project / "store.log").read_text(encoding="utf-8")


def test_json_holds_to_its_schema(run_gate: RunGate, project: Path) -> None:
    done = run_gate("store", "check", "words:Capped", "--fast", "--json", "--quiet")
    data = json.loads(done.stdout)
    jsonschema.validate(data, dict(schema_of("store-check")))
    assert done.returncode == data["exit_code"] == 1
    assert done.stderr == ""
    failing = {check["cell"].rpartition("/")[2] for check in data["checks"] if check["status"] == "fail"}
    assert "fills-k" in failing
    assert all(bool(check["show"]) == (check["status"] == "fail") for check in data["checks"])


def test_a_store_that_raises_is_not_measured(run_gate: RunGate, project: Path) -> None:
    done = run_gate("store", "check", "words:Down", "--probe", "k-prefix")
    assert done.returncode == 2
    assert done.stdout.startswith("NOT_MEASURED  words: 1 not measured of 1 look  (exit 2)")
    assert "ConnectionError: the index is down" in done.stdout
    done = run_gate("store", "check", "words:closed")
    assert done.returncode == 2
    assert "OSError: the door is closed" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["nowhere"], "there is no store 'nowhere'"),
        (["words:Nothing"], "has no 'Nothing'"),
        (["null"], "null is a control"),
        (["--probe", "k-prefx"], "no probe is called 'k-prefx'"),
        (["--arm", "tpu"], "there is no arm 'tpu'"),
        (["--mode", "telepathy"], "'telepathy'"),
        (["--plant", "nothing"], "no defect is called 'nothing'"),
        (["--config", "missing.yml"], "missing.yml"),
        (["--log", "nowhere/store.log"], "there is no such folder"),
    ],
)
def test_what_cannot_be_used_is_said_with_exit_3(
    run_gate: RunGate, project: Path, arguments: list[str], says: str
) -> None:
    done = run_gate("store", "check", *arguments)
    assert done.returncode == 3
    assert says in done.stderr
    assert "Traceback" not in done.stderr


def test_nothing_to_look_at_is_not_measured(run_gate: RunGate, project: Path) -> None:
    done = run_gate("store", "check", "words:Words", "--probe", "delete")
    assert done.returncode == 2
    assert "nothing was looked at" in done.stdout


def test_a_mode_that_the_store_does_not_declare_is_no_pass(run_gate: RunGate, project: Path) -> None:
    done = run_gate("store", "check", "words:Words", "--mode", "vector")
    assert done.returncode == 2
    assert "words does not declare the mode vector" in done.stderr


def test_without_settings_and_a_name_it_is_said_whose_store_is_looked_at(run_gate: RunGate, tmp_path: Path) -> None:
    done = run_gate("store", "check", "--fast", "--quiet", "--probe", "k-one", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "this is the store that comes with the gate" in done.stderr


def test_the_page_shows_what_the_command_prints(run_gate: RunGate) -> None:
    page = (ROOT / "docs" / "probes.md").read_text(encoding="utf-8")
    command, _, shown = page.partition("```console\n$ gate ")[2].partition("\n```")[0].partition("\n")
    assert run_gate(*command.replace('"', "").split()).stdout == f"{shown}\n"
