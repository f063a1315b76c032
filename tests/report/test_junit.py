from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree as Xml

from builders import check, measured
from report_hostile import HOSTILE
from report_verdicts import everywhere

from gate.records import Verdict
from gate.report import REPORTS, ReportContext


def parsed(verdict: Verdict) -> Xml.Element:
    return Xml.fromstring(REPORTS["junit"].render(verdict, ReportContext("gate-results", 1.5)))


def test_each_check_is_a_case_with_what_became_of_it() -> None:
    checks = (
        replace(check("fail", check_id="a"), message="too low"),
        check("not measured", check_id="b", source="plan"),
        check("waived", check_id="c"),
        check("fail", "warn", check_id="d"),
        check("not measured", "warn", check_id="e"),
        check("pass", check_id="f"),
    )
    root = parsed(Verdict("NOT_MEASURED", 2, checks, (measured(0.5),)))
    outcomes = {case.get("name"): [child.tag for child in case] for case in root.iter("testcase")}
    assert outcomes == {
        "a": ["failure"], "b": ["error"], "c": ["skipped"], "d": ["system-out"], "e": ["system-out"], "f": [],
    }  # fmt: skip
    totals = {key: root.get(key) for key in ("tests", "failures", "errors", "skipped", "time")}
    assert totals == {"tests": "6", "failures": "1", "errors": "1", "skipped": "1", "time": "1.500"}
    assert [(suite.get("name"), suite.get("tests")) for suite in root] == [
        ("budget", "5"),
        ("plan", "1"),
        ("verdict", "0"),
    ]
    assert next(root.iter("failure")).get("message") == "too low"


def test_a_verdict_without_checks_is_a_document() -> None:
    root = parsed(Verdict("NOT_MEASURED", 2, (), ()))
    assert (root.get("tests"), len(list(root.iter("testcase")))) == ("0", 0)
    assert "NOT_MEASURED" in (next(root.iter("system-out")).text or "")


def test_the_queries_that_lost_documents_are_in_the_failure() -> None:
    root = parsed(everywhere("where do I live?"))
    assert any("query" in (failure.text or "") for failure in root.iter("failure"))


def test_any_text_gives_a_document_of_the_same_shape() -> None:
    shape = [element.tag for element in parsed(everywhere("plain")).iter()]
    for text in HOSTILE:
        assert [element.tag for element in parsed(everywhere(text)).iter()] == shape, ascii(text[:40])
