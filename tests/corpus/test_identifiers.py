from __future__ import annotations

import re

import pytest

from gate.corpus import identifiers
from gate.corpus.identifiers import Identifiers, mixed, session_identifier


def test_mixing_is_the_published_finaliser() -> None:
    # fmix32 of MurmurHash3: also its hash of the empty string under the seeds 0 and 1.
    assert mixed(0) == 0
    assert mixed(1) == 0x514E28B7


def test_named_and_numbered_ids_never_meet() -> None:
    ids = Identifiers(3, "d")
    found = {ids.named("family", str(index)) for index in range(2000)} | {ids.numbered(index) for index in range(2000)}
    assert len(found) == 4000
    assert all(re.fullmatch("d[0-9a-f]{8}", doc_id) for doc_id in found)


def test_a_name_keeps_its_id_whatever_else_is_named() -> None:
    alone = Identifiers(3, "d").named("family", "x")
    ids = Identifiers(3, "d")
    for index in range(500):
        ids.named("other", str(index))
    assert ids.named("family", "x") == alone
    assert Identifiers(4, "d").named("family", "x") != alone


def test_names_that_collide_get_ids_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(identifiers, "_HALF", 4)
    ids = Identifiers(3, "d")
    assert len({ids.named(str(index)) for index in range(4)}) == 4


def test_sessions_are_opaque_and_told_apart_by_family() -> None:
    one, other = session_identifier(1, "facts", "fact-7"), session_identifier(1, "memory", "fact-7")
    assert one != other
    assert "fact" not in one
    assert session_identifier(1, "facts", "") == ""
