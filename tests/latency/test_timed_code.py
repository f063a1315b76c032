"""Which tree a module came from."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from types import ModuleType

import pytest

from gate.latency.code import astray, belongs, factory_file


def open_store() -> None:
    pass


@pytest.mark.parametrize(
    ("file", "own"),
    [
        ("tree/recall.py", True),
        ("tree/src/recall/__init__.py", True),
        ("elsewhere/recall.py", False),
        ("treetop/recall.py", False),
        # An environment inside of the tree holds what was installed, not what is checked out.
        ("tree/.venv/lib/python3.11/site-packages/recall.py", False),
    ],
)
def test_a_file_is_of_the_tree_that_it_lies_in_and_not_of_what_is_installed(
    tmp_path: Path, file: str, own: bool
) -> None:
    assert belongs(str(tmp_path / file), tmp_path / "tree", tmp_path / "other") is own


def test_a_base_that_lies_inside_of_the_head_is_none_of_the_head(tmp_path: Path) -> None:
    file = str(tmp_path / "base" / "recall.py")
    assert belongs(file, tmp_path / "base", tmp_path)
    assert not belongs(file, tmp_path, tmp_path / "base")


def module(name: str, file: Path) -> ModuleType:
    made = ModuleType(name)
    made.__file__ = str(file)
    return made


@pytest.mark.parametrize(
    ("place", "found"),
    [
        ("tree/engine.py", []),
        ("tree/src/engine/__init__.py", []),
        ("other/engine.py", ["engine"]),
        ("installed/engine.py", ["engine"]),
    ],
)
def test_a_module_that_the_tree_has_is_astray_when_it_came_from_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str, found: list[str]
) -> None:
    tree, other = tmp_path / "tree", tmp_path / "other"
    (tree / "src" / "engine").mkdir(parents=True)
    (tree / "src" / "engine" / "__init__.py").touch()
    monkeypatch.setitem(sys.modules, "engine", module("engine", tmp_path / place))
    monkeypatch.setitem(sys.modules, "other_library", module("other_library", tmp_path / "installed" / "x.py"))
    assert [name for name, _ in astray(tree, other, [tree, tree / "src"])] == found


def test_a_module_of_the_other_tree_is_astray_though_the_own_one_lacks_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tree").mkdir()
    monkeypatch.setitem(sys.modules, "engine", module("engine", tmp_path / "other" / "engine.py"))
    assert [name for name, _ in astray(tmp_path / "tree", tmp_path / "other", [tmp_path / "tree"])] == ["engine"]


def test_the_file_of_a_factory_is_that_of_the_module_it_was_defined_in() -> None:
    assert factory_file(open_store) == __file__
    assert factory_file(partial(partial(open_store))) == __file__
    assert factory_file(Path) == sys.modules["pathlib"].__file__
    assert factory_file(len) == ""
