"""The clock of the GPU now and at most. Idle, it is low; whether it is locked, the tool does not tell."""

from __future__ import annotations

from gate.doctor.concerns import on_a_gpu
from gate.doctor.look import OK, Examined, Look, Seen


def _see(examined: Examined) -> Seen:
    now, most = examined.told["clock"], examined.told["highest clock"]
    return Seen(OK, f"{now} now, {most} at most", facts={"clock": now, "highest clock": most})


LOOK = Look("clocks", _see, needs=("device",), concern=on_a_gpu)
