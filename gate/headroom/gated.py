"""The name under which the store of the settings is gated, and its baselines stand."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from gate.errors import GateError, NotMeasured
from gate.opening import Here
from gate.settings import Settings
from gate.stop import Stop


def gated_name(settings: Settings) -> str:
    """The name that the store gives itself: that of the settings where it has baselines, else it is opened and asked.

    Raises NotMeasured where it cannot be opened.
    """
    if (settings.baselines / settings.store).is_dir():
        return settings.store
    try:
        with TemporaryDirectory(prefix="gate-") as folder:
            opening = Here(Path(folder), settings.timeout, Stop(), settings.models)
            return opening(settings.store, settings.arms[0], "")[1].name
    except GateError as error:
        raise NotMeasured(
            "budgets-no-store",
            f"which baselines are those of the store {settings.store} cannot be told: {error.what}",
            where=error.where,
            hint="Run `gate run` first, or name the folder that it wrote to.",
        ) from error
