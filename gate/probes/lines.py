"""The lines of Python that show a finding: with them anybody sees it again, without the gate's own machinery."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

_MODULE = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
_BY_HAND = re.compile(r"\b(counted|folder|ids|opened|raised|scores|timed)\(")
_DEFAULT_ARM = "cpu-hash"


@dataclass(frozen=True, slots=True)
class Factory:
    """How a store is opened by hand: the spec of its driver, the arm, and the defect planted in it, if any."""

    spec: str
    arm: str
    planted: str = ""

    @property
    def imported(self) -> str:
        """The import of the factory; empty where it has a name that the gate knows."""
        module, _, attribute = self.spec.partition(":")
        if not self._is_path():
            return ""
        return f"from {module} import {attribute.partition('.')[0]}"

    def opened(self, more: str = "") -> str:
        """The call that opens the store in a new folder."""
        what = self.spec.partition(":")[2] if self._is_path() else repr(self.spec)
        arm = f", arm={self.arm!r}" if self.arm != _DEFAULT_ARM else ""
        plant = f", plant={self.planted!r}" if self.planted else ""
        return f"opened({what}{more}{arm}{plant})"

    def _is_path(self) -> bool:
        module, colon, attribute = self.spec.partition(":")
        return bool(colon and _MODULE.fullmatch(module) and _MODULE.fullmatch(attribute))


def lines_of(factory: Factory, steps: Iterable[str], names: Iterable[str], shown: str) -> tuple[str, ...]:
    """Imports, what is done to the store, and what is printed. `names` are the documents that the steps speak of."""
    body = "; ".join(steps)
    whole = f"{body}; {shown}"
    helpers = sorted(set(_BY_HAND.findall(whole)))
    imports = [
        factory.imported,
        f"from gate.probes.by_hand import {', '.join(helpers)}" if helpers else "",
        f"from gate.probes.documents import {', '.join(sorted(set(names)))}" if names else "",
    ]
    return ("; ".join(part for part in imports if part), body, shown)


def scope_written(scope: frozenset[str]) -> str:
    """A scope as a further argument of a search; empty where there is none."""
    return f", frozenset({{{', '.join(map(repr, sorted(scope)))}}})" if scope else ""
