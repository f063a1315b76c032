"""A session with its tokenizer: batches by length, halved where they do not fit, and no result that is no number."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gate.errors import NotMeasured
from gate.models.onnx.placement import Placement, profiled
from gate.models.onnx.session import OutOfMemory, Session
from gate.models.onnx.tokens import Encoded, Ids, Tokens

BATCH = 32  # texts at once
TOKENS_AT_ONCE = 32 * 256  # with the padding: what a batch may hold at most, unless one text alone is longer
WARM_UP = "a short text for the warm-up"

Output = NDArray[np.float32]


class Encoder:
    """Runs encoded texts through a model."""

    def __init__(self, model: Path, tokenizer: Path, device: str, max_length: int, threads: int = 0) -> None:
        """Opens both. Raises NotMeasured, also where the model has no `input_ids`."""
        self.tokens = Tokens(tokenizer, max_length)
        self.session = Session(model, device, threads)
        if "input_ids" not in self.session.inputs:
            raise NotMeasured(
                "model-inputs",
                f"it takes {', '.join(self.session.inputs) or 'nothing'}, and no input_ids",
                where=str(model),
                hint="It has to be a transformer that reads token ids.",
            )

    def output(self, said: str, usual: Sequence[str]) -> str:
        """The output to read: the one that was said, else the first usual one, else the only one.

        Raises NotMeasured.
        """
        if said and said not in self.session.outputs:
            raise NotMeasured(
                "model-outputs",
                f"it has no output '{said}', only {', '.join(self.session.outputs)}",
                where=str(self.session.path),
            )
        found = said or next((name for name in usual if name in self.session.outputs), "")
        if not found and len(self.session.outputs) > 1:
            raise NotMeasured(
                "model-outputs",
                f"it gives {', '.join(self.session.outputs)}, and nobody has said which of them to read",
                where=str(self.session.path),
                hint="gate models pin has --output for it.",
            )
        return found or self.session.outputs[0]

    def placed(self) -> Placement:
        """Where the nodes run, by the profile of one text."""
        feeds = self.tokens.feeds(self.tokens.encode([WARM_UP]))
        return profiled(self.session.path, self.session.device, feeds, self.session.threads)

    def run(self, encoded: Sequence[Encoded], output: str, take: Callable[[Sequence[int], Output, Ids], None]) -> None:
        """Hands `take` each batch: the positions of its texts, the output and the mask. Raises NotMeasured.

        Texts of like length go together, so that little of a batch is padding.
        """
        for batch in batches([len(one) for one in encoded]):
            self._batch([encoded[at] for at in batch], batch, output, take)

    def _batch(
        self,
        texts: Sequence[Encoded],
        where: Sequence[int],
        output: str,
        take: Callable[[Sequence[int], Output, Ids], None],
    ) -> None:
        feeds = self.tokens.feeds(texts)
        try:
            found = self.session.run(feeds, output)
        except OutOfMemory as error:
            if len(texts) == 1:
                raise NotMeasured(
                    "model-memory",
                    f"one text of {len(texts[0])} tokens does not fit into memory: {error}",
                    where=str(self.session.path),
                    hint="Free memory, or give the model a smaller max_length.",
                ) from None
            half = len(texts) // 2
            self._batch(texts[:half], where[:half], output, take)
            self._batch(texts[half:], where[half:], output, take)
            return
        if found.shape[:1] != (len(texts),):
            raise NotMeasured(
                "model-shape",
                f"'{output}' has the shape {found.shape} for {len(texts)} texts",
                where=str(self.session.path),
            )
        if not np.isfinite(found).all():
            raise NotMeasured(
                "model-not-finite", f"'{output}' holds values that are no numbers", where=str(self.session.path)
            )
        take(where, found, feeds["attention_mask"])


def batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Positions, shortest text first, in batches that hold to `BATCH` and `TOKENS_AT_ONCE`."""
    batch: list[int] = []
    for at in sorted(range(len(lengths)), key=lambda at: (lengths[at], at)):
        if batch and (len(batch) == BATCH or (len(batch) + 1) * lengths[at] > TOKENS_AT_ONCE):
            yield batch
            batch = []
        batch.append(at)
    if batch:
        yield batch
