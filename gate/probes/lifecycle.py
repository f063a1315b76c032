"""The life of a document: stored, changed, deleted, stored again, replaced."""

from __future__ import annotations

from gate.probes.bench import Bench, Opened
from gate.probes.documents import (
    GRADED,
    KEY_NEW,
    KEY_NEW_QUERY,
    KEY_OLD,
    KEY_QUERY,
    KEY_RIVAL,
    PRINTER,
    PRINTER_QUERY,
    crate,
    crates,
    sent,
)
from gate.probes.probe import EVERY_MODE, RANKED, Finding, Probe

DEPTH = 50
# More than the batches of many clients, and no multiple of any.
MANY = 260


class Stored(Probe):
    name = "stored"
    family = "lifecycle"
    says = f"{MANY} documents stored in one batch are counted as {MANY}, and found from the first to the last"
    stands_for = "the last part of a batch lost, only the newest kept, rows that one mode never sees"
    looked_at = (1, 64, 128, 129, 256, 257, MANY)

    def prepare(self, bench: Bench) -> Opened:
        store = bench.open()
        store.add(crates(MANY))
        return store

    def look(self, prepared: Opened, mode: str) -> Finding | None:
        counted = prepared.count()
        if counted != MANY:
            says = f"{MANY} documents were stored, and {counted} are counted"
            return prepared.finding(says, (f"{prepared.variable}.count()", counted))
        for number in self.looked_at:
            document = crate(number)
            answer = prepared.search(document.text, DEPTH, mode)
            if document.doc_id not in answer.ids:
                says = f"{document.doc_id} of {MANY} is counted, and its own text does not find it"
                return prepared.finding(says, answer.holds(document.doc_id))
        return None


def _deleted(bench: Bench) -> Opened:
    store = _filled(bench)
    store.delete(KEY_OLD.doc_id)
    return store


def _filled(bench: Bench) -> Opened:
    """A store that was asked for what is about to change: whatever it keeps of that is stale from then on."""
    store = bench.open()
    store.add(KEY_OLD)
    store.add(KEY_RIVAL)
    store.add(GRADED)
    store.searched(KEY_QUERY, DEPTH)
    return store


class Update(Probe):
    """Vectors find something for everything: there the old words have to find their rival first."""

    name = "update"
    family = "lifecycle"
    says = "an update is seen in every mode: the new words find the document, the old ones no longer do"
    stands_for = "an update that reaches the text and not its vector, or a cache that outlives it"
    modes = EVERY_MODE
    needs = frozenset({"update"})

    def prepare(self, bench: Bench) -> Opened:
        store = _filled(bench)
        store.update(KEY_NEW)
        return store

    def look(self, prepared: Opened, mode: str) -> Finding | None:
        new, old = prepared.search(KEY_NEW_QUERY, 1, mode), prepared.search(KEY_QUERY, DEPTH, mode)
        if new.ids != [KEY_NEW.doc_id]:
            says = f"after an update the new words '{KEY_NEW_QUERY}' do not find the document first"
            return prepared.finding(says, new.shown_ids)
        ahead = old.ids[: old.ids.index(KEY_OLD.doc_id)] if KEY_OLD.doc_id in old.ids else [KEY_RIVAL.doc_id]
        if KEY_RIVAL.doc_id not in ahead or (mode in ("keyword", "facts") and KEY_OLD.doc_id in old.ids):
            says = f"after an update the old words '{KEY_QUERY}' still find the document"
            return prepared.finding(says, old.first(3))
        return None


class Delete(Probe):
    name = "delete"
    family = "lifecycle"
    says = "a deleted document is gone from every mode and from the count"
    stands_for = "a ghost: deleted from one index and not from another, or from none before a restart"
    modes = EVERY_MODE
    needs = frozenset({"delete"})

    def prepare(self, bench: Bench) -> Opened:
        return _deleted(bench)

    def look(self, prepared: Opened, mode: str) -> Finding | None:
        left = 1 + len(GRADED.documents)
        if prepared.count() != left:
            says = f"one of {left + 1} documents was deleted, and {prepared.count()} are counted"
            return prepared.finding(says, (f"{prepared.variable}.count()", prepared.count()))
        for query in (KEY_QUERY, KEY_OLD.text):
            answer = prepared.search(query, DEPTH, mode)
            if KEY_OLD.doc_id in answer.ids:
                says = f"a deleted document still comes back for '{query}'"
                return prepared.finding(says, answer.holds(KEY_OLD.doc_id))
        # What was deleted leaves no hole: others fill the k.
        if mode in RANKED:
            answer = prepared.search(KEY_QUERY, 1, mode)
            if answer.ids != [KEY_RIVAL.doc_id]:
                says = f"after a deletion '{KEY_QUERY}' at k = 1 does not give the next best document"
                return prepared.finding(says, answer.shown_ids)
        return None


class _Each(Probe):
    """Half of the crates are changed, one after the other: what breaks for some documents alone is seen too."""

    family = "lifecycle"
    changed, stored = 12, 24

    def filled(self, bench: Bench) -> Opened:
        store = bench.open()
        store.add(crates(self.stored))
        return store

    @property
    def numbers(self) -> range:
        return range(1, self.changed + 1)

    @property
    def for_each(self) -> str:
        """The end of a line of Python that changes all of them."""
        return f"for n in range(1, {self.changed + 1})"


class UpdateEach(_Each):
    name = "update-each"
    says = "whichever of several documents is updated, its old words find others first"
    stands_for = "an update that reaches a vector or a cached row of some documents and not of others"
    needs = frozenset({"update"})

    def prepare(self, bench: Bench) -> Opened:
        store = self.filled(bench)
        for number in self.numbers:
            store.guard.update(sent(number))
        store.names.append("sent")
        store.steps.append(f"[{store.variable}.update(sent(n)) {self.for_each}]")
        return store

    def look(self, prepared: Opened, mode: str) -> Finding | None:
        updated = {crate(number).doc_id for number in self.numbers}
        for number in self.numbers:
            answer = prepared.search(crate(number).text, 1, mode)
            if answer.ids and answer.ids[0] in updated:
                says = f"{crate(number).doc_id} was updated, and its old text finds none first that still says so"
                return prepared.finding(says, answer.shown_ids)
        return None


class DeleteEach(_Each):
    name = "delete-each"
    says = "whichever of several documents is deleted, its words find another at k = 1"
    stands_for = "tombstones that are counted among the k, or a ghost of some documents and not of others"
    needs = frozenset({"delete"})

    def prepare(self, bench: Bench) -> Opened:
        store = self.filled(bench)
        for number in self.numbers:
            store.guard.delete(crate(number).doc_id)
        store.steps.append(f"[{store.variable}.delete(f'crate-{{n}}') {self.for_each}]")
        return store

    def look(self, prepared: Opened, mode: str) -> Finding | None:
        deleted = {crate(number).doc_id for number in self.numbers}
        for number in self.numbers:
            text = crate(number).text
            answer = prepared.search(text, 1, mode)
            # A store that wants every word, and so the number, finds nothing at any k.
            if set(answer.ids) & deleted or (not answer.ids and prepared.search(text, DEPTH, mode).ids):
                says = f"{crate(number).doc_id} was deleted, and its text does not find another at k = 1"
                return prepared.finding(says, answer.shown_ids)
        return None


class ReAdd(Probe):
    name = "re-add"
    family = "lifecycle"
    says = "a document that was deleted and is stored again is found, with its new text"
    stands_for = "a tombstone that outlives the document, or an old row that comes back to life"
    modes = EVERY_MODE
    needs = frozenset({"delete"})

    def prepare(self, bench: Bench) -> Opened:
        store = _deleted(bench)
        store.add(KEY_NEW)
        return store

    def look(self, prepared: Opened, mode: str) -> Finding | None:
        counted, held = prepared.count(), 2 + len(GRADED.documents)
        if counted != held:
            says = f"a document was deleted and stored again, and {counted} are counted where there are {held}"
            return prepared.finding(says, (f"{prepared.variable}.count()", counted))
        answer = prepared.search(KEY_NEW_QUERY, 1, mode)
        if answer.ids != [KEY_NEW.doc_id]:
            says = f"a document was deleted and stored again, and '{KEY_NEW_QUERY}' does not find it first"
            return prepared.finding(says, answer.shown_ids)
        return None


def _superseded(bench: Bench) -> Opened:
    store = bench.open()
    store.add(GRADED)
    store.add(PRINTER)
    store.searched(PRINTER_QUERY, DEPTH)
    store.supersede("printer-old", "printer-new")
    return store


class Supersede(Probe):
    name = "supersede"
    family = "lifecycle"
    says = "what would find a superseded document finds its replacement, and never the old one"
    stands_for = "a stale fact that is still told, in one mode or in all"
    modes = EVERY_MODE
    needs = frozenset({"supersede"})

    def prepare(self, bench: Bench) -> Opened:
        return bench.once(_superseded)

    def look(self, prepared: Opened, mode: str) -> Finding | None:
        for query in (PRINTER_QUERY, PRINTER.documents[0].text):
            answer = prepared.search(query, DEPTH, mode)
            for doc_id, wanted in (("printer-old", False), ("printer-new", True)):
                if (doc_id in answer.ids) != wanted:
                    says = f"printer-old is superseded by printer-new, and '{query}' "
                    says += "does not find printer-new" if wanted else "still finds printer-old"
                    return prepared.finding(says, answer.holds(doc_id))
        return None


class NeverRetired(Probe):
    name = "never-retired"
    family = "lifecycle"
    says = "superseding one document retires no other, however alike"
    stands_for = "replacement by likeness: a true fact retired by another one"
    modes = EVERY_MODE
    needs = frozenset({"supersede"})

    def prepare(self, bench: Bench) -> Opened:
        return bench.once(_superseded)

    def look(self, prepared: Opened, mode: str) -> Finding | None:
        scanner = PRINTER.documents[2]
        answer = prepared.search("office scanner floor", DEPTH, mode)
        if scanner.doc_id not in answer.ids:
            says = "printer-old was superseded, and the scanner, of which nothing was said, is found no more"
            return prepared.finding(says, answer.holds(scanner.doc_id))
        counted, held = prepared.count(), len(GRADED.documents) + len(PRINTER.documents)
        if counted != held:
            says = f"one document supersedes another, and {counted} are counted where {held} are stored"
            return prepared.finding(says, (f"{prepared.variable}.count()", counted))
        return None
