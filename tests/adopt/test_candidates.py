"""Stores are found by reading, and nothing that was not named is imported."""

from __future__ import annotations

import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from adopting import STORE
from commits import Commits

from gate.adopt import candidates as module
from gate.adopt.candidates import KNOWN, candidates, known_dependencies, module_name
from gate.adopt.place import look

FACTORY = "def open_store(path, embedder=None, reranker=None):\n    raise SystemExit\n"

LAMBDAS = """class Short:
    modes, abilities = 1, 2
    environment, close = (lambda s: 1), (lambda s: 2)
    def add(self, d): ...
    def count(self): ...
    def search(self, q, k, m, scope): ...
"""


def found(folder: Path) -> list[str]:
    return [one.spec for one in candidates(look(folder))]


def test_factories_and_classes_are_found_by_their_shape(tmp_path: Path) -> None:
    made = Commits(tmp_path)
    made.write(
        {
            "recall.py": STORE,
            "pkg/__init__.py": FACTORY,
            "pkg/inner.py": "async def other(): ...\ndef make(path, *, embedder, reranker): ...\n",
            "src/lib/store.py": f"class Hidden: ...\n{FACTORY}",
            "lambdas.py": LAMBDAS,
        }
    )
    assert found(tmp_path) == [
        "lambdas:Short",
        "pkg:open_store",
        "pkg.inner:make",
        "recall:Recall",
        "lib.store:open_store",
    ]


@pytest.mark.parametrize(
    "files",
    [
        {"tests/fake.py": FACTORY},
        {"test_recall.py": FACTORY},
        {"conftest.py": FACTORY},
        {"not-a-name.py": FACTORY},
        {"recall.py": "def open_store(): ...\n"},
        {"recall.py": "def _make(path, embedder, reranker): ...\n"},
        {"recall.py": STORE.replace("def close", "def shut")},
        {"recall.py": "def open_store(path:\n"},
        {"recall.py": "x = " + "(" * 5000},
        {"recall.py": "\x00" + FACTORY},
        {"recall.txt": FACTORY},
        {".gitignore": "vendor/\n", "vendor/recall.py": FACTORY},
    ],
)
def test_what_is_no_store_of_this_repository_is_not_found(tmp_path: Path, files: dict[str, str]) -> None:
    Commits(tmp_path).write(files)
    assert found(tmp_path) == []


def test_without_git_environments_and_hidden_folders_are_left_out(tmp_path: Path) -> None:
    files = {"env/pyvenv.cfg": "", "env/lib/a.py": FACTORY, ".hidden/b.py": FACTORY, "node_modules/c.py": FACTORY}
    Commits(tmp_path, start=False).write({**files, "recall.py": FACTORY})
    assert found(tmp_path) == ["recall:open_store"]


def test_nothing_is_imported(tmp_path: Path) -> None:
    Commits(tmp_path).write({"dangerous.py": f"open({str(tmp_path / 'ran')!r}, 'w')\n{FACTORY}"})
    assert found(tmp_path) == ["dangerous:open_store"]
    assert not (tmp_path / "ran").exists()
    assert "dangerous" not in sys.modules


def test_an_entry_point_stands_for_the_file_that_it_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Commits(tmp_path).write({"recall.py": FACTORY, "other.py": FACTORY})
    points = [EntryPoint("recall", "recall:open_store", "gate.stores")]
    monkeypatch.setattr(module, "entry_points", lambda group: points)
    assert found(tmp_path) == ["recall", "other:open_store"]


def test_hostile_file_names_are_no_modules(tmp_path: Path) -> None:
    for name in ("a b.py", "$(touch x).py", "-rf.py", "\u202egnp.py", "x\ny.py"):
        (tmp_path / name).write_text(FACTORY, encoding="utf-8")
    Commits(tmp_path)
    assert found(tmp_path) == []


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("recall.py", "recall"),
        ("a/b.py", "a.b"),
        ("a/__init__.py", "a"),
        ("src/a/b.py", "a.b"),
        ("src/a.py", "a"),
        ("a-b/c.py", ""),
        ("__init__.py", ""),
    ],
)
def test_the_name_a_file_is_imported_by(tmp_path: Path, path: str, name: str) -> None:
    assert module_name(Path(path), tmp_path) == name


@pytest.mark.parametrize("known", KNOWN)
def test_a_known_dependency_is_seen_by_its_whole_name_alone(tmp_path: Path, known: str) -> None:
    (tmp_path / "requirements.txt").write_text(f"my-{known}\n{known}-extras\n", encoding="utf-8")
    assert known_dependencies(tmp_path) == []
    (tmp_path / "pyproject.toml").write_text(f'dependencies = ["{known}[all]>=1"]\n', encoding="utf-8")
    assert known_dependencies(tmp_path) == [known]
