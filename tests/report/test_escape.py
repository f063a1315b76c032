from __future__ import annotations

import pytest

from gate.report.escape import code, cut, disarmed, html_code, prose, visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("two\n lines\tand a tab ", "two lines and a tab"),
        ("\x1b[31mred", "<U+001B>[31mred"),
        ("\u202egnp.exe", "<U+202E>gnp.exe"),
        ("\U000e0041", "<U+E0041>"),
        ("\ud800", "<U+D800>"),
        ("بازیابی حافظه\u200cها", "بازیابی حافظه\u200cها"),
        ("数据库迁移", "数据库迁移"),
    ],
)
def test_visible_shows_what_would_be_obeyed_and_leaves_language_alone(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_cut_never_exceeds_its_limit_and_shows_that_it_cut() -> None:
    assert cut("abcdef", 6) == "abcdef"
    assert cut("abcdefg", 6) == "abcde…"
    assert cut("abcd efg", 6) == "abcd…"


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("plain", "`plain`"),
        ("a ` b", "``a ` b``"),
        ("``x``", "``` ``x`` ```"),
        ("`", "`` ` ``"),
        ("", "(empty)"),
        ("\n", "(empty)"),
        ("a|b", "`a|b`"),
    ],
)
def test_code_fences_are_longer_than_any_run_of_backticks(text: str, span: str) -> None:
    assert code(text) == span


def test_a_pipe_does_not_end_a_column_of_a_table() -> None:
    assert code("a|b", table=True) == "`a\\|b`"
    assert prose("a|b", table=True) == "a\\|b"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("ask @octocat, please", "ask `@octocat`, please"),
        ("see budgets/recall.yml:5.", "see `budgets/recall.yml:5`."),
        ("R@5 is low: fix #12!", "`R@5` is low: fix `#12`!"),
        ("www.example.org", "`www.example.org`"),
        ("as in gh-12", "as in `gh-12`"),
        ("*bold* and <b>", "\\*bold\\* and &lt;b&gt;"),
        ("- item - dash", "\\- item - dash"),
        ("12. item", "12\\. item"),
        ("a & b", "a &amp; b"),
        ("run `gate accept --reason WHY` again", "run `gate accept --reason WHY` again"),
        ("declare `noisy: true`, or see (`gate doctor`).", "declare `noisy: true`, or see (`gate doctor`)."),
        ("`a_b` and `@octocat *x*`", "`a_b` and `@octocat *x*`"),
    ],
)
def test_prose_is_read_as_written(text: str, sentence: str) -> None:
    assert prose(text) == sentence


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("a lone ` stays", "a lone `` ` `` stays"),
        ("``two`` runs", "``` ``two`` ``` runs"),
        ("an end `cut off", "an end `` `cut `` off"),
        ("`a``b`", "``` `a``b` ```"),
        ("x`y z`w", "``x`y`` ``z`w``"),
    ],
)
def test_backticks_that_quote_nothing_are_shown_as_they_are(text: str, sentence: str) -> None:
    assert prose(text) == sentence


def test_html_code_closes_nothing() -> None:
    assert html_code("</code><b>\n") == "<code>&lt;/code&gt;&lt;b&gt;</code>"
    assert html_code("abcdef", limit=4) == "<code>abc…</code>"


def test_a_disarmed_page_has_no_commands_for_a_runner_and_keeps_the_rest() -> None:
    page = "::error::planted\n  ::warning::planted\nsee ##[group] and a::b\n"
    assert disarmed(page) == ": :error::planted\n    : :warning::planted\nsee # #[group] and a::b\n"
