"""The check before a push: an entry of pre-commit where that is used, else a plain git hook.

The hook runs in the person's own environment (`language: system`), since one that pre-commit makes
for it could not import their store.
"""

from __future__ import annotations

import json
import os
import shlex
import sys
from pathlib import Path
from typing import Any

from gate.adopt.files import EXTENDED, LEFT, SKIPPED, UNCHANGED, Outcome, inside, planned
from gate.adopt.place import Place
from gate.errors import UsageError
from gate.yaml_source import parse

PRE_COMMIT = ".pre-commit-config.yaml"
PRE_PUSH = "pre-push"
ID = "retrieval-gate"
_WRITTEN_BY = "Written by `gate init`"
_MOST_BYTES = 1 << 20


def hook(place: Place, tiers: tuple[str, ...], *, force: bool) -> Outcome:
    """What becomes of the hook of this repository. `tiers` are those that a push waits for; none means all."""
    flags = "".join(f" --tier {tier}" for tier in tiers)
    if place.root is None or place.hooks is None:
        return Outcome(place.folder / ".git" / "hooks" / PRE_PUSH, SKIPPED, place.no_git)
    if os.path.lexists(place.root / PRE_COMMIT):
        return _pre_commit(place, f"gate run --quiet{flags}")
    path = place.hooks / PRE_PUSH
    text = hook_text(place, flags)
    if not (place.own_hooks or path.is_relative_to(place.root)):
        lines = _command(place, flags)
        return Outcome(path, LEFT, "core.hooksPath leads to a folder that other repositories use too", lines=lines)
    found = planned(path, text, (place.hooks.parent, place.root), executable=True)
    if found.state == LEFT:
        there = _text_of(path) if path.is_file() else ""
        if force and _WRITTEN_BY in there:
            return planned(path, text, (place.hooks.parent, place.root), force=True, executable=True)
        if f"gate run --quiet{flags}" in there:
            return Outcome(path, UNCHANGED, "it runs the gate already")
        return Outcome(path, LEFT, "there is a hook already; add this to it", lines=_command(place, flags))
    return found


def hook_text(place: Place, flags: str) -> str:
    """A hook for git: a shell script, run at the top of the work tree."""
    return (
        "#!/bin/sh\n"
        f"# {_WRITTEN_BY}: measures the store before a push, and stops one that loses what was found.\n"
        "# `git push --no-verify` goes without it.\n"
        f"{_command(place, flags)}"
    )


def _command(place: Place, flags: str) -> str:
    # Git tells its hooks where the repository is, which is right in this folder alone.
    unset = "unset $(git rev-parse --local-env-vars)\n"
    change = f"cd -- {shlex.quote(place.prefix)} || exit 2\n" if place.prefix else ""
    # A hook in the git folder belongs to this clone, and so does the Python that can import the store. What a
    # repository shares has to find its own.
    program = f"{shlex.quote(sys.executable)} -P -m gate" if place.own_hooks else "gate"
    return f"{unset}{change}{program} run --quiet{flags} || exit $?\n"


def _pre_commit(place: Place, command: str) -> Outcome:
    assert place.root is not None
    path = place.root / PRE_COMMIT
    lines = entry_text(place, command, 0)
    if path.is_symlink() or not path.is_file():
        return Outcome(path, LEFT, "it is no plain file; add this to its repos", lines=lines)
    inside(path, (place.root,))
    text = _text_of(path)
    left = Outcome(path, LEFT, "its repos are not written as a list of lines; add this", lines=lines)
    before = _parsed(text, path)
    if not isinstance(before, dict) or not isinstance(before.get("repos"), list):
        return Outcome(path, LEFT, "it cannot be read as YAML with a list of repos; add this", lines=lines)
    if ID in _ids(before):
        return Outcome(path, UNCHANGED, f"it has a hook {ID}")
    made = _inserted(text, place, command)
    after = _parsed(made, path) if made else None
    # Whatever the file looks like, only this may have changed.
    if not isinstance(after, dict) or after != {**before, "repos": [after["repos"][0], *before["repos"]]}:
        return left
    if _ids({"repos": after["repos"][:1]}) != [ID]:
        return left
    return Outcome(path, EXTENDED, f"with the hook {ID}", text=made)


def entry_text(place: Place, command: str, indent: int) -> str:
    """The entry of a `repos` list, in lines."""
    entry = command
    if place.prefix:
        entry = f"sh -c {shlex.quote(f'cd -- {shlex.quote(place.prefix)} && {command}')}"
    lines = (
        "- repo: local",
        "  hooks:",
        f"    - id: {ID}",
        "      name: retrieval gate",
        f"      entry: {json.dumps(entry, ensure_ascii=False) if place.prefix else entry}",
        "      language: system # the store is imported from your own environment",
        "      stages: [pre-push]",
        "      pass_filenames: false",
        "      always_run: true",
    )
    return "".join(f"{' ' * indent}{line}\n" for line in lines)


def _inserted(text: str, place: Place, command: str) -> str:
    """The text with our entry right below the line `repos:`, so that every comment stays where it is."""
    import yaml

    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except (yaml.YAMLError, RecursionError):
        return ""
    pairs = node.value if isinstance(node, yaml.MappingNode) else []
    found = [(key, value) for key, value in pairs if key.value == "repos" and isinstance(value, yaml.SequenceNode)]
    if len(found) != 1 or found[0][1].flow_style or not isinstance(node, yaml.MappingNode) or node.flow_style:
        return ""
    key, value = found[0]
    lines = text.splitlines(keepends=True)
    at = key.end_mark.line
    ends = "\r\n" if lines[at].endswith("\r\n") else "\n"
    entry = entry_text(place, command, value.start_mark.column).replace("\n", ends)
    return "".join((*lines[: at + 1], entry, *lines[at + 1 :]))


def _parsed(text: str, path: Path) -> Any:
    try:
        data, _, problems = parse(text, path, "pre-commit")
    except UsageError:
        return None
    return None if problems else data


def _ids(data: dict[str, Any]) -> list[str]:
    """The ids of all hooks in a configuration, whatever else is in it."""
    repos = [one for one in data["repos"] if isinstance(one, dict)]
    hooks = [one for repo in repos if isinstance(repo.get("hooks"), list) for one in repo["hooks"]]
    return [str(one.get("id")) for one in hooks if isinstance(one, dict)]


def _text_of(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(_MOST_BYTES).decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return ""
