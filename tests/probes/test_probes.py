"""Every probe: green on a sound store, red on one that breaks what it looks at, and its lines show the same again."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from contextlib import redirect_stdout
from pathlib import Path

import breaking_store
import pytest

from gate.guard import Guard
from gate.ingest import Subject
from gate.opening import Here
from gate.plan import Declared
from gate.probes import PROBES
from gate.probes.plan import names_of, plan_probes
from gate.probes.run import run_probes
from gate.records import Check, Document
from gate.stop import Stop

ROOT = Path(__file__).resolve().parents[2]
TIMED = frozenset(name for name, probe in PROBES.items() if probe.family == "growth")
SEEN_AT_ONCE = [name for name in PROBES if name not in TIMED]


@pytest.fixture(autouse=True)
def found_by_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other processes find the stores of the tests as this one does."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), str(Path(__file__).parent)]))


def looked(spec: str, names: Iterable[str], folder: Path, planted: str = "") -> list[Check]:
    subject, declared = Here(folder, 60.0, Stop())(spec, "cpu-hash", planted)
    return run_probes(subject, declared, plan_probes(declared, names), folder / "probes", planted=planted)


def printed(lines: Iterable[str]) -> str:
    """What lines of Python print, in this process."""
    output = io.StringIO()
    with redirect_stdout(output):
        exec("\n".join(lines), {})
    return output.getvalue().rstrip("\n")


def told(check: Check) -> str:
    """What a check says that its lines print."""
    return check.show[-1].removeprefix("# prints ")


def test_a_sound_store_passes_every_probe(tmp_path: Path) -> None:
    checks = looked("breaking_store:Sound", SEEN_AT_ONCE, tmp_path)
    assert {check.cell.rpartition("/")[2] for check in checks} == set(SEEN_AT_ONCE)
    assert [(check.cell, check.status, check.message) for check in checks if check.status != "pass"] == []


def test_the_embedded_store_passes_every_probe(tmp_path: Path) -> None:
    checks = looked("reference", SEEN_AT_ONCE, tmp_path)
    assert {check.cell.rpartition("/")[2] for check in checks} == set(SEEN_AT_ONCE)
    assert [(check.cell, check.status, check.message) for check in checks if check.status != "pass"] == []


@pytest.mark.parametrize("name", [name for name in SEEN_AT_ONCE if name != "fresh-process"])
def test_a_store_that_breaks_it_is_seen_and_the_lines_show_it_again(name: str, tmp_path: Path) -> None:
    spec = f"breaking_store:Broken.{name.replace('-', '_')}"
    failing = [check for check in looked(spec, [name], tmp_path) if check.status == "fail"]
    assert failing
    for check in failing:
        assert check.source == "probe"
        assert check.level == "error"
        assert check.show[0].startswith("from breaking_store import Broken; ")
        seen = printed(check.show)
        assert seen == told(check) or (told(check).endswith("...") and seen.startswith(told(check)[:-3]))


def test_a_store_that_wants_every_word_is_not_told_to_update_or_delete_badly(tmp_path: Path) -> None:
    checks = looked("breaking_store:Broken.longer_query", ["update-each", "delete-each", "filter-fills"], tmp_path)
    # Its vectors find nothing.
    assert {check.status for check in checks if "/keyword/" in check.cell} == {"pass"}


def test_an_answer_that_is_kept_for_another_scope_is_seen_and_the_lines_show_it_again(tmp_path: Path) -> None:
    checks = looked("breaking_store:KeptForAll", ["filter-impossible"], tmp_path)
    assert {check.status for check in checks} == {"fail"}
    assert printed(checks[0].show) == told(checks[0]) != "0"


def test_another_process_ranks_otherwise_where_ties_follow_a_hash(tmp_path: Path) -> None:
    failing = [
        check
        for check in looked("breaking_store:Broken.fresh_process", ["fresh-process"], tmp_path)
        if check.status == "fail"
    ]
    assert failing
    ranked = [
        subprocess.run(
            [sys.executable, "-c", "\n".join(failing[0].show)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert ranked[0] != ranked[1]
    assert sorted(re.findall("'([^']+)'", ranked[0]))


def test_every_probe_has_a_store_that_breaks_it() -> None:
    names = {name for name in vars(breaking_store.Broken) if not name.startswith("_")}
    assert names == {name.replace("-", "_") for name in SEEN_AT_ONCE}


def test_the_lines_of_a_planted_defect_plant_it(tmp_path: Path) -> None:
    checks = looked("reference", ["fills-k"], tmp_path, "k-capped")
    assert {check.status for check in checks} == {"fail"}
    assert printed(checks[0].show) == told(checks[0]) == "3"


def test_the_fast_set_opens_few_stores_and_stores_little(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it costs, without a clock: it has to fit into a second of every run."""
    opened: list[Path] = []
    stored: list[Document] = []
    subject_open, guard_add = Subject.open, Guard.add

    def counted_open(self: Subject, path: Path, declared: Declared) -> Guard:
        opened.append(path)
        return subject_open(self, path, declared)

    def counted_add(self: Guard, documents: Sequence[Document]) -> float:
        stored.extend(documents)
        return guard_add(self, documents)

    monkeypatch.setattr(Subject, "open", counted_open)
    monkeypatch.setattr(Guard, "add", counted_add)
    looked("reference", names_of("fast"), tmp_path)
    assert len(opened) <= 20
    assert len(stored) <= 1000
