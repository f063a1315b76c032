"""The corpora that settings and flags ask for: which, whether they are pinned, and in what units they are judged."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from gate.corpus import corpus_slices, load_corpus, parse_spec
from gate.corpus.units import units_of
from gate.errors import UsageError
from gate.pins import Unpinned, pinned, unpinned
from gate.plan import Flags, Request, check_globs
from gate.records import ALL_TOPICS, Corpus
from gate.settings import PATH_CORPORA, Settings


@dataclass(frozen=True, slots=True)
class AskedCorpora:
    """`asked[spec]` are to be run; `whole[spec]` are the same in the units of the settings, which flags may change.

    `unpinned` are those that nothing vouches for.
    """

    asked: Mapping[str, Corpus]
    whole: Mapping[str, Corpus]
    unpinned: tuple[Unpinned, ...]


def load_asked(request: Request) -> AskedCorpora:
    """Loads what is asked. Raises UsageError, also where a glob of the flags or settings names no slice of it."""
    settings, flags = request.settings, request.flags
    loaded = {spec: pinned(spec, load_corpus(spec), settings) for spec in asked_corpora(settings, flags)}
    loose = tuple(one for spec, corpus in loaded.items() if (one := unpinned(spec, corpus, settings)))
    units, own_units = (request.granularity, request.dedup), (settings.granularity, settings.dedup)
    asked = {spec: units_of(corpus, *units) for spec, corpus in loaded.items()}
    whole = asked
    if units != own_units:
        whole = {spec: units_of(corpus, *own_units) for spec, corpus in loaded.items()}
    names = [s.name for corpus in asked.values() for s in corpus.slices]
    check_globs(flags.slices, [ALL_TOPICS, *names], "slice")
    others = [s.name for spec in settings.corpora if spec not in asked for s in corpus_slices(spec)]
    others += [s.name for corpus in whole.values() for s in corpus.slices]
    check_globs(settings.slices, [ALL_TOPICS, *names, *others], "slice")
    return AskedCorpora(asked, whole, loose)


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
