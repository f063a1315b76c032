"""A digest of code changes when the code does, and only then."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from gate.sources import gate_code, packages, store_code
from gate.stores import find_store


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder on the import path; what was imported from it is forgotten."""
    monkeypatch.syspath_prepend(str(tmp_path))
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        if (getattr(sys.modules[name], "__file__", None) or "").startswith(str(tmp_path)):
            del sys.modules[name]


def put(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    importlib.invalidate_caches()


def test_a_module_that_stands_alone_counts_with_the_neighbours_that_were_imported(project: Path) -> None:
    put(project, {"alone_store.py": "import alone_index\ndef made(): ...\n", "alone_index.py": "x = 1\n", "un.py": ""})
    spec = "alone_store:made"
    first = store_code(spec, find_store(spec))
    assert store_code(spec, find_store(spec)) == first
    put(project, {"un.py": "nobody imported this"})
    assert store_code(spec, find_store(spec)) == first
    put(project, {"alone_index.py": "x = 2\n"})
    second = store_code(spec, find_store(spec))
    assert second != first
    put(project, {"alone_store.py": "import alone_index\n\ndef made(): ...\n"})
    assert store_code(spec, find_store(spec)) not in (first, second)


def test_every_file_of_a_package_counts_imported_or_not(project: Path) -> None:
    put(
        project,
        {"whole_pack/__init__.py": "", "whole_pack/deep/recall.py": "def made(): ...\n", "whole_pack/late.py": "1\n"},
    )
    spec = "whole_pack.deep.recall:made"
    first = store_code(spec, find_store(spec))
    put(project, {"whole_pack/notes.txt": "no code", "whole_pack/.venv/lib/x.py": "theirs", "beside.py": "other"})
    assert store_code(spec, find_store(spec)) == first
    put(project, {"whole_pack/late.py": "2\n"})
    second = store_code(spec, find_store(spec))
    assert second != first
    put(project, {"whole_pack/fast.so": "machine code"})
    third = store_code(spec, find_store(spec))
    assert third != second
    (project / "whole_pack" / "late.py").rename(project / "whole_pack" / "later.py")
    assert store_code(spec, find_store(spec)) != third


def test_a_factory_counts_where_it_was_made_and_where_it_was_found(project: Path) -> None:
    files = {"front_door.py": "from workshop.make import made\n", "workshop/make.py": "def made(): ...\n"}
    put(project, files)
    spec = "front_door:made"
    first = store_code(spec, find_store(spec))
    put(project, {"workshop/make.py": "def made(): return 1\n"})
    second = store_code(spec, find_store(spec))
    assert second != first
    put(project, {"front_door.py": "from workshop.make import made  # the same\n"})
    assert store_code(spec, find_store(spec)) != second


def test_an_installed_module_stands_for_itself(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = project / "lib" / "site-packages"
    put(place, {"lone_driver.py": "import lone_helper\ndef made(): ...\n", "lone_helper.py": "1\n"})
    monkeypatch.syspath_prepend(str(place))
    spec = "lone_driver:made"
    first = store_code(spec, find_store(spec))
    put(place, {"lone_helper.py": "2\n"})
    assert store_code(spec, find_store(spec)) == first
    put(place, {"lone_driver.py": "def made(): ...\n"})
    assert store_code(spec, find_store(spec)) != first


def test_a_file_that_is_gone_is_no_error(project: Path) -> None:
    put(project, {"gone_store.py": "def made(): ...\n"})
    spec = "gone_store:made"
    factory = find_store(spec)
    first = store_code(spec, factory)
    (project / "gone_store.py").unlink()
    assert store_code(spec, factory) != first


def test_a_built_in_store_is_code_of_the_gate() -> None:
    assert len(store_code("reference", find_store("reference"))) == 16
    assert len(gate_code()) == 16


def test_packages_are_known_by_name_and_version() -> None:
    from importlib.metadata import version

    assert packages()["numpy"] == version("numpy")
