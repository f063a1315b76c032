"""Models opened by name: files held against their hashes, a session that runs where it should, golden values met."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from gate.data import data_path
from gate.errors import NotMeasured, Problem, UsageError
from gate.files import canonical_json, read_yaml
from gate.models import Choice
from gate.models.cache import VectorCache, cache_file
from gate.models.device import facts_of
from gate.models.named import PIN, is_folder, named, pinned
from gate.models.paths import at_home, is_file
from gate.models.place import fetched_folder, files_of, how_to_get
from gate.models.spec import CROSS_ENCODER, EMBEDDER, LATE_INTERACTION, ModelFile, ModelSpec


@dataclass(frozen=True, slots=True)
class OpenedModel:
    """A model in use. `facts` are what a fingerprint says of it: where it runs and what it is.

    `looked_up` says that the vectors of queries may come from the cache."""

    model: Any
    spec: ModelSpec
    facts: Mapping[str, str]
    looked_up: bool


def find(name: str) -> tuple[ModelSpec, Path | None]:
    """What is known of a model, and its folder where it stands in one. Raises UsageError, NotMeasured.

    A name is one of `models.yml`, or a path to a folder with a pin.
    """
    if is_folder(name):
        folder = at_home(name)
        return pinned(folder), folder
    spec = named(name)
    if all(file.package for file in spec.files):
        return spec, None
    folder = fetched_folder() / name
    if not is_file(folder / PIN):
        raise NotMeasured(
            "model-missing",
            f"the model {name} is not here, and no package carries it",
            where=str(folder),
            hint=how_to_get(spec),
        )
    return replace(spec, files=_agreed(spec, pinned(folder), folder)), folder


def _agreed(spec: ModelSpec, pin: ModelSpec, folder: Path) -> tuple[ModelFile, ...]:
    """The files of a fetched model. Raises NotMeasured where its pin is of another model, or of another use of it."""
    told = {**spec.told(), "dimension": spec.dimension}
    other = {**pin.told(), "dimension": pin.dimension}
    problems = [
        Problem(f"{key}: {other[key]!r} was pinned, {told[key]!r} is asked for")
        for key in told
        if told[key] != other[key]
    ]
    hashes = {file.name: file.sha256 for file in pin.files}
    for file in spec.files:
        if file.name not in hashes:
            problems.append(Problem(f"{file.name} was not pinned"))
        elif file.sha256 and file.sha256 != hashes[file.name]:
            problems.append(Problem(f"{file.name} was pinned with another SHA-256 than it has to have"))
    if problems:
        raise NotMeasured(
            "model-other",
            f"what was fetched as {spec.name} is not, or no longer, what goes by that name",
            where=str(folder),
            problems=tuple(problems),
            hint=f"Remove the folder, and fetch it again: gate models fetch {spec.name}",
        )
    return pin.files


def find_for(name: str, part: str) -> tuple[ModelSpec, Path | None]:
    """As `find`, of a model that is to be a part of an arm. Raises UsageError where it is of another kind."""
    spec, folder = find(name)
    if (spec.kind == EMBEDDER) != (part == EMBEDDER):
        raise UsageError("model-kind", f"'{name}' is a model of the kind {spec.kind}, and stands where {part} should")
    return spec, folder


def identity(spec: ModelSpec) -> str:
    """A name that changes with everything that changes a model's numbers: its files, prefixes, pooling, length."""
    told = {**spec.told(), "runtime": spec.runtime, "files": {file.name: file.sha256 for file in spec.files}}
    return f"{spec.name}-{sha256(canonical_json(told).encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"


def open_model(name: str, part: str, device: str, choice: Choice) -> OpenedModel:
    """A model by name as a part of an arm, `embedder` or `reranker`, proven to be that model on that device.

    Raises UsageError, also where it is of another kind, and NotMeasured.
    """
    spec, folder = find_for(name, part)
    return open_spec(spec, folder, device, choice, golden_of(spec, folder))


def open_spec(
    spec: ModelSpec, folder: Path | None, device: str, choice: Choice, pinned_values: list[Mapping[str, Any]]
) -> OpenedModel:
    """A model from what is known of it; `pinned_values` are what it has to give, empty where nobody knows yet."""
    from gate.models.golden import check
    from gate.models.jitter import moved

    path = cache_file()
    cache = VectorCache(path) if path is not None else None
    # Where nothing is kept, nothing is looked up either, in memory as little as in a file.
    choice = choice if cache is not None else replace(choice, live=True)
    model, facts = open_bare(spec, folder, device, choice)
    if pinned_values:
        facts["golden"] = f"{check(model, spec, pinned_values):.1e}"
    facts["jitter"] = f"{moved(model, spec.kind):.1e}"
    said = _kept_as(spec, device, facts)
    if spec.kind == LATE_INTERACTION:
        from gate.models.cached import KeptTokens

        model.keep(KeptTokens(cache, said, spec.dimension))
    elif spec.kind == EMBEDDER:
        from gate.models.cached import CachedEmbedder

        model = CachedEmbedder(model, cache, said, live=choice.live)
    return OpenedModel(model, spec, facts, not choice.live and spec.kind != CROSS_ENCODER)


def _kept_as(spec: ModelSpec, device: str, facts: Mapping[str, str]) -> str:
    """All that changes a vector beside its text: the model, the very device, and the version of what runs it."""
    ran = {key: facts[key] for key in ("provider", "onnxruntime") if key in facts}
    return canonical_json({"model": identity(spec), "device": facts_of(device)["device"], **ran})


def share(embedder: OpenedModel, reranker: OpenedModel) -> None:
    """Has an embedder hand its token vectors to a late-interaction reranker over the same model: a text runs once."""
    one, other = embedder.spec, reranker.spec
    same = (
        other.kind == LATE_INTERACTION
        and {file.sha256 for file in one.files} == {file.sha256 for file in other.files}
        and (one.max_length, one.output, one.document_prefix) == (other.max_length, other.output, "")
    )
    if same:
        embedder.model.embedder.also = reranker.model.index


def open_bare(spec: ModelSpec, folder: Path | None, device: str, choice: Choice) -> tuple[Any, dict[str, str]]:
    """A model that makes all it gives, nothing looked up, with what a fingerprint says of it. Raises NotMeasured."""
    model = open_unproven(spec, files_of(spec, folder), device, choice)
    facts = _placed(model, spec, device, choice) if spec.runtime == "onnx" else {"provider": "numpy", "threads": "1"}
    return model, {"model": identity(spec), "precision": spec.precision, **facts}


def open_unproven(spec: ModelSpec, files: dict[str, Path], device: str, choice: Choice) -> Any:
    """The model over its runtime, and nothing about it proven but that it was opened there. Raises NotMeasured."""
    return RUNTIMES[spec.runtime](identity(spec), spec, files, device, choice)


def golden_values(path: Path) -> list[Mapping[str, Any]]:
    """What a model gave when it was pinned, from its pin. Raises UsageError."""
    golden: list[Mapping[str, Any]] = read_yaml(path, "pin of a model", "model-pin").data["golden"]
    return golden


def golden_of(spec: ModelSpec, folder: Path | None) -> list[Mapping[str, Any]]:
    """What a model has to give, from its pin; empty where it has none."""
    path = folder / PIN if folder is not None else data_path("corpora", "models", f"{spec.name}.{PIN}")
    return golden_values(path) if is_file(path) else []


def _placed(model: Any, spec: ModelSpec, device: str, choice: Choice) -> dict[str, str]:
    """What a fingerprint says of where a model over ONNX Runtime runs. Raises NotMeasured where that is elsewhere."""
    from gate.models.onnx.placement import refuse_elsewhere
    from gate.models.onnx.runtime import PROVIDERS, load

    placement = model.placed()
    refuse_elsewhere(placement, device, spec.name)
    return {
        "provider": model.providers[0],
        "nodes": f"{placement.nodes[PROVIDERS[device]]} of {sum(placement.nodes.values())}",
        "onnxruntime": str(load(device).__version__),
        "threads": str(choice.threads or "default"),
    }


def _onnx(said: str, spec: ModelSpec, files: dict[str, Path], device: str, choice: Choice) -> Any:
    if spec.kind == EMBEDDER:
        from gate.models.onnx.embedder import OnnxEmbedder

        return OnnxEmbedder(said, spec, files, device, choice.threads)
    if spec.kind == CROSS_ENCODER:
        from gate.models.onnx.cross_encoder import CrossEncoder

        return CrossEncoder(said, spec, files, device, choice.threads)
    assert spec.kind == LATE_INTERACTION, spec.kind
    from gate.models.onnx.late_interaction import LateInteraction

    return LateInteraction(said, spec, files, device, choice.threads, live=choice.live)


def _use(said: str, spec: ModelSpec, files: dict[str, Path], device: str, choice: Choice) -> Any:
    from gate.models.use import UseEmbedder

    del files, choice
    if device != "cpu":
        raise NotMeasured("device-unknown", f"{spec.name} runs on the CPU alone", where=f"device {device}")
    return UseEmbedder(said, spec)


Opens = Callable[[str, ModelSpec, dict[str, Path], str, Choice], Any]
RUNTIMES: Mapping[str, Opens] = {"onnx": _onnx, "use": _use}
