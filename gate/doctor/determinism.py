"""The same texts again: at once, with one thread, with several, and each alone in its batch."""

from __future__ import annotations

from dataclasses import replace

from gate.doctor.look import NOTED, OK, Examined, Fact, Look, Seen
from gate.doctor.session import opened
from gate.models.jitter import given
from gate.models.spec import ModelSpec
from gate.workers import processors

SEVERAL = 4  # threads at least: a machine with fewer processors takes turns


def _see(examined: Examined) -> Seen:
    spec, choice = examined.spec, examined.choice
    assert isinstance(spec, ModelSpec)
    first = given(examined.model, spec.kind)
    ways = {
        "again": given(examined.model, spec.kind),
        "each alone": given(examined.model, spec.kind, alone=True),
    }
    if spec.runtime == "onnx":
        several = max(SEVERAL, processors())
        for way, threads in (("with one thread", 1), (f"with {several} threads", several)):
            ways[way] = given(opened(examined, replace(choice, threads=threads)), spec.kind)
    moved = {way: first.apart(other) for way, other in ways.items() if not first.same(other)}
    width = max(moved.values(), default=0.0)
    facts: dict[str, Fact] = {**{way: moved.get(way, 0.0) for way in ways}, "tie width": width}
    if not moved:
        return Seen(OK, f"identical {', '.join(ways)}", facts=facts)
    told = ", ".join(f"{size:.1e} {way}" for way, size in moved.items())
    same = [way for way in ways if way not in moved]
    says = f"scores move by {told}" + (f"; identical {', '.join(same)}" if same else "")
    return Seen(NOTED, says, f"Scores closer than {width:.1e} are ties.", facts)


LOOK = Look("determinism", _see, needs=("session",), per_model=True, long=True)
