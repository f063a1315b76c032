from __future__ import annotations

from gate.corpus.rng import Rng


def test_bits_are_those_of_the_published_generator() -> None:
    # The first outputs of SplitMix64 from state 1234567, as in public test vectors.
    rng = Rng()
    rng._state = 1234567
    assert [rng.bits() for _ in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


def test_streams_depend_on_every_key_and_on_nothing_else() -> None:
    first = [Rng(7, "memory", index).bits() for index in range(100)]
    assert first == [Rng(7, "memory", index).bits() for index in range(100)]
    assert len(set(first)) == 100
    assert not set(first) & {Rng(8, "memory", index).bits() for index in range(100)}
    assert Rng("ab", "c").bits() != Rng("a", "bc").bits()


def test_below_reaches_every_number_about_equally_often() -> None:
    rng = Rng("even")
    counts = [0] * 7
    for _ in range(7000):
        counts[rng.below(7)] += 1
    assert min(counts) > 900
    assert max(counts) < 1100


def test_sample_is_distinct_and_leaves_its_source_alone() -> None:
    source = tuple(range(30))
    drawn = Rng("sample").sample(source, 10)
    assert len(set(drawn)) == 10
    assert set(drawn) <= set(source)
    assert Rng("sample").sample(source, 99) != list(source)
    assert sorted(Rng("sample").sample(source, 99)) == list(source)


def test_shuffle_puts_each_item_in_each_place() -> None:
    places: set[tuple[int, int]] = set()
    for seed in range(200):
        items = [0, 1, 2, 3]
        Rng(seed).shuffle(items)
        places.update(enumerate(items))
    assert len(places) == 16
