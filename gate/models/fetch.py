"""Models that no package carries: fetched whole, verified and pinned, or not at all.

Everything arrives in a folder beside the place where the model will stand, and is moved there
in one step once it was verified, opened and pinned. So a folder of a model is whole, whoever is interrupted.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote

from gate.errors import GateError, NotMeasured, Problem, UsageError
from gate.files import nearest, shown
from gate.models.download import Follows, check_url, download, is_url
from gate.models.named import PIN, named, pinned
from gate.models.onnx.runtime import load
from gate.models.paths import at_home, is_folder_there
from gate.models.pin import weights_beside, write_pin
from gate.models.place import fetched_folder, how_to_get, looked_at
from gate.models.spec import MODEL, ModelFile, ModelSpec, stays_inside

_HASH = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Fetched:
    """A model that stands in `folder`: fetched now, or (`already`) before, with the same hashes."""

    spec: ModelSpec
    folder: Path
    already: bool = False


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A file to get: its SHA-256, and the address or path that it is got from."""

    name: str
    sha256: str
    source: str


def fetch(name: str, hashes: Mapping[str, str], source: str, follows: Follows) -> Fetched:
    """Gets a named model into the folder of fetched ones, and pins it.

    `hashes` are SHA-256s in hex by file, for those that `models.yml` does not know. `source` is a folder or an
    address that the files stand below; empty for the addresses in `models.yml`. Raises UsageError
    with all that is missing, and NotMeasured where a file cannot be had or is not the one.
    """
    spec = named(name)
    wanted = _wanted(spec, hashes, source)
    _can_be_opened()
    folder = fetched_folder()
    with _said_plainly(folder):
        folder.mkdir(parents=True, exist_ok=True)
        with _alone(folder, name, follows):
            target = folder / name
            if _is_here(spec, target, wanted):
                return Fetched(spec, target, already=True)
            for left in folder.glob(f".{name}-*"):
                shutil.rmtree(left, ignore_errors=True)
            staged = Path(tempfile.mkdtemp(dir=folder, prefix=f".{name}-"))
            try:
                made = _staged(spec, wanted, staged, follows)
                _put(staged, target)
            finally:
                shutil.rmtree(staged, ignore_errors=True)
    return Fetched(made, target)


def _staged(spec: ModelSpec, wanted: list[_Wanted], staged: Path, follows: Follows) -> ModelSpec:
    """Gets, verifies, opens and pins a model in a folder of its own."""
    # The graph comes first: it is small where weights stand beside it, and names them.
    for one in sorted(wanted, key=lambda one: (one.name != MODEL, one.name)):
        path = staged / one.name
        path.parent.mkdir(parents=True, exist_ok=True)
        download(one.name, one.source, one.sha256, path, follows)
        if one.name == MODEL:
            _refuse_missing_weights(spec, staged, wanted)
    spec = replace(spec, files=tuple(ModelFile(one.name, sha256=one.sha256) for one in wanted))
    try:
        return write_pin(staged, spec, {}).spec
    except GateError as error:
        what = f"its files are the right ones, but it cannot be used: {error.what}"
        raise NotMeasured(error.slug, what, where=spec.name, problems=error.problems, hint=error.hint) from None


def _put(staged: Path, target: Path) -> None:
    """Moves a whole model to its place. What stood there is gone then."""
    staged.chmod(0o755)
    if not target.exists():
        os.rename(staged, target)
        return
    old = Path(tempfile.mkdtemp(dir=target.parent, prefix=f".{target.name}-"))
    try:
        os.rename(target, old / "old")
        try:
            os.rename(staged, target)
        except BaseException:
            os.rename(old / "old", target)
            raise
    finally:
        shutil.rmtree(old, ignore_errors=True)


def _wanted(spec: ModelSpec, hashes: Mapping[str, str], source: str) -> list[_Wanted]:
    """What to get from where. Raises UsageError with all that is missing."""
    if any(file.package for file in spec.files):
        raise UsageError(
            "model-packaged", f"{spec.name} comes with a package, and is not fetched", hint=how_to_get(spec)
        )
    base = _base(source)
    known = {file.name: file for file in spec.files}
    wanted, problems = [], []
    for name in dict.fromkeys((*known, *hashes)):
        file, given = known.get(name, ModelFile(name)), hashes.get(name, "").lower()
        if name not in known and not base:
            problems.append(Problem(f"{shown(name)} is no file of {spec.name}", hint=nearest(name, known)))
            continue
        if not stays_inside(name) or name == PIN:
            problems.append(Problem(f"{shown(name)} cannot be the name of a file of a model"))
        if given and not _HASH.fullmatch(given):
            problems.append(Problem(f"{shown(hashes[name])} is no SHA-256", f"--sha256 {name}", "64 hex digits"))
        if given and file.sha256 and given != file.sha256:
            problems.append(Problem(f"{name} is known by another SHA-256: {file.sha256}", f"--sha256 {name}"))
        if not given and not file.sha256:
            problems.append(Problem(f"nobody has told the SHA-256 of {name}", file.url, f"--sha256 {name}=HEX"))
        at = base + (quote(name) if is_url(base) else name) if base else file.url
        if not at:
            problems.append(Problem(f"no address of {name} is known", hint="--from with a folder or an address"))
        wanted.append(_Wanted(name, file.sha256 or given, at))
    if problems:
        raise UsageError(
            "fetch-incomplete",
            f"{spec.name} cannot be fetched like this",
            problems=tuple(problems),
            hint=f"The page of a model lists the SHA-256 of its large files: {spec.source}. That of a small one is"
            " taken from a copy that you trust: sha256sum FILE",
        )
    return wanted


def _base(source: str) -> str:
    """A folder or address, ready for a name behind it; empty where none was given. Raises UsageError."""
    if not source:
        return ""
    if is_url(source):
        check_url(source)
        return source.rstrip("/") + "/"
    folder = at_home(source)
    if not is_folder_there(folder):
        raise UsageError("fetch-folder", "there is no such folder", where=source, hint="--from a folder or an address.")
    return f"{folder}{os.sep}"


def _refuse_missing_weights(spec: ModelSpec, staged: Path, wanted: list[_Wanted]) -> None:
    names = {one.name for one in wanted}
    missing = [name for name in weights_beside(staged) if name not in names]
    if missing:
        raise UsageError(
            "fetch-incomplete",
            f"{MODEL} keeps weights in {' and '.join(map(shown, missing))}, which would be missing",
            where=spec.name,
            hint=f"Give --from, and their hashes too: {' '.join(f'--sha256 {name}=HEX' for name in missing)}",
        )


def _can_be_opened() -> None:
    """Raises NotMeasured before anything is fetched where nothing here could open it."""
    load()
    if find_spec("tokenizers") is None:
        raise NotMeasured(
            "tokenizers-missing", "the library tokenizers is not here", hint="pip install 'retrieval-gate[onnx]'"
        )


def _is_here(spec: ModelSpec, target: Path, wanted: list[_Wanted]) -> bool:
    """Whether the model stands there whole; False where it has to be fetched. Raises UsageError for anything else."""
    if not target.exists() or (target.is_dir() and not any(target.iterdir())):
        return False
    try:
        known = {file.name: file.sha256 for file in pinned(target).files}
    except UsageError as error:
        what, hint = error.what, f"Pin it (gate models pin {target}), or move it away."
        raise UsageError("model-there", f"something else stands here: {what}", where=str(target), hint=hint) from None
    if known != {one.name: one.sha256 for one in wanted}:
        raise UsageError(
            "model-there",
            f"another {spec.name} stands here, of files with other hashes",
            where=str(target),
            hint="Move it away, to fetch this one.",
        )
    return not any(one.problem for one in looked_at(pinned(target), target))


@contextmanager
def _alone(folder: Path, name: str, follows: Follows) -> Iterator[None]:
    """One process a model at a time. Where the system or the file system has no such locks, nobody is kept out."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    descriptor = os.open(folder / f".{name}.lock", os.O_RDWR | os.O_CREAT, 0o644)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            follows.wait(f"another process that fetches {name}")
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        except OSError:
            pass
        yield
    finally:
        with suppress(OSError):
            os.close(descriptor)


@contextmanager
def _said_plainly(folder: Path) -> Iterator[None]:
    """What the system says of the folder, as an error that a person can act on."""
    try:
        yield
    except OSError as error:
        raise NotMeasured(
            "models-folder",
            f"the folder of fetched models cannot be used: {error.strerror or error}",
            where=str(error.filename or folder),
            hint="Set GATE_MODELS to a folder that can be written.",
        ) from None
