"""What settings and flags ask for together: the trials to run, and all that could have been asked.

The full plan is that of the settings, and of what flags put in their place, with nothing left
out. What flags narrow away is then known to be out of scope, and what no plan has is known to
be a mistake.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import partial

from gate.checks.coverage import finding
from gate.corpus import READ_TIER, corpus_slices, load_corpus, parse_spec
from gate.corpus.units import units_of
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
from gate.pins import pinned, unpinned
from gate.plan import Declared, Flags, Request, ask_measures, ask_slices, check_globs, plan_cells, plan_runs
from gate.probes.plan import ProbePlan, names_of, plan_probes
from gate.records import ALL_TOPICS, MODES, Budgets, Cell, CellKey, Check, Corpus
from gate.settings import PATH_CORPORA, Settings, shipped_settings
from gate.stores import CONTROLS
from gate.trial import Trial, plan_trial

# How often a store that is declared noisy is measured.
REPEATS = 5
# The modes that a part of ours is for, where a store takes it.
_SEARCHED_WITH = {"embedder": ("vector", "hybrid"), "reranker": ("rerank",)}


@dataclass(frozen=True, slots=True)
class Probed:
    """The gated store on an arm, and the probes that it is asked."""

    subject: Subject
    declared: Declared
    plan: ProbePlan

    @property
    def cells(self) -> list[CellKey]:
        return self.plan.cells(self.declared.name, self.subject.arm.name)


@dataclass(frozen=True, slots=True)
class Scope:
    """`trials` are to be run, the gated store's first; `subject_name` is its name, None where it could not be opened.

    `full` holds every cell of the full plan; `whole[label]` the run names that a trial has
    before flags narrow it. `findings` are checks that planning alone brought up. `withheld` says
    why none of the trials is run, empty where they are. `probed` are the probes to look at, and
    `probe_cells` those of the full plan.
    """

    trials: tuple[Trial, ...]
    subject_name: str | None
    full: frozenset[CellKey]
    whole: Mapping[str, tuple[str, ...]]
    narrowed: tuple[str, ...]
    notes: tuple[str, ...]
    findings: tuple[Check, ...]
    withheld: str = ""
    probed: tuple[Probed, ...] = ()
    probe_cells: frozenset[CellKey] = frozenset()

    @property
    def to_probe(self) -> tuple[Probed, ...]:
        return () if self.withheld else self.probed

    @property
    def to_run(self) -> tuple[Trial, ...]:
        return () if self.withheld else self.trials

    def unmeasured(self) -> dict[CellKey, Cell]:
        """The cells of the trials where these are withheld, so that nothing that was planned vanishes."""
        keys = [key for trial in self.trials for key in trial.cells] if self.withheld else []
        return {key: Cell(key, "not measured", None, 0, self.withheld) for key in keys}


def scope_of(request: Request, budgets: Budgets, measures: Sequence[ParsedMeasure], opening: Opening) -> Scope:
    """Opens what has to be opened to know what can be asked. Raises UsageError for what does not exist."""
    return _Planner(request, budgets, measures, opening).scope()


class _Planner:
    def __init__(self, request: Request, budgets: Budgets, measures: Sequence[ParsedMeasure], opening: Opening) -> None:
        self.settings, self.flags, self.measures, self.opening = request.settings, request.flags, measures, opening
        self.faults = faults_matching(self.settings.fail_open.faults)
        self.specs = asked_corpora(self.settings, self.flags)
        loaded = {spec: pinned(spec, load_corpus(spec), self.settings) for spec in self.specs}
        self.unpinned = [one for spec, corpus in loaded.items() if (one := unpinned(spec, corpus, self.settings))]
        asked, whole = (request.granularity, request.dedup), (self.settings.granularity, self.settings.dedup)
        self.corpora = {spec: units_of(corpus, *asked) for spec, corpus in loaded.items()}
        # The settings may ask for other units than the flags.
        self.whole = self.corpora
        if asked != whole:
            self.whole = {spec: units_of(corpus, *whole) for spec, corpus in loaded.items()}
        names = [s.name for corpus in self.corpora.values() for s in corpus.slices]
        check_globs(self.flags.slices, [ALL_TOPICS, *names], "slice")
        others = [s.name for spec in self.settings.corpora if spec not in self.corpora for s in corpus_slices(spec)]
        others += [s.name for corpus in self.whole.values() for s in corpus.slices]
        check_globs(self.settings.slices, [ALL_TOPICS, *names, *others], "slice")
        self.rules = tuple(_rules(budgets))
        subject = self.flags.store or self.settings.store
        self.controls = sorted({_store_of(rule) for rule in self.rules} & set(CONTROLS) - {subject})
        self.arms = tuple(dict.fromkeys(self.flags.arms or self.settings.arms))
        self.limited: dict[str, frozenset[str]] = {}
        self.findings: list[Check] = []
        self.notes: list[str] = []
        self.emptied: list[Trial] = []
        self.probed: list[Probed] = []
        self.probe_cells: set[CellKey] = set()
        self.notes += [
            f"the settings choose models for {idle}, and nothing runs on it: it is not among their `arms`"
            for idle in sorted(set(self.settings.models) - {*self.settings.arms, *self.arms})
        ]
        if shipped_settings(self.settings.path):
            self.notes.append(
                "there is no gate.yml in this folder, so the settings that ship with the gate are used: "
                + ("they gate its own store" if not self.flags.store else f"the store is {self.flags.store}")
            )

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
                        self._tell(asked)
                        if everything.keys and not asked.keys:
                            self.emptied.append(asked)
                        elif not asked.keys:
                            self.findings.append(_nothing_left(asked, "no slice makes sense in the modes that remain"))
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
            self._narrowed(narrow, limited=any(trial.unlimited is not None for trial in trials)),
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

    def _narrowed(self, differs: bool, *, limited: bool) -> tuple[str, ...]:
        flags = self.flags
        told = []
        if differs:
            told += [f"--mode {mode}" for mode in flags.modes] + [f"--slice {name}" for name in flags.slices]
        if flags.depth and flags.depth != self.settings.depth:
            told.append(f"--k {flags.depth}")
        if flags.plant:
            told.append(f"--plant {flags.plant}")
        if limited:
            told.append(f"--limit {flags.limit}")
        told += [f"--corpus {one.spec}, which is not pinned" for one in self.unpinned if flags.corpora]
        if flags.granularity not in ("", self.settings.granularity):
            told.append(f"--granularity {flags.granularity}")
        if flags.dedup not in (None, self.settings.dedup):
            told.append("--dedup" if flags.dedup else "--no-dedup")
        return tuple(told)

    def _pins_missing(self) -> str:
        """Why nothing is measured: settings name a corpus by its path alone. A flag may, for a look."""
        if self.flags.corpora:
            self.notes += [one.note() for one in self.unpinned]
            return ""
        self.findings += [one.check() for one in self.unpinned]
        return f"nothing is measured before {self.unpinned[0].label} is pinned" if self.unpinned else ""

    def _tell(self, trial: Trial) -> None:
        """What a reader has to know of a trial whatever comes of it."""
        declared, corpus = trial.declared, trial.corpus
        asked = self.flags.modes or self.settings.modes
        self.notes += corpus.notes
        if not corpus.pinned and corpus.tier != READ_TIER:
            self.notes.append(f"{corpus.label} is not pinned, so nothing vouches for its bytes: gate corpus verify")
        for mode in asked:
            if mode not in declared.modes:
                self.findings.append(
                    finding(
                        f"mode {declared.name} {mode}",
                        f"the mode {mode} is asked for, but {declared.name} declares only"
                        f" {', '.join(m for m in MODES if m in declared.modes) or 'none at all'}",
                        cell=mode,
                    )
                )
        absent = [m for m in MODES if m not in declared.modes and m not in asked]
        if absent and not asked:
            self.notes.append(f"{declared.name} does not declare the modes: {', '.join(absent)}")
        if trial.unasked:
            self.notes.append(
                f"{declared.name} is not asked the slices {', '.join(trial.unasked)} of {corpus.label}:"
                " it does not declare the abilities that they need"
            )
        # A part that the arm has not cannot fail.
        parts = {"embedder": trial.subject.embedder, "reranker": trial.subject.reranker}
        broken = {fault.part for fault in self.faults if parts[fault.part] is not None}
        if missing := sorted(broken - declared.abilities):
            self.notes.append(
                f"{declared.name} does not take the gate's {' and '.join(missing)},"
                " so its behaviour when that fails was not tested"
            )
        for part, modes in _SEARCHED_WITH.items():
            if parts[part] is None and part in declared.abilities:
                self.notes += [
                    f"{declared.name} declares the mode {mode}, and the arm {trial.subject.arm.name} has no {part}:"
                    " it is opened with None in its place"
                    for mode in modes
                    if mode in declared.modes
                ]
        for name in trial.empty:
            self.findings.append(
                finding(f"slice {corpus.label} {name}", f"the slice {name} of {corpus.label} has no topics", cell=name)
            )

    def _tell_emptied(self, *, others: bool) -> None:
        """Trials of which flags leave nothing: out of scope where `others` are measured, else nobody asked anything."""
        why = "no slice that the flags leave makes sense in the modes that remain"
        if others:
            self.notes += [f"nothing is measured of {trial.label}: {why}" for trial in self.emptied]
        else:
            self.findings += [_nothing_left(trial, why) for trial in self.emptied]


def _nothing_left(trial: Trial, why: str) -> Check:
    return finding(f"plan {trial.label}", f"nothing is left to measure of {trial.label}: {why}", cell=trial.label)


def asked_corpora(settings: Settings, flags: Flags) -> tuple[str, ...]:
    """The corpora to run: the settings' or the flags', in the tiers that a flag asks for."""
    specs = flags.corpora or settings.corpora
    if not flags.tiers:
        return _apart(specs)
    kept = []
    for spec in specs:
        if spec.startswith(PATH_CORPORA):
            kept += [spec] if parse_spec(spec).tier in flags.tiers else []
        else:
            kept += [f"{spec.partition('@')[0]}@{tier}" for tier in flags.tiers]
    if not kept:
        raise UsageError(
            "tier-unknown",
            f"no corpus here has the tier {', '.join(flags.tiers)}",
            hint="`gate corpus list` shows all.",
        )
    return _apart(kept)


def _apart(specs: Iterable[str]) -> tuple[str, ...]:
    """Each spec once. Raises UsageError where two of them would share the name that stands in cells."""
    known: dict[str, str] = {}
    for spec in specs:
        label = parse_spec(spec).label
        if known.setdefault(label, spec) != spec:
            raise UsageError(
                "corpus-twice",
                f"two corpora would both be called {label}: {known[label]} and {spec}",
                hint="Rename one of the folders, or run them one after the other.",
            )
    return tuple(known.values())


def _rules(budgets: Budgets) -> Iterable[str]:
    yield from (limit.cell for limit in budgets.limits)
    for contrast in budgets.contrasts:
        yield from (contrast.of, contrast.partner)


def _store_of(cell: str) -> str:
    return cell.partition("/")[0]
