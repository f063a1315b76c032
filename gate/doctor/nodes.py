"""Where the nodes of the model ran, by ONNX Runtime's own profile of a warm-up."""

from __future__ import annotations

from gate.doctor.concerns import over_onnx
from gate.doctor.look import MISSING, OK, Examined, Fact, Look, Seen
from gate.errors import NotMeasured
from gate.models.onnx.placement import refuse_elsewhere
from gate.models.onnx.runtime import PROVIDERS


def _see(examined: Examined) -> Seen:
    wanted = PROVIDERS[examined.device]
    placement = examined.model.placed()
    total, here, away = sum(placement.nodes.values()), placement.nodes.get(wanted, 0), placement.away_from(wanted)
    says = f"{here} of {total} on {wanted} ({100 * placement.share(wanted):.1f}%)"
    facts: dict[str, Fact] = {"nodes": total, "nodes there": here, "share": round(placement.share(wanted), 4)}
    facts |= {f"heavy on {name}": number for name, number in sorted(placement.heavy.items())}
    try:
        refuse_elsewhere(placement, examined.device, examined.name)
    except NotMeasured as error:
        return Seen(MISSING, f"{says}; {error.what}", error.hint, facts)
    return Seen(OK, f"{says}; none of the {away} elsewhere takes time" if away else says, facts=facts)


LOOK = Look("nodes", _see, needs=("session",), concern=over_onnx, per_model=True)
