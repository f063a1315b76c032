"""Whether the model gives what it gave when it was pinned: another pooling, prefix or tokenizer shows at once."""

from __future__ import annotations

from gate.doctor.look import OK, SKIPPED, Examined, Look, Seen
from gate.models.golden import check
from gate.models.opened import golden_of
from gate.models.spec import ModelSpec


def _see(examined: Examined) -> Seen:
    spec = examined.spec
    assert isinstance(spec, ModelSpec)
    pinned = golden_of(spec, examined.folder)
    if not pinned:
        return Seen(SKIPPED, "what it should give was never pinned")
    apart = check(examined.model, spec, pinned)
    return Seen(OK, f"{len(pinned)} values, at most {apart:.1e} apart", facts={"values": len(pinned), "apart": apart})


LOOK = Look("golden values", _see, needs=("session",), per_model=True)
