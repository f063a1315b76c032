"""NVIDIA's driver: whether its tool answers, and its version."""

from __future__ import annotations

from gate.doctor.concerns import on_a_gpu
from gate.doctor.look import OK, Examined, Look, Seen
from gate.models.device import gpus


def _see(examined: Examined) -> Seen:  # noqa: ARG001 - as every look is given it
    versions = {gpu.told["driver"] for gpu in gpus()}
    told = ", ".join(sorted(versions))
    return Seen(OK, told or "it answers, and shows no GPU", facts={"driver": told})


LOOK = Look("driver", _see, concern=on_a_gpu)
