"""How fast a seeded corpus is made and stored, and what each document costs the gate in memory.

python tests/bench/bench_corpus.py [SPEC ...]      default: seeded@10k seeded@100k

Prints, for each corpus: documents a second of the generator alone, with its digest, and stored
in the embedded store; and the growth of this process's peak memory while only generating. Beside
the time on the clock stands that of the processor, which tells more on a machine that is shared.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from gate.corpus import load_corpus
from gate.corpus.digest import CorpusDigest
from gate.ingest import Subject, ingest
from gate.models import arm, open_parts
from gate.records import Corpus
from gate.stop import Stop
from gate.stores import find_store


def timed(call: Callable[[], int]) -> tuple[int, str]:
    """What a call counted, and how fast, on the clock and on the processor."""
    began, busy = time.perf_counter(), time.process_time()
    count = call()
    seconds, worked = time.perf_counter() - began, time.process_time() - busy
    return count, (
        f"{seconds:.1f} s, {count / seconds:,.0f} a second (processor: {worked:.1f} s, {count / worked:,.0f} a second)"
    )


def peak_kib() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def generated(corpus: Corpus) -> int:
    return sum(1 for _ in corpus.documents())


def digested(corpus: Corpus) -> int:
    digest = CorpusDigest(corpus)
    for document in corpus.documents():
        digest.add(document)
    return digest.documents


def stored(corpus: Corpus) -> int:
    hashed = arm("cpu-hash")
    stop = Stop()
    with tempfile.TemporaryDirectory() as folder:
        subject = Subject(
            "reference",
            find_store("reference"),
            hashed,
            open_parts(hashed).embedder,
            None,
            600.0,
            stop,
            lambda store: store,
        )
        declared = subject.declare(Path(folder) / "declare")
        guard = subject.open(Path(folder) / "store", declared)
        found = ingest(guard, corpus, stop, lambda _: None)
        guard.close()
    assert not found.failure, found.failure
    return found.documents


def main(specs: list[str]) -> None:
    for spec in specs:
        corpus = load_corpus(spec)
        before = peak_kib()
        count, speed = timed(lambda corpus=corpus: generated(corpus))  # type: ignore[misc]
        grown = 1024 * (peak_kib() - before) / count
        print(f"{spec}: generated {count:,} in {speed}, {grown:.0f} bytes of memory a document")
        _, speed = timed(lambda corpus=corpus: digested(corpus))  # type: ignore[misc]
        print(f"{spec}: with its digest in {speed}")
        if count < 500_000:
            _, speed = timed(lambda corpus=corpus: stored(corpus))  # type: ignore[misc]
            print(f"{spec}: stored with vectors in {speed}")


if __name__ == "__main__":
    main(sys.argv[1:] or ["seeded@10k", "seeded@100k"])
