"""Whether something else computes on the GPU now."""

from __future__ import annotations

from gate.doctor.concerns import on_a_gpu
from gate.doctor.look import NOTED, OK, Examined, Look, Seen


def _see(examined: Examined) -> Seen:
    used = examined.told["utilisation"]
    if examined.gpu is not None and examined.gpu.busy:
        hint = "Times that are measured now say little: run one job at a time."
        return Seen(NOTED, f"busy: {used} in use", hint, {"utilisation": used})
    return Seen(OK, "idle" if used.split()[:1] == ["0"] else f"not told: {used}", facts={"utilisation": used})


LOOK = Look("busy", _see, needs=("device",), concern=on_a_gpu)
