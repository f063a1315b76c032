"""Known items: what is stored is found by what it says."""

from __future__ import annotations

from gate.probes.bench import Bench, Opened
from gate.probes.documents import LANGUAGES, NOTES, SPELLINGS, SPELT, WORDS
from gate.probes.paging import OnShelf
from gate.probes.probe import Finding, Probe
from gate.probes.ties import above

DEPTH = 10


class SelfRetrieval(OnShelf):
    """A reranker may prefer another document, so that there the first ten have to do."""

    name = "self-retrieval"
    family = "known-item"
    says = "a document comes first, or ties, where its own text is asked; among the first ten of a reranker"
    stands_for = "the sign of a score flipped, vectors of two models, text cut or lost on one side"

    def look(self, prepared: Opened, mode: str) -> Finding | None:
        for note in NOTES.documents:
            answer = prepared.search(note.text, DEPTH, mode)
            if note.doc_id not in answer.ids:
                says = f"the text of {note.doc_id} does not find it, at k = {DEPTH}"
                return prepared.finding(says, answer.holds(note.doc_id))
            ahead = answer.ids[0]
            if mode != "rerank" and above(answer.score_of(ahead), answer.score_of(note.doc_id)):
                says = f"the text of {note.doc_id} finds {ahead} before it"
                return prepared.finding(says, answer.first(2))
        return None


class KnownWord(OnShelf):
    """Words are looked for as a person would take them out of the text, one after the other."""

    family = "known-item"
    stands_for = "a tokenizer that does not know the script: runs kept whole, characters or short words dropped"
    fast = False
    modes = ("keyword",)
    lang: str

    def look(self, prepared: Opened, mode: str) -> Finding | None:
        for doc_id, words in WORDS.items():
            if not doc_id.startswith(f"{self.lang.lower()}-"):
                continue
            for word in words:
                answer = prepared.search(word, DEPTH, mode)
                if doc_id not in answer.ids:
                    says = f"'{word}' stands in {doc_id} and does not find it, at k = {DEPTH}"
                    return prepared.finding(says, answer.holds(doc_id))
        return None


def _known_word(lang: str) -> KnownWord:
    """The probe of one language."""
    name = f"word-{lang.lower()}"
    kind = type(f"KnownWord-{lang}", (KnownWord,), {"name": name, "lang": lang, "says": _SAYS.format(lang)})
    probe: KnownWord = kind()
    return probe


_SAYS = "any content word of a stored document in {} finds it"
KNOWN_WORDS = tuple(_known_word(lang) for lang in LANGUAGES)


class LongerQuery(OnShelf):
    name = "longer-query"
    family = "known-item"
    says = "a question that says more keeps what it matched exactly, unless something matches better"
    stands_for = "all words required, or a question cut, so that saying more finds less"
    fast = False
    modes = ("keyword", "hybrid")

    short, longer, doc_id, first = (
        "brass foghorn",
        "which keeper repaired that brass foghorn before the concert of a brass band",
        "en-5",
        3,
    )

    def look(self, prepared: Opened, mode: str) -> Finding | None:
        one, more = prepared.search(self.short, DEPTH, mode), prepared.search(self.longer, DEPTH, mode)
        if self.doc_id in one.ids[: self.first] and self.doc_id not in more.ids[: self.first]:
            says = f"'{self.short}' finds {self.doc_id}, and '{self.longer}' does not among the first {self.first}"
            return prepared.finding(says, one.first(self.first), more.first(self.first))
        return None


class _Spelling(Probe):
    """A document and a question that differ only in how they are written."""

    family = "text"
    fast = False
    modes = ("keyword", "hybrid")

    def prepare(self, bench: Bench) -> Opened:
        return bench.shelf(SPELT)

    def look(self, prepared: Opened, mode: str) -> Finding | None:
        for doc_id, _, query in SPELLINGS[self.name]:
            answer = prepared.search(query, DEPTH, mode)
            if doc_id not in answer.ids:
                says = f"'{query}' does not find {doc_id}, which says so in another {self.name.replace('-', ' ')}"
                return prepared.finding(says, answer.holds(doc_id))
        return None


class Case(_Spelling):
    name = "case"
    says = "capitals make no difference, in questions and in documents, Latin and Cyrillic"
    stands_for = "case folded on one side only, or for ASCII only"


class Width(_Spelling):
    name = "width"
    says = "full-width and half-width characters make no difference, in questions and in documents"
    stands_for = "no NFKC, so that what an input method writes is not found"


class NormalForm(_Spelling):
    name = "normal-form"
    says = "composed and decomposed characters make no difference, in questions and in documents"
    stands_for = "NFC on one side only: file names and texts from a Mac are not found"
