"""The inputs of the Action, read from `GATE_*` variables, and the command line of `gate run` that they make.

`action.yml` maps each to its variable. On GitHub the steps of a composite action get no `INPUT_*`, so those are
never read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from glob import glob
from pathlib import Path

from gate.errors import Problem, UsageError
from gate.github.comment import DEFAULT_KEY, check_key
from gate.settings import FILE_NAME

RESULTS = "gate-results"
COMMENT = ("auto", "always", "never")
FAIL_ON = ("error", "warn", "never")
NOT_MEASURED = ("fail", "allow")
_SWITCH = ("false", "true")
_SEPARATORS = re.compile(r"[,\r\n]+")
# The option of `gate run` for each input that is handed on, and whether it is a list.
_OPTIONS: Mapping[str, tuple[str, bool]] = {
    "config": ("--config", False),
    "store": ("--store", False),
    "corpora": ("--corpus", True),
    "tier": ("--tier", True),
    "modes": ("--mode", True),
    "arms": ("--arm", True),
    "slices": ("--slice", True),
    "fail-on": ("--fail-on", False),
    "not-measured": ("--not-measured", False),
    "plant": ("--plant", False),
    "shard": ("--shard", False),
}


# Those of them that `gate merge` takes as well: what was searched is told by the shards.
_OF_A_MERGE = frozenset({"config", "fail-on", "not-measured"})


@dataclass(frozen=True, slots=True)
class Inputs:
    """What a workflow asked for. `options` are arguments of `gate run`, `base` its base, without what has defaults.

    `folder` is where the run stands, and `results` its results folder as seen from there. `merge` are the folders of
    shards to judge in the place of a run, or globs of such.
    """

    options: tuple[str, ...]
    base: str
    accept_loosened: bool
    comment: str
    key: str
    results: str
    token: str
    folder: str = "."
    merge: tuple[str, ...] = ()

    @property
    def results_path(self) -> Path:
        """The results folder as later steps see it: from the workspace."""
        return Path(self.folder, self.results)

    @property
    def settings_path(self) -> Path:
        return Path(self.folder, self.option("config") or FILE_NAME)

    def option(self, name: str) -> str:
        """What is handed on of an input that is no list; empty where it was not given."""
        start = f"{_OPTIONS[name][0]}="
        return next((one.removeprefix(start) for one in self.options if one.startswith(start)), "")

    @property
    def shards(self) -> tuple[str, ...]:
        """The folders that `merge` names. A glob that matches nothing stays, so that its absence is told."""
        return tuple(one for name in self.merge for one in sorted(glob(name, root_dir=self.folder)) or [name])

    def command(self, python: str, base: str) -> list[str]:
        """The command line of the run or the merge, held against `base`. Nothing of it ever passes a shell.

        `-P` keeps a folder `gate` of the workspace from being imported in our place. Where nothing names a store, the
        settings have to: without a file, `gate run` would measure the store that comes with the gate, and be green.
        """
        named = self.option("config") or self.option("store")
        return [
            *(python, "-P", "-m", "gate", *(("merge",) if self.merge else ("run", "--fresh"))),
            *([] if named else [f"--config={FILE_NAME}"]),
            *self.options,
            *([f"--base={base}"] if base else []),
            *(["--accept-loosened"] if self.accept_loosened else []),
            f"--out={self.results}",
            *(("--", *self.shards) if self.merge else ()),
        ]


def variable(name: str) -> str:
    """The variable that an input is read from: `fail-on` from `GATE_FAIL_ON`."""
    return f"GATE_{name.upper().replace('-', '_')}"


def read_inputs(environment: Mapping[str, str]) -> Inputs:
    """The inputs. Raises UsageError with all that is wrong with them."""
    problems: list[Problem] = []

    def value(name: str, default: str = "") -> str:
        given = environment.get(variable(name), "").strip()
        if "\0" in given:
            problems.append(Problem(f"the input {name} holds a character of no text"))
        return given or default

    def choice(name: str, choices: Sequence[str]) -> str:
        given = value(name, choices[0])
        if given not in choices:
            problems.append(Problem(f"the input {name} cannot be '{given}'", hint=f"one of {', '.join(choices)}"))
        return given

    choices = {"fail-on": choice("fail-on", FAIL_ON), "not-measured": choice("not-measured", NOT_MEASURED)}
    comment, accept = choice("comment", COMMENT), choice("accept-loosened", _SWITCH)
    key = value("comment-key", DEFAULT_KEY)
    try:
        check_key(key)
    except UsageError as error:
        problems.append(Problem(error.what, hint=error.hint))
    merge = tuple(part.strip() for part in _SEPARATORS.split(value("merge")) if part.strip())
    if value("merge") and not merge:
        problems.append(Problem("the input merge names no folder"))
    options: list[str] = []
    for name, (option, many) in _OPTIONS.items():
        given = choices.get(name) or value(name)
        if merge and given and name not in _OF_A_MERGE:
            problems.append(Problem(f"the input {name} is told by the shards", hint="leave it out beside merge"))
        parts = [part.strip() for part in _SEPARATORS.split(given)] if many else [given]
        options += [f"{option}={part}" for part in parts if part]
    if problems:
        raise UsageError("action-inputs", "the inputs of the Action cannot be used", problems=tuple(problems))
    results, token = value("results-path", RESULTS), value("github-token")
    folder = value("working-directory", ".")
    return Inputs(tuple(options), value("base"), accept == "true", comment, key, results, token, folder, merge)
