"""`gate models`: the models that arms have, where they stand, and how one of your own becomes one of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gate.cli import options
from gate.cli.table import echo_table
from gate.report.escape import cut, visible

if TYPE_CHECKING:
    from gate.models.listing import Listed

_JSON = click.option("--json", "as_json", is_flag=True, help="Everything, as JSON.")
_CODES = "Exit codes: 0 as asked, 1 files differ, 2 not here or cannot be told, 3 usage, 130 interrupted."


@click.group(epilog=_CODES)
def models() -> None:
    """List, show, fetch and pin the models of arms: embedders and rerankers. docs/models.md says more."""


@models.command("list", epilog="Exit codes: 0 as asked, 1 files differ, 2 it cannot be told, 3 usage.")
@click.option("--verify", is_flag=True, help="Read every file that is here, and hold it against its SHA-256.")
@_JSON
def list_(verify: bool, as_json: bool) -> int:
    """List the named models: what each is, its licence, and where it stands or how to get it."""
    from gate.files import canonical_json
    from gate.models import ARMS
    from gate.models.listing import HERE, as_data, listed

    found = listed(verify=verify)
    code = max((int(one.exit_code) for one in found), default=0)
    if as_json:
        click.echo(canonical_json({"schema": 1, "models": [as_data(one) for one in found]}))
        return code
    rows: list[tuple[str, ...]] = [("model", "kind", "runtime", "dim", "precision", "languages", "licence", "stands")]
    for one in found:
        spec, stands = one.spec, one.place if one.state == HERE else one.state
        if verify and one.state == HERE:
            stands += ", verified"
        dimension, languages = str(spec.dimension or "-"), cut(spec.languages, 16)
        rows.append((spec.name, spec.kind, spec.runtime, dimension, spec.precision, languages, spec.licence, stands))
    echo_table([tuple(map(visible, row)) for row in rows], right=(3,))
    for one in found:
        click.echo(f"\n  {one.spec.name}: {visible(one.spec.says)}")
        _echo_findings(one)
    click.echo()
    echo_table(
        [
            ("arm", "device", "embedder", "reranker"),
            *((a.name, a.device, a.embedder, a.reranker) for a in ARMS.values()),
        ],
        (),
    )
    for arm in ARMS.values():
        click.echo(f"\n  {arm.name}: {arm.says}")
    return code


@models.command(epilog=_CODES)
@click.argument("name", metavar="NAME|FOLDER")
@_JSON
def show(name: str, as_json: bool) -> int:
    """Show all that is known of one model, its files held against their hashes.

    A name is one that `gate models list` shows; a folder is written as a path: ./mine.
    """
    from gate.exit_codes import ExitCode
    from gate.files import canonical_json, shown
    from gate.models.listing import ABSENT, HERE, as_data, look_at, settings_of

    one = look_at(name, verify=True)
    code = int(ExitCode.NOT_MEASURED if one.state == ABSENT else one.exit_code)
    if as_json:
        click.echo(canonical_json({"schema": 1, "model": as_data(one)}))
        return code
    spec = one.spec
    click.echo(visible(f"{spec.name}: {spec.says}"))
    for label in ("source", "licence", "languages", "runtime"):
        click.echo(f"  {label:16}{visible(getattr(spec, label))}")
    for key, value in settings_of(spec).items():
        told = shown(value, 200) if key.endswith("_prefix") else str(value)
        click.echo(f"  {key.replace('_', ' '):16}{visible(told)}")
    click.echo(
        visible(f"stands: {one.place} ({'verified' if one.state == HERE else one.state})" if one.place else ABSENT)
    )
    for file in spec.files:
        click.echo(f"  {file.sha256 or 'no SHA-256 known':64}  {visible(file.name)}")
    _echo_findings(one)
    return code


@models.command(epilog="Exit codes: 0 it is here, 2 it could not be had, 3 usage, 130 interrupted (nothing is left).")
@click.argument("name", metavar="NAME")
@click.option(
    "--sha256", "hashes", multiple=True, metavar="FILE=HEX", help="The SHA-256 of a file, from the model's page."
)
@click.option("--from", "source", default="", metavar="FOLDER|URL", help="Where its files stand, by their names here.")
@options.QUIET
def fetch(name: str, hashes: tuple[str, ...], source: str, quiet: bool) -> None:
    """Fetch a model that no package carries, verify its files, and pin it.

    Nothing is put in place unless every file has the SHA-256 that was told, here or in models.yml, and the
    model could be opened. It stands in the folder GATE_MODELS, else in one of the user's cache.
    """
    from gate.models.fetch import fetch as fetched
    from gate.stop import watched

    told = _hashes(hashes)
    progress = _progress(quiet)
    with watched():
        try:
            made = fetched(name, told, source, progress)
        finally:
            progress.close()
    click.echo(visible(f"{name} {'was here already' if made.already else 'is here now, and pinned'}: {made.folder}"))
    click.echo(visible(f"Licence {made.spec.licence}, source {made.spec.source}"))


@models.command(epilog="Exit codes: 0 pinned, or pinned the same already, 2 it cannot be opened, 3 usage.")
@click.argument("folder", metavar="[FOLDER]", required=False, type=click.Path(path_type=Path, file_okay=False))
@click.option("--kind", type=click.Choice(["embedder", "cross-encoder", "late-interaction"]), help="What it is.")
@click.option("--pooling", type=click.Choice(["cls", "mean", "last"]), help="One vector from those of the tokens.")
@click.option("--query-prefix", metavar="TEXT", help="What stands before each query, its space at the end included.")
@click.option("--document-prefix", metavar="TEXT", help="What stands before each document.")
@click.option("--max-length", type=click.IntRange(4, 10**9), metavar="TOKENS", help="What a text is cut at.")
@click.option("--precision", type=click.Choice(["float32", "float16", "int8"]), help="Of its weights.")
@click.option("--normalise/--no-normalise", default=None, help="Whether vectors are brought to length 1.")
@click.option("--output", metavar="NAME", help="The output of the graph that is read.")
@click.option("--replace", "replace_it", is_flag=True, help="Replace a pin that says otherwise.")
@click.option("--named", metavar="NAME", help="For maintainers: pin a model that packages carry.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="With --named: the file to write.")
def pin(folder: Path | None, replace_it: bool, named: str | None, out: Path | None, **asked: Any) -> None:
    """Pin the model in FOLDER: write golden.json, with its hashes, how it is used, and what it gives.

    Settings that no option gives are taken from config.json, sentence_bert_config.json, modules.json,
    1_Pooling/config.json and config_sentence_transformers.json where they stand beside the model.
    """
    given = {key: value for key, value in asked.items() if value is not None}
    if named is not None or out is not None:
        if named is None or out is None or folder is not None or given or replace_it:
            raise click.UsageError("--named and --out stand together, and alone.")
        from gate.models.pin import pin_named

        click.echo(visible(f"{named} is pinned in {pin_named(named, out).path}"))
        return
    if folder is None:
        raise click.UsageError("Name the folder of a model.")
    from gate.files import shown
    from gate.models.named import is_folder
    from gate.models.pin import pin_folder
    from gate.stop import watched

    with watched():
        made = pin_folder(folder, given, replace_it=replace_it)
    click.echo(visible(f"{made.path} {'says the same already' if made.unchanged else 'is written'}"))
    rows = [
        (key.replace("_", " "), shown(getattr(made.spec, key)), source)
        for key, source in made.sources.items()
        if key != "output" or made.spec.output
    ]
    echo_table([tuple(map(visible, row)) for row in rows], right=())
    for file in made.spec.files:
        click.echo(f"  {file.sha256}  {visible(file.name)}")
    part = "embedder" if made.spec.kind == "embedder" else "reranker"
    path = str(folder) if is_folder(str(folder)) else f"./{folder}"
    click.echo("In gate.yml, for example:")
    click.echo("  arms: [cpu-onnx]")
    click.echo("  " + visible(f"models: {{cpu-onnx: {{{part}: {shown(path, 4096)}}}}}"))


def _hashes(given: tuple[str, ...]) -> dict[str, str]:
    """SHA-256s by file. Raises click.UsageError for one without a file, or a file that stands twice."""
    told: dict[str, str] = {}
    for one in given:
        name, mark, known = one.partition("=")
        if not mark or not name or name in told:
            raise click.UsageError(f"--sha256 wants FILE=HEX, once a file: '{visible(one)}'")
        told[name] = known
    return told


def _progress(quiet: bool) -> Any:
    import sys

    from gate.cli.download import DownloadBar, DownloadLines, NoDownload
    from gate.cli.run import terminal

    if quiet:
        return NoDownload()
    return DownloadBar(sys.stderr) if terminal(sys.stderr) else DownloadLines(sys.stderr)


def _echo_findings(one: Listed) -> None:
    for problem in one.problems:
        click.echo(f"    {visible(str(problem))}")
    if one.how:
        click.echo(f"    {visible(one.how)}")
