"""The files that are written, as their readers read them."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from commits import Commits
from conftest import ROOT

import gate
from gate.adopt.asked import first
from gate.adopt.candidates import candidates
from gate.adopt.driver import driver_text, store_name
from gate.adopt.ignored import ignore
from gate.adopt.place import Place, look
from gate.adopt.settings_text import scalar, settings_text
from gate.adopt.workflow import ACTION, extras_needed, why_not, workflow_text
from gate.errors import UsageError
from gate.models import Choice
from gate.settings import Settings, read_settings
from gate.stores import CONTROLS, valid_name

SHA = re.compile(r"[a-z0-9-]+/[a-z0-9-]+@[0-9a-f]{40}")


@pytest.mark.parametrize(
    ("arms", "models", "extras"),
    [
        (("cpu-hash",), {}, ()),
        (("cpu-hash", "cpu-onnx", "cpu-multilingual"), {}, ("multilingual", "onnx")),
        (("cpu-onnx",), {"cpu-onnx": Choice(embedder="./mine", reranker="none")}, ("onnx",)),
        (("cpu-multilingual",), {"cpu-multilingual": Choice(embedder="bge-m3")}, ("onnx",)),
        (("cpu-onnx",), {"cpu-onnx": Choice(embedder="hashed", reranker="none")}, ()),
        (("cpu-hash", "cuda-onnx"), {}, ()),
    ],
)
def test_the_workflow_installs_what_the_arms_of_the_settings_need(
    tmp_path: Path, arms: tuple[str, ...], models: dict[str, Choice], extras: tuple[str, ...]
) -> None:
    needed = extras_needed(Settings(arms=arms, models=models))
    assert needed == extras
    made = yaml.safe_load(workflow_text(Place(tmp_path, tmp_path), needed))
    (given,) = [s["with"] for s in made["jobs"]["gate"]["steps"] if s["uses"] == ACTION]
    assert given.get("extras") == (",".join(extras) or None)


@pytest.mark.parametrize(
    "store",
    ["recall:open_store", "a b:c", "x: y", "true", "#no", "a\nb: c", "'", "半角:x", "-", "1.5", "12:30", "No"],
)
def test_settings_are_read_back_as_they_were_meant(tmp_path: Path, store: str) -> None:
    text = settings_text(store, ["seeded@smoke"], "budgets/recall.yml", adopted=True)
    (tmp_path / "gate.yml").write_text(text, encoding="utf-8")
    read = read_settings(tmp_path / "gate.yml")
    assert read.store == store
    assert read.corpora == ("seeded@smoke",)
    assert read.budgets == tmp_path / "budgets/recall.yml"
    assert yaml.safe_load(f"[{scalar(store)}]") == [store]
    # The first run is asked the same.
    assert first(look(tmp_path), store, ["seeded@smoke"]).settings.baselines == read.baselines


def test_budgets_that_are_not_written_yet_are_not_named(tmp_path: Path) -> None:
    (tmp_path / "gate.yml").write_text(
        settings_text("a:b", ["seeded@1k"], "budgets/a.yml", adopted=False), encoding="utf-8"
    )
    assert read_settings(tmp_path / "gate.yml").budgets is None


def test_each_line_that_is_commented_out_is_a_setting(tmp_path: Path) -> None:
    text = settings_text("a:b", ["seeded@smoke"], "budgets/a.yml", adopted=True)
    offered = re.findall(r"^# (\w+:.*)$", text, re.MULTILINE)
    assert len(offered) == 5
    for line in offered:
        (tmp_path / "gate.yml").write_text(line, encoding="utf-8")
        read_settings(tmp_path / "gate.yml")


def workflow(folder: Path, prefix: str = "", branch: str = "main") -> dict[str, object]:
    loaded = yaml.load(workflow_text(Place(folder / prefix, folder, branch=branch)), Loader=yaml.BaseLoader)
    assert isinstance(loaded, dict)
    return loaded


def test_the_workflow_writes_its_comment_alone_has_history_and_pins_what_it_uses(tmp_path: Path) -> None:
    made = workflow(tmp_path)
    text = workflow_text(Place(tmp_path, tmp_path))
    assert made["permissions"] == {}
    job = made["jobs"]["gate"]  # type: ignore[index]
    assert job["permissions"] == {"contents": "read", "pull-requests": "write"}
    assert "fetch-depth: 0" in text
    assert "persist-credentials: false" in text
    uses = re.findall(r"uses: (\S+)", text)
    assert len(uses) == 3
    assert [one for one in uses if not SHA.fullmatch(one)] == [ACTION]
    assert f"retrieval-gate/retrieval-gate@v{gate.__version__}" == ACTION
    # A pull request of a fork, whose code the job runs, has a token that may only read.
    assert "pull_request_target" not in text
    assert {"labeled", "unlabeled"} <= set(made["on"]["pull_request"]["types"])  # type: ignore[index]
    assert "run" not in {key for step in job["steps"] for key in step}


def test_the_workflow_names_the_action_as_its_page_does_and_only_inputs_that_it_has(tmp_path: Path) -> None:
    (tmp_path / "p").mkdir()
    (tmp_path / "p/requirements.txt").write_text("", encoding="utf-8")
    assert f"uses: {ACTION}\n" in (ROOT / "docs/action.md").read_text(encoding="utf-8")
    (given,) = [s["with"] for s in workflow(tmp_path, "p")["jobs"]["gate"]["steps"] if s["uses"] == ACTION]  # type: ignore[index]
    known = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))["inputs"]
    assert given.keys() == {"python-version", "working-directory", "install"}
    assert given.keys() <= known.keys()


@pytest.mark.parametrize(
    "linter",
    [
        ("actionlint",),
        ("zizmor", "--offline", "--quiet", "--persona", "pedantic"),
        ("check-jsonschema", "--builtin-schema", "vendor.github-workflows"),
    ],
    ids=lambda linter: linter[0],
)
def test_linters_of_workflows_find_nothing_in_it(tmp_path: Path, linter: tuple[str, ...]) -> None:
    beside = Path(sys.executable).parent / linter[0]
    if not beside.is_file():
        pytest.skip(f"{linter[0]} is not installed: pip install -e '.[dev]', on Linux")
    folder = tmp_path / "it's a: b # c"
    folder.mkdir()
    for name in ("requirements.txt", "pyproject.toml"):
        (folder / name).write_text("", encoding="utf-8")
    path = tmp_path / ".github/workflows/retrieval-gate.yml"
    path.parent.mkdir(parents=True)
    path.write_text(workflow_text(Place(folder, tmp_path, branch="main")), encoding="utf-8")
    done = subprocess.run([beside, *linter[1:], path], capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("prefix", ["packages/recall", "a: b # c", 'it\'s "x"', "半角"])
def test_the_workflow_of_a_folder_runs_there_and_no_shell_reads_its_name(tmp_path: Path, prefix: str) -> None:
    (tmp_path / prefix).mkdir(parents=True)
    for name in ("pyproject.toml", "requirements.txt"):
        (tmp_path / prefix / name).write_text("", encoding="utf-8")
    job = workflow(tmp_path, prefix)["jobs"]["gate"]  # type: ignore[index]
    (given,) = [step["with"] for step in job["steps"] if step["uses"] == ACTION]
    assert given["working-directory"] == prefix
    assert given["install"] == "-r requirements.txt --editable ."
    assert not [step for step in job["steps"] if "run" in step]
    assert job["steps"][-1]["with"]["path"] == f"{prefix}/gate-results"


def test_no_workflow_is_written_where_it_could_not_run(tmp_path: Path) -> None:
    assert "no remote on GitHub" in why_not(Place(tmp_path, tmp_path))
    assert "expression" in why_not(Place(tmp_path / "${{ x }}", tmp_path, github=True))
    assert why_not(Place(tmp_path, tmp_path, github=True)) == ""
    assert why_not(Place(tmp_path, no_git="not in a repository")) == "not in a repository"


@pytest.mark.parametrize(
    ("url", "on_github"),
    [
        ("git@github.com:acme/recall.git", True),
        ("https://github.com/acme/recall", True),
        ("ssh://git@github.com/acme/recall", True),
        ("https://example.org/github.com.git", False),
        ("https://notgithub.com/acme/recall", False),
    ],
)
def test_a_remote_on_github_is_known_by_its_host(tmp_path: Path, url: str, on_github: bool) -> None:
    Commits(tmp_path).git("remote", "add", "origin", url)
    assert look(tmp_path).github is on_github


def test_a_branch_that_is_no_plain_name_does_not_reach_the_workflow(tmp_path: Path) -> None:
    made = Commits(tmp_path)
    made.commit()
    made.git("checkout", "--quiet", "-b", "trunk")
    assert look(tmp_path).branch == "trunk"
    made.git("checkout", "--quiet", "-b", "a'$(x)!b")
    assert look(tmp_path).branch == "main"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, "gate-results/\n"),
        ("*.pyc", "*.pyc\ngate-results/\n"),
        ("# mine\n*.pyc\n", "# mine\n*.pyc\ngate-results/\n"),
        ("*.pyc\r\n", "*.pyc\r\ngate-results/\r\n"),
        ("gate-*/\n", None),
    ],
)
def test_results_are_ignored_once(tmp_path: Path, before: str | None, after: str | None) -> None:
    Commits(tmp_path)
    if before is not None:
        (tmp_path / ".gitignore").write_bytes(before.encode())
    found = ignore(look(tmp_path), "gate-results")
    if after is None:
        assert found.state == "unchanged"
        return
    assert found.text == after
    (tmp_path / ".gitignore").write_bytes(after.encode())
    assert ignore(look(tmp_path), "gate-results").state == "unchanged"


@pytest.mark.parametrize(
    "spec", ["recall_driver:open_store", "a.B_c:x", "reference:open_store", "__:x", "半角:x", "x" * 200 + ":y"]
)
def test_the_name_of_a_store_is_legal_and_no_control(spec: str) -> None:
    assert valid_name(store_name(spec))
    assert store_name(spec) not in {"reference", *CONTROLS}


def test_a_driver_is_whole_and_is_found_again(tmp_path: Path) -> None:
    text = driver_text("recall")
    assert 'name = "recall"' in text
    assert "driver-template" not in text
    assert not re.search(r"NotImplemented|TODO|\.\.\.|\bpass\b", text)
    Commits(tmp_path).write({"recall.py": text})
    assert [one.spec for one in candidates(look(tmp_path))] == ["recall:open_store"]


@pytest.mark.parametrize("name", ["new\nline", "esc\x1b[31m", "\udcff"])
def test_a_folder_whose_name_no_file_can_hold_is_refused(tmp_path: Path, name: str) -> None:
    try:
        (tmp_path / name).mkdir()
    except OSError:
        pytest.skip("this file system has no such names")
    with pytest.raises(UsageError, match="no file of ours can hold"):
        look(tmp_path / name)
