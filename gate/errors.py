"""Errors: what was wrong, where, and what to do, each under a stable slug.

An exception means that something could not be measured or read. A gate that fails is a value
(`records.Verdict`), never an exception.
"""

from __future__ import annotations

from dataclasses import dataclass

from gate.exit_codes import ExitCode


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong in an input, for lists of all that is wrong at once.

    `where` names the place as a person would look for it: `gate.yml:12`, `budgets.yml:3 key 'mn'`,
    `topic q0a1`. It may be empty.
    """

    what: str
    where: str = ""
    hint: str = ""

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        hint = f" ({self.hint})" if self.hint else ""
        return one_line(f"{place}{self.what}{hint}")


def one_line(text: str) -> str:
    """Without any of the characters that end a line: names and values of other people stand in errors."""
    return " ".join(text.splitlines())


class GateError(Exception):
    """Base of every error that a person is meant to read.

    `slug` is stable and greppable; `exit_code` is what the process ends with when nothing
    catches the error; `problems` holds every part of it.
    """

    exit_code: ExitCode = ExitCode.USAGE

    def __init__(
        self,
        slug: str,
        what: str,
        *,
        where: str = "",
        hint: str = "",
        problems: tuple[Problem, ...] = (),
    ) -> None:
        super().__init__(what)
        self.slug = slug
        self.what = what
        self.where = where
        self.hint = hint
        self.problems = problems

    def __str__(self) -> str:
        lines = [one_line(f"{self.where}: {self.what}" if self.where else self.what)]
        lines.extend(f"  {problem}" for problem in self.problems)
        if self.hint:
            lines.append(one_line(self.hint))
        return "\n".join(lines)


class UsageError(GateError):
    """A command line, settings, budgets, recipe, data or baseline file that cannot be used: exit 3."""


class NotMeasured(GateError):
    """Something that should have been measured could not be: exit 2."""

    exit_code = ExitCode.NOT_MEASURED


class StoreError(GateError):
    """A store raised, hung or answered nonsense. Its mode is not measured; the run goes on: exit 2.

    `where` names store, mode and topic.
    """

    exit_code = ExitCode.NOT_MEASURED


class StoreHung(StoreError):
    """A store did not answer in time. The opened instance cannot be used any more."""
