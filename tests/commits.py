"""Small git repositories, and the head of one held against its base."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Mapping
from datetime import date
from pathlib import Path

from builders import corpus as small_corpus
from fakes import Switches, make_subject

from gate.base.against import Against, against_base
from gate.baselines import baseline_path, render_baseline
from gate.budgets import read_budgets
from gate.methodology import methodology_hash
from gate.plan import Declared, Flags, Request
from gate.records import Check, Corpus, Run, RunKey
from gate.scope import Scope
from gate.settings import read_settings
from gate.trial import plan_trial

TODAY = date(2026, 12, 1)
MODES = frozenset({"keyword", "vector", "hybrid", "facts"})
SETTINGS = "schema: 1\ncorpora: [seeded@smoke]\nbudgets: budgets.yml\n"
BUDGETS = """schema: 1
budgets:
  - cell: "reference/seeded@*/all/*/hybrid/none/R@5"
    min: 0.90
"""


class Commits:
    """A repository in a folder. Nothing of the machine's own git configuration gets in."""

    def __init__(self, folder: Path, *, start: bool = True) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        if start:
            self.git("init", "--quiet", "-b", "main")

    def git(self, *arguments: str) -> str:
        stamp = "2026-01-06T12:00:00Z"
        quiet = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        environment = {
            **quiet,
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_AUTHOR_DATE": stamp,
            "GIT_COMMITTER_DATE": stamp,
        }
        own = ("-c", "user.name=Test", "-c", "user.email=test@example.invalid", "-c", "protocol.file.allow=always")
        done = subprocess.run(
            ["git", *own, *arguments], cwd=self.folder, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def write(self, files: Mapping[str, str]) -> None:
        for name, text in files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")

    def commit(self, files: Mapping[str, str] | None = None) -> str:
        """Everything in the folder as a commit; its name."""
        self.write(files or {})
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "-m", "a change")
        return self.git("rev-parse", "HEAD")

    def against(
        self,
        ref: str = "HEAD",
        *,
        accept: bool = False,
        modes: Iterable[str] = MODES,
        corpora: Iterable[Corpus] = (),
        environment: Mapping[str, str] | None = None,
        settings: str = "gate.yml",
        store: str = "",
    ) -> Against:
        """The work tree held against a commit, or against the event's base where `ref` is empty."""
        head = read_settings(self.folder / settings)
        request = Request(head, Flags(store), TODAY, base=ref, accept_loosened=accept)
        scratch = self.folder.parent / f"scratch-{len(list(self.folder.parent.iterdir()))}"
        scope = scope_of_store(modes, corpora)
        return against_base(request, read_budgets(head.budgets), scope, scratch, environment or {})


def scope_of_store(modes: Iterable[str] = MODES, corpora: Iterable[Corpus] = ()) -> Scope:
    """What planning knows of a store called `reference`, with corpora that are loaded already."""
    declared = Declared("reference", frozenset(modes), frozenset())
    subject = make_subject(Switches(name="reference"))
    loaded = tuple(corpora) or (small_corpus({"q1": {"a": 1}}, name="other"),)
    trials = tuple(plan_trial(subject, declared, one, slices=["*"], modes=(), faults=(), measures=()) for one in loaded)
    return Scope(trials, "reference", frozenset(), {}, (), (), ())


def key(mode: str = "keyword", fault: str = "none", store: str = "reference") -> RunKey:
    return RunKey(store, "seeded", "smoke", "cpu-hash", mode, fault)


def baseline_file(
    runs: Iterable[Run],
    of: Corpus,
    scores: Mapping[str, float],
    *,
    digest: str = "c" * 64,
    folder: str = "baselines",
) -> dict[str, str]:
    """The path and text of a baseline; `scores['all/keyword/none/R@5']` are those of its own corpus and arm."""
    made = list(runs)
    own = made[0].key
    fields = {"corpus": digest, "depth": "100"}
    header = {
        "store": own.store,
        "corpus": own.corpus,
        "tier": own.tier,
        "arm": own.arm,
        "methodology": fields,
        "methodology_hash": methodology_hash(fields),
        "scores": {
            f"{own.store}/{own.corpus}@{own.tier}/{name.split('/')[0]}/{own.arm}/{name.partition('/')[2]}": value
            for name, value in scores.items()
        },
    }
    path = baseline_path(Path(folder), own.store, own.corpus, own.tier, own.arm)
    return {path.as_posix(): render_baseline(made, of.topics, of, header, 100)}


def loosened(against: Against) -> dict[str, str]:
    """The sentences of all that fails, by the name of the check."""
    return {
        check.check_id.removeprefix("base "): check.message.removeprefix("loosened: ")
        for check in against.checks
        if check.status == "fail" and check.level == "error"
    }


def only(against: Against) -> Check:
    """The one check that fails."""
    (check,) = [check for check in against.checks if check.status == "fail"]
    return check


def silent(against: Against) -> bool:
    """Whether the bar is at least as high: one check that passes and says so."""
    return [(check.status, check.source) for check in against.checks] == [("pass", "base")]
