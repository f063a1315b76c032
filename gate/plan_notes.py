"""What a reader has to know of a plan whatever comes of it: how flags narrow it, and what of it cannot be asked."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from gate.checks.coverage import finding
from gate.corpus import READ_TIER
from gate.faults.fault import Fault
from gate.pins import Unpinned
from gate.plan import Flags
from gate.records import MODES, Check
from gate.settings import Settings, shipped_settings
from gate.trial import Trial

# The modes that a part of ours is for, where a store takes it.
_SEARCHED_WITH = {"embedder": ("vector", "hybrid"), "reranker": ("rerank",)}


def settings_notes(settings: Settings, flags: Flags, arms: Collection[str]) -> Iterator[str]:
    """What there is to say of the settings themselves."""
    for idle in sorted(set(settings.models) - {*settings.arms, *arms}):
        yield f"the settings choose models for {idle}, and nothing runs on it: it is not among their `arms`"
    if shipped_settings(settings.path):
        yield "there is no gate.yml in this folder, so the settings that ship with the gate are used: " + (
            "they gate its own store" if not flags.store else f"the store is {flags.store}"
        )


def narrowed_by(
    settings: Settings, flags: Flags, unpinned: Sequence[Unpinned], *, differs: bool, limited: bool
) -> tuple[str, ...]:
    """The flags that narrow a run. `differs` says that they take cells of the full plan away, `limited` topics."""
    told = []
    if differs:
        told += [f"--mode {mode}" for mode in flags.modes] + [f"--slice {name}" for name in flags.slices]
    if flags.depth and flags.depth != settings.depth:
        told.append(f"--k {flags.depth}")
    if flags.plant:
        told.append(f"--plant {flags.plant}")
    if limited:
        told.append(f"--limit {flags.limit}")
    told += [f"--corpus {one.spec}, which is not pinned" for one in unpinned if flags.corpora]
    if flags.granularity not in ("", settings.granularity):
        told.append(f"--granularity {flags.granularity}")
    if flags.dedup not in (None, settings.dedup):
        told.append("--dedup" if flags.dedup else "--no-dedup")
    return tuple(told)


def trial_notes(trial: Trial, asked: Sequence[str], faults: Sequence[Fault]) -> Iterator[str]:
    """What is not asked in a trial, and why. `asked` are the modes that settings or flags name, empty for all."""
    declared, corpus = trial.declared, trial.corpus
    yield from corpus.notes
    if not corpus.pinned and corpus.tier != READ_TIER:
        yield f"{corpus.label} is not pinned, so nothing vouches for its bytes: gate corpus verify"
    absent = [m for m in MODES if m not in declared.modes]
    if absent and not asked:
        yield f"{declared.name} does not declare the modes: {', '.join(absent)}"
    if trial.unasked:
        yield (
            f"{declared.name} is not asked the slices {', '.join(trial.unasked)} of {corpus.label}:"
            " it does not declare the abilities that they need"
        )
    # A part that the arm has not cannot fail.
    parts = {"embedder": trial.subject.embedder, "reranker": trial.subject.reranker}
    broken = {fault.part for fault in faults if parts[fault.part] is not None}
    if missing := sorted(broken - declared.abilities):
        yield (
            f"{declared.name} does not take the gate's {' and '.join(missing)},"
            " so its behaviour when that fails was not tested"
        )
    for part, modes in _SEARCHED_WITH.items():
        if parts[part] is None and part in declared.abilities:
            for mode in modes:
                if mode in declared.modes:
                    yield (
                        f"{declared.name} declares the mode {mode}, and the arm {trial.subject.arm.name} has no {part}:"
                        " it is opened with None in its place"
                    )


def trial_findings(trial: Trial, asked: Sequence[str]) -> Iterator[Check]:
    """The modes that are asked by name and not declared, and the slices without a topic."""
    declared, corpus = trial.declared, trial.corpus
    for mode in asked:
        if mode not in declared.modes:
            yield finding(
                f"mode {declared.name} {mode}",
                f"the mode {mode} is asked for, but {declared.name} declares only"
                f" {', '.join(m for m in MODES if m in declared.modes) or 'none at all'}",
                cell=mode,
            )
    for name in trial.empty:
        yield finding(f"slice {corpus.label} {name}", f"the slice {name} of {corpus.label} has no topics", cell=name)


def nothing_left(trial: Trial, why: str) -> Check:
    """A trial of which nothing can be measured."""
    return finding(f"plan {trial.label}", f"nothing is left to measure of {trial.label}: {why}", cell=trial.label)
