"""Run and qrels files in TREC's formats, which every evaluator reads.

Rank is the truth: exported scores are made strictly decreasing, so that no evaluator's re-sort
can change the order. Ids are percent-encoded where they hold white space, which parts the columns,
a control character or half a surrogate pair, which no reader of text is sure to take.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from urllib.parse import quote

from gate.records import Corpus, Run, Topic

_UNSAFE = re.compile("[\\s%\x00-\x1f\x7f-\x9f\ud800-\udfff]")


@lru_cache(maxsize=1 << 16)
def trec_id(identifier: str) -> str:
    """An id as it may stand in a column: no two ids become one, and most stay as they are."""
    return _UNSAFE.sub(lambda match: quote(match.group(), safe="", errors="surrogatepass"), identifier)


def render_run(run: Run, topics: Iterable[Topic]) -> str:
    """`topic Q0 document rank score tag` a line; topics in the corpus's order; one without hits has no line."""
    tag = run.key.file_name.removesuffix(".run")
    ends: dict[int, list[str]] = {}
    lines: list[str] = []
    for topic in topics:
        result = run.results.get(topic.topic_id)
        if result is None:
            continue
        start, count = f"{trec_id(topic.topic_id)} Q0 ", len(result.doc_ids)
        if count not in ends:
            ends[count] = [f" {rank} {count - rank + 1} {tag}\n" for rank in range(1, count + 1)]
        lines += [f"{start}{trec_id(doc)}{end}" for doc, end in zip(result.doc_ids, ends[count], strict=True)]
    return "".join(lines)


def render_qrels(corpus: Corpus) -> str:
    """`topic 0 document grade` a line, in the corpus's order of topics and by document id within."""
    lines = []
    for topic in corpus.topics:
        grades: Mapping[str, int] = corpus.qrels.get(topic.topic_id, {})
        lines += [f"{trec_id(topic.topic_id)} 0 {trec_id(doc)} {grades[doc]}\n" for doc in sorted(grades)]
    return "".join(lines)
