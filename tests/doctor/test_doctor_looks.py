"""The looks themselves: their order, whom they concern, and what they say of models and threads on a CPU."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from conftest import ROOT

import gate.doctor
from gate.doctor import LOOKS, determinism, files, golden, session, speed, threads
from gate.doctor.concerns import models_of
from gate.doctor.examine import Diagnosis, Line, examine
from gate.doctor.look import MISSING, NOTED, OK, SKIPPED, Examined
from gate.models import ARMS, HASHED, NONE, Arm, Choice, arm
from gate.models.named import named
from gate.models.place import files_of
from gate.models.spec import EMBEDDER, ModelSpec
from gate.protocols import Vectors

SPEC = ModelSpec("toy", EMBEDDER, "use", "a toy", "here", "MIT", "en", "float32", 2)
CHOSEN = "threads as the runtime chooses"


class Toy:
    """Vectors of two numbers; those of a batch of more than one lean by `lean`."""

    providers = ("numpy",)

    def __init__(self, lean: float = 0.0) -> None:
        self.lean = lean

    def embed(self, texts: Sequence[str], kind: str) -> Vectors:
        lean = self.lean if len(texts) > 1 else 0.0
        return np.array([[1.0, len(text) / 100 + lean] for text in texts], dtype=np.float64).astype(np.float32)


def toy(lean: float = 0.0) -> Examined:
    return Examined(arm("cpu-onnx"), Choice(), "embedder", "toy", spec=SPEC, model=Toy(lean))


AS_IT_IS = Choice()


def diagnosed(on: Arm, choice: Choice = AS_IT_IS, *, asked: bool = False) -> Diagnosis:
    return examine(on, choice, asked=asked, told=lambda _: None)


def seen(found: Diagnosis, look: str, part: str = "") -> Line:
    (line,) = [line for line in found.lines if line.look == look and line.part == part]
    return line


def test_what_a_look_needs_stands_before_it() -> None:
    names = list(LOOKS)
    for name, look in LOOKS.items():
        assert all(names.index(need) < names.index(name) for need in look.needs)
        # What a model lacks says nothing of the machine.
        assert look.per_model or not any(LOOKS[need].per_model for need in look.needs)


def test_every_file_with_a_look_is_registered() -> None:
    modules = [value for value in vars(gate.doctor).values() if isinstance(value, ModuleType)]
    made = {id(module.LOOK) for module in modules if hasattr(module, "LOOK")}
    written = [path for path in (ROOT / "gate" / "doctor").glob("*.py") if "\nLOOK = " in path.read_text("utf-8")]
    assert made == {id(look) for look in LOOKS.values()}
    assert len(written) == len(LOOKS)


def test_the_page_tells_every_look() -> None:
    page = (ROOT / "docs" / "gpu.md").read_text(encoding="utf-8")
    for name in LOOKS:
        assert f"| `{name}` |" in page


@pytest.mark.parametrize("name", [name for name in ARMS if ARMS[name].device == "cpu"])
def test_an_arm_on_the_cpu_is_not_asked_for_a_gpu(name: str) -> None:
    found = diagnosed(arm(name))
    assert found.runs
    for look in ("driver", "device", "memory", "persistence", "libraries"):
        assert seen(found, look).seen.says == "the arm runs on the CPU"


def test_an_arm_without_a_model_needs_no_runtime() -> None:
    found = diagnosed(arm("cpu-hash"), asked=True)
    assert seen(found, "packages").seen.says == "the arm has no model"
    assert all(not line.part for line in found.lines)


@pytest.mark.parametrize(
    ("choice", "found"),
    [
        (Choice(), [("embedder", "minilm-int8"), ("reranker", "minilm-int8-maxsim")]),
        (Choice(embedder=HASHED, reranker=NONE), []),
        (Choice(embedder="minilm-l3", reranker=NONE), [("embedder", "minilm-l3")]),
    ],
)
def test_the_models_looked_at_are_those_that_settings_choose(choice: Choice, found: list[tuple[str, str]]) -> None:
    assert models_of(Examined(arm("cpu-onnx"), choice)) == found


def test_a_model_that_is_not_there_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GATE_MODELS", str(tmp_path))
    found = diagnosed(arm("cpu-onnx"), Choice(embedder="bge-m3"))
    line = seen(found, "files", "embedder")
    assert line.seen.status == MISSING
    assert "gate models fetch bge-m3" in line.seen.hint
    assert seen(found, "session", "embedder").seen.says == "what is missing under files comes first"
    # One model's lack is not the other's.
    assert seen(found, "session", "reranker").seen.status == OK


def test_a_file_that_was_cut_short_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = files_of(named("minilm-int8"))
    for name, path in whole.items():
        shutil.copyfile(path, tmp_path / name)
    model = tmp_path / "model.onnx"
    model.write_bytes(model.read_bytes()[:-1])
    examined = Examined(arm("cpu-onnx"), Choice(), "embedder", "minilm-int8")
    monkeypatch.setattr(files, "find_for", lambda name, part: (named(name), tmp_path))
    look = LOOKS["files"]
    monkeypatch.setattr("gate.doctor.examine.LOOKS", {"files": look})
    found = diagnosed(ARMS["cpu-onnx"], Choice(reranker=NONE))
    assert "model.onnx is not the file of minilm-int8" in seen(found, "files", "embedder").seen.says
    assert examined.files == {}


def test_the_files_of_a_model_are_told_with_their_hashes() -> None:
    line = seen(diagnosed(arm("cpu-onnx")), "files", "embedder")
    assert line.seen.facts["model.onnx"] == next(f.sha256 for f in named("minilm-int8").files if f.name == "model.onnx")
    assert "model.onnx 8199be6f699a" in line.seen.says


@pytest.mark.parametrize(
    ("pinned", "status"),
    [([], SKIPPED), ([{"kind": "document", "text": "a" * 100, "values": [1.0, 1.0]}], OK)],
)
def test_golden_values_are_looked_at_where_there_are_some(
    monkeypatch: pytest.MonkeyPatch, pinned: list[dict[str, object]], status: str
) -> None:
    monkeypatch.setattr(golden, "golden_of", lambda spec, folder: pinned)
    assert golden.LOOK.see(toy()).status == status


def test_values_that_are_not_golden_are_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    pinned = [{"kind": "document", "text": "a" * 100, "values": [1.0, -1.0]}]
    monkeypatch.setattr(golden, "golden_of", lambda spec, folder: pinned)
    found = diagnosed(arm("cpu-onnx"), Choice(embedder="minilm-l3", reranker=NONE))
    assert seen(found, "golden values", "embedder").seen.status == MISSING
    assert not found.runs


def test_a_model_that_never_moves_is_identical() -> None:
    found = determinism.LOOK.see(toy())
    assert (found.status, found.says) == (OK, "identical again, each alone")
    assert found.facts == {"again": 0.0, "each alone": 0.0, "tie width": 0.0}


def test_a_model_that_moves_tells_how_far() -> None:
    found = determinism.LOOK.see(toy(lean=0.25))
    assert found.status == NOTED
    width = found.facts["tie width"]
    assert isinstance(width, float)
    assert width > 0.0
    assert width == found.facts["each alone"]
    assert found.says == f"scores move by {width:.1e} each alone; identical again"
    assert found.hint == f"Scores closer than {width:.1e} are ties."


def test_threads_are_part_of_determinism_over_onnx(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def opened(examined: Examined, choice: Choice) -> Toy:
        asked.append(choice.threads)
        return Toy()

    monkeypatch.setattr(determinism, "opened", opened)
    examined = toy()
    examined.spec = named("minilm-l3")
    found = determinism.LOOK.see(examined)
    assert asked[0] == 1
    assert asked[1] >= determinism.SEVERAL
    assert f"with {asked[1]} threads" in found.facts


def test_speed_is_of_batches_that_were_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = iter([10.0, 10.25, 10.5, 11.0])
    monkeypatch.setattr(speed, "now", lambda: next(ticks))
    found = speed.LOOK.see(toy())
    assert found.facts == {"texts a second": 96.0, "batch": 32}
    assert found.says == "about 96 texts a second in batches of 32, on this machine now"


def test_a_session_on_another_device_than_a_numpy_model_has_is_missing() -> None:
    found = diagnosed(ARMS["cpu-multilingual"])
    assert seen(found, "session", "embedder").seen.says == "runs on numpy"
    elsewhere = Arm("cuda-use", "cuda", "use-multilingual", NONE, "not possible")
    assert "runs on the CPU alone" in raised(elsewhere)


def raised(on: Arm) -> str:
    from gate.errors import NotMeasured

    examined = Examined(on, Choice(), "embedder", on.embedder, spec=named(on.embedder))
    with pytest.raises(NotMeasured) as found:
        session.LOOK.see(examined)
    return found.value.what


@pytest.mark.parametrize(
    ("processors", "chosen", "quota", "status", "says"),
    [
        (2, 0, "max 100000", OK, f"2 processors, {CHOSEN}"),
        (1, 1, "", OK, "1 processor, 1 thread"),
        (2, 8, "max 100000", NOTED, "2 processors, 8 threads"),
        (
            64,
            0,
            "200000 100000",
            NOTED,
            "64 processors, threads as the runtime chooses; the container may use 2 at once",
        ),
        (64, 2, "200000 100000", OK, "64 processors, 2 threads"),
        (2, 0, "nonsense", OK, f"2 processors, {CHOSEN}"),
        (2, 0, "1 0", OK, f"2 processors, {CHOSEN}"),
    ],
)
def test_threads_are_held_against_what_a_process_may_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, processors: int, chosen: int, quota: str, status: str, says: str
) -> None:
    (tmp_path / "cpu.max").write_text(quota, encoding="ascii")
    monkeypatch.setattr(threads, "QUOTA", tmp_path / "cpu.max")
    monkeypatch.setattr(threads, "processors", lambda: processors)
    found = threads.LOOK.see(Examined(arm("cpu-onnx"), Choice(threads=chosen)))
    assert (found.status, found.says) == (status, says)
