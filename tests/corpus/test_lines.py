"""Files of documents are read line by line, and neither a line nor a file may be longer than there is memory for."""

from __future__ import annotations

import gzip
import io
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from gate.corpus.beir import read_beir
from gate.corpus.lines import MOST_IN_LINE, bounded_lines
from gate.corpus.trec import read_trec
from gate.errors import UsageError
from gate.records import Corpus

PATH = Path("docs.jsonl")


def test_lines_within_the_limits_come_as_they_are() -> None:
    text = b"one\n\nthree\r\nlast"
    lines = bounded_lines(io.BytesIO(text), PATH, most_in_line=7, most_in_file=len(text))
    assert list(lines) == [b"one\n", b"\n", b"three\r\n", b"last"]


def test_a_line_that_is_too_long_is_named() -> None:
    with pytest.raises(UsageError, match="this line is longer than") as caught:
        list(bounded_lines(io.BytesIO(b"one\nfour five\n"), PATH, most_in_line=9))
    assert caught.value.where == "docs.jsonl:2"


def test_a_file_that_is_too_long_is_refused_where_it_passes_the_limit() -> None:
    with pytest.raises(UsageError, match="this file holds more than") as caught:
        list(bounded_lines(io.BytesIO(b"one\n" * 9), PATH, most_in_file=12))
    assert caught.value.where == "docs.jsonl:4"


def write_trec(folder: Path, line: bytes) -> None:
    with gzip.open(folder / "docs.jsonl.gz", "wb", compresslevel=1) as file:
        file.write(b'{"id": "d0", "text": "a"}\n' + line)
    (folder / "topics.tsv").write_text("1\twhere\n", encoding="utf-8")
    (folder / "qrels.txt").write_text("1 0 d0 1\n", encoding="utf-8")


def write_beir(folder: Path, line: bytes) -> None:
    (folder / "corpus.jsonl").write_bytes(b'{"_id": "d0", "text": "a"}\n' + line)
    (folder / "queries.jsonl").write_text('{"_id": "1", "text": "where"}\n', encoding="utf-8")
    (folder / "qrels").mkdir()
    (folder / "qrels" / "test.tsv").write_text("1\td0\t1\n", encoding="utf-8")


@pytest.mark.parametrize(
    ("write", "read", "name"),
    [(write_trec, read_trec, "docs.jsonl.gz:2"), (write_beir, read_beir, "corpus.jsonl:2")],
)
def test_readers_refuse_a_line_that_is_too_long(
    tmp_path: Path, write: Callable[[Path, bytes], None], read: Callable[[Path], Corpus], name: str
) -> None:
    write(tmp_path, b" " * (MOST_IN_LINE + 1))
    with pytest.raises(UsageError, match="this line is longer than 16 MiB") as caught:
        read(tmp_path)
    assert caught.value.where == str(tmp_path / name)


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited as on Linux")
def test_a_compressed_line_is_refused_before_it_is_in_memory(tmp_path: Path) -> None:
    with gzip.open(tmp_path / "docs.jsonl.gz", "wb", compresslevel=1) as file:
        for _ in range(64):
            file.write(b"x" * (16 << 20))
    (tmp_path / "topics.tsv").write_text("1\twhere\n", encoding="utf-8")
    (tmp_path / "qrels.txt").write_text("1 0 d0 1\n", encoding="utf-8")
    program = """
import resource, sys
from pathlib import Path
from gate.corpus.trec import read_trec
from gate.errors import UsageError
_, most = resource.getrlimit(resource.RLIMIT_AS)
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, most))
try:
    read_trec(Path(sys.argv[1]))
except UsageError as error:
    print(error.slug)
"""
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.stdout == "line-too-long\n", done.stderr[-2000:]
