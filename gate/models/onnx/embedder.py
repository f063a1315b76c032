"""An embedder over ONNX Runtime: prefix, tokens, token vectors, pooling, length."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from gate.errors import NotMeasured
from gate.models.onnx.encoder import Encoder, Output
from gate.models.onnx.placement import Placement
from gate.models.onnx.pooling import POOLING, normalised
from gate.models.onnx.tokens import Ids
from gate.models.spec import MODEL, TOKENIZER, ModelSpec
from gate.protocols import Vectors

TOKEN_VECTORS = ("last_hidden_state", "token_embeddings")


class OnnxEmbedder:
    """Texts to vectors of `dimension` float32. `name` identifies the model, its files and its settings.

    Models whose output is a vector a text already, [texts, dimension], are not pooled.
    """

    def __init__(self, name: str, spec: ModelSpec, files: dict[str, Path], device: str, threads: int = 0) -> None:
        """Opens the model. Raises NotMeasured, also where it gives another dimension than `spec` says."""
        self.name, self.spec = name, spec
        self._encoder = Encoder(files[MODEL], files[TOKENIZER], device, spec.max_length, threads)
        self._output = self._encoder.output(spec.output, TOKEN_VECTORS)
        # Called with the texts, token vectors and mask of each batch of documents.
        self.also: Callable[[Sequence[str], Output, Ids], None] | None = None
        self.dimension = spec.dimension  # 0: whatever it is
        self.dimension = self.embed(["dimension"], "document").shape[1]

    def cuts(self, texts: Sequence[str], kind: str) -> list[bool]:
        """Which texts are longer than the model reads, and are cut."""
        return [one.cut for one in self._encoder.tokens.encode(self._prefixed(texts, kind))]

    @property
    def providers(self) -> tuple[str, ...]:
        return self._encoder.session.providers

    def placed(self) -> Placement:
        """Where the nodes of the model run."""
        return self._encoder.placed()

    def embed(self, texts: Sequence[str], kind: str) -> Vectors:
        """One row a text, in order. Raises NotMeasured."""
        encoded = self._encoder.tokens.encode(self._prefixed(texts, kind))
        rows: list[Vectors | None] = [None] * len(encoded)

        def take(where: Sequence[int], found: Output, mask: Ids) -> None:
            if found.ndim not in (2, 3) or (found.ndim == 3 and found.shape[1] != mask.shape[1]):
                raise NotMeasured(
                    "model-shape",
                    f"'{self._output}' has the shape {found.shape}: neither a vector a text nor one a token",
                    where=str(self._encoder.session.path),
                )
            if self.also is not None and kind == "document" and found.ndim == 3:
                self.also([texts[at] for at in where], found, mask)
            pooled = found if found.ndim == 2 else POOLING[self.spec.pooling](found, mask)
            if self.dimension not in (0, pooled.shape[1]):
                raise NotMeasured(
                    "model-dimension",
                    f"its vectors have {pooled.shape[1]} numbers, and {self.dimension} are expected",
                    where=str(self._encoder.session.path),
                    hint=f"Is this {self.spec.name}?",
                )
            made = normalised(pooled) if self.spec.normalise else pooled
            if not made.shape[1] or not np.isfinite(made).all():
                raise NotMeasured(
                    "model-not-finite",
                    "its vectors hold no numbers, or such as are too large to be compared",
                    where=str(self._encoder.session.path),
                )
            for at, row in zip(where, made, strict=True):
                rows[at] = row

        self._encoder.run(encoded, self._output, take)
        if not rows:
            return np.zeros((0, self.dimension), dtype=np.float32)
        return np.stack([row for row in rows if row is not None])

    def _prefixed(self, texts: Sequence[str], kind: str) -> list[str]:
        prefix = self.spec.query_prefix if kind == "query" else self.spec.document_prefix
        return [prefix + text for text in texts]
