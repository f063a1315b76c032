"""The head held against its base: the base found, its files read, and every loosening made a check."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from gate.base.accepted import lowered_baselines
from gate.base.asked import asked_for
from gate.base.changed import changed_corpora
from gate.base.choice import NONE, event_of, find_base, settings_path
from gate.base.event import Found
from gate.base.extract import Base, Extracted
from gate.base.limits import looser_budgets, wider_waivers
from gate.base.renames import shown_renames, unknown_names
from gate.base.repository import NoBase
from gate.base.side import BaselineName, Side, side_of
from gate.base.sides import Sides
from gate.baselines import Baseline, read_baseline
from gate.checks.loosened import FLAG, LABEL, Loosening, base_check, loosened_checks
from gate.corpus import load_corpus, parse_spec
from gate.corpus.units import units_of
from gate.errors import UsageError
from gate.figures import count
from gate.plan import Request
from gate.records import MODES, Budgets, Check, Corpus
from gate.scope import Scope
from gate.settings import FILE_NAME, shipped_settings

_TOLD = 10


@dataclass(frozen=True, slots=True)
class Against:
    """What came of the comparison with the base: checks, which stand before all others, and notes."""

    checks: tuple[Check, ...] = ()
    notes: tuple[str, ...] = ()


def against_base(
    request: Request, budgets: Budgets, scope: Scope, folder: Path, environment: Mapping[str, str] = os.environ
) -> Against:
    """The bar of the head held against that of the base; `folder` is where the base's files are put.

    A base that a flag names and that does not exist is a UsageError. One that the event names
    and that cannot be read is a check that is not measured: nobody can tell then whether the bar was loosened.
    """
    accepted_by = FLAG if request.accept_loosened else ""
    settings = settings_path(request)
    try:
        event = event_of(request, settings, environment)
        if not accepted_by and event is not None and event.accepts:
            accepted_by = f"the label {LABEL}"
        if request.base == NONE:
            told = f"the base of this {event.name} event was not looked at: --base {NONE}" if event else ""
            return Against(notes=(told,) if told else ())
        if not request.base and event is None:
            return Against()
        repository, found = find_base(request.base, event, settings)
        if found is None:
            return Against(notes=("there is no base: nothing was there before this push",))
        base = Base(repository, found.commit, folder)
        extracted = base.read(settings)
        if extracted is None:
            told = f"the base {found.commit[:10]} has no {repository.relative(settings)}"
            return Against(notes=(f"{told}: a first adoption, so nothing is loosened",))
        return _compared(request, budgets, scope, base, extracted, found, accepted_by)
    except NoBase as error:
        return _untold(error, accepted_by)


def _untold(error: NoBase, accepted_by: str) -> Against:
    """A base that cannot be read. Who accepts a loosened bar accepts one that nobody can tell of."""
    where = f" ({error.where})" if error.where else ""
    hint = f" {error.hint}" if error.hint else f" `--base {NONE}` leaves the base out."
    said = f"it cannot be told whether the bar was loosened: {error.what}{where}.{hint}"
    if accepted_by:
        said = f"{said} Accepted by {accepted_by}."
        return Against((base_check("waived", said),), (said,))
    return Against((base_check("not measured", said),))


def _compared(
    request: Request,
    budgets: Budgets,
    scope: Scope,
    base: Base,
    extracted: Extracted,
    found: Found,
    accepted_by: str,
) -> Against:
    head = side_of(request.settings, budgets)
    sides = _sides(request, scope, head, extracted, base)
    renames = shown_renames(sides)
    sides = replace(sides, renames=renames.pairs)

    def differing(label: str) -> list[str]:
        spec = parse_spec(head.corpora[label].spec)
        inside = base.repository.relative(spec.path.absolute()) if spec.reader else None
        return base.repository.changed(base.commit, inside) if inside else []

    loosenings = [
        *_settings_gone(request, extracted, found),
        *asked_for(sides),
        *(Loosening(f"rename {old}", old, said, sides.where("renames")) for old, said in renames.doubts),
        *changed_corpora(sides, differing),
        *looser_budgets(sides),
        *wider_waivers(sides),
        *lowered_baselines(sides),
    ]
    where = sides.head.where("renames")
    asides = [
        base_check("fail", f"renames: no corpus here has a slice {name}", name=f"rename {name}", where=where)
        for name in unknown_names(sides)
    ] + [
        base_check(
            "fail",
            f"renames: {pair} is of no use against this base, which has no slice of the old name or one of the new",
            level="warn",
            name=f"rename {pair}",
            where=where,
        )
        for pair in renames.unused
    ]
    checks = [*loosened_checks(loosenings, accepted_by), *asides]
    if not loosenings:
        checks.insert(0, base_check("pass", f"nothing is looser than in the base {found.commit[:10]}, {found.says}"))
    return Against(tuple(checks), tuple(_notes(sides, extracted, found, loosenings, accepted_by)))


def _settings_gone(request: Request, extracted: Extracted, found: Found) -> list[Loosening]:
    """Settings of the base in whose place those that ship with the gate are used now."""
    path = request.settings.path
    if path is None or not shipped_settings(path) or extracted.moved_from:
        return []
    said = f"{FILE_NAME} is gone, so the settings that ship with the gate are used"
    return [Loosening("settings", FILE_NAME, said, f"{found.commit[:10]}:{FILE_NAME}")]


def _notes(
    sides: Sides, extracted: Extracted, found: Found, loosenings: list[Loosening], accepted_by: str
) -> list[str]:
    notes = [f"base: {found.commit[:10]}, {found.says}", *extracted.notes]
    if extracted.moved_from:
        notes.append(f"the settings of the base stood in {extracted.moved_from}")
    if sides.base.settings.store != sides.head.settings.store:
        notes.append(f"the store is {sides.head.settings.store}, and was {sides.base.settings.store} in the base")
    if accepted_by:
        notes += [f"loosened, and accepted by {accepted_by}: {one.says}" for one in loosenings[:_TOLD]]
        if len(loosenings) > _TOLD:
            notes.append(f"accepted by {accepted_by}: {count(len(loosenings) - _TOLD, 'more')} in verdict.json")
    return notes


def _sides(request: Request, scope: Scope, head: Side, extracted: Extracted, base: Base) -> Sides:
    # A store that a flag puts in the place of the settings' own says nothing of what those ask for.
    same = request.flags.store in ("", request.settings.store)
    store = scope.subject_name if same else None
    own = next((trial.declared for trial in scope.trials if trial.declared.name == store), None)
    asked = request.settings.granularity, request.settings.dedup
    # Flags may ask for other units than the settings, in which the baselines are.
    as_asked = asked == (request.granularity, request.dedup)
    loaded = {trial.corpus.label: trial.corpus for trial in scope.trials if as_asked}

    @cache
    def corpus(label: str) -> Corpus | None:
        if label in loaded:
            return loaded[label]
        try:
            return units_of(load_corpus(head.corpora[label].spec), *asked)
        except UsageError:
            return None

    @cache
    def of_head(name: BaselineName) -> Baseline | None:
        path = head.baselines.get(name)
        return read_baseline(path) if path is not None else None

    @cache
    def of_base(name: BaselineName) -> Baseline | None:
        path, theirs = extracted.side.baselines.get(name), head.baselines.get(name)
        if path is not None and theirs is not None and path.read_bytes() == theirs.read_bytes():
            return of_head(name)
        try:
            return read_baseline(path) if path is not None else None
        except UsageError as error:
            said = base.shown(str(error)).replace("\n", " ")
            raise NoBase("base-invalid", f"a baseline of the base cannot be read: {said}") from None

    return Sides(
        extracted.side,
        head,
        request.today,
        store,
        own.modes if own is not None else frozenset(MODES),
        of_base,
        of_head,
        corpus,
        extracted.own_recipes,
    )
