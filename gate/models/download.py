"""One file from a server or a folder, verified before anybody sees it.

A file is trusted for its SHA-256 and nothing else, so that it does not matter who sent it, or how.
"""

from __future__ import annotations

import errno
import shutil
import ssl
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from http.client import HTTPException, HTTPMessage
from pathlib import Path
from typing import IO, Any, Protocol
from urllib.parse import urlsplit

import gate
from gate.errors import GateError, NotMeasured, UsageError
from gate.models.paths import open_file

PATIENCE = 60.0  # seconds without a byte
READ_AT_ONCE = 1 << 18
LARGEST = 64 << 30  # bytes of one file, whatever a server sends
ROOM = 64 << 20  # bytes to leave free
SCHEMES = ("https", "http")


class Follows(Protocol):
    """Told how far a fetch is."""

    def begin(self, name: str, size: int | None) -> None:
        """A file of so many bytes; None where nobody knows."""
        ...

    def more(self, size: int) -> None:
        """So many bytes arrived."""
        ...

    def wait(self, what: str) -> None:
        """Nothing arrives before `what` is done."""
        ...


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Follows redirects to the web alone, and never from a secured connection to an open one."""

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> urllib.request.Request | None:
        before, after = urlsplit(req.full_url).scheme, urlsplit(newurl).scheme
        if after not in SCHEMES or (before == "https" and after != "https"):
            fp.close()
            raise NotMeasured(
                "fetch-redirect", f"the server leads from {before} to {after}, which is not followed", where=newurl
            )
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def is_url(source: str) -> bool:
    """Whether a source is an address and no folder."""
    return "://" in source


def check_url(url: str) -> None:
    """Raises UsageError for an address that nothing is fetched from."""
    try:
        parts = urlsplit(url)
        sound = parts.scheme in SCHEMES and bool(parts.hostname) and parts.port != 0
    except ValueError:
        # A port beyond all ports, or half of the brackets of an IPv6 address.
        sound = False
    if not sound:
        raise UsageError(
            "fetch-address", "this is no address on the web", where=url, hint="One that starts with https:// or http://"
        )


def download(name: str, source: str, known: str, into: Path, follows: Follows) -> None:
    """Gets a file, by its address or its path, into a file that is new. `known` is its SHA-256, in hex.

    Raises NotMeasured where it cannot be had, is cut off, or is another file. What was written by then is gone.
    """
    try:
        with _opened(source) as (stream, size):
            _room(into.parent, size, name)
            follows.begin(name, size)
            digest, count = sha256(), 0
            with into.open("xb") as file:
                while part := stream.read(READ_AT_ONCE):
                    digest.update(part)
                    file.write(part)
                    count += len(part)
                    if count > LARGEST:
                        raise NotMeasured("fetch-size", f"{name} does not end after {LARGEST >> 30} GiB", where=source)
                    follows.more(len(part))
        if size is not None and count != size:
            raise NotMeasured(
                "fetch-cut",
                f"{name} was cut off: {count:,} of {size:,} bytes arrived",
                where=source,
                hint="Nothing was kept. Try again.",
            )
        if digest.hexdigest() != known:
            raise NotMeasured(
                "fetch-hash",
                f"what arrived as {name} is another file: its SHA-256 is {digest.hexdigest()}, not {known}",
                where=source,
                hint="Nothing was kept. Either the hash is of another version, or the file was changed on its way.",
            )
    except BaseException:
        with suppress(OSError):
            into.unlink(missing_ok=True)
        raise


@contextmanager
def _opened(source: str) -> Iterator[tuple[IO[bytes], int | None]]:
    """What a source gives, and its size where it is told. Errors while it is read are told in words too."""
    try:
        if is_url(source):
            asked = urllib.request.Request(
                source,
                headers={"User-Agent": f"retrieval-gate/{gate.__version__}", "Accept-Encoding": "identity"},
            )
            opener = urllib.request.build_opener(_Redirects)
            with opener.open(asked, timeout=PATIENCE) as answer:
                told = answer.headers.get("Content-Length", "")
                yield answer, int(told) if told.isascii() and told.isdecimal() else None
        else:
            with open_file(Path(source)) as file:
                yield file, Path(source).stat().st_size
    except GateError:
        raise
    except urllib.error.HTTPError as error:
        raise _refused(error, source) from None
    except (OSError, HTTPException, ValueError) as error:
        raise _failed(error, source) from None


def _refused(error: urllib.error.HTTPError, source: str) -> NotMeasured:
    hints = {
        401: "It may need an account: download it by hand, and name the folder with --from.",
        403: "It may need an account: download it by hand, and name the folder with --from.",
        404: "It may have moved: look it up on the model's page, and name its address or folder with --from.",
        429: "Too many ask at once. Try again later.",
    }
    hint = hints.get(error.code, "Try again later." if error.code >= 500 else "")
    code, said = error.code, " ".join(str(error.reason).split())
    error.close()
    if 300 <= code < 400:
        return NotMeasured("fetch-redirect", f"the server leads on, which is not followed: {said}", where=source)
    return NotMeasured("fetch-refused", f"the server answers {code} {said}", where=source, hint=hint)


def _failed(error: Exception, source: str) -> NotMeasured:
    cause: Any = error.reason if isinstance(error, urllib.error.URLError) else error
    if isinstance(cause, OSError) and cause.errno in (errno.ENOSPC, errno.EDQUOT):
        return NotMeasured("disk-full", "there is no room left on the disk", where=source, hint="Nothing was kept.")
    if isinstance(cause, TimeoutError):
        said = f"nothing arrived for {PATIENCE:.0f} seconds"
    elif isinstance(cause, ssl.SSLError):
        said = f"its certificate is not trusted: {getattr(cause, 'verify_message', '') or cause.reason or cause}"
    else:
        said = f"{getattr(cause, 'strerror', None) or cause or type(cause).__name__}"
    where = "the file cannot be read" if not is_url(source) else "the server cannot be reached, or stopped answering"
    return NotMeasured("fetch-failed", f"{where}: {said}", where=source, hint="Nothing was kept.")


def _room(folder: Path, size: int | None, name: str) -> None:
    free = shutil.disk_usage(folder).free
    if size is not None and size + ROOM > free:
        raise NotMeasured(
            "disk-full",
            f"{name} has {size / 1e6:,.0f} MB, and {free / 1e6:,.0f} MB are free",
            where=str(folder),
            hint="Make room, or set GATE_MODELS to a folder on another disk.",
        )
