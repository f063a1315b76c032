"""Imports go strictly downward, read from the code's own import statements."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "gate"

# From the top down. A module may import from layers below its own, and within its own only where
# it is not kept apart. Names are files or folders of the package.
LAYERS: tuple[frozenset[str], ...] = (
    frozenset({"__main__", "action"}),
    frozenset({"cli", "github"}),
    frozenset({"adopt"}),
    frozenset({"pipeline", "prove", "shards", "accept", "audit", "comparison", "headroom", "published", "doctor"}),
    frozenset({"latency"}),
    frozenset({"judge", "manifest", "ran_on"}),
    frozenset({"base", "resume"}),
    frozenset({"full_plan"}),
    frozenset({"scope", "measured"}),
    frozenset({"limit", "finished", "opening", "replay", "plan_notes"}),
    frozenset({"bench", "probes"}),
    frozenset({"outcome"}),
    frozenset({"trial"}),
    frozenset({"ingest", "search", "score", "compare", "verdict", "checks", "defects", "report"}),
    frozenset({"paired", "asked_corpora"}),
    frozenset(
        {
            "settings",
            "pins",
            "plan",
            "budgets",
            "baselines",
            "baseline_problems",
            "partial",
            "runs",
            "checkpoints",
            "asking",
            "transcript",
            "results",
            "methodology",
            "moves",
            "trec",
            "questions",
        }
    ),
    frozenset({"guard"}),
    frozenset({"sample"}),
    frozenset({"plain"}),
    frozenset({"workers"}),
    frozenset({"answers", "stop", "stopwatch", "diverted", "environment", "progress", "figures"}),
    frozenset({"streams"}),
    frozenset({"engines"}),
    frozenset({"corpus", "stores", "models", "faults", "measures", "stats"}),
    frozenset({"protocols"}),
    frozenset({"records"}),
    frozenset({"files", "globs", "json_keys", "sources", "git", "columns"}),
    frozenset({"yaml_source"}),
    frozenset({"errors", "exit_codes", "data"}),
)
# Layers whose members never import each other, with the exceptions that the design makes.
APART = (
    frozenset({"ingest", "search", "score", "compare", "verdict", "checks", "defects", "report"}),
    frozenset({"corpus", "stores", "models", "faults", "measures", "stats"}),
)
ALLOWED = {("defects", "stores"), ("stores", "models")}
CLOCKS = frozenset({"datetime.now", "datetime.utcnow", "datetime.today", "date.today"})
JUDGE = frozenset({"corpus", "measures", "compare"})
SUBJECT = frozenset({"stores", "models"})


def imports_of(source: str) -> set[str]:
    """The parts of the package that a source imports, wherever in it: `gate.a.b` counts as `a`."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found |= {f"{node.module}.{name.name}" for name in node.names} if node.module == "gate" else {node.module}
    parts = {name.split(".")[1] for name in found if name.startswith("gate.")}
    return {part for part in parts if part != "__version__"}


def part_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def layer_of(part: str) -> int:
    found = [number for number, layer in enumerate(LAYERS) if part in layer]
    assert found, f"{part} has no place in LAYERS: decide where it belongs"
    return found[0]


def fault_in(part: str, imported: str) -> str:
    """What is wrong with one import; empty where nothing is."""
    if part == imported:
        return ""
    if layer_of(imported) < layer_of(part):
        return "goes up"
    if any({part, imported} <= group for group in APART) and (part, imported) not in ALLOWED:
        return "joins what is kept apart"
    if (part in SUBJECT and imported in JUDGE) or (part in JUDGE and imported in SUBJECT):
        return "lets subject and judge share code"
    return ""


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_go_strictly_downward(path: Path) -> None:
    part = part_of(path)
    if part == "__init__":
        return
    faults = {name: fault for name in imports_of(path.read_text(encoding="utf-8")) if (fault := fault_in(part, name))}
    assert not faults


def test_only_the_embedded_store_uses_the_hashed_embedder_and_nothing_else_of_the_models() -> None:
    for path in (PACKAGE / "stores").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("gate.models"):
                assert node.module == "gate.models.hashed"
                assert "reference" in path.parts


def test_every_module_of_the_package_has_a_layer() -> None:
    for path in PACKAGE.iterdir():
        if path.suffix == ".py" and path.stem != "__init__":
            layer_of(path.stem)


def test_a_clock_is_read_in_one_place_only() -> None:
    readers = {
        str(path.relative_to(PACKAGE))
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if (isinstance(node, ast.Import) and any(name.name == "time" for name in node.names))
        or (isinstance(node, ast.ImportFrom) and node.module == "time")
        or (isinstance(node, ast.Attribute) and ast.unparse(node) in CLOCKS)
    }
    assert readers <= {"stopwatch.py"}


@pytest.mark.parametrize(
    ("part", "imported", "fault"),
    [
        ("records", "protocols", "goes up"),
        ("plan", "search", "goes up"),
        ("search", "score", "joins what is kept apart"),
        ("stores", "corpus", "joins what is kept apart"),
        ("measures", "stores", "joins what is kept apart"),
        ("compare", "stores", "lets subject and judge share code"),
        ("defects", "stores", ""),
        ("pipeline", "records", ""),
    ],
)
def test_the_rule_itself_goes_red(part: str, imported: str, fault: str) -> None:
    assert fault_in(part, imported) == fault


def test_imports_are_seen_wherever_they_stand() -> None:
    source = "import gate.stores\ndef f():\n    from gate.corpus.beir import x\n    from gate import records\n"
    assert imports_of(source) == {"stores", "corpus", "records"}
