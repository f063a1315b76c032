"""What the ranks of two baselines say of the gated cells, whatever their headers say.

`gate run` compares with the ranks. The scores of a header are there to be read, and lowered
ranks below scores that stayed would lower the bar unseen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from gate.baselines import Standing
from gate.measures import parse_measure, score_topics
from gate.measures.rankings import mean
from gate.paired import GATED
from gate.records import ALL_TOPICS, Corpus, JudgedRanking
from gate.stats.rule import NOISE

Stood = Mapping[str, Standing]


def lowered_cells(
    before: Stood, after: Stood, mode: str, slices: Iterable[str], corpus: Corpus
) -> Iterator[tuple[str, str, float, float]]:
    """Slice, measure and both means of every gated cell of one run that went down, over the topics of both sides.

    A topic of a noisy store counts with the mean of its repeats. Runs whose rows are equal cost nothing.
    """
    common = [topic for topic in corpus.topics if topic.topic_id in before and topic.topic_id in after]
    if all(before[topic.topic_id] == after[topic.topic_id] for topic in common):
        return
    modes = {part.name: part.modes for part in corpus.slices}
    members = {
        part: [topic.topic_id for topic in common if part == ALL_TOPICS or part in topic.slices]
        for part in slices
        if part == ALL_TOPICS or mode in modes.get(part, ())
    }
    answers = [_judged(stood, [topic.topic_id for topic in common], corpus) for stood in (before, after)]
    for name in GATED:
        better = 1 if parse_measure(name).higher_is_better else -1
        old, new = (_values(one, name) for one in answers)
        for part, topics in members.items():
            scored = [topic for topic in topics if topic in old and topic in new]
            if scored:
                then, now = (mean([values[topic] for topic in scored]) for values in (old, new))
                if better * (then - now) > NOISE:
                    yield part, name, then, now


def fresh_repeats(before: Stood, after: Stood) -> list[str]:
    """The topics of one run that hold repeats where the base held none: answers that may differ from now on."""
    noisy = any(standing.repeats for standing in before.values())
    return sorted(
        topic
        for topic, standing in after.items()
        if standing.repeats and not (before[topic].repeats if topic in before else noisy)
    )


def _judged(stood: Stood, topics: Iterable[str], corpus: Corpus) -> list[dict[str, JudgedRanking]]:
    """The answers as the measures see them, the first of each topic first; a topic has as many as it has repeats."""
    each: list[dict[str, JudgedRanking]] = []
    for topic in topics:
        grades, forbidden = corpus.qrels.get(topic, {}), corpus.forbidden.get(topic, {})
        for number, answer in enumerate((stood[topic], *stood[topic].repeats)):
            if number == len(each):
                each.append({})
            each[number][topic] = answer.judged(grades, forbidden)
    return each


def _values(answers: Iterable[Mapping[str, JudgedRanking]], measure: str) -> dict[str, float]:
    """The mean over its repeats of each topic that a measure applies to."""
    values: dict[str, list[float]] = {}
    for rankings in answers:
        for topic, value in score_topics(rankings, parse_measure(measure)).items():
            values.setdefault(topic, []).append(value)
    return {topic: mean(of_topic) for topic, of_topic in values.items()}
