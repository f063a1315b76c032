"""A GPU that is not there: a stand-in of nvidia-smi, and of an ONNX Runtime that has CUDA."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from gate.doctor import libraries
from gate.models.device import ASKED
from gate.models.onnx import runtime

CPU, CUDA = runtime.CPU, runtime.CUDA
A100 = {
    "index": "0",
    "name": "NVIDIA A100-SXM4-80GB",
    "uuid": "GPU-1f3a9c52-77d0-4e1b-9b64-0c2d8e5a6f10",
    "driver": "580.95.05",
    "memory": "81920 MiB",
    "memory used": "425 MiB",
    "utilisation": "0 %",
    "clock": "210 MHz",
    "highest clock": "1410 MHz",
    "compute mode": "Default",
    "persistence": "Enabled",
}


def a100(**changed: str) -> str:
    """The line that nvidia-smi prints of an A100, with some values changed; `_` stands for a space in a key."""
    told = A100 | {key.replace("_", " "): value for key, value in changed.items()}
    return ", ".join(told[key] for key in ASKED)


def nvidia_smi(folder: Path, *lines: str, code: int = 0, error: str = "", hangs: bool = False) -> Path:
    """Writes the tool into a folder of its own, which is given back, to be put in front of the path."""
    binaries = folder / "nvidia"
    binaries.mkdir(exist_ok=True)
    (binaries / "said").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    (binaries / "error").write_text(error, encoding="utf-8")
    does = "exec sleep 60" if hangs else f"cat '{binaries}/said'; cat '{binaries}/error' >&2; exit {code}"
    tool = binaries / "nvidia-smi"
    tool.write_text(f"#!/bin/sh\n{does}\n", encoding="utf-8")
    tool.chmod(0o755)
    return binaries


def on_path(binaries: Path) -> str:
    """The path with the tool in front."""
    return f"{binaries}{os.pathsep}{os.environ['PATH']}"


class FakeSession:
    """A session on the CPU that says what it is told to say of where it runs."""

    def __init__(self, real: Any, live: Sequence[str], left: frozenset[str]) -> None:
        self._real, self._live, self._left = real, live, left
        self.get_inputs, self.get_outputs, self.run = real.get_inputs, real.get_outputs, real.run

    def get_providers(self) -> list[str]:
        return list(self._live)

    def end_profiling(self) -> str:
        path = Path(self._real.end_profiling())
        events = json.loads(path.read_text(encoding="utf-8"))
        for event in events:
            told = event.get("args", {})
            if told.get("provider") and told.get("op_name") not in self._left:
                told["provider"] = CUDA
        path.write_text(json.dumps(events), encoding="utf-8")
        return str(path)


def cuda_runtime(
    patch: pytest.MonkeyPatch,
    *,
    offered: Sequence[str] = (CUDA, CPU),
    live: Sequence[str] = (CUDA, CPU),
    left: frozenset[str] = frozenset(),
    home: Path | None = None,
) -> None:
    """Puts an ONNX Runtime with CUDA in the place of ours.

    `offered` is its list of providers, `live` what a session says it runs on, `left` the
    operators that its profile shows on the CPU, `home` the folder of the package.
    """
    real: Any = pytest.importorskip("onnxruntime", reason="ONNX Runtime is not installed: pip install -e '.[dev]'")

    def session(path: str, options: Any, providers: Sequence[str]) -> FakeSession:
        assert list(providers) == [CUDA]
        return FakeSession(real.InferenceSession(path, options, providers=[CPU]), live, left)

    fake = SimpleNamespace(
        __version__="1.31.1",
        __file__=str(home / "__init__.py") if home is not None else None,
        SessionOptions=real.SessionOptions,
        InferenceSession=session,
        set_default_logger_severity=real.set_default_logger_severity,
        get_available_providers=lambda: list(offered),
        preload_dlls=lambda: print("Failed to load libcublasLt.so.13"),
    )
    patch.setitem(sys.modules, "onnxruntime", fake)
    patch.setattr(runtime, "installed", lambda: {"onnxruntime-gpu": "1.31.1"})
    patch.setattr(libraries, "_not_found", lambda name: "")
