"""What a step tells GitHub's runner: outputs and the summary by files, annotations and the end of it by its log.

Source: "Workflow commands for GitHub Actions" of GitHub's documentation.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from pathlib import Path

from gate.github.fitting import fitted, utf8_bytes
from gate.report.escape import UNSAFE

MOST_SUMMARY = 1 << 20
MOST_ERRORS = 10
OUTPUT, SUMMARY = "GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY"


def write_outputs(environment: Mapping[str, str], values: Mapping[str, str]) -> str:
    """Appends outputs, each between delimiters that nobody can guess. Gives back what went wrong, mostly nothing."""
    return _append(environment, OUTPUT, "".join(_output(name, value) for name, value in values.items()))


def _output(name: str, value: str) -> str:
    delimiter = f"gate-{secrets.token_hex(16)}"
    clean = UNSAFE.sub(lambda found: found[0] if found[0] == "\n" else f"<U+{ord(found[0]):04X}>", value)
    return f"{name}<<{delimiter}\n{clean}\n{delimiter}\n"


def write_summary(environment: Mapping[str, str], text: str, where: str) -> str:
    """Appends Markdown to the step's summary, cut to what GitHub shows. Gives back what went wrong."""
    path = environment.get(SUMMARY, "")
    try:
        there = Path(path).stat().st_size if path else 0
    except OSError:
        there = 0
    return _append(environment, SUMMARY, fitted(text, max(MOST_SUMMARY - there, 0), utf8_bytes, where))


def _append(environment: Mapping[str, str], name: str, text: str) -> str:
    path = environment.get(name, "")
    if not path:
        return f"{name} is not set: this does not run as a step of a workflow"
    try:
        with Path(path).open("a", encoding="utf-8", newline="\n", errors="backslashreplace") as file:
            file.write(text)
    except OSError as error:
        return f"{name} cannot be written: {error.strerror}"
    return ""


def command(kind: str, title: str, message: str) -> str:
    """A workflow command; `message` may have several lines."""
    return f"::{kind} title={_escaped(title).replace(':', '%3A').replace(',', '%2C')}::{_escaped(message)}"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def with_last(annotations: str, last: str) -> str:
    """A run's annotations, and a last one that GitHub shows too: of ten errors a step the report's get nine."""
    kept, errors = [], 0
    for line in annotations.splitlines():
        errors += line.startswith("::error ")
        if not line.startswith("::error ") or errors < MOST_ERRORS:
            kept.append(line)
    return "".join(f"{line}\n" for line in (*kept, *([last] if last else ())))


def stopped_commands() -> tuple[str, str]:
    """Two lines; between them the runner takes nothing of a log for a command."""
    token = secrets.token_hex(16)
    return f"::stop-commands::{token}", f"::{token}::"
