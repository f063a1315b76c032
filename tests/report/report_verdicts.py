"""Verdicts written by hand, one for each thing that a report has to tell."""

from __future__ import annotations

from gate.records import Ahead, Cell, CellKey, Check, MovedDoc, TopicMove, Verdict


def cell_key(slice_name: str = "all", mode: str = "keyword", measure: str = "nDCG@10", fault: str = "none") -> CellKey:
    return CellKey("reference", "seeded", "1k", slice_name, "cpu-hash", mode, fault, measure)


def measured(value: float, topics: int = 40, *, of: CellKey) -> Cell:
    return Cell(of, "measured", value, topics)


def unmeasured(reason: str, *, of: CellKey) -> Cell:
    return Cell(of, "not measured", None, 0, reason)


def check(
    source: str,
    status: str,
    *,
    cell: CellKey,
    expected: float | None = None,
    actual: float | None = None,
    level: str = "error",
    operator: str = ">=",
    message: str = "",
    where: str = "",
    moves: tuple[TopicMove, ...] = (),
) -> Check:
    return Check(
        f"{source}:{cell}", source, str(cell), operator, expected, actual, status, level, message, where, moves
    )


HEALTHY = (
    measured(0.9412, of=cell_key()),
    measured(0.87, of=cell_key(mode="vector")),
    measured(0.9997, of=cell_key(mode="hybrid")),
    measured(1.0, 20, of=cell_key("zh-Hans")),
    measured(0.0, 20, of=cell_key("zh-Hans", mode="vector")),
    measured(0.0004, 20, of=cell_key("zh-Hans", mode="hybrid")),
    measured(0.92, of=cell_key(measure="R@5")),
    measured(0.31, of=cell_key(mode="vector", fault="embedder-raises")),
    measured(4.2371, of=cell_key(measure="latency-p95")),
)

KEYS = TopicMove(
    topic_id="q-17",
    query="how often do we rotate the signing keys?",
    before=1.0,
    after=0.5,
    moved=(
        MovedDoc("d-203", 3, 2, 14, "We rotate the signing keys every ninety days, on the first Monday."),
        MovedDoc("d-204", 1, 5, None, "The key rotation of March was done by the platform team."),
        MovedDoc("d-311", 2, 6, 3, "Rotating a key takes ten minutes and no downtime."),
    ),
    ahead=(
        Ahead("d-511", 1, "The office keys are kept at the front desk."),
        Ahead("d-090", 2, "Signing the release takes two reviewers."),
    ),
)
CITY = TopicMove(
    topic_id="q-31",
    query="我现在住在哪个城市？",
    before=0.0,
    after=1.0,
    moved=(MovedDoc("d-077", 0, None, 3, "我住在成都，离公司很近。", "superseded"),),
    ahead=(),
)

GREEN = Verdict(
    verdict="PASS",
    exit_code=0,
    checks=(
        check("budget", "pass", cell=cell_key(), expected=0.9, actual=0.9412, where="budgets/recall.yml:3"),
        check("baseline", "pass", cell=cell_key(measure="R@5"), expected=0.92, actual=0.92),
    ),
    cells=HEALTHY,
    notes=("the store does not declare rerank and facts: they are not planned",),
)

BUDGET_BROKEN = Verdict(
    verdict="REGRESSION",
    exit_code=1,
    checks=(
        check("budget", "pass", cell=cell_key(), expected=0.9, actual=0.9412, where="budgets/recall.yml:3"),
        check(
            "budget",
            "fail",
            cell=cell_key("zh-Hans", measure="R@5"),
            expected=0.9,
            actual=0.8996,
            message="the slice is below its budget",
            where="budgets/recall.yml:5",
            moves=(
                TopicMove(
                    topic_id="q-52",
                    query="数据库迁移失败后怎么回滚？",
                    before=None,
                    after=0.0,
                    moved=(
                        MovedDoc("d-410", 3, None, None, "迁移失败时先停止写入，再用昨晚的快照回滚。"),
                        MovedDoc("d-411", 1, None, 12, "回滚演练安排在每个季度的第一周。"),
                    ),
                    ahead=(Ahead("d-600", 1, "新的数据库上线以后查询快了一倍。"),),
                ),
            ),
        ),
        check(
            "budget",
            "fail",
            cell=cell_key(measure="latency-p95"),
            operator="<=",
            expected=4.0,
            actual=4.2371,
            message="searches take longer than allowed",
            where="budgets/recall.yml:9",
        ),
        check(
            "contrast",
            "fail",
            cell=cell_key("memory", mode="vector", measure="R@5"),
            expected=0.15,
            actual=0.021,
            message="the drop under embedder-raises is not to be seen",
            where="budgets/recall.yml:12",
        ),
    ),
    cells=HEALTHY,
)

BASELINE_LOST = Verdict(
    verdict="REGRESSION",
    exit_code=1,
    checks=(
        check(
            "baseline",
            "fail",
            cell=cell_key(measure="R@5"),
            expected=0.945,
            actual=0.92,
            message="mean loss 0.025 over 40 topics, more than the tolerance of 0.005",
            moves=(KEYS, CITY, *(TopicMove(f"q-{n}", "who is on call on Sunday?", 1.0, 0.5, (), ()) for n in (60, 61))),
        ),
        check(
            "baseline",
            "pass",
            cell=cell_key(mode="hybrid"),
            expected=0.95,
            actual=0.9997,
            message="better on one topic",
            moves=(
                TopicMove(
                    topic_id="q-08",
                    query="which region holds the backups?",
                    before=0.63,
                    after=1.0,
                    moved=(MovedDoc("d-019", 3, 3, 1, "Backups are held in the Frankfurt region."),),
                    ahead=(),
                ),
            ),
        ),
    ),
    cells=HEALTHY,
)

GONE = "the store raised in mode hybrid, topic q-03: RuntimeError: index is not loaded"
NOT_MEASURED = Verdict(
    verdict="NOT_MEASURED",
    exit_code=2,
    checks=(
        check("plan", "not measured", cell=cell_key(mode="hybrid"), operator="", message=GONE),
        check("plan", "not measured", cell=cell_key("zh-Hans", mode="hybrid"), operator="", message=GONE),
        check("baseline", "pass", cell=cell_key(), expected=0.9412, actual=0.9412),
    ),
    cells=(
        measured(0.9412, of=cell_key()),
        unmeasured(GONE, of=cell_key(mode="hybrid")),
        unmeasured(GONE, of=cell_key("zh-Hans", mode="hybrid")),
        unmeasured("the slice has no topics", of=cell_key("th")),
    ),
)

BOTH = Verdict(
    verdict="NOT_MEASURED",
    exit_code=2,
    checks=(*BASELINE_LOST.checks, *BUDGET_BROKEN.checks[:2], *NOT_MEASURED.checks[:2]),
    cells=(*HEALTHY[:2], *NOT_MEASURED.cells[1:]),
    notes=("there are no budgets for the corpus squad@1k",),
    narrowed=("--mode keyword",),
    out_of_scope=3,
    planted="ascii-tokens=0.5",
)

WARNED = Verdict(
    verdict="PASS",
    exit_code=0,
    checks=(
        check("budget", "pass", cell=cell_key(), expected=0.9, actual=0.9412, where="budgets/recall.yml:3"),
        check(
            "budget",
            "fail",
            cell=cell_key(mode="vector"),
            expected=0.88,
            actual=0.87,
            level="warn",
            message="tightened once the reranker lands",
            where="budgets/recall.yml:7",
        ),
        check(
            "budget",
            "waived",
            cell=cell_key("th", measure="R@5"),
            expected=0.9,
            actual=0.12,
            message="waived until 2027-03-31: no Thai segmentation yet",
            where="budgets/recall.yml:20",
        ),
    ),
    cells=(*HEALTHY[:3], Cell(cell_key("th"), "waived", None, 20, "no Thai segmentation yet")),
)

STOPPED = "interrupted before it was searched"
INTERRUPTED = Verdict(
    verdict="INTERRUPTED",
    exit_code=130,
    checks=(),
    cells=(
        measured(0.9412, of=cell_key()),
        measured(1.0, of=cell_key("zh-Hans")),
        unmeasured(STOPPED, of=cell_key(mode="vector")),
        unmeasured(STOPPED, of=cell_key("zh-Hans", mode="vector")),
    ),
)

VERDICTS = {
    "green": GREEN,
    "budget-broken": BUDGET_BROKEN,
    "baseline-lost": BASELINE_LOST,
    "not-measured": NOT_MEASURED,
    "both": BOTH,
    "warned": WARNED,
    "interrupted": INTERRUPTED,
}


def everywhere(text: str) -> Verdict:
    """A verdict with one text in every place that a corpus, a store or a setting can fill."""
    word = text.replace("/", "_").replace("@", "_") or "x"
    key = cell_key(word)
    move = TopicMove(text, text, 1.0, 0.0, (MovedDoc(text, 3, 1, None, text, text),), (Ahead(text, 1, text),))
    rules = [
        check(
            "baseline",
            status,
            cell=key,
            expected=1.0,
            actual=0.0,
            level=level,
            message=text,
            where=text,
            moves=(move, move),
        )
        for status, level in (("fail", "error"), ("fail", "warn"), ("pass", "error"), ("waived", "error"))
    ]
    lost = check("plan", "not measured", cell=cell_key(text), message=text, where=text)
    return Verdict(
        verdict="REGRESSION",
        exit_code=1,
        checks=(*rules, lost),
        cells=(measured(0.5, of=key), unmeasured(text, of=cell_key(word, mode="vector"))),
        notes=(text,),
        narrowed=(text,),
        planted=text,
    )
