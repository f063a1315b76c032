from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from gate.cli.run import run
from gate.errors import UsageError
from gate.github.inputs import read_inputs, variable


def inputs(**given: str) -> dict[str, str]:
    return {variable(name.replace("_", "-")): value for name, value in given.items()}


def test_no_input_is_the_plain_command() -> None:
    found = read_inputs({})
    assert found.command("python", "") == [
        *("python", "-P", "-m", "gate", "run", "--fresh"),
        *("--config=gate.yml", "--fail-on=error", "--not-measured=fail", "--out=gate-results"),
    ]
    assert (found.comment, found.key, found.token) == ("auto", "retrieval-gate", "")


def test_each_input_is_an_argument_of_its_own() -> None:
    found = read_inputs(
        inputs(
            config="sub/gate.yml",
            store="m:f",
            corpora="seeded@smoke\nbeir:a folder, x",
            tier="smoke",
            modes="keyword,hybrid",
            arms="cpu-hash",
            slices="zh-*\n!th",
            fail_on="warn",
            not_measured="allow",
            plant="ascii-only",
            shard="2/3",
            accept_loosened="true",
            results_path="out",
        )
    )
    assert found.command("python", "main")[6:] == [
        "--config=sub/gate.yml",
        "--store=m:f",
        "--corpus=seeded@smoke",
        "--corpus=beir:a folder",
        "--corpus=x",
        "--tier=smoke",
        "--mode=keyword",
        "--mode=hybrid",
        "--arm=cpu-hash",
        "--slice=zh-*",
        "--slice=!th",
        "--fail-on=warn",
        "--not-measured=allow",
        "--plant=ascii-only",
        "--shard=2/3",
        "--base=main",
        "--accept-loosened",
        "--out=out",
    ]


def test_paths_are_seen_from_the_working_directory() -> None:
    found = read_inputs(inputs(working_directory="packages/notes", config="gate.ci.yml", results_path="out"))
    assert found.results_path == Path("packages/notes/out")
    assert found.settings_path == Path("packages/notes/gate.ci.yml")
    assert {"--config=gate.ci.yml", "--out=out"} <= set(found.command("python", ""))
    assert read_inputs(inputs(results_path="out")).results_path == Path("out")
    assert read_inputs({}).settings_path == Path("gate.yml")


def test_without_settings_only_a_store_that_is_named_is_gated() -> None:
    assert "--config=gate.yml" in read_inputs(inputs(modes="keyword")).command("python", "")
    for given in (inputs(store="recall:Recall"), inputs(config="other.yml")):
        assert "--config=gate.yml" not in read_inputs(given).command("python", "")


def test_a_merge_takes_the_folders_that_are_there_and_what_judges(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("s/gate-shard-1-2", "s/gate-shard-1-1", "s/other", "-x"):
        (tmp_path / "in" / name).mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    found = read_inputs(inputs(merge="s/gate-shard-*, -x\nno-*", working_directory="in", fail_on="warn"))
    assert found.command("python", "main") == [
        *("python", "-P", "-m", "gate", "merge", "--config=gate.yml", "--fail-on=warn", "--not-measured=fail"),
        *("--base=main", "--out=gate-results", "--", "s/gate-shard-1-1", "s/gate-shard-1-2", "-x", "no-*"),
    ]
    with pytest.raises(UsageError) as caught:
        read_inputs(inputs(merge="s/*", modes="keyword", shard="1/2"))
    assert "modes is told by the shards" in str(caught.value)
    assert "shard is told by the shards" in str(caught.value)
    with pytest.raises(UsageError, match="merge names no folder"):
        read_inputs(inputs(merge=" ,\n"))


def test_a_text_is_never_an_option_of_its_own_nor_a_command() -> None:
    found = read_inputs(inputs(store="--fail-on=never", modes="$(touch x)", config="a; b"))
    arguments = found.command("python", "--help")[6:]
    assert "--store=--fail-on=never" in arguments
    assert "--mode=$(touch x)" in arguments
    assert "--base=--help" in arguments


def test_the_command_line_is_one_that_the_command_knows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every option is one of `gate run`: with all of them it complains of the settings, and of no option."""
    given = dict.fromkeys(("store", "corpora", "tier", "arms", "slices", "plant"), "x")
    found = read_inputs(inputs(**given, modes="keyword", config="no-such.yml", accept_loosened="true"))
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(run, found.command("python", "main")[5:])
    assert not isinstance(done.exception, SystemExit), done.output
    assert isinstance(done.exception, UsageError)
    assert done.exception.slug == "file-missing"


def test_input_variables_of_another_kind_are_never_read() -> None:
    assert read_inputs({"INPUT_CONFIG": "x.yml", "INPUT_FAIL-ON": "never"}) == read_inputs({})


def test_everything_wrong_is_told_at_once() -> None:
    given = inputs(fail_on="sometimes", not_measured="pass", comment="yes", comment_key="-->", accept_loosened="1")
    with pytest.raises(UsageError) as caught:
        read_inputs(given)
    told = str(caught.value)
    for name in ("fail-on", "not-measured", "comment cannot", "comment-key", "accept-loosened"):
        assert name in told


def test_no_input_makes_a_gate_that_never_fails_by_accident() -> None:
    for wrong in ("Never", "never ever", "none"):
        with pytest.raises(UsageError):
            read_inputs(inputs(fail_on=wrong))
