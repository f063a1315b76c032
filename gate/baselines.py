"""Baseline files: accepted results, one file per store, corpus, tier and arm, one line a topic.

A line holds, per mode and fault, the ranks of the topic's judged and forbidden documents: enough to
compute every measure again, so that a new measure voids no baseline.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NoReturn

from gate.baseline_problems import file_problems, line_problems
from gate.errors import Problem, UsageError
from gate.files import canonical_json, read_text
from gate.json_keys import each_key_once
from gate.measures import judge_ranks
from gate.records import Corpus, JudgedRanking, Run, RunKey, Topic, TopicResult

SCHEMA = 1
_MOST_PROBLEMS = 20
_AGAIN = "Restore it from version control, or remove it and accept the results of a new run."


@dataclass(frozen=True, slots=True)
class Standing:
    """Where one topic's judged documents stood in one run: `ranks[doc_id]`, from 1.

    `coverage` is what the store said of its evidence, None where it said nothing or an older gate
    wrote the baseline; it is reported, and no part of what makes two answers differ. `repeats` are
    the further answers of a noisy store.
    """

    ranks: Mapping[str, int]
    retrieved: int
    duplicates: int = 0
    refused: bool = False
    coverage: float | None = field(default=None, compare=False)
    repeats: tuple[Standing, ...] = ()

    def judged(self, grades: Mapping[str, int], forbidden: Mapping[str, str]) -> JudgedRanking:
        """The same ranking as the measures see it."""
        return judge_ranks(self.ranks, grades, forbidden, self.retrieved, self.duplicates, self.refused, self.coverage)


@dataclass(frozen=True, slots=True)
class Baseline:
    """One baseline file. `runs['keyword/none'][topic_id]` is a Standing; `clusters` maps topics to clusters."""

    header: Mapping[str, Any]
    clusters: Mapping[str, str]
    runs: Mapping[str, Mapping[str, Standing]]
    path: Path = field(default=Path())

    @property
    def methodology(self) -> Mapping[str, str]:
        fields: Mapping[str, str] = self.header["methodology"]
        return fields

    @property
    def repeated(self) -> bool:
        """Whether a run was measured in repeats, of a noisy store."""
        return any(standing.repeats for topics in self.runs.values() for standing in topics.values())

    @property
    def depth(self) -> int:
        return int(self.methodology["depth"])


def baseline_path(folder: Path, store: str, corpus: str, tier: str, arm: str) -> Path:
    """Where the baseline of a store, corpus, tier and arm stands."""
    return folder / store / f"{corpus}@{tier}.{arm}.jsonl"


def run_name(key: RunKey) -> str:
    """How a baseline names a run of its own."""
    return f"{key.mode}/{key.fault}"


def standing_of(result: TopicResult, judged: Collection[str]) -> Standing:
    """What a baseline keeps of one answer: the ranks of the judged and forbidden documents in it."""
    return Standing(
        {doc: rank for rank, doc in enumerate(result.doc_ids, start=1) if doc in judged},
        len(result.doc_ids),
        result.duplicates,
        result.refused,
        result.coverage,
    )


def standing_in(run: Run, topic_id: str, judged: Collection[str]) -> Standing:
    """What a baseline keeps of one topic of a run, its repeats included."""
    first, *further = (standing_of(results[topic_id], judged) for results in (run.results, *run.repeats))
    return replace(first, repeats=tuple(further))


def forbidden_within(standing: Standing, known: Collection[str], cutoff: int, *, always: bool = False) -> set[str]:
    """The forbidden documents within the first `cutoff` hits: of any repeat of a noisy store, or `always` of each."""
    answers = (standing, *standing.repeats)
    held = all if always else any
    return {doc for doc in known if held(one.ranks.get(doc, cutoff + 1) <= cutoff for one in answers)}


def judged_ids(corpus: Corpus, topic_id: str) -> frozenset[str]:
    """The documents of a topic whose ranks a baseline keeps."""
    return frozenset({*corpus.qrels.get(topic_id, {}), *corpus.forbidden.get(topic_id, {})})


def render_baseline(
    runs: Sequence[Run], topics: Iterable[Topic], corpus: Corpus, header: Mapping[str, Any], depth: int
) -> str:
    """The text of a baseline file, in stable order. `header` lacks only what the runs say."""
    names = [run_name(run.key) for run in runs]
    lines = []
    for topic in sorted(topics, key=lambda topic: topic.topic_id):
        judged = judged_ids(corpus, topic.topic_id)
        entries = {
            name: _entry(standing_in(run, topic.topic_id, judged), depth)
            for name, run in zip(names, runs, strict=True)
            if topic.topic_id in run.results
        }
        if entries:
            lines.append(canonical_json({"topic": topic.topic_id, "cluster": topic.cluster, "runs": entries}))
    first = canonical_json({**header, "schema": SCHEMA, "runs": names, "topics": len(lines)})
    return "\n".join((first, *lines)) + "\n"


def _entry(standing: Standing, depth: int) -> dict[str, Any]:
    """A standing as it is written: what is as usual is left out."""
    entry: dict[str, Any] = {"ranks": dict(standing.ranks)}
    if standing.retrieved != depth:
        entry["retrieved"] = standing.retrieved
    if standing.duplicates:
        entry["duplicates"] = standing.duplicates
    if standing.refused:
        entry["refused"] = True
    if standing.coverage is not None:
        entry["coverage"] = standing.coverage
    if standing.repeats:
        entry["repeats"] = [_entry(repeat, depth) for repeat in standing.repeats]
    return entry


def _standing(entry: Mapping[str, Any], depth: int) -> Standing:
    return Standing(
        entry["ranks"],
        entry.get("retrieved", depth),
        entry.get("duplicates", 0),
        entry.get("refused", False),
        entry.get("coverage"),
        tuple(_standing(repeat, depth) for repeat in entry.get("repeats", ())),
    )


def read_baseline(path: Path) -> Baseline:
    """A baseline from a file. Raises UsageError with the lines that are wrong.

    Wrong is also a file that stands where another's place is: the baseline of another store
    has the same methodology, and would be compared with in good faith.
    """
    return parse_baseline(read_text(path, "baseline"), path)


def parse_baseline(text: str, path: Path) -> Baseline:
    """A baseline from the text that stands, or is to stand, at `path`. Raises UsageError as `read_baseline` does."""
    # Not splitlines(): ids may hold characters that it takes for the ends of lines.
    lines = text.removesuffix("\n").split("\n")
    rows: list[Any] = []
    problems: list[Problem] = []
    for number, line in enumerate(lines, start=1):
        try:
            row = json.loads(line, parse_constant=_no_number, object_pairs_hook=each_key_once)
        except (ValueError, RecursionError) as error:
            hint = "cut short?" if number == len(lines) else ""
            problems.append(Problem(f"not JSON: {_fault(error)}", f"{path}:{number}", hint))
            continue
        if number == 1:
            _refuse_newer(row, path)
        problems.extend(line_problems(row, number, path))
        rows.append(row)
    if not problems:
        problems.extend(file_problems(rows, path))
    if problems:
        raise UsageError(
            "baseline-invalid",
            "the baseline file cannot be used",
            where=str(path),
            hint=_AGAIN,
            problems=tuple(problems[:_MOST_PROBLEMS]),
        )
    header = rows[0]
    _refuse_misplaced(header, path)
    depth = int(header["methodology"]["depth"])
    runs: dict[str, dict[str, Standing]] = {name: {} for name in header["runs"]}
    for row in rows[1:]:
        for name, entry in row["runs"].items():
            runs[name][row["topic"]] = _standing(entry, depth)
    return Baseline(header, {row["topic"]: row["cluster"] for row in rows[1:]}, runs, path)


def _fault(error: ValueError | RecursionError) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg.removesuffix(' at')} at column {error.colno}"
    return "nested too deeply" if isinstance(error, RecursionError) else str(error)


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number")


def _refuse_newer(header: object, path: Path) -> None:
    version = header.get("schema") if isinstance(header, dict) else None
    if isinstance(version, int) and version > SCHEMA:
        raise UsageError(
            "baseline-newer",
            f"this baseline has schema {version}, and this gate reads {SCHEMA}",
            where=f"{path}:1",
            hint="It was written by a newer gate: upgrade retrieval-gate.",
        )


def _refuse_misplaced(header: Mapping[str, Any], path: Path) -> None:
    own = baseline_path(Path(), header["store"], header["corpus"], header["tier"], header["arm"])
    if path.parts[-2:] != own.parts:
        raise UsageError(
            "baseline-misplaced",
            f"this is the baseline {own.as_posix()}, and stands in the place of {'/'.join(path.parts[-2:])}",
            where=str(path),
            hint=f"Move it to where it belongs. {_AGAIN}",
        )
