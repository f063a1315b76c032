"""ONNX Runtime as it is installed here: which package, which providers, and what is wrong with it."""

from __future__ import annotations

import io
from collections.abc import Mapping
from contextlib import redirect_stdout
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from gate.errors import NotMeasured

CPU, CUDA = "CPUExecutionProvider", "CUDAExecutionProvider"
# What a session of a device is asked for. Never with a second one behind it: that is the silent fallback.
PROVIDERS: Mapping[str, str] = {"cpu": CPU, "cuda": CUDA}
GPU_PACKAGE = "onnxruntime-gpu"
PACKAGES = ("onnxruntime", GPU_PACKAGE)
EXTRA = {"cpu": "onnx", "cuda": "gpu"}


def installed() -> dict[str, str]:
    """The packages that bring ONNX Runtime, each with its version. More than one spoil each other."""
    found = {}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def both_installed() -> str:
    """What is wrong where both packages are installed; empty where they are not."""
    found = installed()
    if len(found) < 2:
        return ""
    told = " and ".join(f"{name} {number}" for name, number in found.items())
    return f"{told} are both installed: they own the same import name, and one has overwritten the other"


def load(device: str = "cpu") -> Any:
    """ONNX Runtime. Raises NotMeasured where it is missing, spoilt, or has no provider for the device."""
    spoilt = both_installed()
    if spoilt:
        raise NotMeasured(
            "onnxruntime-twice",
            spoilt,
            hint="Uninstall both, then install the one that you want: pip uninstall onnxruntime onnxruntime-gpu",
        )
    try:
        import onnxruntime

        module: Any = onnxruntime
        # Errors come as exceptions; what it warns of goes to no place that we own.
        module.set_default_logger_severity(3)
        offered = list(module.get_available_providers())
    except Exception as error:  # noqa: BLE001 - a package half gone, or built for another NumPy, raises anything
        raise NotMeasured(
            "onnxruntime-missing",
            f"ONNX Runtime cannot be imported: {error}",
            hint=f"pip install 'retrieval-gate[{EXTRA[device]}]'",
        ) from None
    if PROVIDERS[device] not in offered:
        raise NotMeasured(
            "provider-missing",
            f"this ONNX Runtime has no {PROVIDERS[device]}, only {', '.join(offered)}",
            where=f"device {device}",
            hint=_how(device),
        )
    if device == "cuda" and hasattr(module, "preload_dlls"):
        # CUDA as packages of Python bring it lies where no loader looks. What cannot be loaded it prints.
        with redirect_stdout(io.StringIO()):
            module.preload_dlls()
    return module


def _how(device: str) -> str:
    """How to come by the provider of a device. The other package has to go first: it would overwrite the new one."""
    other = [name for name in installed() if device == "cuda" and name == "onnxruntime"]
    first = f"pip uninstall {other[0]}, then " if other else ""
    return f"{first}pip install 'retrieval-gate[{EXTRA[device]}]'; `gate doctor` looks at all that it needs."
