"""Models fetched over loopback: whole, verified and pinned, or not at all; alone, and several at once."""

from __future__ import annotations

import http.server
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections import namedtuple
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPMessage
from io import BytesIO
from pathlib import Path
from urllib.request import Request

import pytest
from tiny_models import write_embedder

from gate.errors import NotMeasured, UsageError
from gate.models import Choice
from gate.models import download as download_module
from gate.models import fetch as fetch_module
from gate.models.fetch import Fetched, fetch
from gate.models.named import PIN, named
from gate.models.opened import find, open_model
from gate.models.spec import MODEL, TOKENIZER, hash_of

NAME = "bge-small-en-v1.5"  # a model that no package carries, in whose place a tiny one of its dimension stands
WIDTH = 384
PATIENCE = 60.0


class Server(http.server.ThreadingHTTPServer):
    """Serves a folder. The first part of a path says how: whole, cut, slow, unsized, moved, missing, ..."""

    daemon_threads = True

    def __init__(self, folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.folder = folder
        self.asked: list[str] = []
        self.waits, self.release = threading.Event(), threading.Event()

    def at(self, how: str) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/{how}"

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up is what some tests are about."""


class _Handler(http.server.BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        how, _, name = self.path.strip("/").partition("/")
        if how in ("missing", "broken", "locked"):
            self.send_error({"missing": 404, "broken": 503, "locked": 401}[how])
            return
        if how in ("moved", "led-away"):
            self.send_response(302)
            self.send_header("Location", f"/whole/{name}" if how == "moved" else f"file://{self.server.folder}/{name}")
            self.end_headers()
            return
        raw = (self.server.folder / name).read_bytes()
        self.send_response(200)
        if how != "unsized":
            self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        half = len(raw) // 2
        self.wfile.write(raw[:half])
        self.wfile.flush()
        if how == "cut":
            return
        if how == "slow":
            self.server.waits.set()
            self.server.release.wait(PATIENCE)
        self.wfile.write(raw[half:])

    def log_request(self, code: object = "-", size: object = "-") -> None:
        """Says nothing."""

    def log_error(self, *args: object) -> None:
        """Nothing either."""


class Noted:
    """What a fetch told of itself."""

    def __init__(self) -> None:
        self.files: list[tuple[str, int | None]] = []
        self.bytes = 0
        self.waited = threading.Event()

    def begin(self, name: str, size: int | None) -> None:
        self.files.append((name, size))

    def more(self, size: int) -> None:
        self.bytes += size

    def wait(self, what: str) -> None:
        self.waited.set()


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """The model as somebody offers it."""
    return write_embedder(tmp_path / "offered", width=WIDTH)


@pytest.fixture
def server(source: Path) -> Iterator[Server]:
    with Server(source) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.release.set()
            server.shutdown()
            thread.join()


@pytest.fixture(autouse=True)
def fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of fetched models. No proxy stands between us and loopback."""
    monkeypatch.setenv("GATE_MODELS", str(tmp_path / "fetched"))
    monkeypatch.setenv("GATE_VECTORS", "off")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    return tmp_path / "fetched"


def hashes(folder: Path) -> dict[str, str]:
    return {path.name: hash_of(path) for path in folder.iterdir()}


def left(fetched: Path) -> list[str]:
    """What stands in the folder of fetched models, beside locks."""
    return sorted(path.name for path in fetched.glob("*") if not path.name.endswith(".lock")) + sorted(
        path.name for path in fetched.glob(f".{NAME}-*")
    )


def test_a_model_is_fetched_verified_and_pinned_with_the_settings_of_its_name(
    source: Path, server: Server, fetched: Path
) -> None:
    noted = Noted()
    made = fetch(NAME, hashes(source), server.at("whole"), noted)
    assert (made.folder, made.already) == (fetched / NAME, False)
    assert sorted(path.name for path in made.folder.iterdir()) == [PIN, MODEL, TOKENIZER]
    assert left(fetched) == [NAME]
    spec, folder = find(NAME)
    assert folder == made.folder
    assert (spec.pooling, spec.query_prefix) == ("cls", named(NAME).query_prefix)
    assert open_model(NAME, "embedder", "cpu", Choice()).facts["golden"]
    assert noted.files == [(name, (source / name).stat().st_size) for name in (MODEL, TOKENIZER)]
    assert noted.bytes == sum(size or 0 for _, size in noted.files)


def test_a_model_that_is_here_is_not_asked_for_again(source: Path, server: Server) -> None:
    fetch(NAME, hashes(source), server.at("whole"), Noted())
    server.asked.clear()
    assert fetch(NAME, hashes(source), server.at("whole"), Noted()).already
    assert server.asked == []


def test_the_addresses_of_the_shipped_file_are_used_unless_others_are_named(
    source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = {}

    def copied(name: str, source_of: str, known: str, into: Path, follows: object) -> None:
        asked[name] = source_of
        shutil.copy(source / name, into)

    monkeypatch.setattr(fetch_module, "download", copied)
    fetch(NAME, hashes(source), "", Noted())
    assert asked == {file.name: file.url for file in named(NAME).files}


def test_a_folder_is_as_good_as_a_server(source: Path) -> None:
    assert fetch(NAME, hashes(source), str(source), Noted()).folder.is_dir()


def test_hashes_may_be_written_in_capitals(source: Path) -> None:
    given = {name: known.upper() for name, known in hashes(source).items()}
    assert fetch(NAME, given, str(source), Noted()).folder.is_dir()


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ("cut", "cut off"),
        ("missing", "404"),
        ("broken", "503"),
        ("locked", "401"),
        ("led-away", "not followed"),
    ],
)
def test_a_server_that_does_not_give_the_file_leaves_nothing(
    source: Path, server: Server, fetched: Path, how: str, told: str
) -> None:
    with pytest.raises(NotMeasured, match=told) as raised:
        fetch(NAME, hashes(source), server.at(how), Noted())
    assert raised.value.exit_code == 2
    assert left(fetched) == []


@pytest.mark.parametrize(
    ("before", "after", "followed"),
    [
        ("https://a.example/x", "https://b.example/x", True),
        ("http://a.example/x", "https://b.example/x", True),
        ("https://a.example/x", "http://b.example/x", False),
        ("http://a.example/x", "ftp://b.example/x", False),
    ],
)
def test_a_redirect_never_leaves_a_secured_connection_or_the_web(before: str, after: str, followed: bool) -> None:
    redirects = download_module._Redirects()
    arguments = (Request(before), BytesIO(), 302, "Found", HTTPMessage(), after)
    if followed:
        made = redirects.redirect_request(*arguments)
        assert made is not None
        assert made.full_url == after
    else:
        with pytest.raises(NotMeasured, match="not followed"):
            redirects.redirect_request(*arguments)


@pytest.mark.parametrize("how", ["moved", "unsized"])
def test_redirects_and_answers_of_unknown_size_are_followed_to_the_end(
    source: Path, server: Server, fetched: Path, how: str
) -> None:
    fetch(NAME, hashes(source), server.at(how), Noted())
    assert left(fetched) == [NAME]


@pytest.mark.parametrize("file", [MODEL, TOKENIZER])
def test_a_file_with_another_hash_is_put_nowhere(source: Path, server: Server, fetched: Path, file: str) -> None:
    given = {**hashes(source), file: "0" * 64}
    with pytest.raises(NotMeasured, match="another file") as raised:
        fetch(NAME, given, server.at("whole"), Noted())
    assert hash_of(source / file) in str(raised.value)
    assert left(fetched) == []


def test_a_server_that_falls_silent_is_given_up(
    source: Path, server: Server, fetched: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(download_module, "PATIENCE", 0.2)
    with pytest.raises(NotMeasured, match="nothing arrived"):
        fetch(NAME, hashes(source), server.at("slow"), Noted())
    assert left(fetched) == []


def test_nobody_listening_is_told(source: Path, server: Server, fetched: Path) -> None:
    with http.server.HTTPServer(("127.0.0.1", 0), _Handler) as gone:
        port = gone.server_address[1]
    with pytest.raises(NotMeasured, match="cannot be reached"):
        fetch(NAME, hashes(source), f"http://127.0.0.1:{port}/", Noted())
    assert left(fetched) == []


def test_too_little_room_is_told_before_anything_is_written(
    source: Path, server: Server, fetched: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage(1 << 40, 1 << 40, 1000))
    with pytest.raises(NotMeasured, match="are free"):
        fetch(NAME, hashes(source), server.at("whole"), Noted())
    assert left(fetched) == []


def test_files_without_a_hash_are_all_named_and_nothing_is_asked_for(server: Server, fetched: Path) -> None:
    with pytest.raises(UsageError) as raised:
        fetch(NAME, {}, server.at("whole"), Noted())
    assert [problem.hint for problem in raised.value.problems] == [f"--sha256 {MODEL}=HEX", f"--sha256 {TOKENIZER}=HEX"]
    assert named(NAME).source in raised.value.hint
    assert server.asked == []
    assert not fetched.exists()


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({MODEL: "abc"}, "no SHA-256"),
        ({"model.bin": "0" * 64}, "no file of"),
        ({MODEL: "0" * 63 + "g"}, "no SHA-256"),
    ],
)
def test_a_hash_that_cannot_be_one_is_told(given: dict[str, str], told: str) -> None:
    with pytest.raises(UsageError) as raised:
        fetch(NAME, given, "", Noted())
    assert any(told in problem.what for problem in raised.value.problems)


@pytest.mark.parametrize("name", ["../model.bin", "/model.bin", PIN])
def test_a_name_that_leads_out_of_the_folder_is_refused(source: Path, fetched: Path, name: str) -> None:
    with pytest.raises(UsageError) as raised:
        fetch(NAME, {**hashes(source), name: "0" * 64}, str(source), Noted())
    assert any("cannot be the name" in problem.what for problem in raised.value.problems)
    assert not fetched.exists()


def test_a_file_without_an_address_has_to_be_told_where_it_stands() -> None:
    given = {MODEL: "0" * 64, TOKENIZER: "0" * 64}
    with pytest.raises(UsageError) as raised:
        fetch("bge-reranker-v2-m3", given, "", Noted())
    assert [problem.what for problem in raised.value.problems] == [f"no address of {MODEL} is known"]


@pytest.mark.parametrize("address", ["ftp://127.0.0.1/", "file:///tmp", "https://"])
def test_addresses_of_other_kinds_are_refused(source: Path, address: str) -> None:
    with pytest.raises(UsageError, match="no address"):
        fetch(NAME, hashes(source), address, Noted())


def test_a_model_of_a_package_is_not_fetched() -> None:
    with pytest.raises(UsageError, match="comes with a package"):
        fetch("minilm-int8", {}, "", Noted())


def test_weights_beside_the_graph_that_nobody_asked_for_are_named(tmp_path: Path, fetched: Path) -> None:
    large = write_embedder(tmp_path / "large", width=WIDTH, external="weights.bin")
    given = hashes(large)
    with pytest.raises(UsageError, match=r"weights\.bin"):
        fetch(NAME, {name: given[name] for name in (MODEL, TOKENIZER)}, str(large), Noted())
    assert left(fetched) == []
    made = fetch(NAME, given, str(large), Noted())
    assert {file.name for file in made.spec.files} == {MODEL, TOKENIZER, "weights.bin"}
    assert open_model(NAME, "embedder", "cpu", Choice()).facts["golden"]


def test_the_right_files_of_a_model_of_another_dimension_are_put_nowhere(tmp_path: Path, fetched: Path) -> None:
    other = write_embedder(tmp_path / "other", width=8)
    with pytest.raises(NotMeasured, match="cannot be used"):
        fetch(NAME, hashes(other), str(other), Noted())
    assert left(fetched) == []


def test_a_damaged_model_is_fetched_again(source: Path, fetched: Path) -> None:
    fetch(NAME, hashes(source), str(source), Noted())
    (fetched / NAME / MODEL).write_bytes(b"damaged")
    assert not fetch(NAME, hashes(source), str(source), Noted()).already
    assert hash_of(fetched / NAME / MODEL) == hash_of(source / MODEL)
    assert left(fetched) == [NAME]


def test_another_model_that_stands_there_is_left_alone(source: Path, tmp_path: Path, fetched: Path) -> None:
    fetch(NAME, hashes(source), str(source), Noted())
    other = write_embedder(tmp_path / "other", width=WIDTH, other=True)
    with pytest.raises(UsageError, match="other hashes"):
        fetch(NAME, hashes(other), str(other), Noted())
    assert hash_of(fetched / NAME / MODEL) == hash_of(source / MODEL)


def test_files_that_somebody_put_there_are_left_alone(source: Path, fetched: Path) -> None:
    (fetched / NAME).mkdir(parents=True)
    (fetched / NAME / "notes.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(UsageError, match="something else stands here"):
        fetch(NAME, hashes(source), str(source), Noted())
    assert (fetched / NAME / "notes.txt").read_text(encoding="utf-8") == "mine"


def test_what_a_killed_fetch_left_is_cleared_away(source: Path, fetched: Path) -> None:
    (fetched / f".{NAME}-killed").mkdir(parents=True)
    (fetched / f".{NAME}-killed" / MODEL).write_bytes(b"half")
    fetch(NAME, hashes(source), str(source), Noted())
    assert left(fetched) == [NAME]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows locks files otherwise")
def test_of_two_at_once_one_fetches_and_the_other_waits_for_it(source: Path, server: Server, fetched: Path) -> None:
    first, second = Noted(), Noted()
    with ThreadPoolExecutor(2) as pool:
        one = pool.submit(fetch, NAME, hashes(source), server.at("slow"), first)
        assert server.waits.wait(PATIENCE)
        two = pool.submit(fetch, NAME, hashes(source), server.at("slow"), second)
        assert second.waited.wait(PATIENCE)
        server.release.set()
        made: list[Fetched] = [one.result(PATIENCE), two.result(PATIENCE)]
    assert [each.already for each in made] == [False, True]
    assert len(server.asked) == 2
    assert left(fetched) == [NAME]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_a_signal_ends_a_fetch_with_130_and_leaves_nothing(
    source: Path, server: Server, fetched: Path, name: str, tmp_path: Path
) -> None:
    told = [part for file, known in hashes(source).items() for part in ("--sha256", f"{file}={known}")]
    process = subprocess.Popen(
        [sys.executable, "-m", "gate", "models", "fetch", NAME, *told, "--from", server.at("slow")],
        cwd=tmp_path,
        env={**os.environ, "NO_COLOR": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        assert server.waits.wait(PATIENCE)
        process.send_signal(getattr(signal, name))
        _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130, errors
    assert name in errors
    assert left(fetched) == []
