"""What a model is: its files, and everything about it that changes its numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from gate.models.paths import open_file

EMBEDDER, CROSS_ENCODER, LATE_INTERACTION = "embedder", "cross-encoder", "late-interaction"
KINDS = (EMBEDDER, CROSS_ENCODER, LATE_INTERACTION)
MODEL, TOKENIZER = "model.onnx", "tokenizer.json"
LONGEST = 512  # tokens, where a model does not say
MOST = 1_000_000_000  # tokens that a model may be said to read
READ_AT_ONCE = 1 << 20


@dataclass(frozen=True, slots=True)
class ModelFile:
    """One file of a model. `package` carries it at `path`; `url` is where it is fetched from. Each may be empty.

    `sha256` is empty where nobody has said what the file should be.
    """

    name: str
    sha256: str = ""
    package: str = ""
    path: str = ""
    url: str = ""


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """A model by name. `dimension` is 0 for a cross-encoder; `max_length` is in tokens, special ones included.

    `output` is the one of the model's outputs that is read; empty for the one that is usual for its kind.

    `extra` is the optional dependency of the gate that installs the packages of its files; empty
    where none does, and files are fetched or stand in a folder.
    """

    name: str
    kind: str
    runtime: str
    says: str
    source: str
    licence: str
    languages: str
    precision: str
    dimension: int = 0
    pooling: str = "mean"
    normalise: bool = True
    query_prefix: str = ""
    document_prefix: str = ""
    max_length: int = LONGEST
    output: str = ""
    extra: str = ""
    files: tuple[ModelFile, ...] = field(default=())

    def told(self) -> dict[str, Any]:
        """All that changes the numbers of a model beside its files."""
        return {
            "kind": self.kind,
            "pooling": self.pooling,
            "normalise": self.normalise,
            "query_prefix": self.query_prefix,
            "document_prefix": self.document_prefix,
            "max_length": self.max_length,
            "output": self.output,
        }


def spec_of(name: str, entry: Mapping[str, Any]) -> ModelSpec:
    """A model from an entry of `models.yml`, or from the pin in its folder, whose schema it holds to."""
    files = tuple(ModelFile(file, **(given or {})) for file, given in entry.get("files", {}).items())
    plain = {key: value for key, value in entry.items() if key != "files"}
    return ModelSpec(name, files=files, **plain)


def stays_inside(name: str) -> bool:
    """Whether the name of a file, with `/` between folders, leads to no place outside of the model's folder."""
    parts = name.split("/")
    return all(part not in ("", ".", "..") for part in parts) and not any(mark in name for mark in "\\:\0")


def hash_of(path: Path) -> str:
    """The SHA-256 of a file, in hex. Raises OSError, and ValueError for a name that no file can have."""
    digest = sha256()
    with open_file(path) as file:
        while part := file.read(READ_AT_ONCE):
            digest.update(part)
    return digest.hexdigest()
