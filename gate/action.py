"""The GitHub Action: runs the gate with the inputs of a workflow, shows its verdict, and exits with it.

`python -m gate.action` is what `action.yml` calls; `python -m gate.action comment` is what
`comment/action.yml` calls, in a workflow that follows a fork's run.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import traceback
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import NoReturn

from gate.base.choice import NONE
from gate.base.fetch import fetch_base, fetched_ref
from gate.errors import GateError, UsageError
from gate.exit_codes import ExitCode
from gate.github.conversation import Conversation, accepted_by, comment, conversation_of
from gate.github.inputs import Inputs, read_inputs, variable
from gate.github.outcome import Outcome, outcome_of, read_verdict
from gate.github.runner import OUTPUT, SUMMARY, command, stopped_commands, write_outputs, write_summary
from gate.github.shard_outcome import outcome_of_shard
from gate.github.workflow_run import conversation_of_run
from gate.report import REPORTS
from gate.report.escape import visible
from gate.results import MARKER, SHARD_MARKER, VERDICT
from gate.shards.record import FILE

_TAIL = 60
_CHUNK = 1 << 16
# An artifact of a fork: whatever is larger is no verdict of ours.
_LARGEST_ARTIFACT = 64 << 20
# What the process of a store shall not have: our token, and the files by which a step speaks to its runner.
_WITHHELD = (variable("github-token"), OUTPUT, SUMMARY, "GITHUB_ENV", "GITHUB_PATH", "GITHUB_STATE")
_WITHHELD_PREFIXES = ("ACTIONS_", "INPUT_")


def main() -> NoReturn:
    """Entry point. Ends with the exit code of the verdict, and never with 0 for want of one."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    arguments = sys.argv[1:]
    try:
        if arguments not in ([], ["comment"]):
            raise UsageError("action-arguments", "the Action takes no arguments but 'comment'")
        code = comment_action(os.environ) if arguments else run_action(os.environ)
    except UsageError as error:
        code = _unusable(error, os.environ)
    except KeyboardInterrupt:
        code = ExitCode.INTERRUPTED
    except Exception as error:  # noqa: BLE001 - Python's own code for it, 1, would say that there is a regression
        traceback.print_exc()
        print(command("error", "Retrieval gate: a bug of ours", visible(f"{type(error).__name__}: {error}")))
        code = ExitCode.INTERNAL
    sys.stdout.flush()
    sys.exit(int(code))


def run_action(environment: Mapping[str, str]) -> int:
    """One step: the run, then its summary, annotations, outputs and comment. Raises UsageError for the inputs."""
    inputs = read_inputs(environment)
    shard, folder = inputs.option("shard"), _folder(inputs)
    stale = _stale(inputs.results_path, shard)
    base = inputs.base if shard else _base(inputs, environment)
    ended, said, interrupted = _run(inputs.command(sys.executable, base), inputs.folder, environment)
    found = (outcome_of_shard if shard else outcome_of)(str(inputs.results_path), ended, said, stale=stale)
    outcome = replace(found, results=inputs.results, folder=folder)
    refused = "a shard judges nothing" if shard else "the run was interrupted" if interrupted else ""
    conversation = Conversation(None, None, None, refused)
    if not refused:
        conversation = conversation_of(environment, inputs.token)
    accepted = accepted_by(conversation, outcome)
    _show(outcome, environment, f"\n{accepted}\n" if accepted else "")
    published = comment(conversation, outcome, environment, mode=inputs.comment, key=inputs.key, said=accepted)
    print(f"Retrieval gate: {published.says}")
    _warn(write_outputs(environment, {"comment-url": published.url}))
    return outcome.code


def comment_action(environment: Mapping[str, str]) -> int:
    """Shows the verdict of an artifact on the pull request of the event. Raises UsageError for what is no verdict.

    The report is made anew from the verdict, so that nothing of the artifact is taken as markup.
    """
    inputs = read_inputs(environment)
    verdict = read_verdict(inputs.results_path / VERDICT, _LARGEST_ARTIFACT)
    outcome = Outcome(verdict.exit_code, str(inputs.results_path), verdict)
    conversation = conversation_of_run(environment, inputs.token)
    told = "As told by a run of the pull request's own code; what counts is the check of that run."
    published = comment(conversation, outcome, environment, mode=inputs.comment, key=inputs.key, said=told)
    print(f"Retrieval gate: {published.says}")
    _warn(write_outputs(environment, {"comment-url": published.url}))
    return ExitCode.PASS


def _base(inputs: Inputs, environment: Mapping[str, str]) -> str:
    """The base that the run is held against, fetched where the checkout lacks it."""
    folder = inputs.settings_path.absolute().parent
    if inputs.base == NONE:
        return NONE
    if inputs.base:
        return fetched_ref(folder, inputs.base, environment, inputs.token)
    if told := fetch_base(folder, environment, inputs.token):
        print(f"Retrieval gate: {told}", flush=True)
    return ""


def _folder(inputs: Inputs) -> str:
    """Where the run stands, from the top of the workspace; empty at the top. Raises UsageError where that is none."""
    folder, top = Path(os.path.realpath(inputs.folder)), Path(os.path.realpath("."))
    if not os.path.isdir(folder) or not folder.is_relative_to(top):
        raise UsageError("action-folder", "working-directory names no folder of the workspace", where=inputs.folder)
    return "" if folder == top else folder.relative_to(top).as_posix()


def _stale(results: Path, shard: str) -> bool:
    """Removes what an earlier run came to. Whether something is left that this run cannot be told from."""
    views, marker = ([FILE], SHARD_MARKER) if shard else ([one.file_name for one in REPORTS.values()], MARKER)
    if os.path.isfile(results / marker):
        for name in views:
            with suppress(OSError):
                (results / name).unlink()
    return os.path.lexists(results / (FILE if shard else VERDICT))


def _run(arguments: list[str], folder: str, environment: Mapping[str, str]) -> tuple[int, tuple[str, ...], bool]:
    """The run as a process: its exit code, the error it ended with, and whether somebody stopped it.

    Its log goes to ours as it comes; the runner takes no line of it for a command.
    """
    kept = {
        name: value
        for name, value in environment.items()
        if name not in _WITHHELD and not name.startswith(_WITHHELD_PREFIXES)
    }
    stop, resume = stopped_commands()
    print(stop, flush=True)
    stopped: list[int] = []
    tail: deque[str] = deque(maxlen=_TAIL)
    try:
        # A session of its own: it gets the one signal that is handed on, and not the group's as well. Unbuffered, so
        # that the pipe can be closed while a process that a store left behind still holds its other end.
        with subprocess.Popen(
            arguments,
            cwd=folder,
            env=kept,
            stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,
            bufsize=0,
        ) as process:

            def hand_on(number: int, _frame: FrameType | None) -> None:
                stopped.append(number)
                with suppress(OSError):
                    process.send_signal(signal.SIGTERM if os.name == "nt" else number)

            before = {number: signal.signal(number, hand_on) for number in (signal.SIGINT, signal.SIGTERM)}
            assert process.stderr is not None
            reader = threading.Thread(target=_tee, args=(process.stderr.fileno(), tail), daemon=True)
            reader.start()
            ended = process.wait()
            reader.join(timeout=5)
            for number, handler in before.items():
                signal.signal(number, handler)
    finally:
        print(f"\n{resume}", flush=True)
    return ended, _error(list(tail)), bool(stopped)


def _tee(descriptor: int, tail: deque[str]) -> None:
    """Hands every line on to our own log, and keeps the last ones."""
    held = b""
    while chunk := _read(descriptor):
        *lines, held = (held + chunk).split(b"\n")
        _hand_on([line + b"\n" for line in lines], tail)
    _hand_on([held] if held else [], tail)


def _read(descriptor: int) -> bytes:
    """What there is to read; nothing at the end, and once the pipe was closed here."""
    try:
        return os.read(descriptor, _CHUNK)
    except OSError:
        return b""


def _hand_on(lines: Sequence[bytes], tail: deque[str]) -> None:
    for line in lines:
        text = line.decode("utf-8", "replace")
        tail.append(text.rstrip())
        with suppress(OSError, ValueError):
            sys.stderr.write(text)
            sys.stderr.flush()


def _error(tail: list[str]) -> tuple[str, ...]:
    """The error that a run ended with: its lines from the last that starts one."""
    starts = [number for number, line in enumerate(tail) if line.startswith(("Error", "Usage"))]
    return tuple(line.strip() for line in tail[starts[-1] :] if line.strip()) if starts else ()


def _show(outcome: Outcome, environment: Mapping[str, str], more: str) -> None:
    report = REPORTS["markdown"].file_name
    _warn(write_summary(environment, outcome.markdown + more, f"`{report}` of the results folder"))
    _warn(write_outputs(environment, outcome.outputs()))
    sys.stdout.write(outcome.annotations)
    sys.stdout.flush()


def _warn(trouble: str) -> None:
    if trouble:
        print(f"Retrieval gate: {visible(trouble)}")


def _unusable(error: GateError, environment: Mapping[str, str]) -> int:
    """Inputs or an artifact that cannot be used, told like a run that came to no verdict."""
    said = tuple(visible(line) for line in str(error).splitlines() if line.strip())
    outcome = Outcome(ExitCode.USAGE, "", None, said)
    for line in said:
        sys.stderr.write(f"{line}\n")
    sys.stderr.flush()
    _show(outcome, environment, "")
    return outcome.code


if __name__ == "__main__":
    main()
