"""Which code a process runs: the only proof that the tree asked for was timed, and not one that is installed."""

from __future__ import annotations

import inspect
import sys
import sysconfig
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path


def factory_file(factory: object) -> str:
    """The file of the module that a store's factory was defined in; empty where it has none."""
    while isinstance(factory, partial):
        factory = factory.func
    unwrapped = inspect.unwrap(factory) if callable(factory) else factory
    module = sys.modules.get(getattr(unwrapped, "__module__", None) or "")
    return _file_of(module)


def belongs(file: str, root: Path, other: Path) -> bool:
    """Whether a file is of the tree `root`: in it, installed nowhere, and not of `other` where that lies inside."""
    path = Path(file).resolve()
    if not path.is_relative_to(root) or _installed(path):
        return False
    return not (path.is_relative_to(other) and other.is_relative_to(root) and other != root)


def astray(root: Path, other: Path, roots: Sequence[Path]) -> Iterator[tuple[str, str]]:
    """Modules that came from the wrong place, with their files.

    Wrong is whatever is of the `other` tree, and whatever is not of the own one though one of its import `roots` has a
    module or package of that name.
    """
    for name, module in sorted(sys.modules.items()):
        if "." in name or name == "__main__" or name in sys.stdlib_module_names:
            continue
        file = _file_of(module)
        if not file or belongs(file, root, other):
            continue
        if belongs(file, other, root) or any(_has(folder, name) for folder in roots):
            yield name, file


def _has(folder: Path, name: str) -> bool:
    return (folder / f"{name}.py").is_file() or (folder / name / "__init__.py").is_file()


def _file_of(module: object) -> str:
    file = getattr(module, "__file__", None)
    return file if isinstance(file, str) else ""


def _installed(path: Path) -> bool:
    """Whether a file was installed: an environment often lies inside of the tree that it serves."""
    places = (sysconfig.get_path(name) for name in ("purelib", "platlib", "stdlib", "platstdlib"))
    return "site-packages" in path.parts or any(path.is_relative_to(Path(place).resolve()) for place in places if place)
