"""What a run is on: arms, each a device, an embedder and perhaps a reranker. Adding one is a line in `ARMS`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gate.errors import UsageError

if TYPE_CHECKING:
    from gate.models.opened import OpenedModel
    from gate.protocols import Embedder, Reranker

HASHED = "hashed"
NONE = "none"  # no model in that place


@dataclass(frozen=True, slots=True)
class Arm:
    """`name` stands in cells; `device` is `cpu` or `cuda`; `says` is the sentence that lists of arms show.

    `embedder` and `reranker` are the models it has unless settings choose others: names of
    `corpora/models.yml`, `hashed` or `none`.
    """

    name: str
    device: str
    embedder: str
    reranker: str
    says: str


@dataclass(frozen=True, slots=True)
class Choice:
    """What settings say of an arm. Empty is as the arm has it; `threads` 0 is what the runtime chooses.

    With `live`, the vectors of queries are made for each search, as in production, and can be timed.
    """

    embedder: str = ""
    reranker: str = ""
    threads: int = 0
    live: bool = False


@dataclass(frozen=True, slots=True)
class Parts:
    """The opened models of an arm, and its fingerprint: `facts["device"]`, of a part `facts["embedder.model"]`.

    `looked_up` says that vectors of queries may come from a cache, so that no search is worth timing.
    """

    embedder: Embedder | None
    reranker: Reranker | None
    facts: Mapping[str, str] = field(default_factory=dict)
    looked_up: bool = False


ARMS: Mapping[str, Arm] = {
    "cpu-hash": Arm(
        name="cpu-hash",
        device="cpu",
        embedder=HASHED,
        reranker=NONE,
        says="feature hashing of words and character trigrams: no model, the same numbers on every machine",
    ),
    "cpu-onnx": Arm(
        name="cpu-onnx",
        device="cpu",
        embedder="minilm-int8",
        reranker="minilm-int8-maxsim",
        says="an English model and a reranker over its token vectors, by ONNX Runtime",
    ),
    "cpu-multilingual": Arm(
        name="cpu-multilingual",
        device="cpu",
        embedder="use-multilingual",
        reranker=NONE,
        says="a model of 16 languages, with Chinese, Japanese and Korean, in NumPy",
    ),
    "cuda-onnx": Arm(
        name="cuda-onnx",
        device="cuda",
        embedder="minilm-l3",
        reranker=NONE,
        says="a model on a GPU, by ONNX Runtime; refused wherever it would fall back to the CPU",
    ),
}


def arm(name: str) -> Arm:
    """The arm of that name. Raises UsageError, with the nearest known one."""
    try:
        return ARMS[name]
    except KeyError:
        from gate.files import nearest

        raise UsageError("arm-unknown", f"there is no arm '{name}'", hint=nearest(name, ARMS)) from None


def open_parts(on: Arm, choice: Choice = Choice()) -> Parts:
    """The models of an arm, opened. Raises UsageError for one nobody knows, NotMeasured for one that is not there.

    A model runs on the device of the arm or not at all.
    """
    parts: dict[str, Embedder | Reranker | None] = {}
    facts: dict[str, str] = {}
    opened: dict[str, OpenedModel] = {}
    for part, name in (("embedder", choice.embedder or on.embedder), ("reranker", choice.reranker or on.reranker)):
        if name == NONE:
            parts[part] = None
        elif name == HASHED:
            parts[part] = _hashed(part)
        else:
            from gate.models.opened import open_model

            opened[part] = open_model(name, part, on.device, choice)
            parts[part] = opened[part].model
            facts.update({f"{part}.{key}": value for key, value in opened[part].facts.items()})
    if len(opened) > 1:
        from gate.models.opened import share

        share(opened["embedder"], opened["reranker"])
    from gate.models.device import facts_of

    facts.update(facts_of(on.device))
    return Parts(parts["embedder"], parts["reranker"], facts, any(one.looked_up for one in opened.values()))  # type: ignore[arg-type]


def _hashed(part: str) -> Embedder:
    from gate.models.hashed import HashedEmbedder

    if part != "embedder":
        raise UsageError("model-kind", f"'{HASHED}' is an embedder, and stands where a reranker should")
    return HashedEmbedder()
