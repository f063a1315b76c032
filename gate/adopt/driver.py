"""A driver to fill in: complete code of a store, which works before anything in it was changed."""

from __future__ import annotations

import re
import sys
from importlib.machinery import PathFinder
from pathlib import Path

from gate.adopt.candidates import FACTORY, module_name
from gate.adopt.place import Place
from gate.errors import UsageError
from gate.stores import LONGEST_NAME, STORES, valid_name

_TEMPLATE = Path(__file__).with_name("driver_template.py")
_NAME = 'name = "driver-template"'


def driver_text(name: str) -> str:
    """The code of a driver for a store of this name."""
    return _TEMPLATE.read_text(encoding="utf-8").replace(_NAME, f'name = "{name}"')


def driver_spec(path: Path, place: Place) -> str:
    """How settings name the store of a driver at this path. Raises UsageError where it could not be imported."""
    absolute = place.folder / path
    inside = absolute.relative_to(place.folder) if absolute.is_relative_to(place.folder) else None
    module = module_name(inside, place.folder) if inside is not None and path.suffix == ".py" else ""
    if not module or inside is None or inside.stem == "__init__":
        raise UsageError(
            "init-driver-path",
            "a driver could not be imported from this path",
            where=str(path),
            hint="Give a path in this folder that ends in .py, each part of it a name in Python: search/driver.py.",
        )
    first = module.partition(".")[0]
    if first in sys.stdlib_module_names or _found_elsewhere(first, place.folder):
        raise UsageError(
            "init-driver-shadowed",
            f"there is another module '{first}' already, which would be imported instead",
            where=str(path),
            hint="Choose another name, for example recall_driver.py.",
        )
    return f"{module}:{FACTORY}"


def store_name(spec: str) -> str:
    """A legal name for the store of a driver: that of its module, else of the factory."""
    module = spec.partition(":")[0].rpartition(".")[2]
    name = re.sub("[^a-z0-9]+", "-", module.casefold()).strip("-")[: LONGEST_NAME - len("-store")].strip("-")
    if name in STORES or not valid_name(name):
        name = f"{name}-store".lstrip("-")
    return name


def _found_elsewhere(module: str, folder: Path) -> bool:
    """Whether a module of this name is installed: this folder is looked at last, so that one would be taken."""
    # An empty part of the import path is the current folder.
    others = [part for part in sys.path if part and Path(part).resolve() != folder]
    found = PathFinder.find_spec(module, others)
    if found is None:
        return False
    homes = [found.origin] if found.origin else list(found.submodule_search_locations or ())
    return not any(Path(home).resolve().is_relative_to(folder) for home in homes if home)
