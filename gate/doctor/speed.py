"""How fast the model is on this machine at this moment. No bar is set by it, and no other machine has it."""

from __future__ import annotations

from gate.doctor.look import OK, Examined, Look, Seen
from gate.models.jitter import DOCUMENTS, QUERIES
from gate.models.spec import EMBEDDER, ModelSpec
from gate.stopwatch import now

BATCH = 32
SECONDS = 1.0  # at least this long, after a batch that does not count


def _see(examined: Examined) -> Seen:
    spec, model = examined.spec, examined.model
    assert isinstance(spec, ModelSpec)
    texts = [DOCUMENTS[at % len(DOCUMENTS)] for at in range(BATCH)]
    embeds = spec.kind == EMBEDDER

    def batch(number: int) -> None:
        # No text twice: a model that keeps what it made would be timed at remembering.
        fresh = [f"{number}.{at} {text}" for at, text in enumerate(texts)]
        if embeds:
            model.embed(fresh, "document")
        else:
            model.score(QUERIES[0], fresh)

    batch(0)
    done, began, taken = 0, now(), 0.0
    while not done or taken < SECONDS:
        done += 1
        batch(done)
        taken = now() - began
    rate, what = done * BATCH / taken, "texts" if embeds else "pairs"
    says = f"about {rate:.3g} {what} a second in batches of {BATCH}, on this machine now"
    return Seen(OK, says, facts={f"{what} a second": round(rate, 1), "batch": BATCH})


LOOK = Look("speed", _see, needs=("session",), per_model=True, long=True)
