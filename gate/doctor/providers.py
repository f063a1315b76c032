"""The execution providers that this ONNX Runtime was built with. That one is listed does not say that it works."""

from __future__ import annotations

from gate.doctor.concerns import over_onnx
from gate.doctor.look import OK, Examined, Look, Seen
from gate.models.onnx import runtime


def _see(examined: Examined) -> Seen:
    offered = list(runtime.load(examined.device).get_available_providers())
    return Seen(OK, ", ".join(offered), facts={"providers": ", ".join(offered)})


LOOK = Look("providers", _see, needs=("packages",), concern=over_onnx)
