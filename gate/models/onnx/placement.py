"""Where the nodes of a model really ran, read from ONNX Runtime's own profile of a warm-up.

A session with the right provider may still leave nodes to the CPU. Small ones that work out
shapes belong there; one that multiplies matrices does not, and a run with such is refused.
"""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gate.errors import NotMeasured
from gate.models.onnx.runtime import PROVIDERS, load
from gate.models.onnx.session import Array

# The operators that take a transformer's time. What is left are shapes, gathers and casts.
HEAVY = frozenset(
    {
        "Attention",
        "BiasGelu",
        "Conv",
        "ConvInteger",
        "DynamicQuantizeMatMul",
        "Einsum",
        "EmbedLayerNormalization",
        "FastGelu",
        "FusedConv",
        "FusedGemm",
        "FusedMatMul",
        "Gelu",
        "Gemm",
        "GroupQueryAttention",
        "LayerNormalization",
        "MatMul",
        "MatMulInteger",
        "MatMulIntegerToFloat",
        "MatMulNBits",
        "MultiHeadAttention",
        "PackedAttention",
        "PackedMultiHeadAttention",
        "QAttention",
        "QGemm",
        "QLinearConv",
        "QLinearMatMul",
        "QuickGelu",
        "RotaryEmbedding",
        "SimplifiedLayerNormalization",
        "SkipLayerNormalization",
        "SkipSimplifiedLayerNormalization",
        "Softmax",
    }
)


@dataclass(frozen=True, slots=True)
class Placement:
    """`nodes[provider]` are the nodes that ran there, `heavy[provider]` those that take a transformer's time.

    Nodes are counted once, however often they ran.
    """

    nodes: Mapping[str, int]
    heavy: Mapping[str, int]

    def away_from(self, provider: str) -> int:
        """How many nodes ran anywhere else."""
        return sum(count for name, count in self.nodes.items() if name != provider)

    def share(self, provider: str) -> float:
        """The share of nodes that ran there, from 0 to 1; 0 where nothing ran."""
        total = sum(self.nodes.values())
        return self.nodes.get(provider, 0) / total if total else 0.0


def profiled(path: Path, device: str, feeds: Mapping[str, Array], threads: int = 0) -> Placement:
    """Opens the model once more, with a profile, and runs it once. Raises NotMeasured."""
    ort = load(device)
    with tempfile.TemporaryDirectory(prefix="gate-profile-") as folder:
        options = ort.SessionOptions()
        options.enable_profiling = True
        options.profile_file_prefix = str(Path(folder) / "profile")
        if threads:
            options.intra_op_num_threads = threads
        try:
            session = ort.InferenceSession(str(path), options, providers=[PROVIDERS[device]])
            known = {one.name for one in session.get_inputs()}
            session.run(None, {name: value for name, value in feeds.items() if name in known})
            events = json.loads(Path(session.end_profiling()).read_text(encoding="utf-8"))
        except Exception as error:  # noqa: BLE001 - its own types are no part of what the library promises
            raise NotMeasured(
                "profile-failed",
                f"its profile could not be made: {(str(error).strip() or type(error).__name__).splitlines()[0]}",
                where=str(path),
            ) from None
    return placement_of(events)


def placement_of(events: Any) -> Placement:
    """The placement from the events of a profile, a list as ONNX Runtime writes it."""
    ran = {}
    for event in events:
        told = event.get("args", {}) if isinstance(event, dict) else {}
        if isinstance(told, dict) and told.get("provider") and event.get("cat") == "Node":
            ran[event.get("name", ""), told["provider"]] = told.get("op_name", "")
    nodes = Counter(provider for _, provider in ran)
    heavy = Counter(provider for (_, provider), operator in ran.items() if operator in HEAVY)
    return Placement(dict(nodes), dict(heavy))


def refuse_elsewhere(placement: Placement, device: str, where: str) -> None:
    """Raises NotMeasured where a node that counts ran on another provider than the device's, or where none ran."""
    wanted = PROVIDERS[device]
    away = {name: count for name, count in placement.heavy.items() if name != wanted}
    if away:
        told = ", ".join(f"{count} on {name}" for name, count in sorted(away.items()))
        raise NotMeasured(
            "nodes-elsewhere",
            f"nodes that take the time of a model did not run on {wanted}: {told}",
            where=where,
            hint="A model of int8 weights often has no kernels on a GPU: take one in float32 or float16.",
        )
    if not placement.nodes.get(wanted):
        raise NotMeasured("nodes-elsewhere", f"no node ran on {wanted}", where=where)
