"""How stores are found by name, and what is said when they are not."""

from __future__ import annotations

import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

import gate.stores
from gate.errors import UsageError
from gate.models.hashed import HashedEmbedder
from gate.stores import CONTROLS, STORES, find_store, store_names, valid_name


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty current folder, and an import path that is put back."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    return tmp_path


@pytest.mark.parametrize("name", sorted(STORES))
def test_every_built_in_store_opens_under_its_own_name(name: str, tmp_path: Path) -> None:
    store = find_store(name)(tmp_path, HashedEmbedder())
    try:
        assert store.name == name
        assert valid_name(name)
        assert store.count() == 0
    finally:
        store.close()


def test_controls_are_built_in() -> None:
    assert set(CONTROLS) < set(STORES)
    assert "reference" not in CONTROLS


def test_unknown_store_names_the_nearest() -> None:
    with pytest.raises(UsageError, match="no store 'referense'") as caught:
        find_store("referense")
    assert "'reference'" in caught.value.hint
    assert "module:factory" in caught.value.hint


def test_module_in_the_current_folder_is_found_behind_all_others(folder: Path) -> None:
    (folder / "own_recall_driver.py").write_text(
        "def open_store(path, embedder=None, reranker=None):\n    return 'opened'\n"
    )
    (folder / "json.py").write_text("raise RuntimeError('a file of the project must not stand in for a library')\n")
    assert find_store("own_recall_driver:open_store")(folder) == "opened"  # type: ignore[comparison-overlap]
    assert sys.path[-1] == str(folder)
    assert find_store("json:dumps") is not None


@pytest.mark.parametrize(
    ("spec", "slug", "says"),
    [
        ("no_such_module_here:open_store", "store-module-missing", "no module 'no_such_module_here'"),
        ("broken_driver:open_store", "store-import-failed", "raised ZeroDivisionError"),
        ("leaving_driver:open_store", "store-import-failed", "raised SystemExit"),
        ("needy_driver:open_store", "store-import-failed", "needs 'a_library_that_is_not_there'"),
        ("good_driver:open_stor", "store-factory-missing", "has no 'open_stor'"),
        ("good_driver:NUMBER", "store-factory-not-callable", "is a int"),
        ("good_driver:", "store-spec", "does not name a factory"),
        (":open_store", "store-spec", "does not name a factory"),
    ],
)
def test_a_factory_that_cannot_be_used_is_an_error_with_what_to_do(
    folder: Path, spec: str, slug: str, says: str
) -> None:
    (folder / "broken_driver.py").write_text("1 / 0\n")
    (folder / "leaving_driver.py").write_text("raise SystemExit(0)\n")
    (folder / "needy_driver.py").write_text("import a_library_that_is_not_there\n")
    (folder / "good_driver.py").write_text("NUMBER = 3\ndef open_store(path, embedder=None, reranker=None): ...\n")
    with pytest.raises(UsageError) as caught:
        find_store(spec)
    assert caught.value.slug == slug
    assert says in str(caught.value)
    assert caught.value.hint


def test_missing_attribute_names_the_nearest_callable(folder: Path) -> None:
    (folder / "near_driver.py").write_text("def open_store(path, embedder=None, reranker=None): ...\n")
    with pytest.raises(UsageError) as caught:
        find_store("near_driver:open_stor")
    assert caught.value.hint == "did you mean 'open_store'?"


def test_entry_point_is_found_and_a_built_in_comes_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    offered = [
        EntryPoint("acme", "gate.stores.null:open_store", "gate.stores"),
        EntryPoint("reference", "nowhere:open_store", "gate.stores"),
    ]
    monkeypatch.setattr(
        gate.stores,
        "entry_points",
        lambda group, name=None: [one for one in offered if name in (None, one.name) and group == "gate.stores"],
    )
    assert find_store("acme").__module__ == "gate.stores.null"
    assert find_store("reference").__module__ == "gate.stores.reference"
    assert "acme" in store_names()


def test_two_packages_that_offer_one_name_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    offered = [EntryPoint("acme", "one:open_store", "gate.stores"), EntryPoint("acme", "two:open_store", "gate.stores")]
    monkeypatch.setattr(gate.stores, "entry_points", lambda group, name=None: offered)
    with pytest.raises(UsageError, match="more than one installed package") as caught:
        find_store("acme")
    assert caught.value.where == "one:open_store, two:open_store"


@pytest.mark.parametrize(
    ("name", "legal"),
    [
        ("reference", True),
        ("a-1", True),
        ("A", False),
        ("a_b", False),
        ("", False),
        ("a/b", False),
        ("-a", False),
        ("a\n", False),
    ],
)
def test_names_are_lower_case_letters_digits_and_hyphens(name: str, legal: bool) -> None:
    assert valid_name(name) is legal


class Named:
    def __init__(self, name: str) -> None:
        self.name = name
