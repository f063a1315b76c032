"""The table of the gate's own faults names tests that exist."""

from __future__ import annotations

import ast
import re
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
PAGE = TESTS.parent / "docs" / "proving.md"
HEADING = "## The gate's own faults\n"
_NAMED = re.compile(r"`([\w/]+\.py)::(\w+)`")
_HEAD = 2
WORDS = (
    *("no number", "judgements", "ideal DCG", "twice", "without results", "mode", "slice", "budget"),
    *("required", "another corpus", "itself wrote", "crash", "interrupted", "ceiling", "report", "waiver"),
)


def rows(page: str) -> dict[str, list[tuple[str, str]]]:
    """File and test of each fault in the section's table."""
    section = page.split(HEADING, 1)[1].split("\n## ", 1)[0]
    table = [line.split("|") for line in section.splitlines() if line.startswith("|")]
    return {cells[1].strip(): _NAMED.findall(cells[2]) for cells in table[_HEAD:]}


def collected(source: str) -> set[str]:
    """The tests that pytest would collect from a file of functions."""
    return {
        node.name
        for node in ast.parse(source).body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }


def test_every_fault_names_tests_that_exist() -> None:
    for fault, named in rows(PAGE.read_text(encoding="utf-8")).items():
        assert named, fault
        for file, test in named:
            assert test in collected((TESTS / file).read_text(encoding="utf-8")), f"{fault}: {file}::{test}"


def test_the_page_lists_what_a_gate_gets_wrong() -> None:
    faults = " ".join(rows(PAGE.read_text(encoding="utf-8")))
    for word in WORDS:
        assert word in faults


def test_rows_end_with_their_section_and_hold_every_test_they_name() -> None:
    page = f"| x | `a.py::test_a` |\n{HEADING}\n| if | red |\n| --- | --- |\n| y | `b/c.py::test_b`, `d.py::test_d` |\n"
    assert rows(f"{page}| z | nothing |\n\n## More\n| v | `e.py::test_e` |\n") == {
        "y": [("b/c.py", "test_b"), ("d.py", "test_d")],
        "z": [],
    }


def test_only_functions_that_are_collected_count() -> None:
    source = "def test_a(): pass\ndef helper():\n    def test_b(): pass\n# def test_c(): pass\n"
    assert collected(source) == {"test_a"}
