"""The code that answers questions, as digests: whether two runs were of the same code.

A digest covers the bytes and the relative names of source files and of compiled extension modules. What else
a store rests on has a version (`packages`) or is the store's own to tell (`environment`).
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path

import gate

SUFFIXES = frozenset({".py", ".so", ".pyd"})
# Where installers put packages. A module that lies there is no neighbour of the others.
_INSTALLED = frozenset({"site-packages", "dist-packages"})


@cache
def gate_code() -> str:
    """Sixteen hex digits of the SHA-256 of the gate's own files."""
    return _digest(Path(gate.__file__).parent, _files_under(Path(gate.__file__).parent))


def store_code(spec: str, factory: object) -> str:
    """Sixteen hex digits of the SHA-256 of the files of a store: where its factory was made, and where `spec` found it.

    Of a module that belongs to a package, every file of the outermost package. Of a module that
    stands alone, its file and those of all modules imported so far that lie beside it or below;
    of one that is installed alone, its file.
    """
    told = [spec.partition(":")[0].strip()] if ":" in spec else []
    made = getattr(factory, "__module__", None) or type(factory).__module__
    found = sha256()
    for name in sorted({str(module).partition(".")[0] for module in (*told, made)}):
        digests = [gate_code()] if name == gate.__name__ else [_digest(root, files) for root, files in _roots(name)]
        found.update("".join(f"{name} {digest}\n" for digest in digests).encode())
    return found.hexdigest()[:16]


@cache
def packages() -> dict[str, str]:
    """The version of every installed distribution, by its name: as the names of their folders have both."""
    folders = [folder.name for place in sys.path for folder in sorted(Path(place).glob("*.dist-info"))]
    named = (folder.removesuffix(".dist-info").partition("-") for folder in folders)
    # The first on the path is the one that is imported.
    found: dict[str, str] = {}
    for name, _, version in named:
        found.setdefault(name.lower(), version)
    return dict(sorted(found.items()))


def _roots(name: str) -> Iterator[tuple[Path, list[Path]]]:
    """The folders of a top-level module, each with the files that count in it."""
    module = sys.modules.get(name)
    folders: Iterable[str] | None = getattr(module, "__path__", None)
    if folders is not None:
        yield from ((Path(folder), _files_under(Path(folder))) for folder in folders)
        return
    file = getattr(module, "__file__", None)
    if isinstance(file, str):
        path = Path(file).resolve()
        alone = not _INSTALLED.isdisjoint(path.parts)
        yield path.parent, [path] if alone else [path, *_imported_under(path.parent)]


def _files_under(folder: Path) -> list[Path]:
    """Source files and extension modules below a folder, but not those of an environment that lies in it."""
    return [
        path
        for path in folder.rglob("*")
        if path.suffix in SUFFIXES
        and not any(part.startswith(".") or part in _INSTALLED for part in path.relative_to(folder).parts[:-1])
        and path.is_file()
    ]


def _imported_under(folder: Path) -> Iterator[Path]:
    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None)
        if isinstance(file, str) and Path(file).suffix in SUFFIXES:
            path = Path(file).resolve()
            if path.is_relative_to(folder) and _INSTALLED.isdisjoint(path.parts) and path.is_file():
                yield path


def _digest(root: Path, files: Iterable[Path]) -> str:
    found = sha256()
    for path in sorted(set(files)):
        try:
            content = sha256(path.read_bytes()).hexdigest()
        except OSError:
            content = "unreadable"
        found.update(f"{path.relative_to(root).as_posix()} {content}\n".encode("utf-8", "surrogateescape"))
    return found.hexdigest()[:16]
