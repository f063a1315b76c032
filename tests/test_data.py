from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from gate.data import data_path
from gate.settings import read_settings

ROOT = Path(__file__).resolve().parent.parent
SHIPPED = ("corpora/seeded.yml", "budgets/reference.yml", "gate.yml", "schemas/settings.schema.json")

# Run without site-packages, so that what is found is found in the folder given, and nowhere else.
LOOK = """
import json, site, sys
add = site.addsitedir if sys.argv[1] == "editable" else sys.path.append
add(sys.argv[2])
import gate
from gate.data import data_path
print(json.dumps([gate.__file__, *(str(data_path(*name.split("/"))) for name in sys.argv[3:])]))
"""


def found(kind: str, folder: Path, cwd: Path) -> list[Path]:
    """Where an installation in `folder` finds its package, and what ships with it."""
    command = [sys.executable, "-I", "-S", "-c", LOOK, kind, str(folder), *SHIPPED]
    return [Path(path) for path in json.loads(subprocess.run(command, cwd=cwd, capture_output=True, check=True).stdout)]


def wheel(version: str, folder: Path) -> Path:
    """A wheel, unpacked: `standard` is what people install, `editable` what `pip install -e` does."""
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", f"wheel:{version}", "-d", str(folder / "dist")],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    with zipfile.ZipFile(next((folder / "dist").glob("*.whl"))) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return wheel("standard", tmp_path_factory.mktemp("standard"))


def test_a_wheel_carries_everything_inside_the_package(installed: Path, tmp_path: Path) -> None:
    package, *paths = found("wheel", installed, tmp_path)
    assert package == installed / "gate" / "__init__.py"
    for name, path in zip(SHIPPED, paths, strict=True):
        assert path.is_relative_to(installed / "gate")
        source = ROOT / "gate" / name if name.startswith("schemas/") else ROOT / name
        assert path.read_bytes() == source.read_bytes()


def test_a_wheel_carries_every_file_of_the_data_folders(installed: Path) -> None:
    for folder in ("corpora", "budgets", "baselines", "gate/schemas"):
        carried = installed / folder if folder.startswith("gate/") else installed / "gate" / "_data" / folder
        names = {path.relative_to(ROOT / folder) for path in (ROOT / folder).rglob("*") if path.is_file()}
        assert names == {path.relative_to(carried) for path in carried.rglob("*") if path.is_file()}


def test_settings_inside_a_wheel_can_be_read(installed: Path) -> None:
    settings = read_settings(installed / "gate" / "_data" / "gate.yml")
    assert settings.budgets == installed / "gate" / "_data" / "budgets" / "reference.yml"


def test_an_editable_install_points_into_the_checkout(tmp_path: Path) -> None:
    package, *paths = found("editable", wheel("editable", tmp_path), tmp_path)
    assert package == ROOT / "gate" / "__init__.py"
    for name, path in zip(SHIPPED, paths, strict=True):
        assert path == (ROOT / "gate" / name if name.startswith("schemas/") else ROOT / name)
        assert path.is_file()


def test_a_checkout_finds_its_own_files_from_any_folder(tmp_path: Path) -> None:
    package, *paths = found("checkout", ROOT, tmp_path)
    assert package == ROOT / "gate" / "__init__.py"
    assert all(path.is_file() and path.is_relative_to(ROOT) for path in paths)


def test_a_path_is_given_whether_or_not_it_exists() -> None:
    assert data_path("corpora", "nothing.yml") == ROOT / "corpora" / "nothing.yml"
    assert data_path() == ROOT
