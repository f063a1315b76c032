"""The shared libraries of CUDA and cuDNN that the provider is linked with, and the driver's own.

Without them a session falls back to the CPU, and only a line in a log says which one was not found.
"""

from __future__ import annotations

import ctypes
import re
import sys
from pathlib import Path

from gate.doctor.concerns import on_a_gpu
from gate.doctor.look import MISSING, OK, SKIPPED, Examined, Look, Seen
from gate.models.onnx.runtime import load

DRIVER = "libcuda.so.1"
PROVIDER = "libonnxruntime_providers_cuda.so"
# What the loader of Linux says of a library that it does not find, be it the one that was asked for or one it needs.
_NOT_FOUND = re.compile(r"(\S+): cannot open shared object file")


def _see(examined: Examined) -> Seen:  # noqa: ARG001 - as every look is given it
    if not sys.platform.startswith("linux"):
        return Seen(SKIPPED, "it is done on Linux alone")
    if _not_found(DRIVER):
        hint = "Install the driver; in a container run it with --gpus all and the capability compute."
        return Seen(MISSING, f"{DRIVER}, a library of the driver, is not found", hint)
    path = Path(getattr(load("cuda"), "__file__", None) or "").parent / "capi" / PROVIDER
    if not path.is_file():
        return Seen(SKIPPED, f"this ONNX Runtime has no {PROVIDER}")
    missing = _not_found(str(path))
    if missing:
        hint = (
            "pip install 'retrieval-gate[gpu]' brings CUDA and cuDNN as packages;"
            " `pip show onnxruntime-gpu` and its page say which major version it needs."
        )
        return Seen(MISSING, f"{missing}, which {PROVIDER} needs, is not found", hint)
    return Seen(OK, f"all that {PROVIDER} is linked with")


def _not_found(name: str) -> str:
    """The library that the loader looked for in vain; empty where it found all, or failed for another reason."""
    try:
        ctypes.CDLL(name)
    except OSError as error:
        found = _NOT_FOUND.search(str(error))
        return found[1] if found is not None else ""
    return ""


LOOK = Look("libraries", _see, needs=("providers", "driver"), concern=on_a_gpu)
