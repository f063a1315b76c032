"""`gate models`: what it says of what is here, and the codes that it ends with."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from tiny_models import write_cross_encoder, write_embedder

from gate.cli.download import told
from gate.cli.models import models as command
from gate.errors import GateError, NotMeasured, UsageError
from gate.models import ARMS
from gate.models.named import PIN, models
from gate.models.spec import MODEL, TOKENIZER, hash_of

NAME = "bge-small-en-v1.5"  # a model that no package carries, in whose place a tiny one of its dimension stands
WIDTH = 384


@pytest.fixture(autouse=True)
def fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of fetched models; the current folder is an empty one."""
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("GATE_MODELS", str(tmp_path / "fetched"))
    monkeypatch.setenv("GATE_VECTORS", "off")
    return tmp_path / "fetched"


def run(*arguments: str) -> tuple[int, str]:
    """The exit code and what was printed. Raises what the command raises."""
    result = CliRunner().invoke(command, arguments, standalone_mode=False)
    if result.exception is not None:
        raise result.exception
    return int(result.return_value or 0), result.output


def data(*arguments: str) -> tuple[int, dict[str, Any]]:
    code, output = run(*arguments, "--json")
    return code, json.loads(output)


def fetch(tmp_path: Path, **model: Any) -> Path:
    """Fetches a tiny model under the name of a real one; returns the folder it is offered in."""
    offered = write_embedder(tmp_path / "offered", width=WIDTH, **model)
    hashes = [part for path in offered.iterdir() for part in ("--sha256", f"{path.name}={hash_of(path)}")]
    code, output = run("fetch", NAME, *hashes, "--from", str(offered), "-q")
    assert code == 0, output
    return offered


def test_list_names_every_model_and_arm_and_says_how_to_get_what_is_not_here() -> None:
    code, output = run("list")
    assert code == 0
    for name, spec in models().items():
        assert name in output
        assert spec.licence in output
        assert spec.says in output
    for name, arm in ARMS.items():
        assert name in output
        assert arm.says in output
    assert f"gate models fetch {NAME}" in output


def test_list_as_json_has_a_state_and_settings_for_each() -> None:
    code, listed = data("list")
    assert code == 0
    found = {one["name"]: one for one in listed["models"]}
    assert list(found) == list(models())
    assert (found[NAME]["state"], found[NAME]["place"], found[NAME]["pooling"]) == ("not here", "", "cls")
    assert found["minilm-int8"]["place"] == "package"
    assert not found["minilm-int8"]["verified"]
    assert "pooling" not in found["bge-reranker-v2-m3"]


def test_verify_passes_models_whose_files_are_theirs(tmp_path: Path) -> None:
    fetch(tmp_path)
    code, output = run("list", "--verify")
    assert code == 0
    assert output.count(", verified") == 5


def test_verify_ends_with_1_where_a_file_differs_or_is_gone(tmp_path: Path, fetched: Path) -> None:
    fetch(tmp_path)
    (fetched / NAME / MODEL).write_bytes(b"other")
    code, output = run("list", "--verify")
    assert code == 1
    assert f"{MODEL} is not the file of {NAME}" in output
    (fetched / NAME / MODEL).unlink()
    code, output = run("list", "--verify")
    assert code == 1
    assert f"{MODEL} is not there" in output


def test_verify_ends_with_2_where_it_cannot_be_told(tmp_path: Path, fetched: Path) -> None:
    fetch(tmp_path)
    (fetched / NAME / PIN).write_text("{", encoding="utf-8")
    code, output = run("list", "--verify")
    assert code == 2
    assert "cannot be told" in output


def test_verify_ends_with_2_where_a_file_cannot_be_read(tmp_path: Path, fetched: Path) -> None:
    fetch(tmp_path)
    (fetched / NAME / MODEL).unlink()
    (fetched / NAME / MODEL).mkdir()
    code, output = run("list", "--verify")
    assert code == 2
    assert "cannot be read" in output


def test_a_fetched_model_that_is_pinned_for_another_use_is_not_the_model(tmp_path: Path, fetched: Path) -> None:
    fetch(tmp_path)
    pin = fetched / NAME / PIN
    pin.write_text(pin.read_text(encoding="utf-8").replace('"cls"', '"mean"'), encoding="utf-8")
    code, output = run("list")
    assert code == 1
    assert "pooling: 'mean' was pinned, 'cls' is asked for" in output


def test_show_has_hashes_and_settings_of_a_name() -> None:
    code, output = run("show", "minilm-int8")
    assert code == 0
    assert models()["minilm-int8"].files[0].sha256 in output
    assert "mean" in output
    assert "package (verified)" in output


def test_show_ends_with_2_where_the_model_is_not_here() -> None:
    code, output = run("show", NAME)
    assert code == 2
    assert "not here" in output
    assert '"Represent this sentence for searching relevant passages: "' in output


def test_show_reads_a_folder_by_its_path() -> None:
    write_embedder(Path("mine"))
    run("pin", "mine", "--pooling", "last", "--query-prefix", "ask: ")
    code, shown = data("show", "./mine")
    assert code == 0
    assert (shown["model"]["pooling"], shown["model"]["query_prefix"], shown["model"]["dimension"]) == (
        "last",
        "ask: ",
        4,
    )
    Path("mine", MODEL).write_bytes(b"other")
    assert data("show", "./mine")[0] == 1


@pytest.mark.parametrize("name", ["minilm-int9", "./nowhere"])
def test_show_of_what_does_not_exist_is_an_error_of_use(name: str) -> None:
    with pytest.raises(UsageError):
        run("show", name)


def test_pin_shows_what_it_wrote_and_where_each_setting_is_from() -> None:
    folder = write_embedder(Path("mine"))
    (folder / "sentence_bert_config.json").write_text('{"max_seq_length": 64}', encoding="utf-8")
    code, output = run("pin", "mine", "--pooling", "cls")
    assert code == 0
    lines = [line.split() for line in output.splitlines()]
    assert ["pooling", '"cls"', "as", "asked"] in lines
    assert ["max", "length", "64", "sentence_bert_config.json"] in lines
    assert ["precision", '"float32"', "most", "of", "its", "weights"] in lines
    assert hash_of(folder / MODEL) in output
    assert '  arms: [cpu-onnx]\n  models: {cpu-onnx: {embedder: "./mine"}}\n' in output
    assert "says the same already" in run("pin", "mine", "--pooling", "cls")[1]


def test_a_reranker_is_pinned_as_one() -> None:
    write_cross_encoder(Path("pairs"))
    code, output = run("pin", "pairs", "--kind", "cross-encoder")
    assert code == 0
    assert '{reranker: "./pairs"}' in output


def test_no_normalise_is_an_option() -> None:
    write_embedder(Path("mine"))
    run("pin", "mine", "--no-normalise")
    assert json.loads(Path("mine", PIN).read_text(encoding="utf-8"))["normalise"] is False


def test_a_pin_is_replaced_on_request_alone() -> None:
    write_embedder(Path("mine"))
    run("pin", "mine")
    with pytest.raises(UsageError, match="says otherwise"):
        run("pin", "mine", "--pooling", "cls")
    assert run("pin", "mine", "--pooling", "cls", "--replace")[0] == 0


@pytest.mark.parametrize(
    "arguments", [(), ("--named", "minilm-int8"), ("mine", "--named", "minilm-int8", "--out", "x"), ("--out", "x")]
)
def test_pin_wants_a_folder_or_a_name_with_a_file(arguments: tuple[str, ...]) -> None:
    result = CliRunner().invoke(command, ["pin", *arguments])
    assert result.exit_code == 2  # click's own code, which the command `gate` turns into 3
    assert "Error" in result.output


def test_the_pins_that_ship_are_made_by_the_command_that_the_docs_name(tmp_path: Path) -> None:
    out = tmp_path / "made.golden.json"
    assert run("pin", "--named", "minilm-int8-maxsim", "--out", str(out))[0] == 0
    made = json.loads(out.read_text(encoding="utf-8"))
    assert made["kind"] == "late-interaction"
    assert made["files"] == {file.name: file.sha256 for file in models()["minilm-int8-maxsim"].files}


def test_fetch_says_where_the_model_is_and_its_licence(tmp_path: Path, fetched: Path) -> None:
    offered = write_embedder(tmp_path / "offered", width=WIDTH)
    hashes = [part for path in offered.iterdir() for part in ("--sha256", f"{path.name}={hash_of(path)}")]
    _, output = run("fetch", NAME, *hashes, "--from", str(offered))
    assert str(fetched / NAME) in output
    assert "Licence MIT" in output
    assert f"gate: {MODEL} (" in output
    assert "was here already" in run("fetch", NAME, *hashes, "--from", str(offered))[1]


@pytest.mark.parametrize("given", ["abc", "=abc", f"{MODEL}="])
def test_a_hash_without_a_file_or_a_value_is_an_error_of_use(given: str) -> None:
    result = CliRunner().invoke(command, ["fetch", NAME, "--sha256", given])
    assert result.exit_code != 0
    assert isinstance(result.exception, (SystemExit, UsageError))


def test_a_hash_that_stands_twice_is_an_error_of_use() -> None:
    result = CliRunner().invoke(command, ["fetch", NAME, *["--sha256", f"{MODEL}={'0' * 64}"] * 2])
    assert "once a file" in result.output


def test_a_wrong_hash_is_not_measured(tmp_path: Path) -> None:
    offered = write_embedder(tmp_path / "offered", width=WIDTH)
    wrong = [part for file in (MODEL, TOKENIZER) for part in ("--sha256", f"{file}={'0' * 64}")]
    with pytest.raises(NotMeasured):
        run("fetch", NAME, *wrong, "--from", str(offered), "-q")


def test_names_that_could_move_a_cursor_are_shown_and_not_obeyed() -> None:
    write_embedder(Path("mine\x1b[2J"))
    assert "\x1b" not in run("pin", "mine\x1b[2J")[1]
    assert "\x1b" not in run("show", "./mine\x1b[2J")[1]


def test_errors_of_every_verb_are_the_gates_own() -> None:
    for arguments in (("show", "nothing"), ("fetch", "nothing"), ("pin", "nowhere")):
        with pytest.raises(GateError):
            run(*arguments)


@pytest.mark.parametrize(
    ("got", "size", "seconds", "said"),
    [
        (25_000_000, 100_000_000, 10.0, "25% of 100.0 MB, about 30 s left"),
        (1_500_000, 0, 3.0, "1.5 MB so far"),
        (0, 100_000_000, 10.0, "0% of 100.0 MB, about 0 s left"),
    ],
)
def test_the_time_that_is_left_follows_from_the_speed_so_far(got: int, size: int, seconds: float, said: str) -> None:
    assert told(got, size, seconds) == said
