"""A signal ends what is done before there is anything to keep. Then a first one is noted, a second ends the process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from gate.exit_codes import ExitCode
from gate.stop import Interrupted, Stop, watched

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals are sent as on POSIX systems")


def test_nothing_is_requested_at_first() -> None:
    assert Stop().requested is False


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_is_noted_by_name_and_interrupts_nothing(number: signal.Signals) -> None:
    with watched() as stop:
        stop.keep()
        os.kill(os.getpid(), number)
        assert stop.requested is True
        assert stop.signal == number.name


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_before_there_is_anything_to_keep_interrupts(number: signal.Signals) -> None:
    with watched(), pytest.raises(Interrupted, match=f"Stopped by {number.name} before anything was measured"):
        os.kill(os.getpid(), number)


def test_an_interruption_that_somebody_caught_is_not_forgotten() -> None:
    with watched() as stop:
        with pytest.raises(Interrupted):
            os.kill(os.getpid(), signal.SIGINT)
        with pytest.raises(Interrupted, match="SIGINT"):
            stop.keep()


def test_handlers_come_back_afterwards() -> None:
    def mine(number: int, frame: object) -> None:
        pass

    before = signal.signal(signal.SIGTERM, mine)
    try:
        with pytest.raises(ZeroDivisionError), watched():
            raise ZeroDivisionError
        assert signal.getsignal(signal.SIGTERM) is mine
    finally:
        signal.signal(signal.SIGTERM, before)


def test_a_second_signal_ends_the_process_at_once() -> None:
    program = """
import os, signal
from gate.stop import watched
with watched() as stop:
    stop.keep()
    os.kill(os.getpid(), signal.SIGINT)
    print(stop.signal, flush=True)
    os.kill(os.getpid(), signal.SIGTERM)
    print("never said")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (ExitCode.INTERRUPTED, "SIGINT\n")
