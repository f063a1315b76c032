"""The workflow that gates every pull request on GitHub."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

import gate
from gate.adopt.place import Place
from gate.models import HASHED, NONE, Choice, arm
from gate.settings import Settings

PATH = ".github/workflows/retrieval-gate.yml"
# The Action in the version that measured the baseline, as docs/action.md names it.
ACTION = f"retrieval-gate/retrieval-gate@v{gate.__version__}"
# Commits of the majors that run on a supported Node: a tag can be moved, a commit cannot.
CHECKOUT = "actions/checkout@de0fac2e4500dabe0009e67214ff5f5447ce83dd # v6.0.2"
UPLOAD_ARTIFACT = "actions/upload-artifact@b7c566a772e6b6bfb58ed0dc250532a479d7789f # v6.0.0"
_EXPRESSION = "${{"


def workflow_text(place: Place, extras: Sequence[str] = ()) -> str:
    """The workflow: checks out with history, since a pull request has a base, and writes its comment alone.

    `extras` are those of the gate that it installs.
    """
    folder = f"{place.prefix}/" if place.prefix else ""
    return (
        "\n".join(
            (
                "# Written by `gate init`. Gates the store that gate.yml names, on every pull request.",
                "name: Retrieval gate",
                "on:",
                "  pull_request:",
                "    types: [opened, synchronize, reopened, labeled, unlabeled]",
                "  push:",
                f"    branches: [{_quoted(place.branch)}]",
                "  merge_group: {}",
                "permissions: {}",
                "concurrency:",
                "  group: retrieval-gate-${{ github.event.pull_request.number || github.sha }}",
                "  cancel-in-progress: ${{ github.event_name == 'pull_request' }}",
                "jobs:",
                "  gate:",
                "    name: Retrieval gate",
                "    runs-on: ubuntu-latest",
                "    timeout-minutes: 30",
                "    permissions:",
                "      contents: read",
                "      pull-requests: write # only for the comment; a fork's pull request has a token that reads",
                "    steps:",
                f"      - uses: {CHECKOUT}",
                "        with:",
                "          fetch-depth: 0 # a pull request is held against its base",
                "          persist-credentials: false",
                *_gate_step(place, extras),
                f"      - uses: {UPLOAD_ARTIFACT}",
                "        if: ${{ !cancelled() }}",
                "        with:",
                "          name: gate-results-${{ github.run_attempt }}",
                f"          path: {_quoted(f'{folder}gate-results')}",
                "          if-no-files-found: ignore",
            )
        )
        + "\n"
    )


def extras_needed(settings: Settings) -> tuple[str, ...]:
    """The extras of the gate that bring the models of all arms which a machine without a GPU can run."""
    from gate.models.named import models
    from gate.models.onnx.runtime import EXTRA

    extras = set()
    for on in map(arm, settings.arms):
        choice = settings.models.get(on.name, Choice())
        for name in (choice.embedder or on.embedder, choice.reranker or on.reranker):
            if on.device == "cpu" and name not in (HASHED, NONE):
                # A model that no package carries, and a folder, need what runs it.
                known = models().get(name)
                extras.add(known.extra if known is not None and known.extra else EXTRA[on.device])
    return tuple(sorted(extras))


def why_not(place: Place) -> str:
    """Why no workflow is written here; empty where one is."""
    if place.root is None:
        return place.no_git
    if not place.github:
        return "there is no folder .github, and no remote on GitHub"
    if _EXPRESSION in place.prefix:
        return "GitHub would take the name of this folder for an expression"
    return ""


def _gate_step(place: Place, extras: Sequence[str]) -> list[str]:
    """The step that installs the store beside the gate, runs it, and shows the verdict."""
    needed = _installed(place)
    return [
        "      # The commit of the version in its place is safer: a tag can be moved.",
        f"      - uses: {ACTION} # zizmor: ignore[unpinned-uses] written before its commit is known",
        "        with:",
        f'          python-version: "{sys.version_info.major}.{sys.version_info.minor}"',
        *([f"          working-directory: {_quoted(place.prefix)}"] if place.prefix else []),
        *([f"          install: {needed}"] if needed else []),
        *([f"          extras: {','.join(extras)}"] if extras else []),
    ]


def _installed(place: Place) -> str:
    """What pip installs beside the gate: what this folder says that it needs."""
    packaged = any((place.folder / name).is_file() for name in ("pyproject.toml", "setup.py"))
    needed = ["-r requirements.txt"] if (place.folder / "requirements.txt").is_file() else []
    return " ".join([*needed, *(["--editable ."] if packaged else [])])


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
