"""The switch of a broken part: it counts the calls that arrive while it is on, and lets go of those it holds."""

from __future__ import annotations

from threading import Condition, Event

# A store needs a moment to take notice of an answer that came back late.
SETTLING = 0.02
# Seconds in which a call that was let go has returned, however busy the machine is.
_RETURNED = 5.0


class Switch:
    """Counts, and the means to hold a call. Calls may come from any thread.

    Switching it off lets go of every call that is held, and comes back when they have returned.
    """

    def __init__(self) -> None:
        self._armed = False
        self._counts = Condition()
        self._calls, self._failures, self._inside = 0, 0, 0
        self._released = Event()

    @property
    def armed(self) -> bool:
        return self._armed

    @armed.setter
    def armed(self, armed: bool) -> None:
        if armed == self._armed:
            return
        self._armed = armed
        if armed:
            self._released = Event()
            return
        self._released.set()
        with self._counts:
            held = self._inside > 0
            self._counts.wait_for(lambda: not self._inside, _RETURNED)
        if held:
            Event().wait(SETTLING)

    @property
    def calls(self) -> int:
        return self._calls

    @property
    def failures(self) -> int:
        return self._failures

    def hold(self, seconds: float | None = None) -> None:
        """Waits until the switch is off, at most that long."""
        self._released.wait(seconds)

    def enter(self) -> int:
        """Counts a call that arrives; its number, from 1."""
        with self._counts:
            self._calls += 1
            self._inside += 1
            return self._calls

    def fails(self) -> None:
        """Counts a call as one that goes wrong."""
        with self._counts:
            self._failures += 1

    def leave(self) -> None:
        with self._counts:
            self._inside -= 1
            self._counts.notify_all()
