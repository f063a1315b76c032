"""The device of an arm as a fingerprint has it, and as NVIDIA's own tool tells it."""

from __future__ import annotations

import csv
import os
import platform
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gate.errors import NotMeasured

TOOL = "nvidia-smi"
SECONDS = 20.0
LONGEST = 4096  # characters of a line that are read
CHOSEN = "CUDA_VISIBLE_DEVICES"  # CUDA's own variable: the GPUs that a process sees, by index or uuid
# What is asked of each GPU, by the names that `nvidia-smi --help-query-gpu` lists.
ASKED: Mapping[str, str] = {
    "index": "index",
    "name": "name",
    "uuid": "uuid",
    "driver": "driver_version",
    "memory": "memory.total",
    "memory used": "memory.used",
    "utilisation": "utilization.gpu",
    "clock": "clocks.sm",
    "highest clock": "clocks.max.sm",
    "compute mode": "compute_mode",
    "persistence": "persistence_mode",
}


@dataclass(frozen=True, slots=True)
class Gpu:
    """One GPU, in the tool's own words: `told` by the keys of `ASKED`."""

    told: Mapping[str, str]

    @property
    def name(self) -> str:
        return self.told.get("name", "")

    @property
    def busy(self) -> bool:
        """Whether something else computes on it now."""
        number = self.told.get("utilisation", "").split()[:1]
        return bool(number) and number[0].isdecimal() and int(number[0]) > 0


def gpus(tool: str = TOOL) -> list[Gpu]:
    """Every GPU that the driver shows. Raises NotMeasured where there is no driver, or it does not answer."""
    path = shutil.which(tool)
    if path is None:
        raise NotMeasured(
            "driver-missing",
            f"there is no {tool} on the path: no driver of NVIDIA is installed, or it is not passed into a container",
            hint="Install the driver; in a container run it with --gpus all.",
        )
    asked = [path, f"--query-gpu={','.join(ASKED.values())}", "--format=csv,noheader"]
    try:
        done = subprocess.run(
            asked, capture_output=True, encoding="utf-8", errors="replace", timeout=SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NotMeasured("driver-silent", f"{tool} does not answer: {error}", where=path) from None
    if done.returncode:
        said = (done.stderr or done.stdout).strip().splitlines()
        raise NotMeasured(
            "driver-failed",
            f"{tool} ended with {done.returncode}: {said[0] if said else 'it said nothing'}",
            where=path,
            hint="The driver and its kernel module have to be of one version, and loaded.",
        )
    return gpus_in(done.stdout.splitlines())


def gpus_in(lines: Sequence[str]) -> list[Gpu]:
    """The GPUs from the tool's answer, one a line. Raises NotMeasured for a line of another kind."""
    found = []
    for row in csv.reader((line[:LONGEST] for line in lines if line.strip()), skipinitialspace=True):
        if len(row) != len(ASKED):
            raise NotMeasured(
                "driver-garbled",
                f"{TOOL} gave {len(row)} values where {len(ASKED)} were asked for: {', '.join(row)[:80]}",
                hint=f"Run it by hand: {TOOL} --query-gpu={','.join(ASKED.values())} --format=csv,noheader",
            )
        found.append(Gpu(dict(zip(ASKED, (value.strip() for value in row), strict=True))))
    return found


def seen_by_cuda(found: Sequence[Gpu]) -> list[Gpu]:
    """The GPUs that CUDA may use, in its order: all, or those that CUDA_VISIBLE_DEVICES names.

    CUDA stops at the first name that nothing answers to. Slices of a GPU (MIG) are not told apart here.
    """
    said = os.environ.get(CHOSEN)
    if said is None or "MIG-" in said:
        return list(found)
    seen: list[Gpu] = []
    for mark in (part.strip() for part in said.split(",")):
        one = next((gpu for gpu in found if mark and _answers(gpu, mark)), None)
        if one is None:
            break
        seen.append(one)
    return seen


def _answers(gpu: Gpu, mark: str) -> bool:
    return gpu.told["index"] == mark or (mark.startswith("GPU-") and gpu.told["uuid"].startswith(mark))


def first_of(found: Sequence[Gpu]) -> Gpu:
    """The GPU that a session runs on: the first that CUDA may use. Raises NotMeasured where there is none."""
    seen = seen_by_cuda(found)
    if seen:
        return seen[0]
    if found:
        what = f"{CHOSEN} is '{os.environ[CHOSEN]}', which names none of the {len(found)} GPUs here"
        raise NotMeasured("device-hidden", what, hint=f"Unset {CHOSEN}, or name a GPU by its index or uuid.")
    raise NotMeasured("device-missing", "the driver shows no GPU", hint="Is one in the machine, and passed on to it?")


def facts_of(device: str) -> dict[str, str]:
    """The device as a fingerprint has it. Raises NotMeasured where a GPU is asked for and none is there."""
    if device == "cpu":
        return {"device": _processor(), "processors": str(os.cpu_count() or 1)}
    first = first_of(gpus())
    return {"device": first.name, "driver": first.told.get("driver", ""), "memory": first.told.get("memory", "")}


def _processor() -> str:
    """The processor's name, as exactly as the system tells it."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            for line in file:
                if line.startswith("model name"):
                    return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()
