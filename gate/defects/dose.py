"""How much of a store a defect touches."""

from __future__ import annotations

import zlib


def touched(key: str, dose: float) -> bool:
    """Whether a defect of a dose in (0, 1] touches a document id, a query or a text.

    The same ones at every run, nested by dose: the CRC-32 of the key stands for a fair draw.
    """
    return zlib.crc32(key.encode("utf-8", "surrogatepass")) < dose * 2**32
