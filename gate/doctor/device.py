"""The GPU that a session will run on."""

from __future__ import annotations

from gate.doctor.concerns import on_a_gpu
from gate.doctor.look import NOTED, OK, Examined, Fact, Look, Seen
from gate.models.device import CHOSEN, first_of, gpus, seen_by_cuda


def _see(examined: Examined) -> Seen:
    found = gpus()
    examined.gpu = gpu = first_of(found)
    others = len(found) - 1
    says = f"{gpu.name}, {gpu.told['uuid']}"
    facts: dict[str, Fact] = {"device": gpu.name, "uuid": gpu.told["uuid"], "gpus": len(found)}
    if others and len(seen_by_cuda(found)) > 1:
        hint = f"The first of {len(found)} is taken. {CHOSEN} chooses another; with CUDA_DEVICE_ORDER=PCI_BUS_ID its"
        return Seen(NOTED, says, f"{hint} indices are those of nvidia-smi.", facts)
    return Seen(OK, says, facts=facts)


LOOK = Look("device", _see, needs=("driver",), concern=on_a_gpu)
