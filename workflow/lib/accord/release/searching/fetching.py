"""Fetching pictures from addresses that nobody vouches for: encrypted, from public machines, bounded, never kept."""

import http.client
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

from accord.models import guarded_http
from accord.models.guarded_http import PORT, Refused, Resolve, addresses, encrypted

TIMEOUT, LARGEST, AT_ONCE = 5.0, 20 << 20, 5
REDIRECTS, PART, LONGEST_URL = 3, 1 << 16, 4096
LATE, TOO_LARGE = "takes too long", "is too large"
Connect = Callable[[str, str, float], socket.socket]
"""A machine's address, the name that it must prove, seconds -> an encrypted connection."""


def fetched(
    urls: Sequence[str], resolve: Resolve = addresses, connect: Connect = encrypted, timeout: float = TIMEOUT
) -> list[bytes | str]:
    """Of each address its bytes, or why there are none."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(lambda url: _fetched(url, resolve, connect, timeout), urls))


def _fetched(url: str, resolve: Resolve, connect: Connect, timeout: float) -> bytes | str:
    until = time.monotonic() + timeout
    try:
        for _ in range(REDIRECTS + 1):
            found = _asked(url, resolve, connect, until)
            if isinstance(found, bytes):
                return found
            url = found
        return "redirects without end"
    except Refused as why:
        return str(why)
    except (OSError, ValueError, http.client.HTTPException):
        return LATE if time.monotonic() >= until else "can't be fetched"


def _asked(url: str, resolve: Resolve, connect: Connect, until: float) -> bytes | str:
    """The bytes, or where the server says that they are. The machine that was looked at is the one that is asked."""
    parts = urlsplit(url)
    if parts.scheme != "https" or not parts.hostname or parts.port not in (None, PORT) or parts.username:
        raise Refused("isn't a plain https address")
    if len(url) > LONGEST_URL:
        raise Refused("has too long an address")
    machine = guarded_http.machine(parts.hostname, resolve)
    connection = http.client.HTTPSConnection(parts.hostname, timeout=_left(until))
    try:
        connection.sock = connect(machine, parts.hostname, _left(until))
        with _cut(connection.sock, until):
            answer = guarded_http.answer(connection, parts, {"Accept": "image/jpeg, image/png"})
            if where := guarded_http.redirect(url, answer):
                return where
            if answer.status != 200:
                raise Refused(f"status {answer.status}")
            return _read(answer, until)
    finally:
        connection.close()


@contextmanager
def _cut(connected: socket.socket, until: float) -> Iterator[None]:
    """Within it a connection lives until a time, however its bytes drip."""
    same = socket.socket(fileno=os.dup(connected.fileno()))
    timer = threading.Timer(_left(until), _end, [same])
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        same.close()


def _end(connected: socket.socket) -> None:
    with suppress(OSError):
        connected.shutdown(socket.SHUT_RDWR)


def _read(answer: http.client.HTTPResponse, until: float) -> bytes:
    parts, size = [], 0
    while True:
        part = answer.read1(PART)
        _left(until)
        if not part:
            return b"".join(parts)
        parts.append(part)
        size += len(part)
        if size > LARGEST:
            raise Refused(TOO_LARGE)


def _left(until: float) -> float:
    left = until - time.monotonic()
    if left <= 0:
        raise Refused(LATE)
    return left
