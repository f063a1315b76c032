"""Texts to token ids, each with whether it was too long."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gate.errors import NotMeasured, one_line

Ids = NDArray[np.int64]

HINT = "It has to be a tokenizer.json of the library tokenizers, whole, and the one of this model."


@dataclass(frozen=True, slots=True)
class Encoded:
    """One text or pair: token ids, the segment of each (0 or 1), and whether tokens were cut off."""

    ids: tuple[int, ...]
    segments: tuple[int, ...]
    cut: bool

    def __len__(self) -> int:
        return len(self.ids)


class Tokens:
    """A tokenizer of the library `tokenizers`. Its own padding and truncation are replaced by ours."""

    def __init__(self, path: Path, max_length: int) -> None:
        """Opens a `tokenizer.json`. Raises NotMeasured."""
        self.path, self.max_length = path, max_length
        try:
            from tokenizers import Tokenizer
        except Exception as error:  # noqa: BLE001 - a package half gone or of another system raises anything
            raise NotMeasured(
                "tokenizers-missing",
                f"the library tokenizers cannot be imported: {error}",
                hint="pip install 'retrieval-gate[onnx]', or [gpu].",
            ) from None
        with self._refused("tokenizer-unreadable", "the tokenizer cannot be opened", HINT):
            self._tokenizer: Any = Tokenizer.from_file(str(path))
            self._tokenizer.no_padding()
            self._tokenizer.enable_truncation(max_length)
        padding = next((self._tokenizer.token_to_id(mark) for mark in ("[PAD]", "<pad>")), None)
        self.padding = 0 if padding is None else int(padding)

    @property
    def vocabulary(self) -> int:
        """The number of tokens it knows."""
        return int(self._tokenizer.get_vocab_size())

    def encode(self, texts: Sequence[str]) -> list[Encoded]:
        """Each text, in order."""
        return self._encoded([(_writable(text),) for text in texts])

    def encode_pairs(self, query: str, texts: Sequence[str]) -> list[Encoded]:
        """The query with each text, in order. The longer of the two is cut first."""
        return self._encoded([(_writable(query), _writable(text)) for text in texts])

    def _encoded(self, given: Sequence[tuple[str, ...]]) -> list[Encoded]:
        # One by one: the threads of a batch would not survive a fork.
        with self._refused("tokenizer-failed", "the tokenizer failed on a text", HINT):
            made = [self._tokenizer.encode(*one) for one in given]
        return [Encoded(tuple(one.ids), tuple(one.type_ids), bool(one.overflowing)) for one in made]

    @contextmanager
    def _refused(self, slug: str, what: str, hint: str) -> Iterator[None]:
        """What the library raises, as NotMeasured. A panic in it, as of a pattern without end, is no Exception."""
        try:
            yield
        except BaseException as error:
            if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
                raise
            said = one_line(str(error).strip()) or type(error).__name__
            raise NotMeasured(slug, f"{what}: {said}", where=str(self.path), hint=hint) from None

    def feeds(self, batch: Sequence[Encoded]) -> dict[str, Ids]:
        """The inputs that models of this kind take, padded to the longest: [texts, tokens] each."""
        longest = max(1, *(len(one) for one in batch))
        ids = np.full((len(batch), longest), self.padding, dtype=np.int64)
        mask, segments = np.zeros_like(ids), np.zeros_like(ids)
        for row, one in enumerate(batch):
            ids[row, : len(one)] = one.ids
            # A text without any token still is one: of nothing there is no mean.
            mask[row, : max(1, len(one))] = 1
            segments[row, : len(one)] = one.segments
        positions = np.broadcast_to(np.arange(longest, dtype=np.int64), ids.shape)
        return {"input_ids": ids, "attention_mask": mask, "token_type_ids": segments, "position_ids": positions}


def _writable(text: str) -> str:
    """Without lone surrogates, which no UTF-8 has."""
    return text.encode("utf-8", "replace").decode("utf-8")
