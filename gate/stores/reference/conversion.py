"""Traditional Chinese characters to simplified ones, by OpenCC where the extra `opencc` is installed.

Both sides are converted: a document when it is indexed, a question when it is asked. Phrases
decide where a character has several counterparts. Without OpenCC text stays as it is.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import Any

_PACKAGE = "opencc"


def conversion() -> str:
    """What converts here: `opencc 1.4.2`, or `none` where OpenCC is missing or broken."""
    if find_spec(_PACKAGE) is None or (_converter.cache_info().currsize and _converter() is None):
        return "none"
    try:
        return f"{_PACKAGE} {version(_PACKAGE)}"
    except PackageNotFoundError:
        return _PACKAGE


def simplified(run: str) -> str:
    """A run of Han text in simplified characters. Its length may change."""
    converter = _converter()
    return run if converter is None else str(converter.convert(run))


@cache
def _converter() -> Any:
    try:
        return import_module(_PACKAGE).OpenCC("t2s")
    except Exception:  # noqa: BLE001 - a broken installation is an absent one, and `conversion` says so
        return None
