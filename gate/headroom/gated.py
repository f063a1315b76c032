"""The name under which the store of the settings is gated, and its baselines stand."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from gate.errors import GateError, NotMeasured
from gate.ingest import Subject
from gate.models import arm
from gate.settings import Settings
from gate.stop import Stop
from gate.stores import find_store


def gated_name(settings: Settings) -> str:
    """The name that the store gives itself: that of the settings where it has baselines, else it is opened and asked.

    Raises NotMeasured where it cannot be opened.
    """
    if (settings.baselines / settings.store).is_dir():
        return settings.store
    try:
        own = arm(settings.arms[0])
        subject = Subject(
            settings.store,
            find_store(settings.store),
            own,
            own.open_embedder(),
            own.open_reranker() if own.open_reranker else None,
            settings.timeout,
            Stop(),
            lambda store: store,
        )
        with TemporaryDirectory(prefix="gate-") as folder:
            return subject.declare(Path(folder) / "store").name
    except GateError as error:
        raise NotMeasured(
            "budgets-no-store",
            f"which baselines are those of the store {settings.store} cannot be told: {error.what}",
            where=error.where,
            hint="Run `gate run` first, or name the folder that it wrote to.",
        ) from error
