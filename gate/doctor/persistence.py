"""Whether the driver stays loaded between processes."""

from __future__ import annotations

from gate.doctor.concerns import on_a_gpu
from gate.doctor.look import NOTED, OK, Examined, Look, Seen


def _see(examined: Examined) -> Seen:
    mode = examined.told["persistence"]
    facts = {"persistence": mode}
    if mode == "Disabled":
        hint = "The first call of each process waits for the driver: sudo nvidia-smi --persistence-mode=1"
        return Seen(NOTED, mode, hint, facts)
    return Seen(OK, mode, facts=facts)


LOOK = Look("persistence", _see, needs=("device",), concern=on_a_gpu)
