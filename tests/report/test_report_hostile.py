from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token
from report_hostile import HOSTILE
from report_verdicts import everywhere

from gate.records import Verdict
from gate.report import REPORTS, ReportContext
from gate.report.json import from_json, to_json

# Written apart from the ranges in gate.report.escape, from the names in the Unicode charts.
CONTROLS = [chr(n) for n in (*range(0x20), *range(0x7F, 0xA0)) if chr(n) != "\n"]
BIDI = [*"\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"]
INVISIBLE = [*"\u00ad\u200b\u2028\u2029\u2060\ufeff\ufff9\ufffa\ufffb\ud800\udfff\uffff\U000e0041"]
FORBIDDEN = frozenset((*CONTROLS, *BIDI, *INVISIBLE))
OURS = re.compile(r"</?(?:details|summary|code)>")


def rendered(name: str, verdict: Verdict, colour: bool = False) -> str:
    results = verdict.planted or "gate-results"
    return REPORTS[name].render(verdict, ReportContext(results, None, colour=colour))


def tokens(text: str) -> Iterator[Token]:
    for token in MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text):
        yield token
        yield from token.children or ()


def test_there_are_enough_hostile_texts() -> None:
    assert len(set(HOSTILE)) >= 100


@pytest.mark.parametrize("report", sorted(REPORTS))
def test_no_report_holds_a_character_that_a_terminal_obeys(report: str) -> None:
    for text in HOSTILE:
        said = rendered(report, everywhere(text))
        assert not FORBIDDEN & set(said), ascii(text[:40])
        said.encode()


def test_colour_adds_only_colour() -> None:
    for text in HOSTILE:
        plain = rendered("text", everywhere(text))
        coloured = rendered("text", everywhere(text), colour=True)
        bare = re.sub(r"\x1b\[[0-9;]*m", "", coloured)
        assert [line.rstrip() for line in bare.split("\n")] == plain.split("\n"), ascii(text[:40])
        assert coloured != plain


def test_text_keeps_its_lines_whatever_it_shows() -> None:
    def starts(text: str) -> list[str]:
        return [line for line in rendered("text", everywhere(text)).split("\n") if line.startswith("REGRESSION")]

    assert [len(starts(text)) for text in HOSTILE] == [1] * len(HOSTILE)


def test_rich_markup_is_shown_and_not_obeyed() -> None:
    assert "[red]red[/red]" in rendered("text", everywhere("[red]red[/red]"))
    assert ":smiley:" in rendered("text", everywhere(":smiley:"))


def test_markdown_is_nothing_but_text_and_code() -> None:
    """By the structure that an independent parser of Markdown finds."""
    for text in HOSTILE:
        kinds = {token.type for token in tokens(rendered("markdown", everywhere(text)))}
        assert not kinds & {
            "link_open", "image", "html_inline", "em_open", "strong_em_open", "s_open", "fence", "code_block", "hr",
            "ordered_list_open", "definition", "hardbreak",
        }, (ascii(text[:40]), kinds)  # fmt: skip


def test_markdown_has_the_same_structure_whatever_it_shows() -> None:
    def shape(text: str) -> list[str]:
        inline = {"text", "code_inline", "softbreak", "text_special"}
        return [token.type for token in tokens(rendered("markdown", everywhere(text))) if token.type not in inline]

    assert {text[:40]: shape(text) == shape("plain") for text in HOSTILE if text.strip()} == {
        text[:40]: True for text in HOSTILE if text.strip()
    }


def test_markdown_has_no_html_but_its_own() -> None:
    for text in HOSTILE:
        for token in tokens(rendered("markdown", everywhere(text))):
            if token.type == "html_block":
                assert "<" not in OURS.sub("", token.content), ascii(text[:40])


def test_what_github_would_link_or_mention_stands_in_code() -> None:
    for text in HOSTILE:
        for token in tokens(rendered("markdown", everywhere(text))):
            if token.type in ("text", "text_special"):
                assert not re.search(r"@\w|#\d|GH-\d|www\.|https?:|:\w+:", token.content), ascii(text[:40])


def test_markdown_shows_the_text_exactly() -> None:
    for text in (
        "`code` and ``more``",
        "a|b\\|c",
        "\\`",
        "<b>bold</b>",
        "$x^2$ and $$y$$",
        "&lt;b&gt; &amp; &#64;octocat",
    ):
        codes = {
            token.content for token in tokens(rendered("markdown", everywhere(text))) if token.type == "code_inline"
        }
        assert text in codes


def test_json_gives_every_text_back() -> None:
    for text in HOSTILE:
        verdict = everywhere(text)
        assert from_json(to_json(verdict), Path("verdict.json")) == verdict
