"""Everything that was measured, held against every rule there is: the checks of a run, source by source."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

from gate.baselines import Baseline, baseline_path, read_baseline, run_name
from gate.budgets import CellIndex, index_of
from gate.checks.baseline import comparison_checks, gain_checks, refused
from gate.checks.contrasts import contrast_checks
from gate.checks.coverage import (
    dead_budgets,
    finding,
    required_checks,
    run_checks,
    stray_checks,
    waived_runs,
    waiver_checks,
)
from gate.checks.fail_open import fail_open_checks
from gate.checks.limits import limit_checks, waiver_of
from gate.checks.parity import Measurement, parity_checks
from gate.compare import Pair, compare_runs, incomparable, unpaired
from gate.corpus import READ_TIER
from gate.errors import UsageError
from gate.faults import FAULTS
from gate.figures import figures_apart
from gate.files import from_here
from gate.measured import Measured
from gate.measures import MEASURES, RUN_MEASURES, parse_measure
from gate.moves import missed
from gate.paired import GATED, LEAK
from gate.pins import unlike_check
from gate.plan import Request
from gate.probes.run import probe_check
from gate.records import NO_FAULT, Budgets, Cell, CellKey, Check, Comparison, Run, RunKey
from gate.sample import is_sampled
from gate.scope import Scope
from gate.settings import Settings
from gate.stats.rule import NOISE

Accepted = Mapping[str, Baseline | Path]


def all_checks(
    request: Request,
    scope: Scope,
    budgets: Budgets,
    accepted: Accepted,
    measured: Sequence[Measured],
    probes: Sequence[Check] = (),
) -> list[Check]:
    """What planning found, what was not measured, budgets, baselines, fail-open, probes, and rules about nothing."""
    cells = {key: cell for one in measured for key, cell in one.cells.items()}
    runs = [run for one in measured for run in one.outcome.runs.values()]
    own = [one for one in measured if one.trial.declared.name == scope.subject_name]
    checks = [
        *scope.findings,
        *_pin_checks(own, request),
        *run_checks(runs, cells.values()),
        *(
            finding(f"close {one.trial.label}", f"the store did not close: {one.outcome.unclosed}", status="fail")
            for one in own
            if one.outcome.unclosed
        ),
        *(check for one in own for check in stray_checks(one.outcome.runs.values(), one.outcome.ingest.doc_ids)),
        *required_checks(request.settings.require, cells, scope.full | scope.probe_cells),
        *orphan_checks(request.settings, scope),
        *_baseline_checks(measured, accepted, scope, request),
        *_budget_checks(budgets, cells, scope, measured),
        *_fail_open_checks(measured, scope, request.settings),
        *_parity_checks(own),
        *_probe_checks(scope, probes, budgets, request.today),
        *dead_budgets(budgets, scope.full),
        *waiver_checks(budgets, scope.full | scope.probe_cells, request.today),
    ]
    return _distinct(checks)


def _pin_checks(own: Sequence[Measured], request: Request) -> list[Check]:
    """Each corpus that is not the pinned one, once."""
    unlike = {
        one.trial.corpus.label: unlike_check(one.trial.corpus, one.outcome.ingest.digest, request.settings)
        for one in own
        if one.outcome.ingest.unlike_pin
    }
    return list(unlike.values())


def _parity_checks(own: Sequence[Measured]) -> list[Check]:
    """The same models on two devices, held against each other."""
    return parity_checks(
        [
            Measurement(
                place=f"{one.trial.declared.name}/{one.trial.corpus.label}",
                arm=one.trial.subject.arm.name,
                device=one.trial.subject.arm.device,
                models=one.trial.subject.models,
                runs=list(one.outcome.runs.values()),
                jitter=max(
                    float(one.outcome.ingest.environment.get(f"{part}.jitter", "0"))
                    for part in ("embedder", "reranker")
                ),
            )
            for one in own
            if one.trial.scored
        ]
    )


def _distinct(checks: Sequence[Check]) -> list[Check]:
    """The checks under ids of their own, as two budgets may ask the same of a cell, and paths as people see them."""
    seen: Counter[str] = Counter()
    found = []
    for check in checks:
        seen[check.check_id] += 1
        number = seen[check.check_id]
        name = check.check_id if number == 1 else f"{check.check_id} #{number}"
        found.append(replace(check, check_id=name, where=from_here(check.where)))
    return found


def read_baselines(scope: Scope, settings: Settings) -> Accepted:
    """The accepted results of each trial of the gated store, or the path where they should be."""
    found: dict[str, Baseline | Path] = {}
    for trial in scope.trials:
        if trial.declared.name == scope.subject_name:
            corpus = trial.corpus
            path = baseline_path(
                settings.baselines, trial.declared.name, corpus.name, corpus.tier, trial.subject.arm.name
            )
            folder = settings.baselines
            in_its_place = os.path.lexists(path) or any(
                os.path.lexists(place) and not place.is_dir() for place in (folder, path.parent)
            )
            if in_its_place and not path.is_file():
                raise UsageError(
                    "baseline-no-file",
                    "this should be a baseline file, and is something else",
                    where=from_here(str(path)),
                    hint="Put the file back, or remove what stands in its place.",
                )
            found[trial.label] = read_baseline(path) if path.is_file() else path
    return found


def without_baseline(accepted: Accepted, request: Request) -> list[str]:
    """What a reader has to know where no baseline is there and none is required."""
    if request.settings.baseline == "required":
        return []
    absent = [label for label, baseline in accepted.items() if isinstance(baseline, Path)]
    return [f"{label}: there is no baseline, and none is required, so nothing was compared" for label in absent]


def calm(measured: Sequence[Measured]) -> list[str]:
    """Stores that are declared noisy and were not: five measurements for one are a waste."""
    return [
        f"{one.trial.label}: `noisy` is declared, and no rank moved in {one.trial.repeats} measurements"
        for one in measured
        if one.trial.repeats > 1 and all(_still(run) for run in one.outcome.runs.values())
    ]


def _still(run: Run) -> bool:
    ranked = [{topic: result.doc_ids for topic, result in results.items()} for results in (run.results, *run.repeats)]
    return not run.repeats_moved and not run.failure and all(one == ranked[0] for one in ranked)


def out_of_scope(budgets: Budgets, cells: Mapping[CellKey, Cell], scope: Scope) -> int:
    """How many budgets speak of the full plan alone."""
    sides = [(limit.cell,) for limit in budgets.limits] + [(c.of, c.partner) for c in budgets.contrasts]
    whole, asked = index_of(scope.full), CellIndex(cells)
    return sum(all(map(whole.has, globs)) and not all(map(asked.has, globs)) for globs in sides)


def _budget_checks(
    budgets: Budgets,
    cells: Mapping[CellKey, Cell],
    scope: Scope,
    measured: Sequence[Measured],
) -> list[Check]:
    """Limits and contrasts; one that is broken names the topics that its measure is least content with."""
    checks = [*limit_checks(budgets, cells), *contrast_checks(budgets, cells, index_of(scope.full).names)]
    by_cell = {str(key): (one, key) for one in measured for key in one.cells}
    found = []
    for check in checks:
        if check.status == "fail" and check.source == "budget" and check.cell in by_cell:
            one, key = by_cell[check.cell]
            if parse_measure(key.measure).name not in RUN_MEASURES:
                run = one.outcome.runs[key.run]
                values = one.scored[key.run].values[key.measure]
                members = one.trial.members[key.slice]
                moves = missed(run, members, one.trial.corpus, parse_measure(key.measure), values, check.operator)
                check = replace(check, moves=moves)
        found.append(check)
    return found


def orphan_checks(settings: Settings, scope: Scope) -> list[Check]:
    """Baselines of the gated store that nothing in the full plan reads any more: a corpus, tier or arm is gone.

    An arm of the settings on which the store did not open is not gone.
    """
    name, folder = scope.subject_name, settings.baselines
    if name is None:
        return []
    own = [key for key in scope.full if key.store == name]
    places, arms = {(key.corpus, key.tier) for key in own}, {*settings.arms, *(key.arm for key in own)}
    planned = {baseline_path(folder, name, *place, arm) for place in places for arm in arms}
    return [
        finding(f"orphan {path.name}", _unread(path.stem, arms), where=str(path))
        for path in sorted((folder / name).glob("*.jsonl"))
        if path not in planned
    ]


def _unread(stem: str, arms: Collection[str]) -> str:
    """Why nothing reads the baseline of that name, and what to do."""
    label, _, arm = stem.rpartition(".")
    if arm in arms:
        lacks = f"no run of the settings is of {label}. Add it to `corpora`"
    else:
        lacks = f"no run of the settings is on {arm}. Add {arm} to `arms`"
    return f"nothing can be compared with this baseline: {lacks}, or delete the file"


def _baseline_checks(measured: Sequence[Measured], accepted: Accepted, scope: Scope, request: Request) -> list[Check]:
    checks: list[Check] = []
    comparable: list[tuple[Measured, Baseline]] = []
    for one in measured:
        trial = one.trial
        baseline = accepted.get(trial.label)
        required = request.settings.baseline == "required"
        if baseline is None or one.outcome.ingest.failure:
            continue
        if isinstance(baseline, Path):
            if trial.corpus.tier == READ_TIER and not trial.corpus.pinned:
                reason = "there is no baseline, and there can be none before the corpus is pinned"
            else:
                reason = "there is no baseline yet; accept these results with `gate accept --reason WHY`"
            checks.append(refused(trial.label, baseline, reason, required=required))
            continue
        apart = incomparable(one.methodology(request.depth), trial.repeats, baseline)
        if apart:
            checks.append(refused(trial.label, baseline.path, apart, required=True))
            continue
        # A sample of what flags leave is not that of the whole.
        whole = [key for key in trial.keys if not (scope.narrowed and is_sampled(key.fault))]
        asked = {run_name(key): [t.topic_id for t in trial.topics(key.mode, key.fault)] for key in whole}
        lonely = unpaired(baseline, asked, scope.whole[trial.label], narrowed=bool(scope.narrowed), full=scope.full)
        advice = "accept these results where that is meant"
        checks += [refused(f"{trial.label}: {what}", baseline.path, advice, required=True) for what in lonely]
        comparable.append((one, baseline))
    compared, comparisons = _compared(comparable)
    if not scope.narrowed:
        checks += [check for one, baseline in comparable for check in _edited(one, baseline, comparisons)]
    return checks + compared


def _edited(one: Measured, baseline: Baseline, comparisons: Mapping[CellKey, Comparison]) -> list[Check]:
    """A baseline whose ranks do not give its scores: somebody changed one of the two, and nobody knows which holds."""
    scores, versions = baseline.header["scores"], baseline.header.get("versions", {})
    for cell in one.trial.cells:
        found, score = comparisons.get(cell), scores.get(str(cell))
        if found is None or found.before is None or score is None:
            continue
        name = parse_measure(cell.measure).name
        if abs(found.before - score) > NOISE and versions.get(name, 1) == MEASURES[name].version:
            shown, ranked = figures_apart((score, found.before))
            said = f"it says {shown} of {cell}, and its ranks give {ranked}: it was edited by hand"
            return [refused(one.trial.label, baseline.path, said, required=True)]
    return []


def _compared(
    comparable: Sequence[tuple[Measured, Baseline]],
) -> tuple[list[Check], Mapping[CellKey, Comparison]]:
    """The gated cells of all trials, judged together: every slice and mode in health, and leaks."""
    pairs = [pair for one, baseline in comparable for pair in _pairs(one, baseline)]
    comparisons = compare_runs(pairs)
    checks: list[Check] = []
    for one, baseline in comparable:
        waived = {str(key): cell.reason for key, cell in one.cells.items() if cell.status == "waived"}
        own = [comparisons[cell] for cell in one.trial.cells if cell in comparisons]
        gains = gain_checks([gain for gain in own if str(gain.cell) not in waived], baseline.path)
        checks += [*comparison_checks(own, baseline.path, waived), *gains]
    return checks, comparisons


def _pairs(one: Measured, baseline: Baseline) -> Iterator[Pair]:
    gated: dict[RunKey, list[CellKey]] = {}
    for cell in one.trial.cells:
        if cell.fault == NO_FAULT and cell.measure in (*GATED, LEAK):
            gated.setdefault(cell.run, []).append(cell)
    for key, run in one.outcome.runs.items():
        if key.fault == NO_FAULT and not run.failure and run_name(key) in baseline.runs:
            cells = tuple(gated.get(key, ()))
            stood, topics = baseline.runs[run_name(key)], one.trial.topics(key.mode)
            waived = frozenset(cell for cell in cells if one.cells[cell].status == "waived")
            yield Pair(run, stood, one.trial.corpus, topics, cells, one.trial.members, waived)


def _fail_open_checks(measured: Sequence[Measured], scope: Scope, settings: Settings) -> list[Check]:
    checks: list[Check] = []
    for one in measured:
        if one.trial.declared.name == scope.subject_name and not one.outcome.ingest.failure:
            recall = {key: scored.values.get(GATED[0], {}) for key, scored in one.scored.items()}
            found = fail_open_checks(one.outcome.runs, recall, FAULTS, settings.fail_open)
            excused = waived_runs(one.cells.values())
            checks += [_excused(check, excused.get(check.cell, "")) for check in found]
    return checks


def _probe_checks(scope: Scope, probes: Sequence[Check], budgets: Budgets, today: date) -> list[Check]:
    """One check a planned probe and mode, in the order of the plan, whether or not somebody looked."""
    looked = {check.cell: check for check in probes}
    found = []
    for cell in (cell for one in scope.to_probe for cell in one.cells):
        check = looked.get(str(cell)) or probe_check(str(cell), "not measured", "not measured: nobody looked")
        waiver = waiver_of(cell, budgets.waivers, today)
        found.append(_excused(check, f"until {waiver.until}: {waiver.reason}" if waiver is not None else ""))
    return found


def _excused(check: Check, reason: str) -> Check:
    """A check of what is waived is waived too, unless it passes."""
    if not reason or check.status == "pass":
        return check
    return replace(check, status="waived", message=f"{check.message}, waived: {reason}")
