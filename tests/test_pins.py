"""Corpora read from a path: pinned in the settings, or nothing is measured and the missing line is shown."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from builders import digest_of, pinned_beir
from conftest import RunGate

from gate.corpus import READERS, load_corpus
from gate.corpus.beir import read_beir
from gate.files import schema_of
from gate.pins import pinned, unpinned
from gate.settings import Settings, read_settings

TEXTS = {"d1": "the ferry leaves at noon", "d2": "the kettle is on the stove", "d3": "the lantern hangs in the hall"}
QUERIES = {"q1": "when leaves the ferry", "q2": "where is the kettle", "q3": "where hangs the lantern"}


def lines(texts: dict[str, str]) -> str:
    return "".join(json.dumps({"_id": name, "text": text}) + "\n" for name, text in texts.items())


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """A folder `notes` in the layout of BEIR, beside settings of the embedded store that name it without a pin."""
    folder = tmp_path / "notes"
    (folder / "qrels").mkdir(parents=True)
    (folder / "corpus.jsonl").write_text(lines(TEXTS), encoding="utf-8")
    (folder / "queries.jsonl").write_text(lines(QUERIES), encoding="utf-8")
    (folder / "qrels" / "test.tsv").write_text("".join(f"q{n}\td{n}\t1\n" for n in (1, 2, 3)), encoding="utf-8")
    write(tmp_path, 'corpora: ["beir:notes"]\n')
    return folder


def write(folder: Path, corpora: str) -> Settings:
    (folder / "gate.yml").write_text(f"{corpora}modes: [keyword]\nbaseline: optional\n", encoding="utf-8")
    return read_settings(folder / "gate.yml")


def verdict_in(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "gate-results" / "verdict.json").read_text(encoding="utf-8"))
    return found


# --- what is pinned ----------------------------------------------------------------------------


def test_the_pin_of_the_settings_is_the_corpus_s_however_its_path_is_written(
    notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(notes)
    settings = write(notes.parent, pinned_beir(notes))
    digest = digest_of(read_beir(notes))
    for spec in (f"beir:{notes}", "beir:../notes", "beir:."):
        corpus = pinned(spec, load_corpus(spec), settings)
        assert corpus.pinned == digest
        assert unpinned(spec, corpus, settings) is None


def test_a_recipe_keeps_its_own_pin(notes: Path) -> None:
    settings = write(notes.parent, 'corpora: ["beir:notes"]\n')
    corpus = pinned("seeded@smoke", load_corpus("seeded@smoke"), settings)
    assert corpus.pinned == load_corpus("seeded@smoke").pinned
    assert unpinned("seeded@10k", load_corpus("seeded@10k"), settings) is None


def test_the_line_to_paste_is_one_that_settings_read(notes: Path) -> None:
    folder = notes.rename(notes.parent / 'Notes of \'26: "α"')
    settings = write(folder.parent, "corpora: [seeded@smoke]\n")
    one = unpinned(f"beir:{folder}", read_beir(folder), settings)
    assert one is not None
    again = write(folder.parent, f"corpora:\n{one.line}\n")
    assert again.corpora == (f"beir:{folder}",)
    assert again.pins == {f"beir:{folder}": digest_of(read_beir(folder))}


def test_every_reader_can_be_pinned() -> None:
    entry = schema_of("settings")["properties"]["corpora"]["items"]["properties"]
    assert set(entry) == {*READERS, "sha256"}


# --- through the command -----------------------------------------------------------------------


def test_2_an_unpinned_corpus_of_the_settings_stops_the_run_with_the_line_to_paste(
    run_gate: RunGate, notes: Path
) -> None:
    project = notes.parent
    done = run_gate("run")
    assert done.returncode == 2
    line = f'- {{beir: "notes", sha256: {digest_of(read_beir(notes))}}}'
    assert line in [text.strip() for text in done.stdout.splitlines()]
    assert f"Put this in place of the entry at gate.yml:1: {line}" in " ".join(done.stdout.split())
    assert "not pinned in gate.yml, so nothing was measured" in " ".join(done.stdout.split())
    found = verdict_in(project)
    assert found["cells"]
    assert {cell["status"] for cell in found["cells"]} == {"not measured"}
    assert not (project / "gate-results" / "runs").exists()
    assert run_gate("accept", "--reason", "x").returncode == 2
    write(project, f"corpora:\n  {line}\n")
    assert run_gate("run").returncode == 0
    assert {cell["status"] for cell in verdict_in(project)["cells"]} == {"measured"}


def test_2_one_unpinned_corpus_keeps_the_others_from_being_measured(run_gate: RunGate, notes: Path) -> None:
    write(notes.parent, 'corpora: [seeded@smoke, {beir: notes}]\nslices: ["memory"]\n')
    assert run_gate("run").returncode == 2
    assert {cell["status"] for cell in verdict_in(notes.parent)["cells"]} == {"not measured"}
    assert run_gate("run", "--tier", "smoke").returncode != 3
    assert {cell["status"] for cell in verdict_in(notes.parent)["cells"]} == {"measured"}, "left out by a flag"


def test_2_a_corpus_that_is_not_the_pinned_one_is_not_measured_and_both_digests_are_told(
    run_gate: RunGate, notes: Path
) -> None:
    before = digest_of(read_beir(notes))
    write(notes.parent, pinned_beir(notes))
    (notes / "corpus.jsonl").write_text(lines({**TEXTS, "d4": "one more"}), encoding="utf-8")
    done = run_gate("run")
    assert done.returncode == 2
    said = " ".join(done.stdout.split())
    after = digest_of(read_beir(notes))
    assert said.count(f"its digest is {after}, the pin is {before}") == 1
    line = f'- {{beir: "notes", sha256: {after}}}'
    assert f"Put this in place of the entry at gate.yml:1, where the change is meant: {line}" in said
    assert (said.count(before), said.count(after)) == (1, 2)
    write(notes.parent, f"corpora:\n  {line}\n")
    assert run_gate("run").returncode == 0


def test_what_changes_no_document_topic_or_judgement_changes_no_pin(run_gate: RunGate, notes: Path) -> None:
    write(notes.parent, pinned_beir(notes))
    text = (notes / "qrels" / "test.tsv").read_text(encoding="utf-8")
    (notes / "qrels" / "test.tsv").write_text(f"query-id\tcorpus-id\tscore\r\n{text}", encoding="utf-8", newline="")
    assert run_gate("run").returncode == 0


def test_a_flag_takes_a_look_at_what_is_not_pinned_and_nothing_of_it_can_be_accepted(
    run_gate: RunGate, notes: Path
) -> None:
    done = run_gate("run", "--corpus", "beir:notes")
    assert done.returncode == 0
    said = " ".join(done.stdout.split())
    line = f'- {{beir: "notes", sha256: {digest_of(read_beir(notes))}}}'
    assert f"put this in place of the entry at gate.yml:1: {line}" in said
    assert not (notes.parent / "gate-results" / "baseline").exists()
    accepted = run_gate("accept", "--reason", "x")
    assert accepted.returncode == 3
    assert "--corpus beir:notes, which is not pinned" in accepted.stderr


def test_what_a_flag_names_and_the_settings_pin_can_be_accepted(run_gate: RunGate, notes: Path) -> None:
    write(notes.parent, pinned_beir(notes))
    done = run_gate("run", "--corpus", f"beir:{notes}")
    assert done.returncode == 0
    assert "not pinned" not in done.stdout
    assert run_gate("accept", "--reason", "x").returncode == 0


def test_without_settings_a_flag_shows_the_line_for_settings_that_are_still_to_be_written(
    run_gate: RunGate, notes: Path
) -> None:
    (notes.parent / "gate.yml").unlink()
    done = run_gate("run", "--corpus", "beir:notes", "--mode", "keyword", "--not-measured", "allow")
    assert 'put this in gate.yml, under `corpora`: - {beir: "notes", sha256: ' in " ".join(done.stdout.split())


def test_2_where_a_baseline_is_required_nobody_is_told_to_accept_one_of_what_is_not_pinned(
    run_gate: RunGate, notes: Path
) -> None:
    (notes.parent / "gate.yml").write_text("corpora: [seeded@smoke]\nmodes: [keyword]\n", encoding="utf-8")
    done = run_gate("run", "--corpus", "beir:notes")
    assert done.returncode == 2
    assert "there can be none before the corpus is pinned" in " ".join(done.stdout.split())
    assert "accept these results with" not in " ".join(done.stdout.split())


def test_2_verifying_a_folder_prints_the_entry_that_settings_read(run_gate: RunGate, notes: Path) -> None:
    done = run_gate("corpus", "verify", "beir:notes")
    assert done.returncode == 2
    line = f'- {{beir: "notes", sha256: {digest_of(read_beir(notes))}}}'
    assert line in [text.strip() for text in done.stdout.splitlines()]
    assert "pin:" not in done.stdout
    write(notes.parent, f"corpora:\n  {line}\n")
    assert run_gate("run").returncode == 0
