import pytest

from gate.measures import RUN_MEASURES
from gate.records import Timing


def test_ingest_rate_is_documents_a_second() -> None:
    assert RUN_MEASURES["ingest-rate"].over(Timing((), 1200, 0.5)) == 2400.0


@pytest.mark.parametrize(("documents", "seconds"), [(0, 1.0), (10, 0.0), (10, -1.0)])
def test_nothing_ingested_has_no_rate(documents: int, seconds: float) -> None:
    assert RUN_MEASURES["ingest-rate"].over(Timing((), documents, seconds)) is None
