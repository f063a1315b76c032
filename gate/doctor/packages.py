"""The packages that bring ONNX Runtime: which, of what version, and whether two spoil each other."""

from __future__ import annotations

from importlib.util import find_spec

from gate.doctor.concerns import over_onnx
from gate.doctor.look import MISSING, OK, Examined, Look, Seen
from gate.models.onnx import runtime


def _see(examined: Examined) -> Seen:
    found = runtime.installed()
    spoilt = runtime.both_installed()
    told = ", ".join(f"{name} {number}" for name, number in found.items())
    if spoilt:
        wanted = runtime.EXTRA[examined.device]
        hint = f"pip uninstall onnxruntime onnxruntime-gpu, then pip install 'retrieval-gate[{wanted}]'"
        return Seen(MISSING, spoilt, hint, found)
    if found:
        return Seen(OK, told, facts=found)
    if find_spec("onnxruntime") is not None:
        return Seen(OK, "onnxruntime, of a package with another name")
    hint = f"pip install 'retrieval-gate[{runtime.EXTRA[examined.device]}]'"
    return Seen(MISSING, "neither onnxruntime nor onnxruntime-gpu is installed", hint)


LOOK = Look("packages", _see, concern=over_onnx)
