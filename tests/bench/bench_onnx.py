"""Texts a second of the int8 MiniLM: ours beside the plainest correct loop over ONNX Runtime, by turns in one run.

    python tests/bench/bench_onnx.py [--rounds 5] [--texts 512]

The loop encodes 32 texts in the order they come, pads them to the longest, runs them and takes the
mean over the mask. Both give the same vectors, which is checked before anything is timed.
"""

from __future__ import annotations

import argparse
import statistics
from itertools import islice

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

from gate.corpus import load_corpus
from gate.models.named import named
from gate.models.onnx.embedder import OnnxEmbedder
from gate.models.onnx.runtime import CPU
from gate.models.opened import identity
from gate.models.place import files_of
from gate.stopwatch import now

BATCH = 32


class PlainLoop:
    """What anybody would write first, and be right."""

    def __init__(self) -> None:
        spec = named("minilm-int8")
        files = files_of(spec)
        self.session = onnxruntime.InferenceSession(str(files["model.onnx"]), providers=[CPU])
        self.tokenizer = Tokenizer.from_file(str(files["tokenizer.json"]))
        self.tokenizer.enable_truncation(spec.max_length)
        self.tokenizer.enable_padding()

    def embed(self, texts: list[str]) -> np.ndarray:
        rows = []
        for start in range(0, len(texts), BATCH):
            encoded = self.tokenizer.encode_batch(texts[start : start + BATCH])
            ids = np.array([one.ids for one in encoded])
            mask = np.array([one.attention_mask for one in encoded])
            feeds = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
            tokens = self.session.run(None, feeds)[0]
            mean = (tokens * mask[:, :, None]).sum(axis=1) / mask.sum(axis=1)[:, None]
            rows.append(mean / np.linalg.norm(mean, axis=1, keepdims=True))
        return np.concatenate(rows)


def main() -> None:
    """Prints texts a second of both, round by round, and their medians."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--texts", type=int, default=512)
    asked = parser.parse_args()
    texts = [document.text for document in islice(load_corpus("seeded@smoke").documents(), asked.texts)]
    spec = named("minilm-int8")
    ours, plain = OnnxEmbedder(identity(spec), spec, files_of(spec), "cpu"), PlainLoop()
    apart = np.abs(ours.embed(texts, "document") - plain.embed(texts)).max()
    assert apart < 1e-5, apart
    print(f"{len(texts)} documents of seeded@smoke; the vectors differ by {apart:.1e} at most")
    speeds: dict[str, list[float]] = {"ours": [], "plain loop": []}
    for number in range(asked.rounds):
        by_turns = [("ours", lambda: ours.embed(texts, "document")), ("plain loop", lambda: plain.embed(texts))]
        for name, embed in by_turns if number % 2 else reversed(by_turns):
            began = now()
            embed()
            speeds[name].append(len(texts) / (now() - began))
    for name, found in speeds.items():
        print(f"{name:10} {statistics.median(found):6.0f} texts/s  ({', '.join(f'{one:.0f}' for one in found)})")


if __name__ == "__main__":
    main()
