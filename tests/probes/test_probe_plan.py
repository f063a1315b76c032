"""Which probes a store is asked, and how they are called."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

from gate.plan import Declared
from gate.probes import PROBES, documents
from gate.probes.plan import cell_of, key_of, names_of, plan_probes
from gate.probes.probe import EVERY_MODE, NO_MODE
from gate.records import ABILITIES

ROOT = Path(__file__).resolve().parents[2]
ALL = Declared("whole", frozenset(EVERY_MODE), frozenset(ABILITIES))
PLAIN = Declared("plain", frozenset({"keyword"}), frozenset())


def test_every_probe_says_what_holds_and_what_breaks_it() -> None:
    for name, probe in PROBES.items():
        assert re.fullmatch("[a-z0-9]+(-[a-z0-9]+)*", name)
        assert re.fullmatch("[a-z-]+", probe.family)
        assert probe.says
        assert probe.stands_for
        assert probe.modes
        assert set(probe.modes) <= {*EVERY_MODE, NO_MODE}
        assert probe.needs <= frozenset(ABILITIES)
        assert inspect.isclass(type(probe))
    assert len({probe.says for probe in PROBES.values()}) == len(PROBES)


def test_the_page_of_probes_lists_every_one_as_it_is() -> None:
    page = (ROOT / "docs" / "probes.md").read_text(encoding="utf-8")
    rows = {row[1].strip("` "): row for line in page.splitlines() if len(row := line.split("|")) == 7}
    for name, probe in PROBES.items():
        assert rows[name][2].strip() == probe.family
        assert rows[name][3].strip() == probe.says
        assert rows[name][4].strip() == probe.stands_for
        assert rows[name][5].strip() == ("fast" if probe.fast else "full")
    assert len(rows) == len(PROBES) + 2  # the heading and the rule below it


def test_a_store_that_declares_everything_is_asked_everything() -> None:
    plan = plan_probes(ALL, PROBES)
    assert [one.probe.name for one in plan.planned] == list(PROBES)
    assert plan.undeclared == plan.moving == ()
    assert plan.notes("whole") == []


def test_what_a_store_does_not_declare_is_not_planned_and_told_once() -> None:
    plan = plan_probes(PLAIN, PROBES)
    planned = {one.probe.name: one.modes for one in plan.planned}
    assert planned["k-prefix"] == ("keyword",)
    assert planned["environment"] == (NO_MODE,)
    unasked = {"update", "delete", "re-add", "supersede", "reopen", "scope-users", "modes-differ", "embedder-used"}
    assert unasked <= set(plan.undeclared)
    assert not set(planned) & set(plan.undeclared)
    assert set(planned) | set(plan.undeclared) == set(PROBES)
    (note,) = plan.notes("plain")
    assert note.startswith("plain is not asked the probes ")


def test_modes_that_flags_leave_out_are_left_out_and_no_note_is_made_of_it() -> None:
    plan = plan_probes(ALL, PROBES, ["vector"])
    assert {mode for one in plan.planned for mode in one.modes} == {"vector", NO_MODE}
    assert plan.undeclared == ()


def test_a_noisy_store_is_not_asked_for_steady_ranks() -> None:
    plan = plan_probes(ALL, PROBES, noisy=True)
    assert set(plan.moving) == {name for name, probe in PROBES.items() if probe.steady}
    assert {"same-query", "k-prefix", "fresh-process"} <= set(plan.moving)
    assert "self-retrieval" not in plan.moving
    (note,) = plan.notes("whole")
    assert "declared noisy" in note


def test_the_fast_set_is_part_of_the_full_one_and_off_is_nothing() -> None:
    assert names_of("full") == list(PROBES)
    assert set(names_of("fast")) < set(names_of("full"))
    assert names_of("off") == []
    assert not {name for name in names_of("fast") if PROBES[name].family == "growth"}
    assert "fresh-process" not in names_of("fast")


def test_a_cell_names_the_probe_its_family_and_its_set() -> None:
    cell = cell_of(PROBES["k-prefix"], "whole", "cpu-hash", "vector")
    assert str(cell) == "whole/probes@fast/paging/cpu-hash/vector/probe/k-prefix"
    assert key_of(str(cell)) == cell


@pytest.mark.parametrize("name", ["NOTES", "SHELF", "SCOPED", "SPELT", "PRINTER", "BACKWARD", "RELABELLED"])
def test_documents_have_ids_and_texts_of_their_own(name: str) -> None:
    batch = getattr(documents, name)
    assert len({one.doc_id for one in batch.documents}) == len(batch.documents)
    assert len({one.text for one in batch.documents}) == len(batch.documents)
    assert batch.code == name


def test_words_that_are_asked_stand_in_one_document_alone() -> None:
    texts = {one.doc_id: one.text.casefold() for one in documents.SHELF.documents}
    for doc_id, words in documents.WORDS.items():
        for word in words:
            assert [name for name, text in texts.items() if word in text] == [doc_id], word


def test_the_new_words_of_the_key_are_none_of_the_old() -> None:
    old, new = (set(one.text.casefold().split()) for one in (documents.KEY_OLD, documents.KEY_NEW))
    assert not old & new
    assert not set(documents.KEY_QUERY.split()) & new
    assert not set(documents.KEY_NEW_QUERY.casefold().split()) & old


def test_each_graded_document_holds_one_word_of_the_question_fewer() -> None:
    asked = set(documents.GRADED_QUERY.split())
    held = [len(asked & set(one.text.casefold().rstrip(".").split())) for one in documents.GRADED.documents]
    assert held == [4, 3, 2, 1]
