"""Whom a look concerns: each says why not, or nothing."""

from __future__ import annotations

from gate.doctor.look import Examined
from gate.models import HASHED, NONE
from gate.models.named import is_folder, models

ONNX = "onnx"


def on_a_gpu(examined: Examined) -> str:
    """Looks at a GPU and its driver."""
    return "" if examined.device == "cuda" else "the arm runs on the CPU"


def over_onnx(examined: Examined) -> str:
    """Looks at ONNX Runtime: the arm has a model that needs it, or is one."""
    names = [examined.name] if examined.part else [name for _, name in models_of(examined)]
    if any(is_folder(name) or name not in models() or models()[name].runtime == ONNX for name in names):
        return ""
    return "the model runs without ONNX Runtime" if names else "the arm has no model"


def models_of(examined: Examined) -> list[tuple[str, str]]:
    """The models that an arm opens, each as the part that it is and its name."""
    arm, choice = examined.arm, examined.choice
    parts = (("embedder", choice.embedder or arm.embedder), ("reranker", choice.reranker or arm.reranker))
    return [(part, name) for part, name in parts if name not in (HASHED, NONE)]
