"""Where stores are found: built-in names, the entry-point group `gate.stores`, `module:factory`.

Adding a driver is one file here and one line in `STORES`, or in `CONTROLS` for a control.
"""

from __future__ import annotations

import importlib
import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Any, cast

from gate.errors import UsageError

if TYPE_CHECKING:
    from gate.protocols import OpenStore

# Stores that bracket the measures. One that a budget names is run beside the gated store.
CONTROLS: Mapping[str, str] = {
    "exact-cosine": "gate.stores.exact_cosine:open_store",
    "null": "gate.stores.null:open_store",
    "random": "gate.stores.random_order:open_store",
    "oracle": "gate.stores.oracle:open_store",
    "whole-words": "gate.stores.whole_words:open_store",
}
STORES: Mapping[str, str] = {"reference": "gate.stores.reference:open_store", **CONTROLS}
ENTRY_POINTS = "gate.stores"

LONGEST_NAME = 80  # a run file holds it beside the names of corpus, arm, mode and fault

_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def valid_name(name: str) -> bool:
    """Whether a store's name may stand in cells and file names: lower-case letters, digits, single hyphens."""
    return len(name) <= LONGEST_NAME and _NAME.fullmatch(name) is not None


def store_names() -> list[str]:
    """All names that `find_store` knows without an import path, sorted."""
    return sorted({*STORES, *(point.name for point in entry_points(group=ENTRY_POINTS))})


def find_store(name: str) -> OpenStore:
    """The factory of a store: a built-in, else an entry point, else `module:factory`.

    The current folder is appended to the import path, never put before it, so that a file there
    cannot stand in for an installed package. Raises UsageError where the factory is not found,
    is not callable, or its import raises anything.
    """
    if name in STORES:
        return _load(STORES[name], name)
    point = _entry_point(name)
    if point is not None:
        return _load(point.value, name)
    if ":" in name:
        return _load(name, name)
    from gate.files import nearest

    raise UsageError(
        "store-unknown",
        f"there is no store '{name}'",
        hint=f"{nearest(name, store_names())} A store of your own is named module:factory.".lstrip(),
    )


def _entry_point(name: str) -> EntryPoint | None:
    found = sorted(entry_points(group=ENTRY_POINTS, name=name), key=lambda point: point.value)
    if len(found) > 1 and len({point.value for point in found}) > 1:
        raise UsageError(
            "store-ambiguous",
            f"more than one installed package offers a store '{name}'",
            where=", ".join(point.value for point in found),
            hint="Name the one that you mean as module:factory.",
        )
    return found[0] if found else None


def _load(target: str, name: str) -> OpenStore:
    module_name, _, attribute = target.partition(":")
    module_name, attribute = module_name.strip(), attribute.strip()
    if not module_name or not attribute:
        raise UsageError(
            "store-spec",
            f"'{target}' does not name a factory",
            where=name,
            hint="Write module:factory, for example mypackage.recall:open_store.",
        )
    value: Any = _import(module_name, name)
    for part in attribute.split("."):
        owner = value
        try:
            value = getattr(owner, part)
        except AttributeError:
            from gate.files import nearest

            raise UsageError(
                "store-factory-missing",
                f"the module '{module_name}' has no '{attribute}'",
                where=name,
                hint=nearest(part, _public_callables(owner)) or "Define a function open_store there.",
            ) from None
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            raise UsageError(
                "store-import-failed", f"looking up '{attribute}' raised {type(error).__name__}: {error}", where=name
            ) from error
    if not callable(value):
        raise UsageError(
            "store-factory-not-callable",
            f"'{target}' is a {type(value).__name__}, which cannot be called",
            where=name,
            hint="Name a function open_store(path, embedder=None, reranker=None), or a class that takes the same.",
        )
    return cast("OpenStore", value)


def _import(module_name: str, name: str) -> object:
    folder = os.getcwd()
    if folder not in sys.path:
        sys.path.append(folder)
    try:
        return importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        missing = error.name or module_name
        if module_name == missing or module_name.startswith(f"{missing}."):
            raise UsageError(
                "store-module-missing",
                f"there is no module '{missing}' on the import path",
                where=name,
                hint=f"Install the package that has it, or run from its folder. Searched last: {folder}",
            ) from None
        raise UsageError(
            "store-import-failed",
            f"the module '{module_name}' needs '{missing}', which is not installed",
            where=name,
            hint=f"Install '{missing}' into the environment that runs the gate.",
        ) from None
    except BaseException as error:
        # A module may raise anything when it is imported, even what is no Exception.
        if isinstance(error, KeyboardInterrupt):
            raise
        raise UsageError(
            "store-import-failed",
            f"importing '{module_name}' raised {type(error).__name__}: {error}",
            where=name,
            hint=f'Try python -c "import {module_name}" to see where.',
        ) from error


def _public_callables(owner: object) -> Iterable[str]:
    values: list[tuple[str, Callable[..., Any] | None]] = [
        (name, getattr(owner, name, None)) for name in dir(owner) if not name.startswith("_")
    ]
    return [name for name, value in values if callable(value)]
