"""Fetching pictures from addresses that nobody vouches for: encrypted, from public machines, bounded, never kept."""

import http.client
import ipaddress
import os
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from urllib.parse import urljoin, urlsplit

TIMEOUT, LARGEST, AT_ONCE = 5.0, 20 << 20, 5
REDIRECTS, PART, LONGEST_URL, PORT = 3, 1 << 16, 4096, 443
LATE, TOO_LARGE = "takes too long", "is too large"
MOVED = (301, 302, 303, 307, 308)
NEVER = tuple(
    map(ipaddress.ip_network, ("::/96", "64:ff9b::/96", "64:ff9b:1::/48", "fec0::/10", "2001::/32", "192.0.0.0/24"))
)
"""Addresses that stand for others, maybe private ones (IPv4-compatible, NAT64, Teredo), or are of a site alone."""
Resolve = Callable[[str], Sequence[str]]
Connect = Callable[[str, str, float], socket.socket]
"""A machine's address, the name that it must prove, seconds -> an encrypted connection."""


class Refused(Exception):
    """Why a picture isn't fetched, in words that tell no address."""


def addresses(host: str) -> list[str]:
    """The addresses that a name stands for."""
    return sorted({str(found[4][0]) for found in socket.getaddrinfo(host, PORT, type=socket.SOCK_STREAM)})


def encrypted(address: str, host: str, timeout: float) -> socket.socket:
    """A connection to a machine that proves to be `host`."""
    plain = socket.create_connection((address, PORT), timeout=timeout)
    try:
        return ssl.create_default_context().wrap_socket(plain, server_hostname=host)
    except BaseException:
        plain.close()
        raise


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
            url = urljoin(url, found)
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
    machine = _public(parts.hostname, resolve)
    connection = http.client.HTTPSConnection(parts.hostname, timeout=_left(until))
    try:
        connection.sock = connect(machine, parts.hostname, _left(until))
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        with _cut(connection.sock, until):
            connection.request("GET", target, headers={"Accept": "image/jpeg, image/png", "User-Agent": "accord"})
            answer = connection.getresponse()
            if answer.status in MOVED and (where := answer.headers.get("Location")):
                return where
            if answer.status != 200:
                raise Refused(f"status {answer.status}")
            return _read(answer, until)
    finally:
        connection.close()


def _public(host: str, resolve: Resolve) -> str:
    """One machine of a name, all of whose machines are public. Raises Refused."""
    found = resolve(host)
    if not found or not all(_is_public(address) for address in found):
        raise Refused("isn't a public machine")
    return found[0]


def _is_public(text: str) -> bool:
    found = ipaddress.ip_address(text.partition("%")[0])
    if any(found.version == one.version and found in one for one in NEVER):
        return False
    inner = getattr(found, "ipv4_mapped", None) or getattr(found, "sixtofour", None)
    return all(one.is_global and not one.is_multicast for one in (found, inner) if one)


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
