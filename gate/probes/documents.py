"""What probes store: a few invented documents in eight scripts, the same in every run, and none of the corpus's."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache

from gate.probes.sentences import SAID
from gate.records import Document


@dataclass(frozen=True, slots=True)
class Batch:
    """Documents under the expression that gives them in Python, such as `LEDGER` or `crates(260)`."""

    code: str
    documents: tuple[Document, ...]

    @property
    def imported(self) -> str:
        """The name to import from this module for the expression."""
        return self.code.partition("(")[0]


LANGUAGES = tuple(SAID)
# Words of a document that stand in no other, by the document's id.
WORDS: Mapping[str, tuple[str, ...]] = {
    f"{lang.lower()}-{number}": words for lang, said in SAID.items() for number, (_, words) in enumerate(said, start=1)
}

NOTES = Batch(
    "NOTES",
    tuple(
        Document(f"{lang.lower()}-{number}", text, lang=lang)
        for lang, said in SAID.items()
        for number, (text, _) in enumerate(said, start=1)
    ),
)

# Each holds one word fewer of the question than the one before, in as many words.
GRADED_QUERY = "copper kettle whistle morning"
GRADED = Batch(
    "GRADED",
    (
        Document("kettle-4", "The copper kettle gives a whistle each morning.", lang="en"),
        Document("kettle-3", "The copper kettle gives a whistle each evening.", lang="en"),
        Document("kettle-2", "The copper kettle gives a clink each evening.", lang="en"),
        Document("kettle-1", "The copper basin gives a clink each evening.", lang="en"),
    ),
)

LEDGER_QUERY = "harbour ledger"
LEDGER_SIZE = 12


@cache
def crates(number: int) -> Batch:
    """So many documents that hold the words of `LEDGER_QUERY` and, each, a number."""
    return Batch(f"crates({number})", tuple(crate(at) for at in range(1, number + 1)))


def crate(number: int) -> Document:
    return Document(f"crate-{number}", f"The harbour ledger lists crate {number} of dried figs.", lang="en")


_CITIES = (
    "Lisbon",
    "Porto",
    "Faro",
    "Seville",
    "Malaga",
    "Valencia",
    "Genoa",
    "Naples",
    "Trieste",
    "Split",
    "Athens",
    "Izmir",
)


def sent(number: int) -> Document:
    """What a crate of 1 to 12 becomes: under its id, other words."""
    return Document(f"crate-{number}", f"A parcel from {_CITIES[number - 1]} lies under some stairs.", lang="en")


# What the probes that only search share: 12 documents that hold LEDGER_QUERY, 4 graded ones, and the notes.
SHELF = Batch("SHELF", (*NOTES.documents, *GRADED.documents, *crates(LEDGER_SIZE).documents))
BACKWARD = Batch("BACKWARD", SHELF.documents[::-1])


def _relabelled(doc_id: str) -> str:
    """Another id, so that those which sorted first sort last."""
    flipped = doc_id.translate(
        str.maketrans("abcdefghijklmnopqrstuvwxyz0123456789", "zyxwvutsrqponmlkjihgfedcba9876543210")
    )
    return f"id-{flipped}"


RELABELLED = Batch("RELABELLED", tuple(replace(one, doc_id=_relabelled(one.doc_id)) for one in SHELF.documents))
NEW_IDS: Mapping[str, str] = {one.doc_id: _relabelled(one.doc_id) for one in SHELF.documents}

# Questions on the shelf: words of several documents at once, so that modes have something to disagree about.
QUERIES = (
    GRADED_QUERY,
    LEDGER_QUERY,
    "lemon trees beside the mountain railway",
    "rye flour for the museum workshop",
    "the choir takes the ferry in October snow",
    "tomato soil, brass polish and a spare fuse",
    "图书馆的备用钥匙",
    "паром и библиотека",
)

# A place name in kanji beside kana, found in three documents; the fourth is in kanji alone.
PLACE_QUERY = "横浜"
PLACES = Batch(
    "PLACES",
    (
        Document("place-1", "横浜カフェ", lang="ja"),
        Document("place-2", "横浜の港まつり", lang="ja"),
        Document("place-3", "横浜ラーメン", lang="ja"),
    ),
)
HAN_ONLY = Document("place-4", "横浜特別条例", lang="ja")

# One fact under one id, before and after; and a note that says nearly what the first said.
KEY_QUERY = "museum key kitchen door"
KEY_NEW_QUERY = "parcel Lisbon stairs"
KEY_OLD = Document(
    "key",
    "The museum key hangs behind the kitchen door.",
    lang="en",
    facts=(("museum key", "behind the kitchen door"),),
)
KEY_NEW = Document(
    "key", "A parcel from Lisbon lies under some stairs.", lang="en", facts=(("parcel Lisbon", "under some stairs"),)
)
KEY_RIVAL = Document("rival", "Ask for a museum key at any kitchen door.", lang="en")

# Two floors of one printer: the second replaces the first. The scanner is another truth in the same words.
PRINTER_QUERY = "office printer floor"
PRINTER = Batch(
    "PRINTER",
    (
        Document(
            "printer-old",
            "The office printer stands on the second floor.",
            created_at="2026-01-10T09:00:00Z",
            lang="en",
            facts=(("office printer", "second floor"),),
        ),
        Document(
            "printer-new",
            "The office printer stands on the ground floor.",
            created_at="2026-03-02T09:00:00Z",
            lang="en",
            supersedes="printer-old",
            facts=(("office printer", "ground floor"),),
        ),
        Document(
            "scanner",
            "The office scanner stands on the second floor.",
            created_at="2026-01-10T09:00:00Z",
            lang="en",
            facts=(("office scanner", "second floor"),),
        ),
    ),
)

USER_A, USER_B = frozenset({"user-a"}), frozenset({"user-b"})
NORTH, SOUTH = frozenset({"user-a", "project-north"}), frozenset({"user-a", "project-south"})
MANY, FEW = frozenset({"user-c"}), frozenset({"user-d"})
NOBODY = frozenset({"user-nobody"})
USERS_QUERY, PROJECTS_QUERY, REFERENCE_QUERY = "alarm code boathouse", "survey drone hangar", "tide table radio"
# In words that all notes of the one who asks hold, with nothing clinging to them: a store that wants every word, or
# takes what stands between spaces for words, finds them too.
BUOY_QUERIES = (
    "regatta buoy",
    "buoy regatta",
    "the regatta buoy",
    "a regatta buoy",
    "a buoy of the regatta",
    "the buoy of a regatta",
    "regatta buoy regatta",
    "buoy regatta buoy",
    "buoy of regatta",
    "regatta regatta buoy",
    "buoy buoy regatta",
    "regatta buoy buoy",
)
FEW_SIZE = 3


def _buoy(number: int) -> Document:
    return Document(f"many-{number}", f"Regatta buoy {number}, regatta buoy.", scope=MANY, lang="en")


def _own_buoy(number: int) -> Document:
    text = f"Note {number} of a long day on the water says that a buoy was lost before the regatta began."
    return Document(f"few-{number}", text, scope=FEW, lang="en")


@cache
def buoys(others: int, own: int) -> Batch:
    """Documents of one user that match `BUOY_QUERIES` well, and fewer of another user that match it less."""
    documents = (*map(_buoy, range(1, others + 1)), *map(_own_buoy, range(1, own + 1)))
    return Batch(f"buoys({others}, {own})", documents)


SCOPED = Batch(
    "SCOPED",
    (
        Document(
            "alarm-a",
            "The alarm code of the boathouse is on the blue card.",
            scope=USER_A,
            lang="en",
            facts=(("alarm code", "blue card"),),
        ),
        Document(
            "alarm-b",
            "The alarm code of the boathouse is on the red card.",
            scope=USER_B,
            lang="en",
            facts=(("alarm code", "red card"),),
        ),
        Document(
            "drone-north",
            "The survey drone charges in the north hangar.",
            scope=NORTH,
            lang="en",
            facts=(("survey drone", "north hangar"),),
        ),
        Document(
            "drone-south",
            "The survey drone charges in the south hangar.",
            scope=SOUTH,
            lang="en",
            facts=(("survey drone", "south hangar"),),
        ),
        Document("tide-a", "The tide table hangs beside the radio.", scope=USER_A, lang="en", refs=("tide-b",)),
        Document("tide-b", "The harbour master changes his password on Fridays.", scope=USER_B, lang="en"),
        *buoys(60, FEW_SIZE).documents,
    ),
)

# What a question and a document may differ in without differing: id, text, question.
_CASES = (
    ("case-1", "NOTICE: THE ELEVATOR INSPECTION IS ON FRIDAY.", "elevator inspection"),
    ("case-2", "The greenhouse heater was serviced in spring.", "GREENHOUSE HEATER"),
    ("case-3", "Мастерская закрыта до понедельника.", "МАСТЕРСКАЯ"),
)
_WIDTHS = (
    ("width-1", "Part ＺＸ９４１ fits the garden pump.", "ZX941"),
    ("width-2", "Part QR552 fits the bilge pump.", "ＱＲ５５２"),
    ("width-3", "ｽﾄｰﾌﾞの点検は月曜日です。", "ストーブ"),
)
_FORMS = (
    ("form-1", unicodedata.normalize("NFD", "Quán cà phê đóng cửa lúc mười giờ."), "cà phê"),
    ("form-2", "Tiệm giặt ủi mở cửa lúc bảy giờ.", unicodedata.normalize("NFD", "giặt ủi")),
    ("form-3", unicodedata.normalize("NFD", "ガラスの花瓶は棚の上です。"), "ガラス"),
    ("form-4", "The fiancé of the baker sings tenor.", unicodedata.normalize("NFD", "fiancé")),
)
SPELLINGS: Mapping[str, tuple[tuple[str, str, str], ...]] = {
    "case": _CASES,
    "width": _WIDTHS,
    "normal-form": _FORMS,
}
SPELT = Batch("SPELT", tuple(Document(doc_id, text) for rows in SPELLINGS.values() for doc_id, text, _ in rows))

# Documents that are stored one by one, under the names that lines of Python have for them.
_ALONE: Mapping[str, Document] = {
    "HAN_ONLY": HAN_ONLY,
    "KEY_NEW": KEY_NEW,
    "KEY_OLD": KEY_OLD,
    "KEY_RIVAL": KEY_RIVAL,
}


def code_of(document: Document) -> str:
    """The expression of this module that gives a document. Raises KeyError for one that it does not have."""
    number = document.doc_id.removeprefix("crate-")
    if number.isdecimal() and document == crate(int(number)):
        return f"crate({number})"
    return {one.doc_id: name for name, one in _ALONE.items() if one == document}[document.doc_id]
