"""A reranker that compares token by token: Khattab and Zaharia, "ColBERT", SIGIR 2020 (MaxSim)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from gate.errors import NotMeasured
from gate.models.onnx.embedder import TOKEN_VECTORS
from gate.models.onnx.encoder import Encoder, Output
from gate.models.onnx.placement import Placement
from gate.models.onnx.pooling import normalised
from gate.models.onnx.tokens import Ids
from gate.models.spec import MODEL, TOKENIZER, ModelSpec

Matrix = NDArray[np.int8]
WIDEST = 127  # of a coordinate: 384 products of two such are whole numbers that float32 holds exactly


class Kept(Protocol):
    """Where the token vectors of texts are kept between searches."""

    def get(self, texts: Sequence[str]) -> dict[str, Matrix]: ...

    def put(self, made: dict[str, Matrix]) -> None: ...


class LateInteraction:
    """The mean, over the tokens of the query, of the best cosine with a token of the text.

    Token vectors of texts are made once and kept by `kept`, as an index of late interaction would
    keep them; those of queries too, unless they are to be `live`. Coordinates are rounded to whole numbers
    up to 127, so that a dot product is the same in any order of summation. The marks that the
    tokenizer puts around a text count as tokens, on both sides.
    """

    def __init__(
        self,
        name: str,
        spec: ModelSpec,
        files: dict[str, Path],
        device: str,
        threads: int = 0,
        kept: Kept | None = None,
        *,
        live: bool = False,
    ) -> None:
        """Opens the model. Raises NotMeasured, also where it gives another dimension than `spec` says."""
        self.name, self.spec, self._kept, self._live = name, spec, kept, live
        self._encoder = Encoder(files[MODEL], files[TOKENIZER], device, spec.max_length, threads)
        self._output = self._encoder.output(spec.output, TOKEN_VECTORS)
        self.dimension = self._vectors(["dimension"])[0].shape[1]
        if spec.dimension and self.dimension != spec.dimension:
            raise NotMeasured(
                "model-dimension",
                f"its vectors have {self.dimension} numbers, and {spec.dimension} are expected",
                where=str(files[MODEL]),
                hint=f"Is this {spec.name}?",
            )

    def keep(self, kept: Kept) -> None:
        """From here on token vectors are looked up in `kept`, and put there."""
        self._kept = kept

    @property
    def providers(self) -> tuple[str, ...]:
        return self._encoder.session.providers

    def placed(self) -> Placement:
        """Where the nodes of the model run."""
        return self._encoder.placed()

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """A float a text, from -1 to 1, higher is better. Raises NotMeasured."""
        if not texts:
            return []
        distinct = list(dict.fromkeys(texts))
        known = self._kept.get(distinct) if self._kept is not None else {}
        missing = [text for text in distinct if text not in known]
        if missing:
            made = dict(zip(missing, self._vectors(missing), strict=True))
            if self._kept is not None:
                self._kept.put(made)
            known = {**known, **made}
        asked = self._asked(query)
        found = dict(zip(distinct, maxsim(asked, [known[text] for text in distinct]), strict=True))
        return [found[text] for text in texts]

    def index(self, texts: Sequence[str], vectors: Output, mask: Ids) -> None:
        """Keeps the token vectors, [texts, tokens, dimension], of documents that are stored just now.

        So they are there when a search wants them, as in an index of late interaction.
        """
        if self._kept is not None:
            self._kept.put(dict(zip(texts, whole(vectors, mask), strict=True)))

    def _asked(self, query: str) -> Matrix:
        """The token vectors of a query: looked up where `live` does not forbid it."""
        if self._kept is None or self._live:
            return self._vectors([query])[0]
        known = self._kept.get([query])
        if query not in known:
            known = {query: self._vectors([query])[0]}
            self._kept.put(known)
        return known[query]

    def _vectors(self, texts: Sequence[str]) -> list[Matrix]:
        encoded = self._encoder.tokens.encode(texts)
        rows: list[Matrix | None] = [None] * len(encoded)

        def take(where: Sequence[int], found: Output, mask: Ids) -> None:
            if found.ndim != 3 or found.shape[1] != mask.shape[1]:
                raise NotMeasured(
                    "model-shape",
                    f"'{self._output}' has the shape {found.shape}: there is no vector of each token",
                    where=str(self._encoder.session.path),
                )
            for at, made in zip(where, whole(found, mask), strict=True):
                rows[at] = made

        self._encoder.run(encoded, self._output, take)
        return [row for row in rows if row is not None]


def whole(vectors: Output, mask: Ids) -> list[Matrix]:
    """The token vectors of each text, without the padding, as directions in whole numbers."""
    made = np.rint(normalised(vectors) * WIDEST).astype(np.int8)
    return [made[row, : int(tokens)].copy() for row, tokens in enumerate(mask.sum(axis=1))]


def maxsim(query: Matrix, texts: Sequence[Matrix]) -> list[float]:
    """The mean over the query's tokens of the best product with a token of each text, from about -1 to 1.

    `query` is [tokens, dimension], as is each text. Raises ValueError for one without tokens.
    """
    starts = np.cumsum([0, *(len(text) for text in texts)])
    if len(query) == 0 or (np.diff(starts) == 0).any():
        raise ValueError("a text without tokens has no MaxSim")
    together = np.concatenate(texts).astype(np.float32)
    # Not `@`, whose threads wait for one another on a busy machine: 0.5 ms became 8 with two cores in use.
    products = np.einsum("td,qd->qt", together, query.astype(np.float32))
    best = np.maximum.reduceat(products, starts[:-1], axis=1)
    return [float(score) / WIDEST**2 for score in best.astype(np.float64).mean(axis=0)]
