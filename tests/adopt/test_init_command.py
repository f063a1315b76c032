"""`gate init` as a person runs it, in repositories of their own."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
import yaml
from adopting import BROKEN, CORPUS, ENVIRONMENT, STORE, WORDS, contents, corpus_files, repository
from builders import pinned_beir
from conftest import RunGate

from gate.settings import read_settings

BASELINE = "baselines/recall/data@full.cpu-hash.jsonl"
HOOK = ".git/hooks/pre-push"
NO_FALLBACK = STORE.replace("abilities = frozenset()", 'abilities = frozenset({"embedder"})').replace(
    '{"keyword"}', '{"keyword", "vector"}'
)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    repository(folder)
    return folder


def init(run_gate: RunGate, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return run_gate("init", *arguments, cwd=folder, env=ENVIRONMENT)


def test_a_fresh_repository_is_set_up_and_its_first_run_is_green(run_gate: RunGate, project: Path) -> None:
    before = set(contents(project))
    done = init(run_gate, project, "--corpus", CORPUS)
    assert done.returncode == 0, done.stderr
    assert "Found the store recall:Recall (recall.py:10)." in done.stdout
    made = set(contents(project)) - before
    assert made == {"gate.yml", "budgets/recall.yml", BASELINE, ".gitignore", HOOK}
    assert all(f"written    {name}" in done.stdout for name in made)
    settings = read_settings(project / "gate.yml")
    assert settings.store == "recall:Recall"
    assert settings.budgets == project / "budgets/recall.yml"
    assert settings.corpora == (f"beir:{project / 'data'}",)
    assert list(settings.pins) == [f"beir:{project / 'data'}"]
    header = json.loads((project / BASELINE).read_text(encoding="utf-8").partition("\n")[0])
    assert header["why"] == "first adoption by gate init"
    assert (project / ".gitignore").read_text(encoding="utf-8") == "gate-results/\n"
    again = run_gate("run", "--quiet", cwd=project, env=ENVIRONMENT)
    assert again.returncode == 0, again.stdout


def test_headroom_is_what_a_budget_leaves(run_gate: RunGate, project: Path) -> None:
    # All 20 topics are found. A tenth are two, so one may be lost; a fifth are four, so three may be lost.
    floors = {}
    for headroom, least in (("0.1", 19 / 20), ("0.2", 17 / 20)):
        init(run_gate, project, "--corpus", CORPUS, "--headroom", headroom, "--force")
        budgets = yaml.safe_load((project / "budgets/recall.yml").read_text(encoding="utf-8"))["budgets"]
        floors[headroom] = [one["min"] for one in budgets if one["cell"].endswith("/all/cpu-hash/keyword/none/R@5")]
        assert floors[headroom] == [least]


def test_run_twice_it_changes_nothing(run_gate: RunGate, project: Path) -> None:
    init(run_gate, project, "--corpus", CORPUS)
    before = contents(project)
    for arguments in ((), ("--corpus", CORPUS), ("--store", "recall:Recall")):
        done = init(run_gate, project, *arguments)
        assert done.returncode == 0, done.stderr
        assert "Nothing was changed." in done.stdout
        assert contents(project) == before


def test_settings_in_place_speak_for_themselves(run_gate: RunGate, project: Path) -> None:
    (project / "gate.yml").write_text(
        "store: recall:Recall\ncorpora: [seeded@smoke]\nslices: [identifiers]\nbudgets: limits.yml\n", encoding="utf-8"
    )
    done = init(run_gate, project)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "left       gate.yml" in done.stdout
    assert "slices: [identifiers]" in (project / "gate.yml").read_text(encoding="utf-8")
    assert "recall/seeded@smoke/identifiers/" in (project / "limits.yml").read_text(encoding="utf-8")
    assert "run --quiet --tier smoke" in (project / HOOK).read_text(encoding="utf-8")
    assert run_gate("run", "--quiet", cwd=project, env=ENVIRONMENT).returncode == 0


def test_settings_without_a_store_are_not_taken_for_those_of_the_gates_own(run_gate: RunGate, project: Path) -> None:
    (project / "gate.yml").write_text("fail_open: {faults: []}\n", encoding="utf-8")
    before = contents(project)
    refused = init(run_gate, project)
    assert refused.returncode == 3
    assert "init-settings-without-store" in refused.stderr
    assert "store: recall:Recall" in refused.stderr
    assert contents(project) == before


def test_settings_in_place_that_say_otherwise_are_refused_and_forced_ones_leave_a_copy(
    run_gate: RunGate, project: Path
) -> None:
    mine = "# mine\nstore: recall:Recall\ncorpora: [seeded@smoke]\nslices: [identifiers]\n"
    (project / "gate.yml").write_text(mine, encoding="utf-8")
    (project / "gate.yml.bak").write_text("older\n", encoding="utf-8")
    before = contents(project)
    refused = init(run_gate, project, "--corpus", CORPUS)
    assert refused.returncode == 3
    assert "init-settings-differ" in refused.stderr
    assert contents(project) == before
    forced = init(run_gate, project, "--corpus", CORPUS, "--force")
    assert forced.returncode == 0, forced.stderr
    assert "replaced   gate.yml  (the one before is gate.yml.bak.2)" in forced.stdout
    assert (project / "gate.yml.bak").read_text(encoding="utf-8") == "older\n"
    assert (project / "gate.yml.bak.2").read_text(encoding="utf-8") == mine


def test_settings_without_budgets_are_not_touched_and_the_line_is_shown(run_gate: RunGate, project: Path) -> None:
    (project / "gate.yml").write_text(
        "store: recall:Recall\ncorpora: [seeded@smoke]\nslices: [identifiers]\n", encoding="utf-8"
    )
    done = init(run_gate, project)
    assert done.returncode == 0, done.stderr
    assert "             budgets: budgets/recall.yml" in done.stdout
    assert not (project / "budgets").exists()
    assert (project / "baselines/recall/seeded@smoke.cpu-hash.jsonl").is_file()


def test_force_replaces_no_baseline_and_no_driver(run_gate: RunGate, project: Path) -> None:
    init(run_gate, project, "--corpus", CORPUS)
    baseline = (project / BASELINE).read_bytes()
    (project / "mine.py").write_text(STORE.replace("class Recall", "class open_store"), encoding="utf-8")
    done = init(run_gate, project, "--driver", "mine.py", "--force", "--corpus", CORPUS)
    assert done.returncode == 0, done.stderr
    assert (project / BASELINE).read_bytes() == baseline
    assert "left       mine.py  (it is there already, and yours)" in done.stdout
    assert "`gate accept` replaces it" in done.stdout


def test_without_a_store_it_says_what_to_give_and_writes_nothing(run_gate: RunGate, tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("chromadb>=1\nqdrant_client\nmy-lancedb-notes\n", encoding="utf-8")
    done = init(run_gate, tmp_path)
    assert done.returncode == 3
    assert "init-no-store" in done.stderr
    assert "--store module:factory" in done.stderr
    assert "It depends on chromadb, qdrant-client:" in done.stderr
    assert set(contents(tmp_path)) == {"requirements.txt"}


def test_of_several_stores_none_is_guessed(run_gate: RunGate, project: Path) -> None:
    (project / "other.py").write_text("def open_store(path, embedder=None, reranker=None): ...\n", encoding="utf-8")
    done = init(run_gate, project, "--corpus", CORPUS)
    assert done.returncode == 3
    assert "init-stores-several" in done.stderr
    assert "--store recall:Recall" in done.stderr
    assert "--store other:open_store" in done.stderr


def test_a_driver_to_fill_in_is_green_as_it_stands(run_gate: RunGate, tmp_path: Path) -> None:
    made = repository(tmp_path / "project", store="")
    done = init(run_gate, made.folder, "--driver", "search/recall_driver.py", "--corpus", CORPUS)
    assert done.returncode == 0, done.stderr
    assert (made.folder / "baselines/recall-driver/data@full.cpu-hash.jsonl").is_file()
    again = init(run_gate, made.folder, "--driver", "search/recall_driver.py", "--corpus", CORPUS)
    assert again.returncode == 0, again.stderr
    assert "Nothing was changed." in again.stdout
    scores = json.loads((made.folder / "gate-results/verdict.json").read_text(encoding="utf-8"))["cells"]
    assert [one["value"] for one in scores if "/all/" in one["id"] and one["id"].endswith("R@5")] == [1.0]


@pytest.mark.parametrize(
    ("path", "slug"),
    [
        ("json.py", "init-driver-shadowed"),
        ("yaml.py", "init-driver-shadowed"),
        ("my driver.py", "init-driver-path"),
        ("$(touch x).py", "init-driver-path"),
        ("../outside.py", "init-driver-path"),
        ("driver.txt", "init-driver-path"),
    ],
)
def test_a_driver_that_could_not_be_imported_is_refused(
    run_gate: RunGate, tmp_path: Path, path: str, slug: str
) -> None:
    done = init(run_gate, tmp_path, "--driver", path)
    assert done.returncode == 3
    assert slug in done.stderr
    assert not contents(tmp_path)


@pytest.mark.parametrize(
    ("store", "code", "says"),
    [
        (STORE.replace("return len(self.documents)", "raise OSError('no disk')"), 2, "no disk"),
        (BROKEN, 1, "no search found anything"),
        (BROKEN, 1, "  probes: off"),
        (NO_FALLBACK, 2, "fail_open: {faults: []}"),
    ],
    ids=["raises", "finds nothing", "is not sound", "never asks its embedder"],
)
def test_a_first_run_that_is_not_green_leaves_nothing_but_its_results(
    run_gate: RunGate, tmp_path: Path, store: str, code: int, says: str
) -> None:
    made = repository(tmp_path / "project", store=store)
    before = contents(made.folder)
    done = init(run_gate, made.folder, "--store", "recall:Recall", "--corpus", CORPUS)
    assert done.returncode == code, done.stdout + done.stderr
    assert says in done.stdout
    assert contents(made.folder) == before


def test_a_store_that_is_asked_no_faults_is_not_told_to_switch_them_off(run_gate: RunGate, tmp_path: Path) -> None:
    store = STORE.replace("[:k]))", "[:k]), frozenset({'embedder'}))")
    made = repository(tmp_path / "project", store=store)
    settings = f"store: recall:Recall\n{pinned_beir(made.folder / 'data')}fail_open: {{faults: []}}\n"
    (made.folder / "gate.yml").write_text(settings, encoding="utf-8")
    done = init(run_gate, made.folder)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "searches said that they went without embedder" in " ".join(done.stdout.split())
    assert "fail_open" not in done.stdout


def test_without_a_run_the_rest_is_written(run_gate: RunGate, project: Path) -> None:
    done = init(run_gate, project, "--no-run", "--corpus", CORPUS)
    assert done.returncode == 0, done.stderr
    assert not (project / "budgets").exists()
    assert not (project / "baselines").exists()
    assert read_settings(project / "gate.yml").budgets is None
    assert (project / HOOK).is_file()
    unknown = init(run_gate, project, "--no-run", "--force", "--store", "recall:Missing")
    assert unknown.returncode == 3
    assert "store-factory-missing" in unknown.stderr


def test_outside_of_a_repository_there_is_no_hook_and_no_workflow(run_gate: RunGate, tmp_path: Path) -> None:
    made = repository(tmp_path / "project", start=False)
    done = init(run_gate, made.folder, "--corpus", CORPUS)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("(not in the work tree of a git repository)") == 3
    assert {"gate.yml", "budgets/recall.yml", BASELINE} <= set(contents(made.folder))
    assert not (made.folder / ".git").exists()


@pytest.mark.parametrize("blocked", ["budgets", "baselines", "baselines/recall"])
def test_where_one_file_cannot_be_written_none_is(run_gate: RunGate, project: Path, blocked: str) -> None:
    (project / blocked).parent.mkdir(exist_ok=True)
    (project / blocked).write_text("in the way\n", encoding="utf-8")
    before = contents(project)
    done = init(run_gate, project, "--corpus", CORPUS)
    assert done.returncode == 3, done.stdout
    assert contents(project) == before


def test_a_link_out_of_the_repository_is_not_followed(run_gate: RunGate, project: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (project / "budgets").symlink_to(tmp_path / "elsewhere")
    before = contents(project)
    done = init(run_gate, project, "--corpus", CORPUS)
    assert done.returncode == 3
    assert "init-outside" in done.stderr
    assert contents(project) == before
    assert not list((tmp_path / "elsewhere").iterdir())


def test_bad_flags_are_said_before_anything_is_looked_at(run_gate: RunGate, project: Path) -> None:
    for arguments, slug in (
        (("--headroom", "10"), "headroom-share"),
        (("--tier", "1k", "--corpus", CORPUS), "init-corpus-and-tier"),
        (("--driver", "a.py", "--store", "recall:Recall"), "init-store-and-driver"),
        (("--store", "recall\x1b[31m:Recall", "--corpus", CORPUS), "store-"),
        (("--tier", "enormous"), "tier"),
    ):
        done = init(run_gate, project, *arguments)
        assert done.returncode == 3
        assert slug in done.stderr
        assert "\x1b" not in done.stderr + done.stdout


def test_a_repository_on_github_gets_a_workflow(run_gate: RunGate, tmp_path: Path) -> None:
    made = repository(tmp_path / "project")
    made.git("remote", "add", "origin", "git@github.com:acme/recall.git")
    done = init(run_gate, made.folder, "--corpus", CORPUS, "--no-run")
    assert "written    .github/workflows/retrieval-gate.yml" in done.stdout
    text = (made.folder / ".github/workflows/retrieval-gate.yml").read_text(encoding="utf-8")
    workflow = yaml.safe_load(text)
    assert workflow["permissions"] == {}
    assert workflow["jobs"]["gate"]["permissions"] == {"contents": "read", "pull-requests": "write"}
    again = init(run_gate, made.folder, "--corpus", CORPUS, "--no-run")
    assert "unchanged  .github/workflows/retrieval-gate.yml" in again.stdout


def test_words_of_the_corpus_are_twenty() -> None:
    assert len(set(WORDS)) == 20
    assert corpus_files()["data/queries.jsonl"].count("\n") == 20
