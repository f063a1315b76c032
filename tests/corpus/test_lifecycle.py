"""Memories that are replaced, scoped, linked or deleted."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from gate.corpus.family import Part
from gate.corpus.lifecycle import Lifecycle
from gate.corpus.rng import Rng
from gate.data import data_path
from gate.errors import UsageError
from gate.records import Document, Topic

FULL = {"superseded": 80, "scopes": 80, "references": 60, "deleted": 60}
SMOKE = dict.fromkeys(FULL, 20)


@pytest.fixture(scope="module")
def shipped() -> dict[str, Any]:
    data: dict[str, Any] = yaml.safe_load(data_path("corpora", "seeded", "lifecycle.yml").read_text(encoding="utf-8"))
    return data


@pytest.fixture(scope="module")
def part(shipped: dict[str, Any]) -> Part:
    return build(shipped, FULL)


def build(data: dict[str, Any], topics: dict[str, int], seed: int = 7) -> Part:
    return Lifecycle().build(Rng(seed, "lifecycle"), data, topics)


def topics_of(part: Part, slice_name: str) -> list[Topic]:
    return [topic for topic in part.topics if slice_name in topic.slices]


def documents_of(part: Part, topic: Topic) -> list[Document]:
    """The judged documents of a topic, by time."""
    judged = {*part.qrels[topic.topic_id], *part.forbidden.get(topic.topic_id, {})}
    return sorted((d for d in part.documents if d.doc_id in judged), key=lambda document: document.created_at)


@pytest.mark.parametrize("wanted", [FULL, SMOKE])
def test_every_slice_has_its_topics_from_enough_templates(shipped: dict[str, Any], wanted: dict[str, int]) -> None:
    made = build(shipped, wanted)
    for slice_name, count in wanted.items():
        topics = topics_of(made, slice_name)
        assert len(topics) == len({topic.text for topic in topics}) == count
        assert len({topic.cluster for topic in topics}) >= 10


def test_each_replacement_names_the_one_before_it_and_only_the_newest_may_come_back(part: Part) -> None:
    lengths = set()
    for topic in topics_of(part, "superseded"):
        chain = documents_of(part, topic)
        lengths.add(len(chain))
        assert [document.supersedes for document in chain] == ["", *(document.doc_id for document in chain[:-1])]
        assert part.qrels[topic.topic_id] == {chain[-1].doc_id: 3}
        assert part.forbidden[topic.topic_id] == {document.doc_id: "superseded" for document in chain[:-1]}
    assert lengths == {2, 3}


def test_the_oldest_wording_shares_more_with_the_question_than_the_newest(part: Part) -> None:
    closer = 0
    for topic in topics_of(part, "superseded"):
        asked = set(topic.text.lower().rstrip("?").split())
        first, last = (
            len(asked.intersection(document.text.lower().rstrip(".").split()))
            for document in (documents_of(part, topic)[0], documents_of(part, topic)[-1])
        )
        assert first >= last
        closer += first > last
    assert closer > 0.9 * len(topics_of(part, "superseded"))


def test_of_three_alike_only_the_relevant_one_is_visible_in_the_scope_of_the_topic(part: Part) -> None:
    shapes = set()
    for topic in topics_of(part, "scopes"):
        documents = documents_of(part, topic)
        assert len(documents) == len({document.text for document in documents}) == 3
        (visible,) = (document for document in documents if document.scope <= topic.scope)
        assert visible.scope
        assert part.qrels[topic.topic_id] == {visible.doc_id: 3}
        assert set(part.forbidden[topic.topic_id].values()) == {"other scope"}
        shapes.add(tuple(sorted(tag.split(":")[0] for tag in visible.scope)))
    assert shapes == {("project",), ("user",), ("project", "user")}
    assert {len(topic.scope) for topic in topics_of(part, "scopes")} == {2}


def test_two_users_and_two_projects_are_asked_for(part: Part) -> None:
    scopes = {tag for topic in part.topics for tag in topic.scope}
    assert scopes == {"user:mira", "user:jonas", "project:atlas", "project:borealis"}


def test_an_answer_refers_to_details_that_do_not_name_the_subject(part: Part, shipped: dict[str, Any]) -> None:
    for topic in topics_of(part, "references"):
        details, answer = documents_of(part, topic)
        assert answer.refs == (details.doc_id,)
        assert part.qrels[topic.topic_id] == {details.doc_id: 3, answer.doc_id: 2}
        subject = next(name for name in shipped["subjects"] if name in topic.text)
        assert subject in answer.text
        assert subject not in details.text


def test_what_is_deleted_is_forbidden_and_something_on_the_subject_stays(part: Part) -> None:
    deleted = set()
    for topic in topics_of(part, "deleted"):
        gone, stays = documents_of(part, topic)
        assert part.qrels[topic.topic_id] == {stays.doc_id: 3}
        assert part.forbidden[topic.topic_id] == {gone.doc_id: "deleted"}
        deleted.add(gone.doc_id)
    assert set(part.deletions) == deleted


def test_the_same_seed_gives_the_same_part_and_another_seed_another(shipped: dict[str, Any]) -> None:
    assert build(shipped, SMOKE) == build(shipped, SMOKE)
    assert build(shipped, SMOKE) != build(shipped, SMOKE, seed=8)


def test_a_slice_of_another_name_is_refused(shipped: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="no slice 'renamed'") as caught:
        build(shipped, {"renamed": 20})
    assert caught.value.slug == "family-slice-unknown"


def test_more_topics_than_subjects_are_refused(data: dict[str, Any]) -> None:
    data["subjects"] = data["subjects"][:2]
    with pytest.raises(UsageError, match="fewer subjects") as caught:
        build(data, {"deleted": 40})
    assert caught.value.slug == "recipe-few-words"


def test_a_chain_without_its_three_wordings_is_refused(data: dict[str, Any]) -> None:
    data["slices"]["superseded"]["region"]["steps"].pop()
    with pytest.raises(UsageError, match="needs 3 texts and has 2") as caught:
        build(data, SMOKE)
    assert caught.value.where.endswith("slices.superseded.region.steps")


def test_too_few_words_for_three_scopes_are_refused(data: dict[str, Any]) -> None:
    data["slots"]["prefix"] = ["feat", "work"]
    with pytest.raises(UsageError, match="the list 'prefix' has too few words"):
        build(data, SMOKE)


def test_one_user_alone_is_refused(data: dict[str, Any]) -> None:
    data["users"] = ["mira"]
    with pytest.raises(UsageError, match="at least two"):
        build(data, SMOKE)


def test_too_few_templates_are_refused(data: dict[str, Any]) -> None:
    data["slices"]["deleted"] = dict(list(data["slices"]["deleted"].items())[:9])
    with pytest.raises(UsageError) as caught:
        build(data, SMOKE)
    assert caught.value.slug == "recipe-few-templates"
