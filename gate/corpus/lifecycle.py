"""What happens to a memory after it was written: replaced, shared with some only, linked, deleted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import cycle, islice
from typing import Any

from gate.corpus.entry import Entry
from gate.corpus.family import Part
from gate.corpus.rng import Rng
from gate.corpus.template import draw, fill, moment, require_templates, session_start, slots_of
from gate.errors import UsageError
from gate.records import Document, Topic

SUPERSEDED, OTHER_SCOPE, DELETED = "superseded", "other scope", "deleted"
_ANSWERS = 3
_POINTS = 2  # names the subject, and where the answer is
_CODES = range(100, 1000)
_LONGEST_PAUSE = 20 * 1440


@dataclass(frozen=True, slots=True)
class _World:
    """What all slices share."""

    lang: str
    subjects: tuple[str, ...]
    users: tuple[str, ...]
    projects: tuple[str, ...]
    slots: Mapping[str, Sequence[str]]


@dataclass(slots=True)
class _Case:
    """One topic in the making: its subject, and what has been said about it so far."""

    rng: Rng
    world: _World
    template: Entry
    name: str
    number: int
    subject: str
    code: str
    minute: int
    documents: list[Document] = field(default_factory=list)
    relevant: dict[str, int] = field(default_factory=dict)
    forbidden: dict[str, str] = field(default_factory=dict)
    deletions: list[str] = field(default_factory=list)
    scope: frozenset[str] = frozenset()

    def fill(self, *texts: str) -> list[str]:
        """The texts with one set of words, so that `{day}` and `{day2}` differ across them."""
        slots = dict.fromkeys(slot for text in texts for slot in slots_of(text))
        values = draw(self.rng, slots, self.world.slots, self.template.where)
        values |= {"subject": self.subject, "code": self.code}
        return [fill(text, values, self.template.where) for text in texts]

    def write(
        self, text: str, scope: frozenset[str] = frozenset(), supersedes: str = "", refs: tuple[str, ...] = ()
    ) -> str:
        """Adds a document, later than those before, and gives its key."""
        key = f"{self.name}-{len(self.documents)}"
        self.documents.append(
            Document(
                doc_id=key,
                text=text,
                session_id=key,
                speaker=("user", "assistant")[self.rng.below(2)],
                created_at=moment(self.minute),
                lang=self.world.lang,
                scope=scope,
                refs=refs,
                supersedes=supersedes,
            )
        )
        self.minute += 1 + self.rng.below(_LONGEST_PAUSE)
        return key


class Lifecycle:
    """Four slices, each with templates of its own."""

    name = "lifecycle"

    def build(self, rng: Rng, data: Mapping[str, Any], topics: Mapping[str, int]) -> Part:
        """The judged part. Raises UsageError for a slice that this family does not know, or with too few subjects."""
        entry = Entry.of(self.name, data)
        world = _world(entry)
        cases: list[_Case] = []
        asked: list[Topic] = []
        for slice_name, count in topics.items():
            if slice_name not in _TELL:
                raise UsageError(
                    "family-slice-unknown",
                    f"the family '{self.name}' makes no slice '{slice_name}'",
                    hint=f"It makes {', '.join(_TELL)}.",
                )
            below = entry.at("slices", slice_name)
            made = list(islice(_cases(rng, world, below, slice_name), count))
            for case in made:
                _TELL[slice_name](case)
                asked.append(_topic(case, slice_name))
            require_templates(slice_name, (case.template.where for case in made), count, below.where)
            cases.extend(made)
        documents = [document for case in cases for document in case.documents]
        rng.shuffle(documents)
        return Part(
            documents=tuple(documents),
            topics=tuple(asked),
            qrels={case.name: case.relevant for case in cases},
            forbidden={case.name: case.forbidden for case in cases if case.forbidden},
            deletions=tuple(key for case in cases for key in case.deletions),
        )

    def distractor(self, rng: Rng, data: Mapping[str, Any], index: int) -> Document | None:  # noqa: ARG002
        """None: the memories of other topics are what confuses here."""
        return None


def _superseded(case: _Case) -> None:
    """A chain of two or three; each document replaces the one before it, in other words."""
    steps = case.fill(*_texts(case, "steps", 3))
    chain = steps if case.number % 2 else [steps[0], steps[-1]]
    keys: list[str] = []
    for text in chain:
        keys.append(case.write(text, supersedes=keys[-1] if keys else ""))
    case.relevant[keys[-1]] = _ANSWERS
    case.forbidden |= dict.fromkeys(keys[:-1], SUPERSEDED)


def _scopes(case: _Case) -> None:
    """The same said thrice, with other values: for the topic's user and project, another user, another project."""
    rng, world = case.rng, case.world
    user, other_user = rng.sample(world.users, 2)
    project, other_project = rng.sample(world.projects, 2)
    mine, project_too, user_too = (
        (_scope(user, project), _scope(user, other_project), _scope(other_user, project)),
        (_scope("", project), _scope("", other_project), _scope(other_user, project)),
        (_scope(user, ""), _scope(user, other_project), _scope(other_user, "")),
    )[case.number % 3]
    wordings = _texts(case, "says", 2)
    texts = _apart(case, [rng.choice(wordings) for _ in range(3)])
    placed = list(zip((mine, project_too, user_too), texts, strict=True))
    rng.shuffle(placed)
    for scope, text in placed:
        key = case.write(text, scope=scope)
        if scope == mine:
            case.relevant[key] = _ANSWERS
        else:
            case.forbidden[key] = OTHER_SCOPE
    case.scope = _scope(user, project)


def _references(case: _Case) -> None:
    """A document on the subject that refers to the one with the answer, which does not name the subject."""
    points, tells = case.fill(case.template.at("points").text(), case.template.at("tells").text())
    details = case.write(points)
    answer = case.write(tells, refs=(details,))
    case.relevant |= {details: _ANSWERS, answer: _POINTS}


def _deleted(case: _Case) -> None:
    """A document that is deleted afterwards, and one on the same subject that stays."""
    gone, stays = case.fill(case.template.at("gone").text(), case.template.at("stays").text())
    deleted = case.write(gone)
    case.relevant[case.write(stays)] = _ANSWERS
    case.forbidden[deleted] = DELETED
    case.deletions.append(deleted)


_TELL: Mapping[str, Callable[[_Case], None]] = {
    "superseded": _superseded,
    "scopes": _scopes,
    "references": _references,
    "deleted": _deleted,
}


def _apart(case: _Case, wordings: Sequence[str]) -> list[str]:
    """The wordings, each with a value that the others do not have, so that no scope holds another's answer."""
    numbered = [_with_numbered_slots(text, number) for number, text in enumerate(wordings)]
    return case.fill(*numbered)


def _with_numbered_slots(text: str, number: int) -> str:
    for slot in slots_of(text):
        if slot != "subject":
            text = text.replace(f"{{{slot}}}", f"{{{slot}{number or ''}}}")
    return text


def _scope(user: str, project: str) -> frozenset[str]:
    return frozenset(f"{kind}:{name}" for kind, name in (("user", user), ("project", project)) if name)


def _texts(case: _Case, part: str, count: int) -> tuple[str, ...]:
    entry = case.template.at(part)
    texts = entry.texts()
    if len(texts) != count:
        entry.fail(f"this needs {count} texts and has {len(texts)}")
    return texts


def _cases(rng: Rng, world: _World, entry: Entry, slice_name: str) -> Iterator[_Case]:
    """Topics without end: the templates take turns, each with a subject that it has not had."""
    templates = list(entry.values())
    rng.shuffle(templates)
    left = {template.where: rng.sample(world.subjects, len(world.subjects)) for template in templates}
    codes = rng.sample(_CODES, len(_CODES))
    for number, template in enumerate(cycle(templates)):
        if not left[template.where]:
            raise UsageError(
                "recipe-few-words",
                "there are fewer subjects than topics of one template",
                where=template.where,
                hint="Add subjects or templates, or ask for fewer topics.",
            )
        yield _Case(
            rng=rng,
            world=world,
            template=template,
            name=f"{slice_name}-{number}",
            number=number,
            subject=left[template.where].pop(),
            code=str(codes[number % len(codes)]),
            minute=session_start(rng),
        )


def _topic(case: _Case, slice_name: str) -> Topic:
    (text,) = case.fill(case.template.at("asks").text())
    name = case.template.where.rsplit(".", 1)[-1]
    return Topic(case.name, text, case.scope, (slice_name,), f"{slice_name}/{name}")


def _world(entry: Entry) -> _World:
    people = {name: entry.at(name).texts() for name in ("users", "projects")}
    for name, names in people.items():
        if len(set(names)) < 2:
            entry.at(name).fail("at least two are needed")
    return _World(
        lang=entry.at("lang").text(),
        subjects=entry.at("subjects").texts(),
        users=people["users"],
        projects=people["projects"],
        slots=entry.at("slots").lists_of_texts(),
    )
