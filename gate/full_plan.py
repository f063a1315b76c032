"""The full plan: that of the settings, and of what flags put in their place, with nothing left out.

What flags narrow away is then known to be out of scope, and what no plan has is known to be a mistake.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from functools import partial

from gate.asked_corpora import load_asked
from gate.checks.coverage import finding
from gate.corpus import corpus_slices, parse_spec
from gate.errors import StoreError, UsageError
from gate.faults import faults_matching
from gate.faults.fault import Fault
from gate.globs import chosen
from gate.guard import Stopped
from gate.ingest import Subject
from gate.limit import first_topics, limited_trial
from gate.measures import ParsedMeasure
from gate.models import arm as find_arm
from gate.opening import Opening
from gate.plan import Declared, Flags, Request, ask_measures, ask_slices, plan_cells, plan_runs
from gate.plan_notes import narrowed_by, nothing_left, settings_notes, trial_findings, trial_notes
from gate.probes.plan import names_of, plan_probes
from gate.records import ALL_TOPICS, MODES, Budgets, CellKey, Check, Corpus
from gate.scope import Probed, Scope
from gate.stores import CONTROLS
from gate.trial import Trial, plan_trial

# How often a store that is declared noisy is measured.
REPEATS = 5


def scope_of(request: Request, budgets: Budgets, measures: Sequence[ParsedMeasure], opening: Opening) -> Scope:
    """Opens what has to be opened to know what can be asked. Raises UsageError for what does not exist."""
    return _Planner(request, budgets, measures, opening).scope()


class _Planner:
    def __init__(self, request: Request, budgets: Budgets, measures: Sequence[ParsedMeasure], opening: Opening) -> None:
        self.settings, self.flags, self.measures, self.opening = request.settings, request.flags, measures, opening
        self.faults = faults_matching(self.settings.fail_open.faults)
        corpora = load_asked(request)
        self.corpora, self.whole, self.unpinned = corpora.asked, corpora.whole, corpora.unpinned
        self.rules = tuple(_rules(budgets))
        subject = self.flags.store or self.settings.store
        self.controls = sorted({_store_of(rule) for rule in self.rules} & set(CONTROLS) - {subject})
        self.arms = tuple(dict.fromkeys(self.flags.arms or self.settings.arms))
        self.limited: dict[str, frozenset[str]] = {}
        self.findings: list[Check] = []
        self.notes = list(settings_notes(self.settings, self.flags, self.arms))
        self.emptied: list[Trial] = []
        self.probed: list[Probed] = []
        self.probe_cells: set[CellKey] = set()

    def scope(self) -> Scope:
        spec = self.flags.store or self.settings.store
        trials: list[Trial] = []
        full: set[CellKey] = set()
        whole: dict[str, tuple[str, ...]] = {}
        narrow = False
        name = None
        for arm in self.arms:
            for store in dict.fromkeys((spec, *self.controls)):
                opened = self._declared(store, arm, is_subject=store == spec)
                if opened is None:
                    continue
                subject, declared = opened
                if store == spec:
                    name = declared.name
                    self._probe(subject, declared)
                elif declared.name == name:
                    raise UsageError(
                        "store-named-as-control",
                        f"the store {spec} calls itself '{name}', as the control does that a budget names",
                        hint="Give the store a name of its own.",
                    )
                faults = self.faults if store == spec else ()
                for corpus_spec, corpus in self.corpora.items():
                    asked = self._trial(subject, declared, corpus, faults, narrowed=True)
                    everything = self._trial(subject, declared, self.whole[corpus_spec], faults, narrowed=False)
                    full.update(everything.cells)
                    whole[everything.label] = tuple(f"{key.mode}/{key.fault}" for key in everything.keys)
                    if store == spec:
                        narrow = narrow or (asked.unlimited or asked).cells != everything.cells
                        modes = self.flags.modes or self.settings.modes
                        self.notes += trial_notes(asked, modes, self.faults)
                        self.findings += trial_findings(asked, modes)
                        if everything.keys and not asked.keys:
                            self.emptied.append(asked)
                        elif not asked.keys:
                            self.findings.append(nothing_left(asked, "no slice makes sense in the modes that remain"))
                    if asked.keys:
                        trials.append(asked)
                for planned in dict.fromkeys((arm, *self.settings.arms)):
                    full.update(self._settings_cells(declared, planned, faults))
        if self.flags.store and self.flags.store != self.settings.store:
            full.update(self._settings_store_cells())
        self._tell_emptied(others=any(trial.subject.spec == spec for trial in trials))
        withheld = self._pins_missing()
        return Scope(
            tuple(trials),
            name,
            frozenset(full),
            whole,
            narrowed_by(
                self.settings,
                self.flags,
                self.unpinned,
                differs=narrow,
                limited=any(trial.unlimited is not None for trial in trials),
            ),
            tuple(dict.fromkeys(self.notes)),
            tuple(self.findings),
            withheld,
            tuple(self.probed),
            frozenset(self.probe_cells),
        )

    def _probe(self, subject: Subject, declared: Declared) -> None:
        """The probes of the gated store on an arm: none of a control, and none where flags choose slices."""
        names = names_of(self.settings.probes)
        if not names or subject.spec in CONTROLS:
            why = f"{declared.name} is a control" if names else "they are off in the settings"
            self.notes.append(f"no probes are looked at: {why}")
            return
        plan = partial(plan_probes, declared, names, noisy=self.settings.noisy)
        whole = Probed(subject, declared, plan(self.settings.modes))
        self.probe_cells.update(whole.cells)
        self.notes += whole.plan.notes(declared.name)
        if self.flags.slices:
            self.notes.append("no probes are looked at: --slice chooses what is")
            return
        self.probed.append(Probed(subject, declared, plan(self.flags.modes)) if self.flags.modes else whole)

    def _declared(self, spec: str, arm_name: str, *, is_subject: bool) -> tuple[Subject, Declared] | None:
        try:
            return self.opening(spec, arm_name, self.flags.plant if is_subject else "")
        except Stopped as stopped:
            self.findings.append(finding(f"store {spec} on {arm_name}", f"not measured: {stopped.what}", cell=spec))
            return None
        except StoreError as error:
            self.findings.append(
                finding(
                    f"store {spec} on {arm_name}",
                    f"the store could not be opened, so nothing of it is measured: {error.where}: {error.what}"
                    + (f" ({error.hint})" if error.hint else ""),
                    cell=spec,
                )
            )
            return None

    def _trial(
        self, subject: Subject, declared: Declared, corpus: Corpus, faults: Sequence[Fault], *, narrowed: bool
    ) -> Trial:
        flags = self.flags if narrowed else Flags()
        slices: Sequence[str] = flags.slices or self.settings.slices
        modes: Sequence[str] = flags.modes or self.settings.modes
        depth = flags.depth or self.settings.depth
        if subject.spec in self.controls:
            slices, modes = self._named(subject.spec, corpus, slices, modes)
        plan = partial(
            plan_trial,
            subject,
            declared,
            corpus,
            slices=slices,
            modes=modes,
            faults=faults,
            # What looks further down than was asked has nothing to look at.
            measures=[measure for measure in self.measures if measure.cutoff <= depth],
            within=self.settings.fail_open.within,
            scored=len({find_arm(name).device for name in (*self.settings.arms, *self.arms)}) > 1,
            repeats=REPEATS if self.settings.noisy and subject.spec not in self.controls else 1,
        )
        trial = plan()
        if not flags.limit:
            return trial
        # The gated store comes first: a control is asked what it is asked, so that contrasts compare the same topics.
        only = self.limited.setdefault(corpus.label, first_topics(trial, flags.limit))
        return limited_trial(trial, plan(only=only))

    def _named(
        self, control: str, corpus: Corpus, slices: Sequence[str], modes: Sequence[str]
    ) -> tuple[list[str], list[str]]:
        """The slices and modes of a control that some budget speaks of: nobody waits for the others."""
        spoken = [rule.split("/") for rule in self.rules if _store_of(rule) == control]
        names = chosen([ALL_TOPICS, *(s.name for s in corpus.slices)], slices)
        asked = [mode for mode in modes or MODES if any(fnmatchcase(mode, parts[4]) for parts in spoken)]
        named = [name for name in names if any(fnmatchcase(name, parts[2]) for parts in spoken)]
        return (named if asked else []), asked

    def _settings_cells(self, declared: Declared, arm: str, faults: Sequence[Fault]) -> Iterable[CellKey]:
        """The cells of the settings' own corpora that are not loaded now: from the names of their slices alone.

        What a store declares on an arm that flags leave out is not known: it may have every mode there.
        """
        declares = declared.modes if arm in self.arms else MODES
        for spec in self.settings.corpora:
            if spec in self.corpora and arm in self.arms:
                continue
            parsed = parse_spec(spec)
            slices, _ = ask_slices(corpus_slices(spec), self.settings.slices, declared.abilities)
            modes = [m for m in MODES if m in declares and m in (self.settings.modes or MODES)]
            runs = plan_runs(declared, parsed.name, parsed.tier, arm, modes, faults)
            deep = [measure for measure in self.measures if measure.cutoff <= self.settings.depth]
            yield from plan_cells(runs, slices, ask_measures(deep, declared.abilities))

    def _settings_store_cells(self) -> Iterable[CellKey]:
        """The cells of the settings' own store, where a flag put another in its place; none if it does not open."""
        before = len(self.findings)
        for arm in self.settings.arms:
            opened = self._declared(self.settings.store, arm, is_subject=False)
            if opened is None:
                del self.findings[before:]
                continue
            subject, declared = opened
            for corpus in self.whole.values():
                yield from self._trial(subject, declared, corpus, self.faults, narrowed=False).cells
            yield from self._settings_cells(declared, arm, self.faults)

    def _pins_missing(self) -> str:
        """Why nothing is measured: settings name a corpus by its path alone. A flag may, for a look."""
        if self.flags.corpora:
            self.notes += [one.note() for one in self.unpinned]
            return ""
        self.findings += [one.check() for one in self.unpinned]
        return f"nothing is measured before {self.unpinned[0].label} is pinned" if self.unpinned else ""

    def _tell_emptied(self, *, others: bool) -> None:
        """Trials of which flags leave nothing: out of scope where `others` are measured, else nobody asked anything."""
        why = "no slice that the flags leave makes sense in the modes that remain"
        if others:
            self.notes += [f"nothing is measured of {trial.label}: {why}" for trial in self.emptied]
        else:
            self.findings += [nothing_left(trial, why) for trial in self.emptied]


def _rules(budgets: Budgets) -> Iterable[str]:
    yield from (limit.cell for limit in budgets.limits)
    for contrast in budgets.contrasts:
        yield from (contrast.of, contrast.partner)


def _store_of(cell: str) -> str:
    return cell.partition("/")[0]
