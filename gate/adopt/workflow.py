"""The workflow that gates every pull request on GitHub."""

from __future__ import annotations

import json
import sys

import gate
from gate.adopt.place import Place

PATH = ".github/workflows/retrieval-gate.yml"
# Commits of the majors that run on a supported Node: a tag can be moved, a commit cannot.
CHECKOUT = "actions/checkout@de0fac2e4500dabe0009e67214ff5f5447ce83dd # v6.0.2"
SETUP_PYTHON = "actions/setup-python@a309ff8b426b58ec0e2a45f0f869d46889d02405 # v6.2.0"
UPLOAD_ARTIFACT = "actions/upload-artifact@b7c566a772e6b6bfb58ed0dc250532a479d7789f # v6.0.0"
_EXPRESSION = "${{"


def workflow_text(place: Place) -> str:
    """The workflow: checks out with history, since a pull request is held against its base; reads, and no more."""
    folder = f"{place.prefix}/" if place.prefix else ""
    inside = ["    defaults:", "      run:", f"        working-directory: {_quoted(place.prefix)}"] if folder else []
    return (
        "\n".join(
            (
                "# Written by `gate init`. Gates the store that gate.yml names, on every pull request.",
                "name: Retrieval gate",
                "on:",
                "  pull_request:",
                "  push:",
                f"    branches: [{_quoted(place.branch)}]",
                "permissions: {}",
                "jobs:",
                "  gate:",
                "    runs-on: ubuntu-latest",
                "    timeout-minutes: 30",
                "    permissions:",
                "      contents: read",
                *inside,
                "    steps:",
                f"      - uses: {CHECKOUT}",
                "        with:",
                "          fetch-depth: 0 # a pull request is held against its base",
                "          persist-credentials: false",
                f"      - uses: {SETUP_PYTHON}",
                "        with:",
                f'          python-version: "{sys.version_info.major}.{sys.version_info.minor}"',
                *_gate_steps(place),
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


def why_not(place: Place) -> str:
    """Why no workflow is written here; empty where one is."""
    if place.root is None:
        return place.no_git
    if not place.github:
        return "there is no folder .github, and no remote on GitHub"
    if _EXPRESSION in place.prefix:
        return "GitHub would take the name of this folder for an expression"
    return ""


def _gate_steps(place: Place) -> list[str]:
    """The steps that install the store and the gate, and run it: where the gate's own Action would stand."""
    return [
        "      - name: Install the store and the gate",
        "        run: |",
        *(f"          python -m pip install {one}" for one in _installed(place)),
        "      - name: Gate",
        "        run: gate run --quiet",
    ]


def _installed(place: Place) -> list[str]:
    """What pip installs: what this folder says it needs, and the gate that measured its baseline."""
    packaged = any((place.folder / name).is_file() for name in ("pyproject.toml", "setup.py"))
    needed = ["-r requirements.txt"] if (place.folder / "requirements.txt").is_file() else []
    return [*needed, *(["--editable ."] if packaged else []), f"retrieval-gate=={gate.__version__}"]


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
