from collections.abc import Sequence

from gate.defects import DEFECTS


class Lengths:
    """The longest text first."""

    name = "lengths"

    def score(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        return [float(len(text)) for text in texts]


def test_a_shifted_reranker_gives_each_text_the_score_of_the_next() -> None:
    texts = ["a", "bb", "cccc"]
    planted = DEFECTS["reranker-shifted"].plant_reranker(Lengths(), 1.0)
    assert list(Lengths().score("q", texts)) == [1.0, 2.0, 4.0]
    assert list(planted.score("q", texts)) == [2.0, 4.0, 1.0]
    assert list(planted.score("q", [])) == []
    assert planted.name == "lengths"


def test_a_dose_shifts_a_share_of_the_queries() -> None:
    planted = DEFECTS["reranker-shifted"].plant_reranker(Lengths(), 0.5)
    shifted = sum(list(planted.score(f"q{number}", ["a", "bb"])) == [2.0, 1.0] for number in range(400))
    assert 140 < shifted < 260
