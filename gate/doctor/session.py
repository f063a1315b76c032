"""A live session of the model, asked where it runs. A provider that is listed may still not work."""

from __future__ import annotations

from gate.doctor.look import MISSING, OK, Examined, Look, Seen
from gate.errors import NotMeasured
from gate.models import Choice
from gate.models.opened import open_unproven
from gate.models.spec import ModelSpec

HINT = (
    "The provider could not start, and ONNX Runtime went on without it. What it wrote to standard error says why;"
    " often CUDA or cuDNN is of another major version than onnxruntime-gpu wants, or the driver is too old for it."
)


def _see(examined: Examined) -> Seen:
    try:
        examined.model = opened(examined, examined.choice)
    except NotMeasured as error:
        if error.slug == "provider-fell-back":
            return Seen(MISSING, error.what, HINT)
        raise
    live = getattr(examined.model, "providers", ("numpy",))
    return Seen(OK, f"runs on {live[0]}", facts={"provider": live[0], "providers": ", ".join(live)})


def opened(examined: Examined, choice: Choice) -> object:
    """The model of the arm with its threads as `choice` has them, and without a cache of vectors."""
    spec = examined.spec
    assert isinstance(spec, ModelSpec)
    return open_unproven(spec, examined.files, examined.device, choice)


LOOK = Look(
    "session",
    _see,
    needs=("packages", "providers", "libraries", "driver", "device", "compute mode", "files"),
    per_model=True,
)
