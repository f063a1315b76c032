"""The models that are known by name, from `corpora/models.yml`, and those that stand in a folder with their pin."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from gate.data import data_path
from gate.errors import Problem, UsageError
from gate.files import LinedData, nearest, read_yaml
from gate.models.paths import is_file
from gate.models.spec import CROSS_ENCODER, EMBEDDER, MODEL, TOKENIZER, ModelFile, ModelSpec, spec_of

PIN = "golden.json"
_NAME = re.compile(r"[a-z0-9]+(?:[.-][a-z0-9]+)*")


@cache
def models() -> Mapping[str, ModelSpec]:
    """Every named model. Raises UsageError with all that is wrong with the file."""
    lined = read_yaml(data_path("corpora", "models.yml"), "models", "models", _problems)
    return {name: spec_of(name, entry) for name, entry in lined.data["models"].items()}


def named(name: str) -> ModelSpec:
    """The model of that name. Raises UsageError, with the nearest known one."""
    known = models()
    if name not in known:
        raise UsageError(
            "model-unknown",
            f"there is no model '{name}'",
            hint=unknown_name(name, known),
        )
    return known[name]


def unknown_name(name: str, known: Iterable[str]) -> str:
    """A hint for a model that nobody knows by that name: the nearest known one, and how a folder is named."""
    return f"{nearest(name, known)} (a folder is named as a path: ./{name})"


def is_folder(name: str) -> bool:
    """Whether a model is named by its folder: a path has a separator, or starts at the home folder."""
    return any(mark in name for mark in "/\\~") or not _NAME.fullmatch(name)


def pinned(folder: Path) -> ModelSpec:
    """The model in a folder, as its pin says. Raises UsageError where there is none, or it cannot be used."""
    path = folder / PIN
    if not is_file(path):
        raise UsageError(
            "model-unpinned",
            "the folder of this model has no pin, and nothing says how it is to be used",
            where=str(folder),
            hint=f"gate models pin {folder} writes {PIN}: pooling, prefixes, hashes, and what the model gives.",
        )
    data = read_pin(path)
    plain = {key: value for key, value in data.items() if key not in ("schema", "files", "golden")}
    entry = {
        "runtime": "onnx",
        "says": f"the model in {folder}",
        "source": str(folder),
        "licence": "not told",
        "languages": "not told",
        **plain,
    }
    spec = spec_of(folder.resolve().name or "model", entry)
    return replace(spec, files=tuple(ModelFile(name, sha256=known) for name, known in sorted(data["files"].items())))


def read_pin(path: Path) -> dict[str, Any]:
    """What a pin says. Raises UsageError with all that is wrong with it."""
    data: dict[str, Any] = read_yaml(path, "pin of a model", "model-pin", _pin_problems).data
    return data


def _problems(lined: LinedData) -> Iterator[Problem]:
    entries = lined.data.get("models", {}) if isinstance(lined.data, dict) else {}
    for name in entries if isinstance(entries, dict) else ():
        if not lined.sound("models", name):
            continue
        entry = entries[name]
        where = lined.where("models", name)
        if entry["kind"] != CROSS_ENCODER and "dimension" not in entry:
            yield Problem(f"'{name}' gives vectors, and does not say their dimension", where)
        if entry["runtime"] == "onnx":
            for file in (MODEL, TOKENIZER):
                if file not in entry["files"]:
                    yield Problem(f"'{name}' has no {file}", where)
        for file, given in entry["files"].items():
            if given and "package" in given and not {"path", "sha256", "package"} <= set(given):
                told = (
                    "says neither where it stands nor what it should be" if len(given) == 1 else "lacks path or sha256"
                )
                yield Problem(f"'{name}': {file} is carried by a package and {told}", where)


def _pin_problems(lined: LinedData) -> Iterator[Problem]:
    if lined.sound("files"):
        for file in (MODEL, TOKENIZER):
            if file not in lined.data["files"]:
                yield Problem(f"it pins no {file}", lined.where("files"))
    if lined.sound("kind") and lined.data["kind"] != CROSS_ENCODER and "dimension" not in lined.data:
        yield Problem("it gives vectors, and does not say their dimension", lined.where("kind"))
    if lined.sound("kind") and lined.sound("golden") and lined.data["kind"] != EMBEDDER:
        for at, one in enumerate(lined.data["golden"]):
            if "query" not in one:
                yield Problem(
                    "a score of a reranker is of a text for a query, which is missing", lined.where("golden", at)
                )
