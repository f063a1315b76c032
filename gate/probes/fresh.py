"""The shelf stored and asked in this process, which `gate.probes.elsewhere` starts: `python -m gate.probes.fresh`."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path

from gate.probes.by_hand import ids, opened
from gate.probes.documents import SHELF


def main(asked: Mapping[str, object]) -> None:
    """Stores the shelf, asks everything in every mode, and writes what came to the file that is asked for."""
    path = Path(str(asked["store"]))
    path.mkdir()
    store = opened(str(asked["spec"]), path, arm=str(asked["arm"]), plant=str(asked["plant"]))
    store.add(SHELF.documents)
    queries, depth = asked["queries"], asked["depth"]
    assert isinstance(queries, list)
    assert isinstance(depth, int)
    found: dict[str, dict[str, list[str]]] = {}
    for mode in sorted(store.modes):
        try:
            found[mode] = {query: ids(store.search(query, depth, mode)) for query in queries}
        except Exception as error:  # noqa: BLE001 - a mode that raises here raised there too
            print(f"mode {mode}: {type(error).__name__}: {error}", file=sys.stderr)
    store.close()
    Path(str(asked["answer"])).write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
    # Whatever a store left behind keeps no process alive.
    sys.stdout.flush()
    os._exit(0)
