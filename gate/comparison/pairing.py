"""Pairing: the same run on both sides, the same question asked, topic by topic. What has no counterpart is named."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from gate.comparison.records import Gap, Pair, Pairing, Side
from gate.figures import count
from gate.globs import chosen
from gate.plan import check_globs
from gate.records import ALL_TOPICS, NO_FAULT, Corpus, Run, RunKey


@dataclass(frozen=True, slots=True)
class Chosen:
    """Globs of what is compared: slices and modes, all unless given, and faults, none unless given."""

    slices: tuple[str, ...] = ("*",)
    modes: tuple[str, ...] = ("*",)
    faults: tuple[str, ...] = (NO_FAULT,)

    def keys(self, runs: Sequence[RunKey]) -> list[RunKey]:
        modes = set(chosen({key.mode: None for key in runs}, self.modes))
        faults = set(chosen({key.fault: None for key in runs}, self.faults))
        return [key for key in runs if key.mode in modes and key.fault in faults]

    def check(self, sides: Sequence[Side]) -> None:
        """Raises UsageError for a glob that nothing on any side answers to."""
        keys = [key for side in sides for key in side.runs]
        check_globs(self.modes, sorted({key.mode for key in keys}), "mode")
        check_globs(self.faults, sorted({NO_FAULT, *(key.fault for key in keys)}), "fault")
        names = {name for side in sides for slices in side.slices.values() for name in slices}
        check_globs(self.slices, sorted(names, key=lambda name: (name != ALL_TOPICS, name)), "slice")


def pair(a: Side, b: Side, want: Chosen) -> Pairing:
    """Every run of both sides with its counterpart. Raises UsageError for globs that choose nothing there is."""
    want.check((a, b))
    partners = _partners(a, b, want)
    gaps, notes = _lonely(a, b, partners, want)
    refused = {why.subject: why for ours, theirs in partners.items() for why in _refusals(a, b, ours, theirs)}
    gaps += refused.values()
    pairs = []
    for ours, theirs in partners.items():
        if _trial(ours) in refused:
            continue
        runs = a.load(ours), b.load(theirs)
        broken = [(side, run) for side, run in zip((a, b), runs, strict=True) if run.failure]
        gaps += [Gap(str(run.key), f"not measured in {side.name}: {run.failure}") for side, run in broken]
        if not broken:
            made, missing = _paired(a, b, *runs, want)
            gaps += missing
            pairs += [made] if made.topics and made.slices else []
    if not partners and not gaps:
        gaps.append(Gap("comparison", "no run of A has its counterpart in B"))
    return Pairing(tuple(pairs), tuple(gaps), tuple(dict.fromkeys((*a.notes, *b.notes, *notes))))


def _partners(a: Side, b: Side, want: Chosen) -> dict[RunKey, RunKey]:
    """The runs of both sides, those of A first. The gated stores are partners whatever they are called."""
    theirs = set(want.keys(b.runs))
    partners = {}
    for key in want.keys(a.runs):
        gated = key.store == a.subject
        partner = replace(key, store=b.subject if gated else key.store)
        if partner in theirs and gated == (partner.store == b.subject):
            partners[key] = partner
    return partners


def _lonely(a: Side, b: Side, partners: Mapping[RunKey, RunKey], want: Chosen) -> tuple[list[Gap], list[str]]:
    """Runs without a counterpart: a gap where the gated store has them, a note where a control does."""
    paired = {*partners, *partners.values()}
    alone = [(side, key) for side in (a, b) for key in want.keys(side.runs) if key not in paired]
    gaps = [Gap(str(key), f"only in {side.name}") for side, key in alone if key.store == side.subject]
    controls = dict.fromkeys((key.store, side.name) for side, key in alone if key.store != side.subject)
    return gaps, [f"{store}, a control, has runs only in {name}: left out" for store, name in controls]


def _paired(a: Side, b: Side, ours: Run, theirs: Run, want: Chosen) -> tuple[Pair, list[Gap]]:
    corpus = b.corpora[_label(theirs.key)]
    slices = [a.slices[ours.key], b.slices[theirs.key]]
    names = list(dict.fromkeys((*slices[0], *slices[1])))
    both = [name for name in names if name in slices[0] and name in slices[1]]
    wanted = chosen(names, want.slices)
    gaps = [
        Gap(f"{theirs.key} {name}", f"the slice is only in {a.name if name in slices[0] else b.name}")
        for name in wanted
        if name not in both
    ]
    topics = tuple(t for t in corpus.topics if t.topic_id in ours.results and t.topic_id in theirs.results)
    made = Pair(
        ours,
        theirs,
        corpus,
        topics,
        tuple(topic for topic in ours.results if topic not in theirs.results),
        tuple(topic for topic in theirs.results if topic not in ours.results),
        tuple(name for name in wanted if name in both),
    )
    lonely = [(a.name, made.only_a), (b.name, made.only_b)]
    gaps += [
        Gap(str(theirs.key), f"paired on {count(len(topics), 'topic')}; {_listed(some, name)}")
        for name, some in lonely
        if some
    ]
    return made, gaps


def _listed(topics: Sequence[str], name: str) -> str:
    first = ", ".join(topics[:3])
    return f"{len(topics)} only in {name}: {first}{', ...' if len(topics) > 3 else ''}"


def _refusals(a: Side, b: Side, ours: RunKey, theirs: RunKey) -> Iterator[Gap]:
    """Why two runs were not asked the same: the first thing that differs, with both values."""
    fields = a.methodology[ours], b.methodology[theirs]
    told = first_field(*fields, a.name, b.name) or first_judgement(
        a.corpora[_label(ours)], b.corpora[_label(theirs)], a.name, b.name
    )
    if told:
        yield Gap(_trial(ours), f"cannot be compared: {told}")


def first_field(ours: Mapping[str, str], theirs: Mapping[str, str], name_a: str, name_b: str) -> str:
    """The first field of two methodologies that differs, with both values; empty where none does."""
    for key in dict.fromkeys((*ours, *theirs)):
        values = [fields.get(key, "not given") for fields in (ours, theirs)]
        if values[0] != values[1]:
            return f"{key} is {values[0]} in {name_a} and {values[1]} in {name_b}"
    return ""


def first_judgement(ours: Corpus, theirs: Corpus, name_a: str, name_b: str) -> str:
    """The first topic, grade or forbidden document of two corpora that differs; empty where none does."""
    if ours is theirs:
        return ""
    topics = [{topic.topic_id: topic for topic in corpus.topics} for corpus in (ours, theirs)]
    for topic_id in dict.fromkeys((*topics[0], *topics[1])):
        found = [of.get(topic_id) for of in topics]
        if found[0] is None or found[1] is None:
            return f"topic {topic_id} is only in {name_a if found[1] is None else name_b}"
        for what in ("text", "slices", "cluster"):
            values = [getattr(topic, what) for topic in found]
            if values[0] != values[1]:
                return f"the {what} of topic {topic_id} is {values[0]!r} in {name_a} and {values[1]!r} in {name_b}"
        for what, kinds in (("grade", (ours.qrels, theirs.qrels)), ("reason", (ours.forbidden, theirs.forbidden))):
            judged: list[Mapping[str, object]] = [kind.get(topic_id, {}) for kind in kinds]
            for doc in sorted({*judged[0], *judged[1]}):
                said = [of.get(doc, "not given") for of in judged]
                if said[0] != said[1]:
                    return (
                        f"the {what} of {doc} for topic {topic_id} is {said[0]} in {name_a} and {said[1]} in {name_b}"
                    )
    return ""


def _label(key: RunKey) -> str:
    return f"{key.corpus}@{key.tier}"


def _trial(key: RunKey) -> str:
    return f"{key.store} on {_label(key)}, {key.arm}"
