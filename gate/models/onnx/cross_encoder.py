"""A reranker that reads the query and a text together: Nogueira and Cho, "Passage Re-ranking with BERT", 2019."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from gate.errors import NotMeasured
from gate.models.onnx.encoder import Encoder, Output
from gate.models.onnx.placement import Placement
from gate.models.onnx.tokens import Ids
from gate.models.spec import MODEL, TOKENIZER, ModelSpec

LOGITS = ("logits", "scores", "score")


class CrossEncoder:
    """One score a text, in order: the model's logit, or of two the second less the first."""

    def __init__(self, name: str, spec: ModelSpec, files: dict[str, Path], device: str, threads: int = 0) -> None:
        """Opens the model. Raises NotMeasured."""
        self.name, self.spec = name, spec
        self._encoder = Encoder(files[MODEL], files[TOKENIZER], device, spec.max_length, threads)
        self._output = self._encoder.output(spec.output, LOGITS)

    @property
    def providers(self) -> tuple[str, ...]:
        return self._encoder.session.providers

    def placed(self) -> Placement:
        """Where the nodes of the model run."""
        return self._encoder.placed()

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """A float a text, higher is better. Raises NotMeasured."""
        encoded = self._encoder.tokens.encode_pairs(query, texts)
        scores = [0.0] * len(encoded)

        def take(where: Sequence[int], found: Output, mask: Ids) -> None:  # noqa: ARG001 - as an encoder hands it over
            logits = found.reshape(len(where), -1)
            if logits.shape[1] not in (1, 2):
                raise NotMeasured(
                    "model-shape",
                    f"it gives {logits.shape[1]} numbers a pair; a cross-encoder gives one, or two classes",
                    where=str(self._encoder.session.path),
                )
            made = logits[:, 0] if logits.shape[1] == 1 else logits[:, 1] - logits[:, 0]
            if not np.isfinite(made).all():
                raise NotMeasured(
                    "model-not-finite",
                    "its scores are too large to be compared",
                    where=str(self._encoder.session.path),
                )
            for at, score in zip(where, made.astype(np.float64), strict=True):
                scores[at] = float(score)

        self._encoder.run(encoded, self._output, take)
        return scores
