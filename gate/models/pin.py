"""Pins: `golden.json` beside a model, with the hashes of its files, how it is used, and what it gives.

A folder with a pin is a model like any other. Whoever opens it holds files, settings and a few
vectors or scores against the pin, so that it is the model that was meant, used as it was meant.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gate.errors import GateError, Problem, UsageError
from gate.files import shown, write_atomic
from gate.models import Choice
from gate.models.beside import Said, said_beside
from gate.models.golden import check, golden
from gate.models.named import PIN, named, pinned, read_pin
from gate.models.onnx.weights import weights_of
from gate.models.opened import golden_values, open_bare
from gate.models.paths import is_file, is_folder_there
from gate.models.spec import (
    CROSS_ENCODER,
    EMBEDDER,
    MODEL,
    TOKENIZER,
    ModelFile,
    ModelSpec,
    hash_of,
    spec_of,
    stays_inside,
)

# What a pin says of each kind of model beside the name of the output.
_COMMON = ("kind", "precision", "max_length")
_OF_KIND: Mapping[str, tuple[str, ...]] = {
    EMBEDDER: ("dimension", "pooling", "normalise", "query_prefix", "document_prefix"),
    CROSS_ENCODER: (),
    "late-interaction": ("dimension",),
}
_USUAL: Mapping[str, Any] = {
    "kind": EMBEDDER,
    "pooling": "mean",
    "normalise": True,
    "query_prefix": "",
    "document_prefix": "",
    "max_length": 512,
    "output": "",
}
OPTION, USUAL, SEEN, WEIGHTS = "as asked", "unless told", "as the model gives", "most of its weights"


@dataclass(frozen=True, slots=True)
class Pinned:
    """A pin that was written, or stood there and says the same (`unchanged`).

    `sources[key]` says where a setting is from: an option, a file beside the model, or what is
    done unless somebody says otherwise.
    """

    path: Path
    spec: ModelSpec
    sources: Mapping[str, str]
    unchanged: bool = False


def pin_folder(folder: Path, asked: Mapping[str, Any], *, replace_it: bool = False) -> Pinned:
    """Opens the model in a folder on the CPU and writes its pin.

    `asked` are settings by their names in a pin. Raises UsageError, also where a pin stands there
    that says otherwise and is not to be replaced, and NotMeasured where the model cannot be opened.
    """
    files = _files(folder)
    weights = weights_of(folder / MODEL)
    said = {key: Said(value, OPTION) for key, value in asked.items()}
    beside = said_beside(folder, frozenset(asked))
    measured = {"precision": Said(weights.precision, WEIGHTS)} if weights.precision else {}
    usual = {key: Said(value, USUAL) for key, value in _USUAL.items()}
    settled = {**usual, **measured, **beside, **said}
    if "precision" not in settled:
        raise UsageError(
            "model-precision",
            "nothing says what precision its weights have",
            where=str(folder / MODEL),
            hint="Say so: --precision float32, float16 or int8.",
        )
    kind = settled["kind"].value
    foreign = [key for key in asked if key not in (*_COMMON, *_OF_KIND[kind], "output")]
    if foreign:
        raise UsageError("model-settings", f"a {kind} has no {', '.join(foreign).replace('_', ' ')}", where=str(folder))
    keys = (*_COMMON, *(key for key in _OF_KIND[kind] if key in settled), "output")
    described = {key: settled[key].value for key in keys}
    nothing = {"runtime": "onnx", "says": "", "source": "", "licence": "", "languages": ""}
    spec = replace(spec_of(folder.resolve().name or "model", {**nothing, **described}), files=files)
    sources = {key: settled[key].file for key in keys}
    if kind != CROSS_ENCODER:
        sources["dimension"] = SEEN
    return write_pin(folder, spec, sources, replace_it=replace_it)


def write_pin(folder: Path, spec: ModelSpec, sources: Mapping[str, str], *, replace_it: bool = False) -> Pinned:
    """The pin of a model whose files stand in `folder`, written beside them. Raises UsageError, NotMeasured."""
    path = folder / PIN
    model, _ = open_bare(spec, folder, "cpu", Choice())
    if spec.kind != CROSS_ENCODER:
        spec = replace(spec, dimension=int(model.dimension))
    if path.exists() and not replace_it:
        differs = list(_differs(folder, spec, model))
        if differs:
            raise UsageError(
                "pin-differs",
                "a pin stands here that says otherwise",
                where=str(path),
                problems=tuple(differs),
                hint="Options say how the model is used. To pin what it is now, add --replace.",
            )
        return Pinned(path, spec, sources, unchanged=True)
    text = pin_text(spec, golden(model, spec))
    _refuse_unreadable(text, folder)
    write_atomic(path, text)
    return Pinned(path, spec, sources)


def _refuse_unreadable(text: str, folder: Path) -> None:
    """Raises UsageError for a pin that nobody could read: with a character in a prefix, say, that no YAML holds."""
    with tempfile.TemporaryDirectory(prefix="gate-pin-") as scratch:
        trial = Path(scratch) / PIN
        trial.write_text(text, encoding="utf-8", errors="backslashreplace")
        try:
            read_pin(trial)
        except UsageError as error:
            problems = tuple(replace(problem, where="") for problem in error.problems) or (Problem(error.what),)
            raise UsageError(
                "model-settings", "this model cannot be pinned like this", where=str(folder), problems=problems
            ) from None


def pin_named(name: str, path: Path) -> Pinned:
    """Writes what a model that packages carry gives, to ship beside `models.yml`. Raises UsageError, NotMeasured."""
    spec = named(name)
    model, _ = open_bare(spec, None, "cpu", Choice())
    write_atomic(path, pin_text(spec, golden(model, spec)))
    return Pinned(path, spec, {})


def pin_text(spec: ModelSpec, values: list[dict[str, Any]]) -> str:
    """A pin as a file: JSON, a line a setting, a file and a golden text."""
    keys = (*_COMMON, *_OF_KIND[spec.kind], *(["output"] if spec.output else []))
    settings = {"schema": 1, **{key: getattr(spec, key) for key in keys}}
    files = {file.name: file.sha256 for file in sorted(spec.files, key=lambda file: file.name)}
    lines = [f"  {_json(key)}: {_json(value)}," for key, value in settings.items()]
    lines += ['  "files": {', ",\n".join(f"    {_json(name)}: {_json(known)}" for name, known in files.items()), "  },"]
    lines += ['  "golden": [', ",\n".join(f"    {_json(one)}" for one in values), "  ]"]
    return "\n".join(["{", *lines, "}"]) + "\n"


def weights_beside(folder: Path) -> tuple[str, ...]:
    """The files that the model of a folder keeps weights in beside its own. Raises UsageError for a path out of it."""
    found = weights_of(folder / MODEL).files
    for name in found:
        if name == PIN:
            raise UsageError(
                "model-outside",
                f"it keeps weights in {shown(name)}, where its pin has to stand",
                where=str(folder / MODEL),
                hint="Export the model again, with another name for that file.",
            )
        if not stays_inside(name):
            raise UsageError(
                "model-outside",
                f"it keeps weights in {shown(name)}, which is no file of its folder",
                where=str(folder / MODEL),
            )
    return found


def _files(folder: Path) -> tuple[ModelFile, ...]:
    """The files of the model in a folder, each with its hash. Raises UsageError with all that are missing."""
    if not is_folder_there(folder):
        raise UsageError(
            "model-folder", "there is no such folder", where=str(folder), hint="Name the folder of a model."
        )
    missing = [name for name in (MODEL, TOKENIZER) if not is_file(folder / name)]
    if not missing:
        names = (MODEL, TOKENIZER, *weights_beside(folder))
        missing = [name for name in names if not is_file(folder / name)]
    if missing:
        raise UsageError(
            "model-folder",
            f"this folder has no {' and no '.join(map(shown, missing))}",
            where=str(folder),
            hint=f"A model is {MODEL}, {TOKENIZER} and the files that its weights stand in, by these names.",
        )
    return tuple(ModelFile(name, sha256=_hash(folder / name)) for name in sorted(set(names)))


def _hash(path: Path) -> str:
    try:
        return hash_of(path)
    except OSError as error:
        raise UsageError("file-unreadable", f"this file cannot be read: {error.strerror}", where=str(path)) from None


def _differs(folder: Path, spec: ModelSpec, model: Any) -> Iterator[Problem]:
    """What the pin that stands in a folder says otherwise."""
    try:
        known = pinned(folder)
    except UsageError as error:
        yield from error.problems or (Problem(error.what),)
        return
    for key in (*_COMMON, *_OF_KIND[spec.kind], "output"):
        before, now = getattr(known, key), getattr(spec, key)
        if before != now:
            yield Problem(f"{key}: {shown(before)} there, {shown(now)} now")
    hashes = {file.name: file.sha256 for file in known.files}
    for file in spec.files:
        if hashes.pop(file.name, "") != file.sha256:
            yield Problem(f"{file.name}: another SHA-256")
    for name in hashes:
        yield Problem(f"{shown(name)}: pinned, and no file of the model")
    try:
        check(model, spec, golden_values(folder / PIN))
    except GateError as error:
        yield Problem(error.what)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
