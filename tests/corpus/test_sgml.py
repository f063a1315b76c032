"""TREC's mark-up: what stands in elements, and text that begins a thousand things and ends none of them."""

from __future__ import annotations

import subprocess
import sys

import pytest

from gate.corpus import sgml
from gate.corpus.fields import Problems
from gate.corpus.sgml import Element, elements, plain
from gate.errors import UsageError


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("a<b>c", "a c"),
        ("a <!-- b --> c", "a c"),
        ("a <!-- <b> --> c", "a c"),
        ("a <!-- b\n--> c <!-- d", "a c <!-- d"),
        ("a <!-- b <c> d", "a <!-- b d"),
        ("a --> b <!--> c --> d", "a --> b d"),
        ("<!---->a", "a"),
        ("2 < 3 <B>and</B> 4 > 3", "2 < 3 and 4 > 3"),
        ("caf&eacute; &#233;t&#xE9;", "café été"),
        (f"a &#{'1' * 5000}; b", "a \ufffd b"),
        ("", ""),
    ],
)
def test_plain_text_has_no_tags_and_no_comments(written: str, read: str) -> None:
    assert plain(written) == read


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("<TEXT>a</TEXT><text lang='x'>b</text >", ["a", "b"]),
        ("<TEXT>a<TEXT>b</TEXT>c</TEXT>", ["a b"]),
        ("<TEXT>a</TEXT><TEXT>b", ["a"]),
        ("</TEXT><TEXT>a</TEXT>", ["a"]),
        ("<TEXTS>a</TEXTS>", []),
        ("<TEXT>a\nb</TEXT>", ["a b"]),
    ],
)
def test_an_element_goes_from_its_tag_to_the_first_end(written: str, read: list[str]) -> None:
    assert Element("doc", written, "here").inside("TEXT") == read


@pytest.mark.parametrize("beginning", ["<!--", "<TEXT>", "<!-- <TEXT>", "<TEXT ", "</TEXT ", "<", "&#", "<DOC "])
def test_many_beginnings_without_an_end_take_no_longer_than_other_text(beginning: str) -> None:
    # Where every beginning looked through the rest of the text, 300,000 of them would take many minutes.
    program = f"""
from gate.corpus.fields import Problems
from gate.corpus.sgml import elements, plain
many = {beginning!r} * 300_000
line = "<DOC><DOCNO>A</DOCNO>" + many + "</DOC>"
for element in elements([("docs.trec:1", line)], "DOC", Problems("docs.trec")):
    print(element.inside("DOCNO"), element.inside("TEXT"), element.opens("TEXT") > 0)
plain(many)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == f"['A'] [] {'<TEXT>' in beginning}\n"


def test_a_document_of_many_lines_may_not_grow_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sgml, "MOST_IN_LINE", 100)
    problems = Problems("docs.trec")
    short = [("docs.trec:1", "<DOC>"), *((f"docs.trec:{n}", "x" * 8) for n in range(2, 12)), ("docs.trec:12", "</DOC>")]
    assert [element.where for element in elements(iter(short), "DOC", problems)] == ["docs.trec:1"]
    endless = [*short, ("docs.trec:13", "<DOC>"), *((f"docs.trec:{n}", "x" * 8) for n in range(14, 30))]
    with pytest.raises(UsageError, match="this document is longer than") as caught:
        list(elements(iter(endless), "DOC", problems))
    assert caught.value.where == "docs.trec:13"
