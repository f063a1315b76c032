"""What is planned: runs, cells, and the rules that speak of them."""

from __future__ import annotations

from dataclasses import dataclass

from gate.records.corpus import NO_FAULT


@dataclass(frozen=True, slots=True, order=True)
class RunKey:
    """Names one run: the ranked results of one store, corpus, arm, mode and fault."""

    store: str
    corpus: str
    tier: str
    arm: str
    mode: str
    fault: str = NO_FAULT

    def __str__(self) -> str:
        return f"{self.store}/{self.corpus}@{self.tier}/{self.arm}/{self.mode}/{self.fault}"

    @property
    def file_name(self) -> str:
        return ".".join((self.store, self.corpus, self.tier, self.arm, self.mode, self.fault)) + ".run"

    def cell(self, slice_name: str, measure: str) -> CellKey:
        return CellKey(self.store, self.corpus, self.tier, slice_name, self.arm, self.mode, self.fault, measure)


@dataclass(frozen=True, slots=True, order=True)
class CellKey:
    """Names one cell: `store/corpus@tier/slice/arm/mode/fault/measure`."""

    store: str
    corpus: str
    tier: str
    slice: str
    arm: str
    mode: str
    fault: str
    measure: str

    def __str__(self) -> str:
        return f"{self.store}/{self.corpus}@{self.tier}/{self.slice}/{self.arm}/{self.mode}/{self.fault}/{self.measure}"

    @property
    def run(self) -> RunKey:
        return RunKey(self.store, self.corpus, self.tier, self.arm, self.mode, self.fault)


@dataclass(frozen=True, slots=True)
class Limit:
    """An absolute budget on cells: `minimum` and `maximum`, either may be missing. `where` is file and line.

    Where the Python package that it needs is not installed, it is waived.
    """

    cell: str
    minimum: float | None
    maximum: float | None
    level: str = "error"
    reason: str = ""
    where: str = ""
    needs_package: str = ""


@dataclass(frozen=True, slots=True)
class Contrast:
    """A budget on the difference or ratio of one measure between two cells (globs that expand alike)."""

    kind: str
    of: str
    partner: str
    minimum: float | None
    maximum: float | None
    level: str = "error"
    reason: str = ""
    where: str = ""


@dataclass(frozen=True, slots=True)
class Waiver:
    """Cells that are excused until the end of a day (ISO date), with the reason."""

    cell: str
    until: str
    reason: str
    where: str = ""


@dataclass(frozen=True, slots=True)
class Budgets:
    """All of one budget file. `path` is empty where there is none."""

    limits: tuple[Limit, ...] = ()
    contrasts: tuple[Contrast, ...] = ()
    waivers: tuple[Waiver, ...] = ()
    path: str = ""
