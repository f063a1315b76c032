"""Finds the files that ship with the gate: recipes, schemas, budgets, baselines, default settings.

They stand at the top of a checkout, which an editable install points into, and inside the
package in a wheel. This module is the only one that knows the difference.
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def data_path(*parts: str) -> Path:
    """The path of a shipped file or folder, such as `data_path("corpora", "seeded.yml")`.

    Schemas are part of the package itself. The path is returned whether or not it exists.
    """
    if parts[:1] == ("schemas",):
        return _PACKAGE.joinpath(*parts)
    packed = _PACKAGE / "_data"
    return (packed if packed.is_dir() else _PACKAGE.parent).joinpath(*parts)
