"""Queries that nobody expected: they are answered, if with nothing, and change nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from gate.probes.bench import Opened
from gate.probes.documents import GRADED_QUERY
from gate.probes.paging import OnShelf
from gate.probes.probe import EVERY_MODE, Finding

DEPTH = 10


class _Odd(OnShelf):
    """`odd` are the queries, each as Python writes it."""

    family = "queries"
    modes = EVERY_MODE
    odd: ClassVar[Sequence[tuple[str, str]]]

    def look(self, prepared: Opened, mode: str) -> Finding | None:
        before = prepared.search(GRADED_QUERY, DEPTH, mode)
        for query, code in self.odd:
            raised = prepared.refuses(query, DEPTH, mode)
            if raised:
                call = f"raised({prepared.variable}.search, {code}, {DEPTH}, {mode!r})"
                return prepared.finding(f"the query {code} raised {raised}", (call, raised.partition(":")[0]))
            answer = prepared.search(query, DEPTH, mode, query_code=code)
            if len(answer.ids) > DEPTH:
                says = f"the query {code} gave {len(answer.ids)} hits at k = {DEPTH}"
                return prepared.finding(says, (f"len(ids({answer.code}))", len(answer.ids)))
            after = prepared.search(GRADED_QUERY, DEPTH, mode)
            if after.ids != before.ids:
                says = f"after the query {code}, '{GRADED_QUERY}' was answered otherwise"
                then = [f"before = ids({before.code})", answer.code]
                return prepared.finding(says, ("before", before.ids), after.shown_ids, steps=then)
        return None


class EmptyQuery(_Odd):
    name = "empty-query"
    says = "an empty or blank query is answered, if with nothing"
    stands_for = "a client's blank line that raises, or divides by the length of nothing"
    odd = tuple((query, repr(query)) for query in ("", " ", "\t\n", "\u3000"))


class LongQuery(_Odd):
    name = "long-query"
    says = "a query of 2,000 words is answered"
    stands_for = "a pasted page that raises, or that hits a limit of clauses"
    odd = (("harbour ledger " * 1000, '"harbour ledger " * 1000'),)


class HostileQuery(_Odd):
    name = "hostile-query"
    says = "a query in the syntax of some query language, or of no language, is text like any other"
    stands_for = "a question taken as syntax: quotes, operators, wild cards, templates, control characters"
    odd = tuple(
        (query, repr(query))
        for query in (
            '"',
            "'; DROP TABLE documents; --",
            "foghorn AND",
            "NEAR(foghorn",
            "text:foghorn^",
            "foghorn*",
            "(((",
            "[a-",
            "%_\\",
            '{"$ne": null}',
            "{{7*7}}",
            "-",
            "foghorn\x00",
            "\u202efoghorn",
            "🎺🎺🎺",
        )
    )
