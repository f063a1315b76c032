"""What came of a shard: the code of its `shard.json`, as that of a whole run is the code of its verdict file."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from gate.errors import NotMeasured
from gate.exit_codes import ExitCode
from gate.github.outcome import OWN_CODES, Outcome
from gate.shards.record import FILE, read_record

# A shard judges nothing, so a regression is none of its codes.
_CODES = (ExitCode.PASS, ExitCode.NOT_MEASURED, ExitCode.INTERRUPTED)


def outcome_of_shard(results: str, ended: int, said: Sequence[str], *, stale: bool = False) -> Outcome:
    """The outcome of a run of one shard, by the rules of `outcome_of`: no shard is green but for its file and process.

    `stale` says that a file that stood there before the run could not be removed: it tells nothing.
    """
    without = ended if ended in OWN_CODES else ExitCode.NOT_MEASURED
    folder = Path(results)
    if stale or not os.path.isfile(folder / FILE):
        return Outcome(without, results, None, tuple(said) or (f"the run ended with {ended} and left no {FILE}",))
    try:
        if (folder / FILE).is_symlink():
            raise NotMeasured("shard-linked", f"{FILE} is a link", where=results)
        shard, _ = read_record(folder)
    except NotMeasured as error:
        return Outcome(without, results, None, (str(error), *said))
    part, notes = str(shard.part), (*shard.unmeasured, *shard.notes)
    if shard.exit_code not in _CODES:
        return Outcome(without, results, None, (f"{shard.exit_code} is no exit code of a shard", *said), part)
    if shard.exit_code == ExitCode.PASS != ended:
        return Outcome(without, results, None, (f"it was measured, but the run ended with {ended}", *said), part)
    return Outcome(shard.exit_code, results, None, notes, part)
