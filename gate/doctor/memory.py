"""The memory of the GPU, and how much of it is taken."""

from __future__ import annotations

from gate.doctor.concerns import on_a_gpu
from gate.doctor.look import NOTED, OK, Examined, Look, Seen

MUCH = 0.5  # of the memory: a model that fits when it is alone may not fit beside this


def _see(examined: Examined) -> Seen:
    total, used = examined.told["memory"], examined.told["memory used"]
    says, facts = f"{total}, {used} in use", {"memory": total, "memory used": used}
    sizes = [text.split()[0] for text in (total, used) if text.endswith(" MiB")]
    if len(sizes) == 2 and all(size.isdecimal() for size in sizes) and int(sizes[1]) > MUCH * int(sizes[0]):
        return Seen(NOTED, says, "Something else holds much of it: run one job at a time.", facts)
    return Seen(OK, says, facts=facts)


LOOK = Look("memory", _see, needs=("device",), concern=on_a_gpu)
