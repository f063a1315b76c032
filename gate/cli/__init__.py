"""The verbs of the command, one file each, imported only when they are asked for."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

import click

import gate

# Verb -> module with a click command of the verb's name, and the line that `gate --help` shows.
VERBS: Mapping[str, tuple[str, str]] = {
    "init": ("gate.cli.init", "Set the gate up in a repository: settings, budgets, baseline, workflow, hook."),
    "run": ("gate.cli.run", "Gate a store: measure it, compare, and exit with the verdict."),
    "merge": ("gate.cli.merge", "Judge the shards of a run together."),
    "compare": ("gate.cli.compare", "Compare two results topic by topic, or repeats of one."),
    "latency": ("gate.cli.latency", "Time this tree's store against a base's, by turns, and say what got slower."),
    "accept": ("gate.cli.accept", "Make the results of a run the baseline."),
    "budgets": ("gate.cli.budgets", "Show how much each budget lets go; suggest budgets to start from."),
    "prove": ("gate.cli.prove", "Plant defects in a store, and show what catches them."),
    "store": ("gate.cli.store", "Look for what must hold of any store, without labels."),
    "doctor": ("gate.cli.doctor", "Say whether an arm can run on this machine, and what it lacks."),
    "report": ("gate.cli.report", "Show the results of a run again, beside published ones if asked."),
    "models": ("gate.cli.models", "List, show, fetch and pin embedders and rerankers."),
    "corpus": ("gate.cli.corpus", "List, build, verify, show and audit the labelled corpora."),
}

EPILOG = "Exit codes: 0 pass, 1 regression, 2 not measured, 3 usage, 70 a bug of ours, 130 interrupted."


class LazyGroup(click.Group):
    """A group whose commands are imported one at a time, so that help stays fast."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        if cmd_name not in VERBS:
            return None
        command: click.Command = getattr(import_module(VERBS[cmd_name][0]), cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        with formatter.section("Commands"):
            formatter.write_dl([(verb, says) for verb, (_, says) in VERBS.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in VERBS and not args[0].startswith("-"):
            from gate.files import nearest

            raise click.UsageError(f"No command is called '{args[0]}': {nearest(args[0], VERBS)}", ctx)
        return super().resolve_command(ctx, args)


@click.command(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=EPILOG,
)
@click.version_option(gate.__version__, prog_name="gate", message="%(prog)s %(version)s")
def root() -> None:
    """A regression gate for agent memories, RAG stores and search indexes.

    Builds labelled corpora, drives a store through every search mode, healthy and with its
    parts failing, and compares what came back with committed budgets and baselines.

    Start with `gate run`.
    """
