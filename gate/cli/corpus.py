"""`gate corpus`: what there is, what it holds, whether it is what was pinned, and a copy of it as files."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import click

from gate.cli.audit import audit
from gate.cli.table import echo_table
from gate.corpus import load_corpus, parse_spec
from gate.errors import UsageError
from gate.exit_codes import ExitCode
from gate.files import nearest
from gate.records import ALL_TOPICS, Corpus, Document, Topic
from gate.report.escape import visible

_EVERY = 5000


@click.group(epilog="Exit codes: 0 as asked, 1 a mismatch, 2 not pinned, 3 usage.")
def corpus() -> None:
    """List, build, verify, audit and show labelled corpora."""


corpus.add_command(audit)


@corpus.command("list")
def list_() -> None:
    """List recipes with their tiers, pinned digests and slices."""
    from gate.corpus.recipe import load_recipe, recipe_names

    for name in recipe_names():
        recipe = load_recipe(name)
        click.echo(f"{name}: seed {recipe.seed}, licence {recipe.licence}\n")
        rows: list[tuple[str, ...]] = [("tier", "distractors", "documents", "topics", "qrels", "digest")]
        for tier in recipe.tiers:
            pin = tier.pin
            counts = (
                (f"{pin.documents:,}", f"{pin.topics:,}", f"{pin.qrels:,}", pin.digest[:16])
                if pin
                else ("-", "-", "-", "unpinned")
            )
            rows.append((f"{name}@{tier.name}", f"{tier.distractors:,}", *counts))
        echo_table(rows, right=(1, 2, 3, 4))
        columns = tuple(dict.fromkeys(tier.column for tier in recipe.tiers))
        click.echo()
        described: list[tuple[str, ...]] = [("slice", *columns, "needs")]
        for entry in recipe.slices:
            parts = [made for made in recipe.slices if made.slice.name in entry.covers] or [entry]
            numbers = (str(sum(part.topics[column] for part in parts)) for column in columns)
            described.append((entry.slice.name, *numbers, " ".join(sorted(entry.slice.needs)) or "-"))
        echo_table(described, right=tuple(range(1, 1 + len(columns))))
        for entry in recipe.slices:
            click.echo()
            click.echo(click.wrap_text(f"{entry.slice.name}: {entry.slice.says}", 100, "  ", "    "))
        click.echo()
    click.echo("Folders and files can be read too: beir:DIR, trec:DIR, squad:FILE.")


@corpus.command()
@click.argument("directory", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--corpus", "spec", default="seeded@1k", show_default=True, metavar="SPEC", help="What to build.")
@click.option("--force", is_flag=True, help="Replace a folder that was built before.")
def build(directory: Path, spec: str, force: bool) -> None:
    """Write a corpus to the folder DIR, in the layout of BEIR; beir:DIR reads it back."""
    from gate.corpus.export import write_beir

    loaded = load_corpus(spec)
    digest = write_beir(loaded, directory, force=force, progress=_counter())
    click.echo(f"{loaded.label}: {_counts(loaded, digest.documents)} in {directory}")
    click.echo(f"digest {digest.hexdigest()}")
    if loaded.licence:
        click.echo(f"licence {loaded.licence}")


@corpus.command()
@click.argument("specs", metavar="[SPEC]...", nargs=-1)
@click.pass_context
def verify(context: click.Context, specs: tuple[str, ...]) -> None:
    """Make corpora anew and hold them against their pins. Without SPEC: every tier of every recipe.

    Exits with 0 where all match, 1 where one does not, 2 where one has no pin (its digest is
    printed), 3 where one cannot be made. Where several hold, the highest.
    """
    from gate.corpus.recipe import load_recipe, recipe_names

    asked = specs or tuple(f"{name}@{tier.name}" for name in recipe_names() for tier in load_recipe(name).tiers)
    for spec in asked:
        parse_spec(spec)
    codes = [_verify(spec) for spec in asked]
    context.exit(max(codes, default=ExitCode.USAGE))


def _verify(spec: str) -> ExitCode:
    from gate.corpus.digest import CorpusDigest
    from gate.corpus.recipe import Pin, load_recipe

    loaded = load_corpus(spec)
    digest, count = CorpusDigest(loaded), _counter()
    for document in loaded.documents():
        digest.add(document)
        count(document)
    judgements = sum(map(len, loaded.qrels.values()))
    actual = Pin(digest.hexdigest(), digest.documents, len(loaded.topics), judgements)
    parsed = parse_spec(spec)
    pin = None if parsed.reader else load_recipe(parsed.name).tier(parsed.tier).pin
    told = f"digest: {actual.digest}, documents: {actual.documents}, topics: {actual.topics}, qrels: {actual.qrels}"
    if parsed.reader:
        from gate.pins import entry

        line = entry(spec, actual.digest, Path.cwd())
        click.echo(f"{loaded.label}: {_counts(loaded, digest.documents)}, pinned by settings alone")
        click.echo(f"  The entry of `corpora` for a gate.yml in this folder:\n  {visible(line)}")
        return ExitCode.NOT_MEASURED
    if pin is None:
        click.echo(f"{loaded.label}: unpinned\n  pin: {{{told}}}")
        return ExitCode.NOT_MEASURED
    if pin == actual:
        click.echo(f"{loaded.label}: matches ({_counts(loaded, digest.documents)})")
        return ExitCode.PASS
    click.echo(f"{loaded.label}: MISMATCH")
    for name in ("digest", "documents", "topics", "qrels"):
        expected, found = getattr(pin, name), getattr(actual, name)
        if expected != found:
            click.echo(f"  {name}: expected {expected}, actual {found}")
    click.echo(f"  Where the change is meant, pin it in {loaded.source} and accept new baselines:\n  pin: {{{told}}}")
    return ExitCode.REGRESSION


@corpus.command()
@click.argument("spec", metavar="[SPEC]", default="seeded@smoke")
@click.option("--slice", "slice_name", default=ALL_TOPICS, metavar="NAME", help="Only topics of this slice.")
@click.option("--topic", "topic_id", metavar="ID", help="Only this topic.")
@click.option("--limit", default=10, show_default=True, type=click.IntRange(min=1), help="At most this many topics.")
def show(spec: str, slice_name: str, topic_id: str | None, limit: int) -> None:
    """Print topics with their queries and judged documents. SPEC is seeded@smoke unless given."""
    loaded = load_corpus(spec)
    topics = _chosen(loaded, slice_name, topic_id)
    shown = topics[:limit]
    judged = {doc for topic in shown for doc in _judged(loaded, topic)}
    texts = {document.doc_id: document for document in loaded.documents() if document.doc_id in judged}
    for topic in shown:
        _show_topic(loaded, topic, texts)
    click.echo(
        f"{len(shown)} of {len(topics)} topics of {loaded.label}"
        + (f", slice {slice_name}" if slice_name != ALL_TOPICS else "")
    )
    for note in loaded.notes:
        click.echo(f"note: {note}")


def _chosen(loaded: Corpus, slice_name: str, topic_id: str | None) -> list[Topic]:
    names = [ALL_TOPICS, *(entry.name for entry in loaded.slices)]
    if slice_name not in names:
        raise UsageError(
            "slice-unknown", f"{loaded.label} has no slice '{slice_name}'", hint=nearest(slice_name, names)
        )
    topics = [topic for topic in loaded.topics if slice_name in (ALL_TOPICS, *topic.slices)]
    if topic_id is None:
        return topics
    found = [topic for topic in topics if topic.topic_id == topic_id]
    if not found:
        raise UsageError(
            "topic-unknown",
            f"{loaded.label} has no topic '{topic_id}' in the slice '{slice_name}'",
            hint=f"The topics are listed by: gate corpus show {loaded.label}",
        )
    return found


def _judged(loaded: Corpus, topic: Topic) -> Mapping[str, int]:
    return loaded.qrels.get(topic.topic_id, {})


def _show_topic(loaded: Corpus, topic: Topic, texts: Mapping[str, Document]) -> None:
    scope = f"  scope {' '.join(sorted(topic.scope))}" if topic.scope else ""
    click.echo(visible(f"{topic.topic_id}  {topic.text}{scope}"))
    click.echo(f"  slices {' '.join(topic.slices) or ALL_TOPICS}  cluster {topic.cluster or '-'}")
    forbidden = loaded.forbidden.get(topic.topic_id, {})
    deleted = frozenset(loaded.deletions)
    for doc_id, grade in sorted(_judged(loaded, topic).items(), key=lambda pair: (-pair[1], pair[0])):
        label = f"forbidden: {forbidden[doc_id]}" if doc_id in forbidden else f"grade {grade}"
        gone = ", deleted once all is stored" if doc_id in deleted else ""
        text = texts[doc_id].text if doc_id in texts else "(not in the corpus)"
        click.echo("    " + visible(f"{doc_id}  [{label}{gone}]  {text}"))
    if not _judged(loaded, topic):
        click.echo("    (nothing answers this)")
    click.echo()


def _counts(loaded: Corpus, documents: int) -> str:
    judgements = sum(map(len, loaded.qrels.values()))
    return f"{documents:,} documents, {len(loaded.topics):,} topics, {judgements:,} judgements"


def _counter() -> Callable[[Document], None]:
    """Counts documents on standard error, where that is a terminal."""
    count = 0

    def tick(_: Document) -> None:
        nonlocal count
        count += 1
        if count % _EVERY == 0 and sys.stderr.isatty():
            click.echo(f"\r{count:,} documents\r", nl=False, err=True)

    return tick
