"""The whole flow: plan, store, search, score, compare, decide, report. The file to read first."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

from gate.base.against import against_base
from gate.budgets import read_budgets
from gate.compare import GATED, LEAK
from gate.exit_codes import ExitCode
from gate.files import canonical_json, write_atomic
from gate.judge import all_checks, calm, out_of_scope, read_baselines, without_baseline
from gate.manifest import manifest, write_baselines
from gate.measured import measured_of
from gate.measures import parse_measure
from gate.moves import with_texts
from gate.plan import Request
from gate.progress import Progress
from gate.questions import write_questions
from gate.records import Verdict
from gate.report import REPORTS, ReportContext
from gate.results import MANIFEST, clear, write_runs
from gate.resume import Resume
from gate.scope import scope_of
from gate.stop import Stop
from gate.stopwatch import now
from gate.trial import run_trial
from gate.verdict import decide


def run_gate(request: Request, results: Path, stop: Stop, progress: Progress) -> Verdict:
    """Runs the gate and writes everything to `results`, the reports included, whatever the verdict.

    Raises UsageError or Interrupted before anything is measured, and only then.
    """
    began = now()
    budgets = read_budgets(request.settings.budgets)
    measures = [parse_measure(name) for name in dict.fromkeys((*request.settings.measures, *GATED, LEAK))]
    with tempfile.TemporaryDirectory(prefix="gate-", ignore_cleanup_errors=True) as scratch:
        scope = scope_of(request, budgets, measures, Path(scratch), stop)
        base = against_base(request, budgets, scope, Path(scratch) / "base")
        scope = replace(scope, findings=(*base.checks, *scope.findings), notes=(*base.notes, *scope.notes))
        accepted = read_baselines(scope, request.settings)
        stop.keep()
        clear(results, (report.file_name for report in REPORTS.values()))
        resume = Resume(results, request)
        measured = []
        for number, trial in enumerate(() if scope.withheld else scope.trials):
            outcome = run_trial(trial, Path(scratch) / f"trial-{number}", request.depth, progress, resume.open)
            measured.append(measured_of(trial, outcome, measures, budgets, request.today))
    runs = [run for one in measured for run in one.outcome.runs.values()]
    corpora = {(one.trial.corpus.name, one.trial.corpus.tier): one.trial.corpus for one in measured}
    cells = {key: cell for one in measured for key, cell in one.cells.items()} or scope.unmeasured()
    checks = all_checks(request, scope, budgets, accepted, measured)
    verdict = decide(
        with_texts(checks, corpora.values()),
        list(cells.values()),
        fail_on=request.fail_on,
        not_measured=request.not_measured,
        interrupted=stop.requested,
        notes=(
            *scope.notes,
            *calm(measured),
            *without_baseline(accepted, request),
            *resume.notes(interrupted=stop.requested),
        ),
        narrowed=scope.narrowed,
        out_of_scope=out_of_scope(budgets, cells, scope),
        planted=request.flags.plant,
        gated=scope.subject_name or "",
    )
    write_runs(results, runs, corpora)
    write_questions(results, runs, corpora.values())
    write_baselines(results, measured, scope, request)
    seconds = now() - began
    write_atomic(results / MANIFEST, canonical_json(manifest(request, measured, scope, seconds)) + "\n")
    write_reports(verdict, results, seconds)
    if verdict.exit_code != ExitCode.INTERRUPTED:
        resume.finish(narrowed=bool(scope.narrowed))
    return verdict


def write_reports(verdict: Verdict, results: Path, seconds: float) -> None:
    """Every report, the canonical one last: whoever sees a verdict file finds all the others written."""
    context = ReportContext(str(results), seconds)
    for name in sorted(REPORTS, key=lambda name: name == "json"):
        report = REPORTS[name]
        write_atomic(results / report.file_name, report.render(verdict, context))
