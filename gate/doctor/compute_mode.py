"""Whom the GPU lets compute: anybody, one process at a time, or nobody."""

from __future__ import annotations

from gate.doctor.concerns import on_a_gpu
from gate.doctor.look import MISSING, NOTED, OK, Examined, Look, Seen


def _see(examined: Examined) -> Seen:
    mode = examined.told["compute mode"]
    facts = {"compute mode": mode}
    if mode == "Prohibited":
        return Seen(MISSING, f"{mode}: no process may compute on it", "sudo nvidia-smi --compute-mode=DEFAULT", facts)
    if mode.startswith("Exclusive") and examined.gpu is not None and examined.gpu.busy:
        says = f"{mode}: one process may compute on it, and one does already"
        return Seen(MISSING, says, "Wait for it to end, or sudo nvidia-smi --compute-mode=DEFAULT", facts)
    if mode.startswith("Exclusive"):
        return Seen(NOTED, f"{mode}: one process at a time", "A second job on this machine will fail.", facts)
    return Seen(OK, mode, facts=facts)


LOOK = Look("compute mode", _see, needs=("device",), concern=on_a_gpu)
