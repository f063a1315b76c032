"""The command as a user runs it, in processes of its own: every exit code, and nothing lost on the way."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from builders import digest_of, pinned_beir
from conftest import ROOT, RunGate

from gate.corpus.beir import read_beir
from gate.report import REPORTS

STORE = '''
import os, signal, subprocess, sys, threading, time
from gate.records import ScoredDoc, SearchResult

class Words:
    """Finds documents by shared words; what it does beside that is set by TRICK."""
    name, modes, abilities = "words", frozenset({"keyword"}), frozenset()

    def __init__(self, path, embedder=None, reranker=None):
        self.trick = os.environ.get("TRICK", "")
        self.words = {}
        self.asked = 0
        if self.trick == "open":
            raise OSError("the database is locked")

    def environment(self):
        return {}

    def add(self, documents):
        self.words |= {d.doc_id: set(d.text.lower().split()) for d in documents}

    def count(self):
        return len(self.words) - (self.trick == "loses")

    def search(self, query, k, mode, scope=frozenset()):
        self.asked += 1
        if self.trick == "raises":
            raise ConnectionError("connection refused")
        if self.trick == "exits":
            sys.exit(0)
        if self.trick == "none":
            return None
        if self.trick == "hangs":
            threading.Event().wait()
        if self.trick == "prints":
            print("STORE SAYS HELLO")
            os.write(1, b"DESCRIPTOR ONE\\n")
            os.write(2, b"DESCRIPTOR TWO\\n")
            subprocess.run(["sh", "-c", "echo FROM A CHILD"])
        if self.trick == "thread" and self.asked == 1:
            threading.Thread(target=time.sleep, args=(600,)).start()
        if self.trick == "silent":
            return SearchResult(())
        if self.trick == "stranger":
            return SearchResult(tuple(ScoredDoc(f"x{i}", 1.0) for i in self.words))
        if self.trick == "slow":
            time.sleep(0.05)
        if self.trick in ("SIGINT", "SIGTERM") and self.asked == 8:
            os.kill(os.getpid(), getattr(signal, self.trick))
            time.sleep(0.3)
        words = set(query.lower().split())
        hits = [ScoredDoc(i, float(len(words & w))) for i, w in self.words.items() if words & w]
        hits.sort(key=lambda hit: (-hit.score, hit.doc_id))
        return SearchResult(tuple(hits[:k]))

    def close(self):
        pass
'''
BUDGETS = """schema: 1
budgets:
  - cell: "words/*/all/*/keyword/none/R@5"
    min: 0.9
"""
BUG = """import gate.settings
def broken(path):
    raise RuntimeError("planted")
gate.settings.read_settings = broken
"""
ENDLESS = """import os, signal, time
import gate.corpus.beir
def endless(path, problems):
    os.kill(os.getpid(), signal.{name})
    while True:
        try:
            time.sleep(1)
        except Exception:
            pass
gate.corpus.beir.read_lines = endless
"""
SUBJECTS = ("ferry", "kettle", "lantern", "compass", "violin", "orchard", "granite", "harbour", "saddle", "thimble")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with a store, a small BEIR corpus and settings in which a baseline is optional."""
    corpus = tmp_path / "notes"
    (corpus / "qrels").mkdir(parents=True)
    lines = [json.dumps({"_id": f"d{i}", "text": f"the {word} is in room {i}"}) for i, word in enumerate(SUBJECTS)]
    (corpus / "corpus.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    asked = [json.dumps({"_id": f"q{i}", "text": f"where is the {word}"}) for i, word in enumerate(SUBJECTS)]
    (corpus / "queries.jsonl").write_text("\n".join(asked) + "\n", encoding="utf-8")
    judged = [f"q{i}\td{i}\t1" for i in range(len(SUBJECTS))]
    (corpus / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\n" + "\n".join(judged) + "\n")
    (tmp_path / "mystore.py").write_text(STORE, encoding="utf-8")
    (tmp_path / "gate.yml").write_text(f"store: mystore:Words\n{pinned_beir(corpus)}baseline: optional\n")
    return tmp_path


def verdict_in(folder: Path) -> dict[str, Any]:
    verdict: dict[str, Any] = json.loads((folder / "gate-results" / "verdict.json").read_text(encoding="utf-8"))
    return verdict


def test_0_a_store_that_passes(run_gate: RunGate, project: Path) -> None:
    done = run_gate("run")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("PASS")
    assert verdict_in(project)["exit_code"] == 0


def test_1_a_broken_budget_names_the_query_and_the_line(run_gate: RunGate, project: Path) -> None:
    (project / "gate.yml").write_text((project / "gate.yml").read_text() + "budgets: budgets.yml\nprobes: off\n")
    (project / "budgets.yml").write_text(
        'schema: 1\nbudgets:\n  - cell: "words/*/all/*/keyword/none/R@5"\n    min: 0.9\n'
    )
    done = run_gate("run", "--plant", "ascii-only")
    assert done.returncode == 0, "ASCII text survives an ASCII-only tokenizer"
    done = run_gate("run", "--plant", "reversed")
    assert done.returncode == 1
    assert "REGRESSION" in done.stdout
    assert "budgets.yml:3" in done.stdout
    assert "where is the" in done.stdout
    assert verdict_in(project)["verdict"] == "REGRESSION"


@pytest.mark.parametrize(("today", "code"), [("2027-03-31", 0), ("2027-04-01", 1)])
def test_1_a_waiver_that_ran_out_excuses_no_broken_budget(
    run_gate: RunGate, project: Path, today: str, code: int
) -> None:
    (project / "gate.yml").write_text((project / "gate.yml").read_text() + "budgets: budgets.yml\nprobes: off\n")
    waiver = 'waivers:\n  - cell: "words/*/*/*/*/*/*"\n    until: 2027-03-31\n    reason: not sorted yet\n'
    (project / "budgets.yml").write_text(BUDGETS + waiver)
    assert run_gate("run", "--plant", "reversed", "--today", today).returncode == code
    budget, *others = [check for check in verdict_in(project)["checks"] if check["source"] in ("budget", "plan")]
    assert budget["status"] == ("fail" if code else "waived")
    assert ["ran out on 2027-03-31" in other["message"] for other in others] == [True] * code


def test_1_a_loss_against_the_accepted_baseline(run_gate: RunGate, project: Path) -> None:
    assert run_gate("run").returncode == 0
    assert run_gate("accept", "--reason", "first").returncode == 0
    assert (project / "baselines" / "words" / "notes@full.cpu-hash.jsonl").is_file()
    assert run_gate("run").returncode == 0
    done = run_gate("run", "--plant", "reversed")
    assert done.returncode == 1
    assert "worse" in done.stdout


@pytest.mark.parametrize(
    ("trick", "says"),
    [
        ("open", "the database is locked"),
        ("raises", "ConnectionError: connection refused"),
        ("exits", "SystemExit"),
        ("none", "search gave None, not a SearchResult"),
        ("loses", "says that it holds 9 documents; 10 should be there"),
    ],
)
def test_2_a_store_that_cannot_be_measured(run_gate: RunGate, project: Path, trick: str, says: str) -> None:
    done = run_gate("run", env={"TRICK": trick})
    assert done.returncode == 2, done.stderr
    assert says in " ".join(done.stdout.split())
    assert "Traceback" not in done.stdout + done.stderr
    assert verdict_in(project)["verdict"] == "NOT_MEASURED"


def test_2_a_store_that_hangs(run_gate: RunGate, project: Path) -> None:
    (project / "gate.yml").write_text((project / "gate.yml").read_text() + "timeout: 0.3\n")
    done = run_gate("run", env={"TRICK": "hangs"}, timeout=60)
    assert done.returncode == 2
    assert "no answer within 0.3 s" in " ".join(done.stdout.split())


def test_2_a_first_run_without_a_baseline_says_how_to_accept(run_gate: RunGate, project: Path) -> None:
    (project / "gate.yml").write_text(f"store: mystore:Words\n{pinned_beir(project / 'notes')}")
    done = run_gate("run")
    assert done.returncode == 2
    assert "gate accept" in done.stdout


def test_not_measured_can_be_allowed_and_a_regression_beside_it_survives(run_gate: RunGate, project: Path) -> None:
    (project / "gate.yml").write_text(f"store: mystore:Words\n{pinned_beir(project / 'notes')}budgets: budgets.yml\n")
    (project / "budgets.yml").write_text(
        'schema: 1\nbudgets:\n  - cell: "words/*/all/*/keyword/none/R@5"\n    min: 0.9\n'
    )
    assert run_gate("run").returncode == 2
    assert run_gate("run", "--not-measured", "allow").returncode == 0
    assert run_gate("run", "--plant", "reversed").returncode == 2
    assert run_gate("run", "--plant", "reversed", "--not-measured", "allow").returncode == 1
    assert run_gate("run", "--plant", "reversed", "--not-measured", "allow", "--fail-on", "never").returncode == 0


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("run", "--mod", "keyword"), "--mode"),
        (("runn",), "did you mean 'run'?"),
        (("run", "--mode", "kyword"), "kyword"),
        (("run", "--store", "referense"), "reference"),
        (("run", "--store", "nowhere:open"), "there is no module 'nowhere'"),
        (("run", "--store", "mystore:Wrods"), "Words"),
        (("run", "--corpus", "seeded@2k"), "1k"),
        (("run", "--corpus", "beir:absent"), "absent"),
        (("run", "--slice", "zh-Hant"), "zh-Hant"),
        (("run", "--arm", "gpu"), "cpu-hash"),
        (("run", "--plant", "revresed"), "reversed"),
        (("run", "--plant", "reversed=7"), "at most 1"),
        (("run", "--config", "absent.yml"), "absent.yml"),
        (("run", "--out", "mystore.py"), "mystore.py"),
        (("run", "--out", "notes"), "not the results of a run"),
        (("run", "--k", "0"), "--k"),
        (("run", "--today", "yesterday"), "yesterday"),
        (("accept",), "--reason"),
        (("accept", "--reason", "x", "notes"), "no finished run"),
        (("corpus", "verify", "sedeed@smoke"), "seeded"),
    ],
)
def test_3_usage(run_gate: RunGate, project: Path, arguments: tuple[str, ...], says: str) -> None:
    done = run_gate(*arguments)
    assert done.returncode == 3, done.stdout + done.stderr
    assert says in done.stderr
    assert "Traceback" not in done.stderr
    assert not (project / "gate-results" / "verdict.json").exists()


@pytest.mark.parametrize(
    ("file", "text", "says"),
    [
        ("gate.yml", "store: [", "gate.yml:1"),
        ("gate.yml", "stroe: reference\n", "did you mean 'store'?"),
        ("gate.yml", "depth: many\n", "gate.yml:1"),
        ("budgets.yml", "budgets: 7\n", "budgets.yml"),
        ("notes/corpus.jsonl", '{"_id": "d1"\n', "corpus.jsonl:1"),
        ("notes/corpus.jsonl", "", "corpus.jsonl"),
        ("notes/queries.jsonl", "", "queries.jsonl"),
        ("notes/qrels/test.tsv", "q0\td0\tx\n", "test.tsv"),
        ("baselines/words/notes@full.cpu-hash.jsonl", '{"schema":1\n', "notes@full.cpu-hash.jsonl:1"),
        ("baselines/words/notes@full.cpu-hash.jsonl", "", "notes@full.cpu-hash.jsonl"),
    ],
)
def test_3_bad_files(run_gate: RunGate, project: Path, file: str, text: str, says: str) -> None:
    if file == "budgets.yml":
        (project / "gate.yml").write_text((project / "gate.yml").read_text() + "budgets: budgets.yml\n")
    (project / file).parent.mkdir(parents=True, exist_ok=True)
    (project / file).write_text(text, encoding="utf-8")
    before = {
        path: path.read_bytes() for path in project.rglob("*") if path.is_file() and "__pycache__" not in str(path)
    }
    done = run_gate("run")
    assert done.returncode == 3, done.stdout + done.stderr
    assert says in done.stderr
    assert "Traceback" not in done.stderr
    assert all(path.read_bytes() == content for path, content in before.items()), "a person's file was touched"


def test_70_a_bug_of_ours_is_caught_with_a_report(run_gate: RunGate, project: Path) -> None:
    (project / "sitecustomize.py").write_text(BUG)
    done = run_gate("run", env={"PYTHONPATH": f"{project}{os.pathsep}{ROOT}"})
    assert done.returncode == 70
    assert "this is a bug in retrieval-gate: RuntimeError: planted" in done.stderr
    assert "Traceback" not in done.stderr
    report = next(word for word in done.stderr.split() if word.endswith((".txt.", ".txt")))
    text = Path(report.rstrip(".")).read_text(encoding="utf-8")
    assert "Traceback" in text
    Path(report.rstrip(".")).unlink()


def test_70_whatever_calls_for_an_exit_with_0_is_no_pass(run_gate: RunGate, project: Path) -> None:
    (project / "sitecustomize.py").write_text(BUG.replace('RuntimeError("planted")', "SystemExit(0)"))
    done = run_gate("run", env={"PYTHONPATH": f"{project}{os.pathsep}{ROOT}", "TMPDIR": str(project)})
    assert done.returncode == 70
    assert "something called for an exit with 0" in done.stderr
    assert not (project / "gate-results" / "verdict.json").exists()


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_130_what_was_measured_is_kept(run_gate: RunGate, project: Path, name: str) -> None:
    done = run_gate("run", env={"TRICK": name})
    assert done.returncode == 130, done.stdout + done.stderr
    verdict = verdict_in(project)
    assert verdict["verdict"] == "INTERRUPTED"
    assert verdict["exit_code"] == 130
    assert [p.name for p in (project / "gate-results" / "runs").iterdir()] == [
        "words.notes.full.cpu-hash.keyword.none.run.partial"
    ]
    refused = run_gate("accept", "--reason", "x")
    assert refused.returncode == 2
    assert "interrupted" in refused.stderr


def test_130_a_signal_from_outside_while_a_store_is_slow(project: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "gate", "run"],
        cwd=project,
        env={**os.environ, "TRICK": "slow"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
    )
    assert process.stderr is not None
    assert b"storing" in process.stderr.readline(), "measuring has begun"
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=60)
    assert process.returncode == 130
    assert verdict_in(project)["verdict"] == "INTERRUPTED"


def test_what_a_store_prints_goes_to_its_log_and_never_into_our_output(run_gate: RunGate, project: Path) -> None:
    done = run_gate("run", env={"TRICK": "prints"})
    assert done.returncode == 0
    log = (project / "gate-results" / "store.log").read_text()
    for said in ("STORE SAYS HELLO", "DESCRIPTOR ONE", "DESCRIPTOR TWO", "FROM A CHILD"):
        assert said in log
        assert said not in done.stdout + done.stderr


def test_a_thread_that_a_store_leaves_behind_does_not_keep_the_process_alive(run_gate: RunGate, project: Path) -> None:
    assert run_gate("run", env={"TRICK": "thread"}, timeout=60).returncode == 0


def test_output_is_utf_8_whatever_the_locale_says(run_gate: RunGate, project: Path) -> None:
    words = (project / "notes" / "corpus.jsonl").read_text().replace("ferry", "渡轮")
    (project / "notes" / "corpus.jsonl").write_text(words, encoding="utf-8")
    queries = (project / "notes" / "queries.jsonl").read_text().replace("ferry", "渡轮")
    (project / "notes" / "queries.jsonl").write_text(queries, encoding="utf-8")
    (project / "gate.yml").write_text(f"store: mystore:Words\n{pinned_beir(project / 'notes')}baseline: optional\n")
    assert run_gate("run").returncode == 0
    assert run_gate("accept", "--reason", "first").returncode == 0
    locale = {"LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii", "PYTHONCOERCECLOCALE": "0"}
    done = run_gate("run", "--plant", "reversed", env=locale)
    assert done.returncode == 1
    assert "渡轮" in done.stdout


def test_a_narrowed_run_cannot_be_accepted(run_gate: RunGate, project: Path) -> None:
    assert run_gate("run", "--k", "5").returncode == 0
    done = run_gate("accept", "--reason", "x")
    assert done.returncode == 3
    assert "--k 5" in done.stderr


def test_help_of_every_verb_names_its_exit_codes(run_gate: RunGate) -> None:
    for verb in ((), ("run",), ("accept",), ("corpus",)):
        done = run_gate(*verb, "--help")
        assert done.returncode == 0
        assert "Exit codes" in done.stdout


def test_help_imports_nothing_heavy(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import os, sys\nend = os._exit\n"
        "def told(code):\n"
        "    heavy = ('numpy', 'jieba', 'rich', 'jsonschema', 'yaml', 'Stemmer')\n"
        "    sys.stderr.write(f'heavy: {[m for m in heavy if m in sys.modules]}')\n"
        "    sys.stderr.flush()\n"
        "    end(code)\n"
        "os._exit = told\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(tmp_path), os.environ.get("PYTHONPATH", "")))}
    done = subprocess.run(
        [sys.executable, "-m", "gate", "--help"], capture_output=True, text=True, check=True, env=environment
    )
    assert done.stderr == "heavy: []"


def test_a_reader_that_goes_away_changes_nothing_of_the_verdict(project: Path) -> None:
    command = f"{sys.executable} -m gate run 2>&1 | head -1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], cwd=project, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert verdict_in(project)["verdict"] == "PASS"


def test_closed_descriptors_are_survived(project: Path) -> None:
    command = f"{sys.executable} -m gate run <&- >&- 2>&-"
    assert subprocess.run(["bash", "-c", command], cwd=project, check=False).returncode == 0
    assert verdict_in(project)["verdict"] == "PASS"


@pytest.mark.parametrize(
    ("trick", "says"), [("stranger", "10 ids came back that nobody stored"), ("silent", "no search found anything")]
)
def test_1_a_driver_that_answers_with_nothing_that_was_stored(
    run_gate: RunGate, project: Path, trick: str, says: str
) -> None:
    done = run_gate("run", env={"TRICK": trick})
    assert done.returncode == 1
    assert says in " ".join(done.stdout.split())


def test_2_a_baseline_that_nothing_is_compared_with_any_more(run_gate: RunGate, project: Path) -> None:
    assert run_gate("run").returncode == 0
    assert run_gate("accept", "--reason", "first").returncode == 0
    (project / "notes").rename(project / "diary")
    (project / "gate.yml").write_text((project / "gate.yml").read_text().replace("notes", "diary"))
    done = run_gate("run")
    assert done.returncode == 2
    assert "notes@full.cpu-hash" in done.stdout


def test_2_a_mode_under_a_new_name_is_compared_with_nothing(run_gate: RunGate, project: Path) -> None:
    assert run_gate("run").returncode == 0
    assert run_gate("accept", "--reason", "first").returncode == 0
    store = (project / "mystore.py").read_text()
    (project / "mystore.py").write_text(store.replace('"keyword"', '"hybrid"'))
    done = run_gate("run")
    assert done.returncode == 2, done.stdout
    said = " ".join(done.stdout.split())
    assert "hybrid/none is not in the baseline" in said
    assert "keyword/none is in the baseline, and the plan has no such run any more" in said


def test_3_settings_that_cannot_be_read_leave_no_view_of_an_earlier_verdict(run_gate: RunGate, project: Path) -> None:
    results = project / "gate-results"
    assert run_gate("run").returncode == 0
    views = [report.file_name for report in REPORTS.values()]
    assert all((results / name).is_file() for name in views)
    (project / "gate.yml").write_text("stroe: reference\n")
    assert run_gate("run").returncode == 3
    assert [name for name in views if (results / name).exists()] == []
    assert (results / "manifest.json").is_file()


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_130_at_once_while_a_corpus_is_read(run_gate: RunGate, project: Path, name: str) -> None:
    (project / "sitecustomize.py").write_text(ENDLESS.format(name=name))
    done = run_gate("run", env={"PYTHONPATH": f"{project}{os.pathsep}{ROOT}"})
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr == f"Stopped by {name} before anything was measured.\n"
    assert not (project / "gate-results" / "verdict.json").exists()


def test_3_a_log_that_is_a_pipe_is_not_waited_for(run_gate: RunGate, project: Path) -> None:
    assert run_gate("run").returncode == 0
    (project / "gate-results" / "store.log").unlink()
    os.mkfifo(project / "gate-results" / "store.log")
    done = run_gate("run")
    assert done.returncode == 3
    assert "this is no ordinary file, and what a store prints goes there" in done.stderr


def test_3_a_mistake_on_the_command_line_leaves_the_last_results_but_no_verdict(
    run_gate: RunGate, project: Path
) -> None:
    assert run_gate("run").returncode == 0
    before = (project / "gate-results" / "manifest.json").read_bytes()
    assert run_gate("run", "--plant", "revresed").returncode == 3
    assert run_gate("run", "--slice", "nowhere").returncode == 3
    assert (project / "gate-results" / "manifest.json").read_bytes() == before
    assert not (project / "gate-results" / "verdict.json").exists(), "an old verdict is not taken for this run's"


@pytest.fixture
def two_corpora(project: Path) -> Path:
    """The project with a second corpus, `diary`, whose topics are in the slice `rooms`; `notes` has no such slice."""
    diary = project / "diary"
    shutil.copytree(project / "notes", diary)
    lines = (diary / "queries.jsonl").read_text().splitlines()
    asked = [json.dumps({**json.loads(line), "metadata": {"slices": ["rooms"]}}) for line in lines]
    (diary / "queries.jsonl").write_text("\n".join(asked) + "\n")
    entries = [f"{{beir: {name}, sha256: {digest_of(read_beir(project / name))}}}" for name in ("notes", "diary")]
    (project / "gate.yml").write_text(f"store: mystore:Words\ncorpora: [{', '.join(entries)}]\nbaseline: optional\n")
    return project


def test_0_a_corpus_without_the_slice_that_a_flag_asks_for_is_out_of_scope(
    run_gate: RunGate, two_corpora: Path
) -> None:
    done = run_gate("run", "--slice", "rooms")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "nothing is measured of words on notes@full, cpu-hash" in " ".join(done.stdout.split())
    verdict = verdict_in(two_corpora)
    assert not [check for check in verdict["checks"] if check["status"] == "not measured"]
    assert {cell["id"].split("/")[1] for cell in verdict["cells"]} == {"diary@full"}


def test_2_flags_that_leave_nothing_of_any_corpus(run_gate: RunGate, two_corpora: Path) -> None:
    done = run_gate("run", "--slice", "rooms", "--mode", "vector")
    assert done.returncode == 2
    said = " ".join(done.stdout.split())
    for name in ("notes", "diary"):
        assert f"nothing is left to measure of words on {name}@full, cpu-hash" in said


def test_3_a_store_that_calls_itself_what_a_control_is_called(run_gate: RunGate, project: Path) -> None:
    budget = '  - cell: "null/*/all/*/keyword/none/R@5"\n    max: 0\n'
    (project / "budgets.yml").write_text(BUDGETS + budget)
    (project / "gate.yml").write_text((project / "gate.yml").read_text() + "budgets: budgets.yml\n")
    assert run_gate("run").returncode == 0
    (project / "mystore.py").write_text(STORE.replace('"words"', '"null"', 1), encoding="utf-8")
    done = run_gate("run")
    assert done.returncode == 3
    assert "as the control does" in done.stderr


def test_without_settings_a_run_says_which_store_it_gates(run_gate: RunGate, tmp_path: Path) -> None:
    done = run_gate("run", "--tier", "smoke", "--mode", "keyword", "--slice", "facts")
    assert "there is no gate.yml in this folder" in " ".join(done.stdout.split())


def test_gate_alone_shows_its_help(run_gate: RunGate) -> None:
    done = run_gate()
    assert done.returncode == 0
    assert done.stdout.startswith("Usage: gate")


def test_2_a_factory_of_another_signature_is_told_the_right_one(run_gate: RunGate, project: Path) -> None:
    (project / "mystore.py").write_text(STORE.replace("(self, path, embedder=None, reranker=None)", "(self)"))
    done = run_gate("run")
    assert done.returncode == 2
    assert "open_store(path, embedder=None, reranker=None)" in " ".join(done.stdout.split())


def test_a_measure_that_looks_further_down_than_was_asked_is_not_planned(run_gate: RunGate, project: Path) -> None:
    assert run_gate("run", "--k", "3").returncode == 0
    measures = {cell["id"].rpartition("/")[2] for cell in verdict_in(project)["cells"]}
    assert "Hit@1" in measures
    assert not {"R@5", "nDCG@10", "AP@100"} & measures


def test_3_something_odd_where_a_store_keeps_its_baselines(run_gate: RunGate, project: Path) -> None:
    (project / "baselines").mkdir()
    (project / "baselines" / "words").symlink_to("nowhere")
    done = run_gate("run")
    assert done.returncode == 3
    assert "this should be a baseline file" in done.stderr


@pytest.mark.parametrize("end", ["\\n", "\\u2028", "\\x85"])
def test_no_name_in_an_error_starts_a_line_that_a_runner_would_obey(
    run_gate: RunGate, tmp_path: Path, end: str
) -> None:
    (tmp_path / "gate.yml").write_text(f'"a{end}::error file=x::owned": 1\n', encoding="utf-8")
    done = run_gate("run")
    assert done.returncode == 3
    assert "::error" in done.stderr
    assert not [line for line in done.stderr.splitlines() if line.lstrip().startswith("::")]


def test_3_a_defect_without_a_name_is_refused(run_gate: RunGate) -> None:
    done = run_gate("run", "--plant", "")
    assert (done.returncode, "[plant-empty]" in done.stderr) == (3, True)


@pytest.mark.skipif(os.name == "nt", reason="Windows removes no folder that a process is in")
@pytest.mark.parametrize("arguments", [("run",), ("latency", "--base", "HEAD")])
def test_a_current_folder_that_is_gone_is_said(run_gate: RunGate, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    elsewhere = {"PYTHONPATH": str(ROOT)}
    prefix = ("sh", "-c", 'rmdir "$PWD" && exec "$@"', "sh")
    done = run_gate(*arguments, cwd=gone, env=elsewhere, prefix=prefix)
    assert (done.returncode, done.stdout) == (3, "")
    assert "[folder-gone]" in done.stderr
