"""The command `gate`: runs a verb, and turns whatever happens into a sentence and an exit code."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from typing import NoReturn

from gate.exit_codes import ExitCode

ISSUES = "https://github.com/retrieval-gate/retrieval-gate/issues"


def main() -> NoReturn:
    """Entry point. Ends the process itself: nothing that a store left behind may keep it, or change its code."""
    signal.signal(signal.SIGTERM, lambda *_: os._exit(ExitCode.INTERRUPTED))
    _speak_utf8()
    output, errors = sys.stdout, sys.stderr
    code = _run(sys.argv[1:])
    for stream in (output, errors):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)


def _speak_utf8() -> None:
    """Standard streams are open and UTF-8 wherever we run."""
    from gate.streams import open_descriptors, output_to

    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    open_descriptors()
    sys.stdin = open(0, encoding="utf-8", errors="surrogateescape", closefd=False)  # noqa: SIM115
    sys.stdout, sys.stderr = output_to(1), output_to(2)


def _run(arguments: list[str]) -> int:
    import click

    from gate.cli import root
    from gate.errors import GateError, one_line
    from gate.stop import Interrupted

    try:
        result = root.main(arguments, prog_name="gate", standalone_mode=False)
        return int(result) if isinstance(result, int) else 0
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.ctx.get_help() if error.ctx is not None else "")
        return ExitCode.PASS
    except click.UsageError as error:
        context = f"{error.ctx.get_usage()}\n" if error.ctx is not None else ""
        command = f"\nTry '{error.ctx.command_path} --help'." if error.ctx is not None else ""
        return _say(f"{context}Error: {one_line(error.format_message())}{command}", ExitCode.USAGE)
    except click.ClickException as error:
        return _say(f"Error: {one_line(error.format_message())}", ExitCode.USAGE)
    except GateError as error:
        return _say(f"Error [{error.slug}]: {error}", error.exit_code)
    except Interrupted as stopped:
        return _say(str(stopped), ExitCode.INTERRUPTED)
    except (click.Abort, KeyboardInterrupt):
        return _say("Stopped.", ExitCode.INTERRUPTED)
    except SystemExit as stop:
        # None of our verbs ends like this: whoever did shall not make it a pass.
        return _crash(RuntimeError(f"something called for an exit with {stop.code!r}"), arguments)
    except Exception as error:  # noqa: BLE001 - the last line of defence, which must catch all
        if isinstance(error, FileNotFoundError) and _folder_is_gone():
            said = "the current folder is not there any more\nGo to one that is, and run the command again."
            return _say(f"Error [folder-gone]: {said}", ExitCode.USAGE)
        return _crash(error, arguments)


def _folder_is_gone() -> bool:
    try:
        os.getcwd()
    except FileNotFoundError:
        return True
    return False


def _say(text: str, code: int) -> int:
    from gate.report.escape import disarmed, visible

    for line in text.split("\n"):
        indent = len(line) - len(line.lstrip(" "))
        sys.stderr.write(disarmed(f"{' ' * indent}{visible(line)}\n"))
    return int(code)


def _crash(error: Exception, arguments: list[str]) -> int:
    """A bug of ours: its report goes to a file, and the person is told where to send it."""
    import platform
    import tempfile
    import traceback

    import gate

    report = (
        f"retrieval-gate {gate.__version__}, Python {platform.python_version()}, {platform.platform()}\n"
        f"gate {' '.join(arguments)}\n\n{''.join(traceback.format_exception(error))}"
    )
    try:
        with tempfile.NamedTemporaryFile(
            "w", prefix="gate-crash-", suffix=".txt", delete=False, encoding="utf-8", errors="backslashreplace"
        ) as file:
            file.write(report)
        where = f"The report is in {file.name}."
    except OSError:
        where = report
    return _say(
        f"Error [internal]: this is a bug in retrieval-gate: {type(error).__name__}: {error}\n"
        f"{where}\nPlease send it to {ISSUES}",
        ExitCode.INTERNAL,
    )


if __name__ == "__main__":
    main()
