"""What came of a run: the code of its verdict file, what the runner's log, summary and outputs say of it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gate.errors import UsageError
from gate.exit_codes import ExitCode
from gate.figures import count
from gate.files import read_text
from gate.github.runner import command, with_last
from gate.records import Verdict
from gate.report import REPORTS, ReportContext
from gate.report.escape import cut, prose, visible
from gate.report.outline import failed, headline
from gate.results import VERDICT

# What a run may end with that has no verdict to show.
OWN_CODES = (ExitCode.USAGE, ExitCode.INTERNAL, ExitCode.INTERRUPTED)
_LARGEST = 256 << 20
_MOST_CHECKS = 500
_MOST_LINES = 20
_SENTENCE = 400
_TITLES = {
    ExitCode.REGRESSION: "Retrieval gate: regression",
    ExitCode.NOT_MEASURED: "Retrieval gate: not measured",
    ExitCode.USAGE: "Retrieval gate: it cannot be used like this",
    ExitCode.INTERNAL: "Retrieval gate: a bug of ours",
    ExitCode.INTERRUPTED: "Retrieval gate: interrupted",
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """The exit code of the Action, the verdict it rests on (None without one), and what was said where there is none.

    `folder` is where the run stood, as seen from the workspace, and `results` the results folder, as seen from there.
    `part` names the shard of which this is the outcome, as far as it came to one: it has no verdict.
    """

    code: int
    results: str
    verdict: Verdict | None = None
    said: tuple[str, ...] = ()
    part: str = ""
    folder: str = ""

    @property
    def name(self) -> str:
        """PASS, REGRESSION, NOT_MEASURED ...: the verdict's, or else that of the code; MEASURED for a shard's 0."""
        if self.part and self.code == ExitCode.PASS:
            return "MEASURED"
        return self.verdict.verdict if self.verdict is not None else ExitCode(self.code).name

    @property
    def _context(self) -> ReportContext:
        return ReportContext(self.results, None, folder=self.folder)

    @property
    def headline(self) -> str:
        if self.verdict is not None:
            return headline(self.verdict)
        if self.part:
            return f"{self.part}, nothing is judged yet"
        first, *rest = [line for line in self.said if line.strip()] or ["the run ended without a verdict"]
        more = "; ".join(line.rstrip(".") for line in rest)
        return f"{first.rstrip('.')}: {more}" if more else first

    @property
    def markdown(self) -> str:
        """The report, for a summary or a comment."""
        if self.verdict is not None:
            told = "".join(f"\n> {prose(line, limit=_SENTENCE)}\n" for line in self.said)
            return REPORTS["markdown"].render(self.verdict, self._context) + told
        told = self.headline if self.part else "no verdict"
        lines = [f"## {self.name.replace('_', ' ')}: {told} (exit code {self.code})", ""]
        lines += [f"- {prose(line, limit=_SENTENCE)}" for line in self.said[:_MOST_LINES]]
        if len(self.said) > _MOST_LINES:
            lines.append(f"- and {count(len(self.said) - _MOST_LINES, 'more line')} in the log")
        return "\n".join(lines) + "\n"

    @property
    def annotations(self) -> str:
        """Workflow commands, the last of which says why the step fails: with another title for each code."""
        own = REPORTS["annotations"].render(self.verdict, self._context) if self.verdict else ""
        if self.code == ExitCode.PASS:
            return own
        told = f"{self.name.replace('_', ' ')}: {cut(visible(self.headline), _SENTENCE)} (exit code {self.code})"
        return with_last(own, command("error", _TITLES[ExitCode(self.code)], told))

    @property
    def speaks(self) -> bool:
        """Whether there is more to say than that all is well."""
        if self.code != ExitCode.PASS or self.verdict is None:
            return True
        return any(
            check.status in ("fail", "not measured") or (check.status == "waived" and check.source == "base")
            for check in self.verdict.checks
        )

    def outputs(self) -> dict[str, str]:
        """The outputs of the Action; the comment's address comes later."""
        checks = [visible(check.check_id) for check in failed(self.verdict.checks)] if self.verdict else []
        shown = checks[:_MOST_CHECKS]
        if len(checks) > _MOST_CHECKS:
            shown.append(f"and {len(checks) - _MOST_CHECKS} more")
        found = {name: str(Path(self.folder, self.results, REPORTS[name].file_name)) for name in ("json", "markdown")}
        return {
            "verdict": self.name,
            "exit-code": str(int(self.code)),
            "failed-checks": "\n".join(shown),
            "report-json": found["json"] if self.verdict else "",
            "report-markdown": found["markdown"] if self.verdict else "",
        }


def outcome_of(results: str, ended: int, said: Sequence[str], *, stale: bool = False) -> Outcome:
    """The outcome of a run that ended with a code of its process and left, or did not leave, a verdict file.

    The file is the authority. Without one, and wherever file and process contradict each other, nothing is
    green: a verdict that passed counts only of a process that says so too. `stale` says that a file that
    stood there before the run could not be removed: it tells nothing.
    """
    without = ended if ended in OWN_CODES else ExitCode.NOT_MEASURED
    path = Path(results) / VERDICT
    if stale or not os.path.isfile(path):
        return Outcome(without, results, None, tuple(said) or (f"the run ended with {ended} and left no verdict",))
    try:
        verdict = read_verdict(path)
    except UsageError as error:
        return Outcome(ended if ended in OWN_CODES else ExitCode.NOT_MEASURED, results, None, (str(error), *said))
    if verdict.exit_code == ExitCode.PASS and ended != ExitCode.PASS:
        code = ended if ended in (*OWN_CODES, ExitCode.REGRESSION) else ExitCode.NOT_MEASURED
        return Outcome(code, results, verdict, (f"the verdict is a pass, but the run ended with {ended}", *said))
    return Outcome(verdict.exit_code, results, verdict)


def read_verdict(path: Path, largest: int = _LARGEST) -> Verdict:
    """A verdict file, with its size and its schema checked. Raises UsageError."""
    from gate.report.json import from_json

    if path.is_symlink():
        raise UsageError("verdict-linked", "the verdict file is a link", where=str(path))
    verdict = from_json(read_text(path, "verdict", largest), path)
    if verdict.exit_code not in list(ExitCode):
        raise UsageError("verdict-code", f"{verdict.exit_code} is no exit code of a verdict", where=str(path))
    return verdict
