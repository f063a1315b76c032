"""What an arm needs, looked at one thing after another. Adding a look is a file and a line in `LOOKS`."""

from __future__ import annotations

from collections.abc import Mapping

from gate.doctor import (
    busy,
    clocks,
    compute_mode,
    determinism,
    device,
    driver,
    files,
    golden,
    libraries,
    memory,
    nodes,
    packages,
    persistence,
    providers,
    session,
    speed,
    threads,
)
from gate.doctor.look import Look

# In the order in which they are made: what a look needs stands before it.
LOOKS: Mapping[str, Look] = {
    look.name: look
    for look in (
        packages.LOOK,
        providers.LOOK,
        driver.LOOK,
        libraries.LOOK,
        device.LOOK,
        memory.LOOK,
        busy.LOOK,
        clocks.LOOK,
        compute_mode.LOOK,
        persistence.LOOK,
        threads.LOOK,
        files.LOOK,
        session.LOOK,
        nodes.LOOK,
        golden.LOOK,
        determinism.LOOK,
        speed.LOOK,
    )
}
