"""The text of a first `gate.yml`: what was chosen, and, commented out, what people change first."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_.@:/-]*")
_WORDS = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})
_CHANGED_FIRST = """
# What people change first:
# modes: [keyword, hybrid]         # not all that the store declares
# slices: ["*", "!th"]             # without a language that nobody promised
# fail_open: {faults: []}          # the store has no fallback yet for an embedder that fails
# noisy: true                      # ranks move by themselves, as with an approximate index
# probes: full                     # every invariant that needs no labels, not only the fast ones
"""


def settings_text(store: str, corpora: Sequence[str], budgets: str, *, adopted: bool) -> str:
    """The settings of a store. `corpora` are entries as YAML has them, `budgets` a path from the file's folder.

    Where no run was made yet, `adopted` is false and the budgets are commented out: a file that
    is named has to be there.
    """
    lines = [
        "# What `gate run` measures here, and what it holds that against. docs/settings.md of",
        "# Retrieval Gate has all keys.",
        "schema: 1",
        f"store: {scalar(store)}",
        *_corpora(corpora),
        f"{'' if adopted else '# '}budgets: {scalar(budgets)}",
        "baselines: baselines",
    ]
    return "\n".join(lines) + "\n" + _CHANGED_FIRST


def scalar(text: str) -> str:
    """A text as YAML: bare where every reader takes it for a text, else quoted as JSON, which YAML reads the same."""
    bare = _PLAIN.fullmatch(text) and not text.endswith(":") and text.casefold() not in _WORDS
    return text if bare else json.dumps(text)


def _corpora(entries: Sequence[str]) -> list[str]:
    return [f"corpora: [{', '.join(entries)}]"] if all("{" not in one for one in entries) else [
        "corpora:", *(f"  - {one}" for one in entries)
    ]  # fmt: skip
