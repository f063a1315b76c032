"""The probes, in a registry: invariants of a store that are looked at without labels, one file a family.

Adding one is a class in the file of its family, a line in `_ALL`, and a test.
"""

from __future__ import annotations

from collections.abc import Mapping

from gate.probes.adding import AddOnly
from gate.probes.growth import FirstSearch, IngestGrowth, QueryGrowth
from gate.probes.hits import NoDuplicates, Scores, ScoresTell
from gate.probes.known_item import KNOWN_WORDS, Case, LongerQuery, NormalForm, SelfRetrieval, Width
from gate.probes.lifecycle import Delete, DeleteEach, NeverRetired, ReAdd, Stored, Supersede, Update, UpdateEach
from gate.probes.modes import EmbedderUsed, Environment, ModesDiffer
from gate.probes.order import IngestOrder, QueryOrder, RelabelledIds
from gate.probes.paging import FillsK, KBeyond, KOne, KPrefix
from gate.probes.probe import Finding, Probe
from gate.probes.queries import EmptyQuery, HostileQuery, LongQuery
from gate.probes.repeats import FreshProcess, IngestTwice, Reopen, SameQuery
from gate.probes.scope import FilterFills, ImpossibleFilter, Projects, RareFilter, References, Users

__all__ = ["PROBES", "Finding", "Probe"]

_ALL: tuple[Probe, ...] = (
    AddOnly(),
    KPrefix(),
    KOne(),
    KBeyond(),
    FillsK(),
    IngestOrder(),
    QueryOrder(),
    RelabelledIds(),
    SameQuery(),
    IngestTwice(),
    Reopen(),
    FreshProcess(),
    SelfRetrieval(),
    *KNOWN_WORDS,
    LongerQuery(),
    Case(),
    Width(),
    NormalForm(),
    Stored(),
    Update(),
    UpdateEach(),
    Delete(),
    DeleteEach(),
    ReAdd(),
    Supersede(),
    NeverRetired(),
    Users(),
    Projects(),
    References(),
    FilterFills(),
    RareFilter(),
    ImpossibleFilter(),
    NoDuplicates(),
    Scores(),
    ScoresTell(),
    EmptyQuery(),
    LongQuery(),
    HostileQuery(),
    ModesDiffer(),
    Environment(),
    EmbedderUsed(),
    FirstSearch(),
    QueryGrowth(),
    IngestGrowth(),
)

PROBES: Mapping[str, Probe] = {probe.name: probe for probe in _ALL}
