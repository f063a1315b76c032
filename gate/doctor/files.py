"""The files of a model: where they stand, and whether they are the right ones."""

from __future__ import annotations

from gate.doctor.look import OK, Examined, Fact, Look, Seen
from gate.figures import count
from gate.models.opened import find_for, identity
from gate.models.place import files_of, place_of

SHOWN = 12  # digits of a hash


def _see(examined: Examined) -> Seen:
    examined.spec, examined.folder = find_for(examined.name, examined.part)
    spec = examined.spec
    examined.files = files_of(spec, examined.folder)
    size = sum(path.stat().st_size for path in examined.files.values())
    hashes = {file.name: file.sha256 for file in spec.files}
    told = ", ".join(f"{name} {digest[:SHOWN]}" for name, digest in hashes.items())
    place = place_of(spec, examined.folder)
    says = f"{spec.name}: {told}; {count(round(size / 1e6), 'megabyte')}, {spec.precision}, place: {place}"
    facts: dict[str, Fact] = {"model": identity(spec), "precision": spec.precision, "place": place, "bytes": size}
    return Seen(OK, says, facts={**facts, **hashes})


LOOK = Look("files", _see, per_model=True)
