"""Documents, questions and shorthands that the tests of the embedded store share."""

from __future__ import annotations

from gate.records import Document
from gate.stores.reference.store import ReferenceStore

MINE, YOURS = frozenset({"user:a"}), frozenset({"user:b"})
DOCUMENTS = [
    Document("d1", "We moved the invoices to the shared archive.", created_at="2026-01-01", lang="en"),
    Document("d2", "The staging database runs on PostgreSQL 16.", created_at="2026-01-02"),
    Document("d3", "数据库备份每天凌晨两点开始", created_at="2026-01-03", lang="zh-Hans"),
    Document("d4", "My city is Porto.", created_at="2026-01-04", scope=MINE),
    Document("d5", "Die Häuser am Fluss wurden verkauft.", created_at="2026-01-05", lang="de"),
    Document("d6", "I changed my city to Braga.", created_at="2026-01-06", scope=MINE),
    Document("d7", "Ana archived the last invoice in gate/stores/null.py style.", refs=("d2",)),
    Document("d8", "京都の桜まつりは四月です", lang="ja"),
]
QUERIES = [
    "archived invoices",
    "database",
    "数据库 备份",
    "Which city?",
    "Haus",
    "京都",
    "null.py",
    "nothing alike zzz",
]


def ids(
    store: ReferenceStore, query: str, k: int = 10, mode: str = "keyword", scope: frozenset[str] = frozenset()
) -> list[str]:
    return [hit.doc_id for hit in store.search(query, k, mode, scope).hits]


def everything(store: ReferenceStore) -> dict[str, object]:
    return {f"{mode} {query}": store.search(query, 20, mode) for mode in sorted(store.modes) for query in QUERIES}
