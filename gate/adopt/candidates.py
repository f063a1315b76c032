"""Stores that a repository may mean: entry points, and factories found by reading its Python files.

Nothing is imported to find them: a module that nobody named may do anything when it is imported.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path

from gate.adopt.place import Place, python_files
from gate.stores import ENTRY_POINTS

FACTORY = "open_store"
_MOST_FILES, _MOST_BYTES = 5_000, 1 << 20
_METHODS = frozenset({"add", "count", "search", "environment", "close"})
_ATTRIBUTES = frozenset({"name", "modes", "abilities"})
_PARTS = frozenset({"embedder", "reranker"})
# Packages that store and search, by the name they are installed under.
KNOWN = (
    "chromadb", "elasticsearch", "faiss-cpu", "hnswlib", "lancedb", "llama-index", "mem0ai", "opensearch-py",
    "pgvector", "pinecone", "pymilvus", "qdrant-client", "rank-bm25", "sqlite-vec", "tantivy", "usearch",
    "weaviate-client", "whoosh",
)  # fmt: skip
_NAMED_IN = ("pyproject.toml", "requirements.txt", "setup.cfg", "setup.py", "Pipfile")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A store as settings name it, and where it was found."""

    spec: str
    where: str


def candidates(place: Place) -> list[Candidate]:
    """All that could be meant, entry points first, each once."""
    points = sorted({point.name: point.value for point in entry_points(group=ENTRY_POINTS)}.items())
    targets = {target for _, target in points}
    found = [Candidate(name, f"entry point, {target}") for name, target in points]
    for path in python_files(place)[:_MOST_FILES]:
        found += [one for one in _in_file(place.folder, path) if one.spec not in targets]
    return found


def known_dependencies(folder: Path) -> list[str]:
    """Packages that store and search which the folder's own files name as dependencies: a hint, no more."""
    text = ""
    for name in _NAMED_IN:
        try:
            text += (folder / name).read_bytes()[:_MOST_BYTES].decode("utf-8", "replace").casefold().replace("_", "-")
        except OSError:
            continue
    return [name for name in KNOWN if re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", text)]


def module_name(path: Path, folder: Path) -> str:
    """The name that a file is imported by, from the folder or from its `src`; empty where it has none."""
    parts = list(path.with_suffix("").parts)
    if parts[0] == "src" and len(parts) > 1 and not (folder / "src" / "__init__.py").exists():
        parts = parts[1:]
    if parts[-1] == "__init__":
        parts = parts[:-1]
    return ".".join(parts) if parts and all(part.isidentifier() for part in parts) else ""


def _in_file(folder: Path, path: Path) -> Iterator[Candidate]:
    module = module_name(path, folder)
    if not module or _is_test(path) or not (folder / path).is_file():
        return
    try:
        with (folder / path).open("rb") as file:
            source = file.read(_MOST_BYTES + 1)
        # What the source warns of is its author's business, not that of whoever looks for a store.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source) if len(source) <= _MOST_BYTES else ast.Module([], [])
    except (OSError, ValueError, SyntaxError, RecursionError, MemoryError):
        return
    factories = [node for node in tree.body if isinstance(node, ast.FunctionDef) and _is_factory(node)]
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef) and _is_store(node)]
    # A class beside a factory is what the factory opens.
    for node in factories or classes:
        yield Candidate(f"{module}:{node.name}", f"{path.as_posix()}:{node.lineno}")


def _is_test(path: Path) -> bool:
    return path.name.startswith("test_") or path.stem in ("conftest", "setup") or "tests" in path.parts[:-1]


def _is_factory(node: ast.FunctionDef) -> bool:
    """A function called open_store that takes a path, or any public one that takes both of the gate's parts."""
    names = [argument.arg for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
    if node.name == FACTORY:
        return bool(names) or node.args.vararg is not None
    return not node.name.startswith("_") and set(names) >= _PARTS


def _is_store(node: ast.ClassDef) -> bool:
    """A public class with all that the protocol asks for, as methods or as names given a value."""
    given: set[str] = set()
    for inner in node.body:
        if isinstance(inner, ast.FunctionDef):
            given.add(inner.name)
        elif isinstance(inner, ast.Assign | ast.AnnAssign) and inner.value is not None:
            targets = inner.targets if isinstance(inner, ast.Assign) else [inner.target]
            given |= {name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)}
    return not node.name.startswith("_") and given >= _METHODS and given >= _ATTRIBUTES - {"name"}
