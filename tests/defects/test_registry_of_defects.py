"""What the registry says of each defect exists, and planting one stays a planting."""

import pytest
from small_shelf import Shelf

from gate.defects import DEFECTS, Defect
from gate.faults import FAULTS
from gate.records import ABILITIES, MODES

ALL = pytest.mark.parametrize("defect", DEFECTS.values(), ids=DEFECTS)


@ALL
def test_a_defect_speaks_of_modes_abilities_and_faults_that_exist(defect: Defect) -> None:
    assert defect.modes or defect.name == "ingest-quadratic"
    assert defect.modes | defect.asks <= set(MODES)
    assert defect.needs <= set(ABILITIES)
    assert set(defect.faults) <= set(FAULTS)


@ALL
def test_a_defect_is_in_at_least_one_part(defect: Defect) -> None:
    assert any(part is not None for part in (defect.in_store, defect.in_embedder, defect.in_reranker))


@ALL
def test_a_name_can_stand_in_a_command(defect: Defect) -> None:
    assert defect.name == defect.name.lower()
    assert set(defect.name) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")


@ALL
@pytest.mark.parametrize("mode", ["keyword", "vector", "hybrid", "facts"])
def test_a_planted_store_answers_before_anything_is_stored(defect: Defect, mode: str) -> None:
    assert defect.plant(Shelf(), 1.0).search("a question", 5, mode).hits == ()
