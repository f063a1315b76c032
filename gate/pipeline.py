"""The whole flow: plan, store, search, score, compare, decide, report. The file to read first."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from gate.base.against import against_base
from gate.bench import run_trial
from gate.budgets import read_budgets
from gate.exit_codes import ExitCode
from gate.files import canonical_json, from_here, write_atomic
from gate.full_plan import scope_of
from gate.judge import Accepted, all_checks, calm, out_of_scope, read_baselines, without_baseline
from gate.manifest import manifest, write_baselines
from gate.measured import Measured, measured_of
from gate.measures import ParsedMeasure, parse_measure
from gate.moves import with_texts
from gate.opening import Here, Opening, workers_for
from gate.paired import GATED, LEAK
from gate.plan import Request
from gate.probes.run import run_probes
from gate.progress import Progress
from gate.questions import write_questions
from gate.ran_on import ran_on
from gate.records import Budgets, Check, Verdict
from gate.report import REPORTS, ReportContext
from gate.results import MANIFEST, clear, write_runs
from gate.resume import Resume
from gate.scope import Scope
from gate.settings import Settings
from gate.stop import Stop
from gate.stopwatch import now
from gate.verdict import decide


@dataclass(frozen=True, slots=True)
class Plan:
    """All that is read and decided before anything is measured."""

    request: Request
    budgets: Budgets
    measures: tuple[ParsedMeasure, ...]
    scope: Scope
    accepted: Accepted


def run_gate(request: Request, results: Path, stop: Stop, progress: Progress) -> Verdict:
    """Runs the gate and writes everything to `results`, the reports included, whatever the verdict.

    Raises UsageError or Interrupted before anything is measured, and only then.
    """
    began = now()
    with tempfile.TemporaryDirectory(prefix="gate-", ignore_cleanup_errors=True) as scratch:
        plan = plan_gate(
            request, Here(Path(scratch), request.settings.timeout, stop, request.settings.models), Path(scratch)
        )
        stop.keep()
        clear(results, (report.file_name for report in REPORTS.values()))
        resume = Resume(results, request)
        measured = []
        for number, trial in enumerate(plan.scope.to_run):
            folder, workers = Path(scratch) / f"trial-{number}", workers_for(trial.subject)
            outcome = run_trial(trial, folder, request.depth, progress, resume.open, workers=workers)
            measured.append(measured_of(trial, outcome, plan.measures, plan.budgets, request.today))
        probes = look(plan.scope, request, Path(scratch), progress)
    notes = tuple(resume.notes(interrupted=stop.requested))
    verdict = conclude(plan, measured, results, began, interrupted=stop.requested, notes=notes, probes=probes)
    if verdict.exit_code != ExitCode.INTERRUPTED:
        resume.finish(narrowed=bool(plan.scope.narrowed))
    return verdict


def measures_of(settings: Settings) -> tuple[ParsedMeasure, ...]:
    """The measures that settings ask for, and those that a baseline is held against."""
    return tuple(parse_measure(name) for name in dict.fromkeys((*settings.measures, *GATED, LEAK)))


def plan_gate(request: Request, opening: Opening, scratch: Path) -> Plan:
    """What is to be measured, and what it will be held against. Raises UsageError."""
    budgets = read_budgets(request.settings.budgets)
    measures = measures_of(request.settings)
    scope = scope_of(request, budgets, measures, opening)
    base = against_base(request, budgets, scope, scratch / "base")
    scope = replace(scope, findings=(*base.checks, *scope.findings), notes=(*base.notes, *scope.notes))
    return Plan(request, budgets, measures, scope, read_baselines(scope, request.settings))


def look(scope: Scope, request: Request, scratch: Path, progress: Progress) -> list[Check]:
    """What the probes of the gated store show, arm by arm."""
    return [
        check
        for number, one in enumerate(scope.to_probe)
        for check in run_probes(
            one.subject,
            one.declared,
            one.plan,
            scratch / f"probes-{number}",
            progress,
            planted=request.flags.plant,
        )
    ]


def conclude(
    plan: Plan,
    measured: Sequence[Measured],
    results: Path,
    began: float,
    *,
    interrupted: bool = False,
    notes: Sequence[str] = (),
    shards: Sequence[Mapping[str, object]] = (),
    probes: Sequence[Check] = (),
) -> Verdict:
    """Judges what was measured and writes everything to `results`, the reports last.

    `probes` are the checks that `look` gave. `shards` say how the parts were made, where the
    trials were measured in parts.
    """
    request, scope, budgets = plan.request, plan.scope, plan.budgets
    runs = [run for one in measured for run in one.outcome.runs.values()]
    corpora = {(one.trial.corpus.name, one.trial.corpus.tier): one.trial.corpus for one in measured}
    cells = {key: cell for one in measured for key, cell in one.cells.items()} or scope.unmeasured()
    checks = all_checks(request, scope, budgets, plan.accepted, measured, probes)
    verdict = decide(
        with_texts(checks, corpora.values()),
        list(cells.values()),
        fail_on=request.fail_on,
        not_measured=request.not_measured,
        interrupted=interrupted,
        notes=(*scope.notes, *ran_on(measured), *calm(measured), *without_baseline(plan.accepted, request), *notes),
        narrowed=scope.narrowed,
        out_of_scope=out_of_scope(budgets, cells, scope),
        planted=request.flags.plant,
        gated=scope.subject_name or "",
    )
    write_runs(results, runs, corpora)
    write_questions(results, runs, corpora.values())
    write_baselines(results, measured, scope, request)
    seconds = now() - began
    made = {**manifest(request, measured, scope, seconds), **({"shards": list(shards)} if shards else {})}
    write_atomic(results / MANIFEST, canonical_json(made) + "\n")
    write_reports(verdict, results, seconds)
    return verdict


def write_reports(verdict: Verdict, results: Path, seconds: float) -> None:
    """Every report, the canonical one last: whoever sees a verdict file finds all the others written."""
    context = ReportContext(from_here(str(results)), seconds)
    for name in sorted(REPORTS, key=lambda name: name == "json"):
        report = REPORTS[name]
        write_atomic(results / report.file_name, report.render(verdict, context))
