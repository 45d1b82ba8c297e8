"""One file over HTTP, whole or not at all: tried again where the network fails, checked before it takes its name."""

import http.client
import os
import time
import urllib.error
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from accord.engine import provenance
from accord.errors import AccordError, Problem
from accord.files import PARTIAL
from accord.models import weight_server

TRIES, PAUSE = 5, 2.0
KNOCKS = 2
"""Tries where no connection comes about at all: there is no network, or no such host, and waiting won't change it."""
TIMEOUT = 20
"""Seconds without an answer, or without a byte of it."""
BLOCK = 1 << 20
MOST_BYTES = 40 << 30
AGAIN = {408, 425, 429, 500, 502, 503, 504}
OFFLINE = "is this machine online? On clusters often only one node is; see docs/models.md for working offline"
GATED = {401, 403}


class Got(NamedTuple):
    """What was downloaded: its size, its sum, and the revision that the server names ("" where it names none)."""

    bytes: int
    sha256: str
    revision: str


class UnreachableError(AccordError):
    """No connection to a host came about. `host`: with its port; `reason`: why not, as the system says it."""

    def __init__(self, url: str, reason: object):
        self.host, self.reason = urlsplit(url).netloc, reason
        super().__init__(Problem(url, f"can't be reached ({reason})", OFFLINE))


class _Cut(OSError):
    """The connection ended before the file did."""


def download(url: str, to: Path, sha256: str | None, *, token: str = "", pause: float = PAUSE, mirror: str = "") -> Got:
    """Write what lies at an address to a file.

    sha256: what its sum must be, None where nobody has stated it. token, mirror: as of `weight_server.opened`. An
    attempt that was cut short goes on where it stopped if the server can tell that the file is still the same. Raises
    AccordError where the server refuses, the network fails five times, or the sum is another one, and UnreachableError
    where no connection comes about twice; then the file is not there, or is the one that was.
    """
    weight_server.split(url)
    to.parent.mkdir(parents=True, exist_ok=True)
    partial = to.with_name(to.name + PARTIAL)
    partial.unlink(missing_ok=True)
    try:
        revision = _with_retries(url, partial, token, pause, mirror)
        got = Got(partial.stat().st_size, provenance.sha256(partial), revision)
        if sha256 is not None and sha256 != got.sha256:
            what = f"sent a file with sha256 {got.sha256[:12]}..., but {sha256[:12]}... was expected"
            raise AccordError(Problem(url, what, "nothing was saved; find out which of the two is right"))
        partial.replace(to)
        return got
    finally:
        partial.unlink(missing_ok=True)


def _with_retries(url: str, partial: Path, token: str, pause: float, mirror: str) -> str:
    """Fill `partial`; returns the revision that the server names."""
    tag = ""
    for attempt in range(1, TRIES + 1):
        try:
            with _open(url, partial, tag, token, mirror) as answer:
                tag = _strong_tag(answer)
                _copy(url, answer, partial)
                return answer.headers.get("X-Repo-Commit", "")
        except (OSError, http.client.HTTPException) as error:
            if isinstance(error, urllib.error.HTTPError):
                error.close()
            if attempt == (KNOCKS if _is_deaf(error) else TRIES) or not _worth_another(error):
                raise _failure(url, error) from None
            time.sleep(pause * 2 ** (attempt - 1))
    raise AssertionError("unreachable")


def _open(url: str, partial: Path, tag: str, token: str, mirror: str) -> AbstractContextManager[Any]:
    headers = {"Accept-Encoding": "identity"}
    if tag and partial.is_file():
        headers |= {"Range": f"bytes={partial.stat().st_size}-", "If-Range": tag}
    return weight_server.opened(url, headers, token=token, mirror=mirror, timeout=TIMEOUT)


def _copy(url: str, answer: Any, partial: Path) -> None:
    """Append where the server goes on from what is there (206), begin anew where it doesn't."""
    goes_on = answer.status == http.client.PARTIAL_CONTENT
    expected = answer.headers.get("Content-Length")
    written = 0
    with partial.open("ab" if goes_on else "wb") as file:
        while block := answer.read(BLOCK):
            written += file.write(block)
            if file.tell() > MOST_BYTES:
                raise AccordError(Problem(url, f"is larger than {MOST_BYTES >> 30} GiB", "is it a file of weights?"))
        file.flush()
        os.fsync(file.fileno())
    if expected is not None and written < int(expected):
        raise _Cut("the connection ended early")


def _strong_tag(answer: Any) -> str:
    tag = answer.headers.get("ETag", "")
    return "" if tag.startswith("W/") else tag


def _worth_another(error: Exception) -> bool:
    return not isinstance(error, urllib.error.HTTPError) or error.code in AGAIN


def _is_deaf(error: Exception) -> bool:
    """Whether no connection came about: urllib wraps what fails before there is an answer."""
    return isinstance(error, urllib.error.URLError) and not isinstance(error, urllib.error.HTTPError)


def _failure(url: str, error: Exception) -> AccordError:
    if _is_deaf(error):
        return UnreachableError(url, getattr(error, "reason", error))
    return AccordError(_refusal(url, error))


def _refusal(url: str, error: Exception) -> Problem:
    if not isinstance(error, urllib.error.HTTPError):
        return Problem(url, f"can't be reached ({error})", OFFLINE)
    hint = "check that the repository, the revision and the path exist"
    if error.code in GATED:
        hint = "you may have to accept the owner's terms, then set HF_TOKEN to a token with read access"
    return Problem(url, f"answers {error.code} {error.reason}", hint)
