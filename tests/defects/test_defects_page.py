import re
from pathlib import Path

from gate.defects import DEFECTS

PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "defects.md"
_FAMILY = re.compile(r"^## (\w+)$")
_ROW = re.compile(r"^\| `([a-z0-9-]+)` \| (.+) \|$")


def rows(page: str) -> list[tuple[str, str, str]]:
    """Family, name and what it stands for, in the order of the page."""
    family, found = "", []
    for line in page.splitlines():
        if heading := _FAMILY.match(line):
            family = heading[1].lower()
        elif row := _ROW.match(line):
            found.append((family, row[1], row[2]))
    return found


def test_the_page_lists_every_defect_under_its_family_and_no_other() -> None:
    on_page = rows(PAGE.read_text(encoding="utf-8"))
    assert sorted(on_page) == sorted((one.family, one.name, one.stands_for) for one in DEFECTS.values())


def test_rows_are_read_with_the_heading_above_them() -> None:
    page = "## Text\n\n| defect | stands for |\n| --- | --- |\n| `a-b` | what it is |\n\n## Pool\n| `c` | other |\n"
    assert rows(page) == [("text", "a-b", "what it is"), ("pool", "c", "other")]
