"""What there is: every named model with where it stands, and one with all that is known of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gate.errors import NotMeasured, Problem, UsageError
from gate.exit_codes import ExitCode
from gate.models.named import is_folder, models, named
from gate.models.opened import find
from gate.models.place import DIFFERS, MISSING, SOUND, FoundFile, how_to_get, looked_at, place_of
from gate.models.spec import CROSS_ENCODER, EMBEDDER, ModelSpec

HERE, ABSENT, OTHER, UNTOLD = "here", "not here", "not the model", "cannot be told"


@dataclass(frozen=True, slots=True)
class Listed:
    """A model as it is here.

    `state` is one of the constants above; `place` is empty where it stands nowhere, and `how` then
    says what to do. `files` are those that were read and held against their hashes.
    """

    spec: ModelSpec
    state: str
    place: str = ""
    how: str = ""
    files: tuple[FoundFile, ...] = ()
    problems: tuple[Problem, ...] = ()

    @property
    def exit_code(self) -> ExitCode:
        """1 for files that are not those of the model, 2 where it cannot be told. One that is not here is no fault."""
        return {OTHER: ExitCode.REGRESSION, UNTOLD: ExitCode.NOT_MEASURED}.get(self.state, ExitCode.PASS)


def listed(*, verify: bool) -> list[Listed]:
    """Every named model. Raises UsageError where `models.yml` cannot be used."""
    return [look_at(name, verify=verify) for name in models()]


def look_at(name: str, *, verify: bool) -> Listed:
    """A named model, or one in a folder; with `verify` its files are read whole. Raises UsageError for an unknown one.

    A folder without a pin is an error too, and the pin of a fetched model that cannot be read a finding.
    """
    try:
        spec, folder = find(name)
    except NotMeasured as error:
        if not error.problems:
            return Listed(named(name), ABSENT, how=error.hint)
        return Listed(named(name), OTHER, error.where, error.hint, problems=error.problems)
    except UsageError as error:
        if is_folder(name) or name not in models():
            raise
        return Listed(named(name), UNTOLD, error.where, "", problems=error.problems or (Problem(error.what),))
    place = place_of(spec, folder)
    how = how_to_get(spec, folder)
    if not place and folder is None:
        return Listed(spec, ABSENT, how=how)
    if not verify:
        return Listed(spec, HERE if place else OTHER, place or str(folder), "" if place else how)
    files = tuple(looked_at(spec, folder))
    states = {one.state for one in files}
    state = HERE if states == {SOUND} else OTHER if states <= {SOUND, DIFFERS, MISSING} else UNTOLD
    problems = tuple(one.problem for one in files if one.problem is not None)
    return Listed(spec, state, place or str(folder), "" if state == HERE else how, files, problems)


def as_data(one: Listed) -> dict[str, Any]:
    """A model for JSON: what a pin says of it, and how it is here."""
    spec = one.spec
    return {
        "name": spec.name,
        "runtime": spec.runtime,
        "says": spec.says,
        "source": spec.source,
        "licence": spec.licence,
        "languages": spec.languages,
        **settings_of(spec),
        "files": {
            file.name: {key: getattr(file, key) for key in ("sha256", "package", "path", "url") if getattr(file, key)}
            for file in spec.files
        },
        "state": one.state,
        "verified": bool(one.files),
        "place": one.place,
        "how": one.how,
        "problems": [str(problem) for problem in one.problems],
    }


def settings_of(spec: ModelSpec) -> dict[str, Any]:
    """How a model is used: what its kind has of settings."""
    settings: dict[str, Any] = {"kind": spec.kind, "precision": spec.precision, "max_length": spec.max_length}
    if spec.kind != CROSS_ENCODER:
        settings["dimension"] = spec.dimension
    if spec.kind == EMBEDDER:
        settings |= {key: getattr(spec, key) for key in ("normalise", "query_prefix", "document_prefix")}
    if spec.kind == EMBEDDER and spec.runtime == "onnx":
        settings["pooling"] = spec.pooling
    if spec.output:
        settings["output"] = spec.output
    return settings
