from __future__ import annotations

from pathlib import Path

import pytest

from gate.data import data_path
from gate.errors import Problem, UsageError
from gate.exit_codes import ExitCode
from gate.files import from_here
from gate.measures import DEFAULT_MEASURES
from gate.models import Choice
from gate.settings import FailOpen, Settings, find_settings, read_settings, shipped_settings

EXAMPLES = Path(__file__).parent / "bad_input" / "settings"


def written(folder: Path, text: str, name: str = "gate.yml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def refused(path: Path) -> UsageError:
    with pytest.raises(UsageError) as caught:
        read_settings(path)
    assert caught.value.exit_code == ExitCode.USAGE
    return caught.value


@pytest.mark.parametrize("path", sorted((EXAMPLES / "good").glob("*.yml")), ids=lambda path: path.stem)
def test_good_settings_are_read(path: Path) -> None:
    assert isinstance(read_settings(path), Settings)


@pytest.mark.parametrize("path", sorted((EXAMPLES / "bad").glob("*.yml")), ids=lambda path: path.stem)
def test_bad_settings_are_refused_with_sentence_line_and_hint(path: Path) -> None:
    expected = path.read_bytes().split(b"\n", 1)[0].decode().removeprefix("# expect: ")
    error = refused(path)
    said = str(error)
    assert (from_here(f"{path}:{expected}") if expected[0].isdigit() else expected) in said
    assert error.hint or all(problem.hint for problem in error.problems)
    assert max(map(len, said.splitlines())) < 400


def test_empty_settings_are_the_defaults(tmp_path: Path) -> None:
    path = written(tmp_path, "")
    assert read_settings(path) == Settings(path=path, baselines=tmp_path / "baselines")
    assert Settings().measures == DEFAULT_MEASURES


def test_every_key_is_read(tmp_path: Path) -> None:
    written(tmp_path, "schema: 1\n", "limits.yml")
    text = (EXAMPLES / "good" / "everything.yml").read_text(encoding="utf-8") + "budgets: limits.yml\n"
    path = written(tmp_path, text)
    assert read_settings(path) == Settings(
        path=path,
        store="exact-cosine",
        corpora=("seeded@smoke", f"squad:{tmp_path / 'questions.json'}"),
        slices=("*", "!th"),
        modes=("keyword", "hybrid"),
        arms=("cpu-hash",),
        measures=("R@5", "RR@10", "nDCG@10", "latency-p95"),
        depth=50,
        granularity="session",
        dedup=True,
        budgets=tmp_path / "limits.yml",
        baselines=tmp_path / "accepted",
        baseline="optional",
        fail_open=FailOpen(("embedder-raises",), 0.5, 0.0, 1.0),
        require=("*/seeded@smoke/all/*/keyword/none/R@5",),
        timeout=10.0,
        probes="full",
        renames=(("zh", "zh-Hans"),),
    )


def test_a_whole_number_written_with_a_point_is_an_integer(tmp_path: Path) -> None:
    depth = read_settings(written(tmp_path, "depth: 50.0\n")).depth
    assert (depth, type(depth)) == (50, int)


def test_mrr_is_measured_and_required_as_rr(tmp_path: Path) -> None:
    settings = read_settings(written(tmp_path, 'measures: [MRR@10]\nrequire: ["a/b@c/all/d/keyword/none/MRR@10"]\n'))
    assert settings.measures == ("RR@10",)
    assert settings.require == ("a/b@c/all/d/keyword/none/RR@10",)


def test_paths_are_taken_from_the_folder_of_the_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "project").mkdir()
    path = written(tmp_path / "project", f'corpora: ["beir:data", "beir:{tmp_path}/other"]\nbudgets: b.yml\n')
    monkeypatch.chdir(tmp_path)
    for given in (path, Path("project") / "gate.yml"):
        settings = read_settings(given)
        assert settings.corpora == (f"beir:{tmp_path / 'project' / 'data'}", f"beir:{tmp_path / 'other'}")
        assert settings.budgets == tmp_path / "project" / "b.yml"
        assert settings.baselines == tmp_path / "project" / "baselines"


def test_all_problems_of_both_files_come_at_once_in_the_order_of_their_lines(tmp_path: Path) -> None:
    budgets = written(tmp_path, "schema: 1\nbudgets: {}\nwaivers:\n  - {cell: th}\n", "limits.yml")
    path = written(
        tmp_path,
        "budgets: limits.yml\nmeasures: [Rekall@5, R@5, MAP]\ndepth: .nan\nfail_open: {faults: [nothing], with: 1}\n"
        "arms: cpu-hash\narms: [cpu]\nmodes: [keyword, facks]\nrequire: [x]\n",
    )
    error = refused(path)
    assert [problem.where for problem in error.problems] == [
        *(f"{path}:{line}" for line in (2, 2, 3, 4, 4, 6, 7, 8)),
        *(f"{budgets}:{line}" for line in (2, 4, 4)),
    ]
    assert error.slug == "settings-invalid"
    assert [problem.what for problem in error.problems[:2]] == [
        "no measure is called 'Rekall'",
        "no measure is called 'MAP'",
    ]


def test_budget_files_are_left_alone_where_the_settings_are_fine(tmp_path: Path) -> None:
    written(tmp_path, "schema: 3\n", "limits.yml")
    assert read_settings(written(tmp_path, "budgets: limits.yml\n")).budgets == tmp_path / "limits.yml"


def test_settings_that_are_missing_or_a_folder_are_refused(tmp_path: Path) -> None:
    assert refused(tmp_path / "nowhere.yml").slug == "file-missing"
    assert refused(tmp_path).slug == "file-unreadable"


def test_the_file_given_is_taken_then_the_one_here_then_the_shipped_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert find_settings(None) == data_path("gate.yml")
    written(tmp_path, "")
    assert find_settings(None) == Path("gate.yml")
    assert find_settings(Path("other.yml")) == Path("other.yml")


def test_a_folder_called_gate_yml_is_an_error_and_never_the_shipped_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gate.yml").mkdir()
    assert refused(find_settings(None)).what == "the settings file is a folder"


def test_a_broken_link_called_gate_yml_is_an_error_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gate.yml").symlink_to("gone.yml")
    assert refused(find_settings(None)).slug == "file-missing"


def test_settings_count_as_shipped_where_a_folder_has_none_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert shipped_settings(find_settings(None))
    (tmp_path / "gate.yml").write_text("schema: 1\n", encoding="utf-8")
    assert not shipped_settings(find_settings(None))
    assert not shipped_settings(find_settings(tmp_path / "gate.yml"))


def test_the_shipped_settings_can_be_used() -> None:
    settings = read_settings(data_path("gate.yml"))
    assert settings.budgets is not None
    assert settings.budgets.is_file()


def test_what_is_wrong_with_a_recipe_is_told_in_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(spec: str) -> None:
        part = Problem("unknown key 'sed'", "seeded.yml:4", "did you mean 'seed'?")
        raise UsageError("recipe-invalid", "the recipe file cannot be used", where="seeded.yml", problems=(part,))

    monkeypatch.setattr("gate.settings.parse_spec", broken)
    said = str(refused(written(tmp_path, "corpora: [seeded@smoke]\n")))
    assert "gate.yml:1: the recipe file cannot be used" in said
    assert "seeded.yml:4: unknown key 'sed' (did you mean 'seed'?)" in said


def test_models_of_an_arm_are_taken_from_the_folder_of_the_settings(tmp_path: Path) -> None:
    chosen = "{embedder: ./mine, reranker: none, threads: 2, vectors: live}"
    path = written(tmp_path, f"models:\n  cpu-onnx: {chosen}\n  cpu-hash: {{}}\n")
    found = read_settings(path).models
    assert found["cpu-hash"] == Choice()
    assert found["cpu-onnx"] == Choice(str(tmp_path / "mine"), "none", 2, live=True)
