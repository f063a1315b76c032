"""What an ONNX file says of its weights, read without ONNX Runtime: their types, and the files that hold them.

The format is Protocol Buffers: https://protobuf.dev/programming-guides/encoding/ with the messages of
https://github.com/onnx/onnx/blob/main/onnx/onnx.proto3. Only headers are read, so that a model of
gigabytes takes milliseconds.
"""

from __future__ import annotations

import mmap
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from gate.errors import UsageError

Buffer = mmap.mmap | memoryview

# Of each message the fields that lead to a tensor, by number, and the message that each holds.
_INSIDE: Mapping[str, Mapping[int, str]] = {
    "model": {7: "graph", 25: "function"},
    "graph": {1: "node", 5: "tensor", 15: "sparse"},
    "function": {7: "node"},
    "node": {5: "attribute"},
    "attribute": {5: "tensor", 6: "graph", 10: "tensor", 11: "graph", 22: "sparse", 23: "sparse"},
    "sparse": {1: "tensor", 2: "tensor"},
}
_DIMS, _TYPE, _EXTERNAL = 1, 2, 13  # fields of a tensor
_KEY, _VALUE, _LOCATION = 1, 2, b"location"  # of an entry of its external data
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5  # wire types
# TensorProto.DataType to the precision that it is called by.
PRECISION: Mapping[int, str] = {1: "float32", 10: "float16", 2: "int8", 3: "int8"}


@dataclass(frozen=True, slots=True)
class Weights:
    """`files` are those beside the model that hold weights of it; `numbers[type]` how many there are of each type.

    A type is a number of TensorProto.DataType.
    """

    files: tuple[str, ...]
    numbers: Mapping[int, int]

    @property
    def precision(self) -> str:
        """The precision of most of the weights; empty where it has no name here, or there are none."""
        most = max(self.numbers, key=lambda kind: (self.numbers[kind], -kind), default=0)
        return PRECISION.get(most, "")


def weights_of(path: Path) -> Weights:
    """The weights of an ONNX model. Raises UsageError where the file is none, or is cut off, and OSError."""
    files: set[str] = set()
    numbers: Counter[int] = Counter()
    with path.open("rb") as file:
        try:
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as raw:
                for start, end in _tensors(raw, "model", 0, len(raw)):
                    _tensor(raw, start, end, files, numbers)
        except (ValueError, IndexError, RecursionError, UnicodeDecodeError):
            # An empty file cannot be mapped, which is a ValueError too.
            raise UsageError(
                "model-unreadable",
                "this is no ONNX model, or not the whole of one",
                where=str(path),
                hint="A pointer of Git LFS has to be replaced by the file that it stands for: git lfs pull",
            ) from None
    return Weights(tuple(sorted(files)), dict(numbers))


def _tensors(raw: Buffer, message: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Where each tensor begins and ends."""
    inside = _INSIDE[message]
    for field, wire, begin, stop in _fields(raw, start, end):
        if wire != _BYTES or field not in inside:
            continue
        if inside[field] == "tensor":
            yield begin, stop
        else:
            yield from _tensors(raw, inside[field], begin, stop)


def _tensor(raw: Buffer, start: int, end: int, files: set[str], numbers: Counter[int]) -> None:
    kind, count = 0, 1
    for field, wire, begin, stop in _fields(raw, start, end):
        if field == _TYPE and wire == _VARINT:
            kind = begin
        elif field == _DIMS and wire == _VARINT:
            count *= begin
        elif field == _DIMS and wire == _BYTES:
            while begin < stop:
                size, begin = _varint(raw, begin, stop)
                count *= size
        elif field == _EXTERNAL and wire == _BYTES:
            entry = {at: bytes(raw[first:last]) for at, _, first, last in _fields(raw, begin, stop)}
            if entry.get(_KEY) == _LOCATION:
                files.add(entry[_VALUE].decode("utf-8") if _VALUE in entry else "")
    numbers[kind] += count


def _fields(raw: Buffer, start: int, end: int) -> Iterator[tuple[int, int, int, int]]:
    """Number and wire type of each field; its value for a varint, else where it begins, and where it ends."""
    while start < end:
        tag, start = _varint(raw, start, end)
        field, wire = tag >> 3, tag & 7
        if not field:
            raise ValueError("there is no field 0")
        if wire == _VARINT:
            value, start = _varint(raw, start, end)
            yield field, wire, value, start
            continue
        if wire == _BYTES:
            size, start = _varint(raw, start, end)
        elif wire in (_FIXED64, _FIXED32):
            size = 8 if wire == _FIXED64 else 4
        else:
            raise ValueError(f"there is no wire type {wire}")
        if start + size > end:
            raise ValueError("cut off")
        yield field, wire, start, start + size
        start += size


def _varint(raw: Buffer, start: int, end: int) -> tuple[int, int]:
    """A whole number of seven bits a byte, and where it ends."""
    value = 0
    for shift in range(0, 70, 7):
        if start >= end:
            raise ValueError("cut off")
        byte = raw[start]
        start += 1
        value |= (byte & 0x7F) << shift
        if not byte & 0x80:
            return value, start
    raise ValueError("a number of more than ten bytes")
