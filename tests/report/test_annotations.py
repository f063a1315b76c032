from __future__ import annotations

import re
from dataclasses import replace

from builders import check, measured
from report_hostile import HOSTILE
from report_verdicts import GREEN, everywhere

from gate.records import TopicMove, Verdict
from gate.report import REPORTS, ReportContext

COMMAND = re.compile(r"::(error|warning|notice) ([^:]*)::(.*)")


def commands(verdict: Verdict) -> list[tuple[str, dict[str, str], str]]:
    """What GitHub's runner reads: the command, its properties, its message."""
    text = REPORTS["annotations"].render(verdict, ReportContext("gate-results", None))
    found = []
    for line in text.removesuffix("\n").split("\n"):
        parts = COMMAND.fullmatch(line)
        assert parts is not None, ascii(line)
        properties = dict(one.split("=", 1) for one in parts[2].split(","))
        found.append((parts[1], {key: unescaped(value) for key, value in properties.items()}, unescaped(parts[3])))
    return found


def unescaped(text: str) -> str:
    for escape, character in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(escape, character)
    return text


def verdict_of(*checks: object) -> Verdict:
    return Verdict("REGRESSION", 1, tuple(checks), (measured(0.5),))  # type: ignore[arg-type]


def test_a_failure_points_at_the_line_of_its_rule() -> None:
    broken = replace(check("fail"), where="budgets/recall.yml:12", message="0.5 is below the floor of 0.9")
    ((kind, properties, message),) = commands(verdict_of(broken))
    assert (kind, properties["file"], properties["line"]) == ("error", "budgets/recall.yml", "12")
    assert "below the floor" in message


def test_a_run_in_a_folder_points_at_files_as_the_repository_has_them() -> None:
    for where, file in (("budgets.yml:3", "packages/notes/budgets.yml"), ("../all.yml:3", "packages/all.yml")):
        verdict = verdict_of(replace(check("fail"), where=where))
        text = REPORTS["annotations"].render(verdict, ReportContext("gate-results", None, folder="packages/notes"))
        assert text.startswith(f"::error file={file},line=3,")
    text = REPORTS["annotations"].render(verdict, ReportContext("gate-results", None, folder=".."))
    assert text.startswith("::error title=")


def test_a_rule_outside_of_the_repository_has_no_place() -> None:
    for where in ("/etc/budgets.yml:3", "../budgets.yml:3", "3f2a9c1d04:gate.yml:3", ""):
        ((_, properties, _),) = commands(verdict_of(replace(check("fail"), where=where)))
        assert properties.keys() == {"title"}


def test_a_baseline_points_at_its_first_line() -> None:
    ((_, properties, _),) = commands(verdict_of(replace(check("fail", source="baseline"), where="b/x.jsonl")))
    assert (properties["file"], properties["line"]) == ("b/x.jsonl", "1")


def test_ten_errors_are_shown_and_the_last_counts_the_others() -> None:
    broken = [replace(check("fail", check_id=str(n)), message=f"the {n}th rule") for n in range(13)]
    told = commands(verdict_of(*broken))
    assert [message.split()[1] for _, _, message in told] == [f"{n}th" for n in range(10)]
    assert told[-1][2].endswith(" at least 0.900). And 3 more errors, all of them in gate-results/report.md.")
    assert "more" not in told[-2][2]


def test_a_sentence_ends_before_the_next_one() -> None:
    move = TopicMove("q1", "Where is the kettle?", 1.0, 0.0, (), ())
    for said in ("half is lost", "half is lost.", ""):
        lost = replace(check("fail", source="baseline"), message=said, moves=(move,))
        ((_, _, message),) = commands(verdict_of(lost))
        assert message == ("half is lost. " if said else "") + "First: Where is the kettle? (q1)."


def test_warnings_are_counted_apart_from_errors() -> None:
    told = commands(verdict_of(check("fail"), check("fail", "warn"), check("not measured")))
    assert [kind for kind, _, _ in told] == ["error", "error", "warning"]


def test_a_pass_is_one_notice() -> None:
    ((kind, properties, message),) = commands(GREEN)
    assert (kind, properties["title"]) == ("notice", "Retrieval gate: PASS")
    assert "passed" in message


def test_no_text_becomes_a_command_or_a_property() -> None:
    for text in (*HOSTILE, "x,file=other.yml", "a::error::b", "%0A::error::", "::add-mask::x", "100%"):
        for _, properties, _ in commands(everywhere(text)):
            assert properties.keys() <= {"file", "line", "title"}, ascii(text[:40])
