"""A look at one thing that an arm needs, and what was seen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gate.models import Arm, Choice
from gate.models.device import Gpu
from gate.models.spec import ModelSpec

OK, NOTED, MISSING, SKIPPED = "ok", "noted", "missing", "not looked at"
STATUSES = (OK, NOTED, MISSING, SKIPPED)

Fact = str | int | float


@dataclass(frozen=True, slots=True)
class Seen:
    """What a look saw. Only `missing` keeps an arm from running; `noted` is worth knowing.

    `hint` says what to do; `facts` are the values by name, as JSON has them.
    """

    status: str
    says: str
    hint: str = ""
    facts: Mapping[str, Fact] = field(default_factory=dict)


@dataclass(slots=True)
class Examined:
    """An arm, or one model of it, while it is looked at. What a look finds out stands here for those after it.

    `part` is `embedder` or `reranker` and `name` its model; both are empty while the machine is looked at.
    """

    arm: Arm
    choice: Choice
    part: str = ""
    name: str = ""
    gpu: Gpu | None = None
    spec: ModelSpec | None = None
    folder: Path | None = None
    files: dict[str, Path] = field(default_factory=dict)
    model: Any = None

    @property
    def device(self) -> str:
        return self.arm.device

    @property
    def told(self) -> Mapping[str, str]:
        """What the driver's tool told of the GPU."""
        return self.gpu.told if self.gpu is not None else {}


Concern = Callable[[Examined], str]


def always(examined: Examined) -> str:  # noqa: ARG001 - as every concern is asked
    """It concerns every arm."""
    return ""


@dataclass(frozen=True, slots=True)
class Look:
    """One look. `see` may raise NotMeasured in place of saying that something is missing.

    `needs` are looks without which this one shows nothing. `concern` says why an arm is none of
    its business; empty where it is. `per_model` looks happen once a model, `long` ones only where
    the arm was asked for.
    """

    name: str
    see: Callable[[Examined], Seen]
    needs: tuple[str, ...] = ()
    concern: Concern = always
    per_model: bool = False
    long: bool = False
