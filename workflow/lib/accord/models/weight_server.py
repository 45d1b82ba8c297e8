"""Servers of weights: they are public machines, at each redirect, or are named by a person's settings."""

import base64
import http.client
import io
import ipaddress
import socket
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from typing import NamedTuple
from urllib.parse import SplitResult, unquote, urlsplit

from accord.errors import AccordError, Problem
from accord.models import guarded_http
from accord.models.guarded_http import LOCAL, Refused

REDIRECTS, PROXY_PORT = 10, 8080
FOUND = (http.client.OK, http.client.PARTIAL_CONTENT)
ADDRESS = "it begins with https:// and the name of a host"
OWN_NETWORK = "weights come from public machines; a mirror in your own network is what evaluate.hub names"


class Own(NamedTuple):
    """The machines that addresses may stand for though they aren't public, and their port."""

    machines: set[str]
    port: int


@contextmanager
def opened(
    url: str, headers: dict[str, str], *, token: str, mirror: str, timeout: float
) -> Iterator[http.client.HTTPResponse]:
    """The answer to GET with status 200 or 206, from wherever redirects lead.

    token: sent as a bearer's to the address's host and to no other. mirror: a host that may be in this network; all
    others, also those that redirects lead to, are public machines, or the server of this machine that the address
    itself names. timeout: seconds without a byte. Raises URLError without a connection, HTTPError of another status,
    and AccordError of an address that must not be asked.
    """
    own, address = _own(url, mirror), url
    for _ in range(REDIRECTS + 1):
        parts = split(address)
        bearer = {"Authorization": f"Bearer {token}"} if token and parts.netloc == urlsplit(url).netloc else {}
        with (
            closing(_connected(url, parts, own, timeout)) as connection,
            closing(guarded_http.answer(connection, parts, headers | bearer)) as response,
        ):
            if response.status in FOUND:
                yield response
                return
            to = guarded_http.redirect(address, response)
            if to is None:
                raise urllib.error.HTTPError(url, response.status, response.reason, response.headers, io.BytesIO())
        address = to
    raise AccordError(Problem(url, f"redirects more than {REDIRECTS} times", "is it the address of a file?"))


def split(url: str) -> SplitResult:
    """The parts of an address that may be asked: encrypted, or of a server on this machine. Raises AccordError."""
    try:
        parts = urlsplit(url)
        _port(parts)
    except ValueError as error:
        raise AccordError(Problem(url, f"is no URL ({error})", ADDRESS)) from None
    if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in LOCAL):
        raise AccordError(Problem(url, "unsupported URL: https required", "the URL must begin with https://"))
    if not parts.hostname:
        raise AccordError(Problem(url, "has no host", ADDRESS))
    if parts.username is not None:
        raise AccordError(Problem(url, "has a user's name in it", ADDRESS))
    return parts


def _port(parts: SplitResult) -> int:
    return parts.port or (guarded_http.PORT if parts.scheme == "https" else http.client.HTTP_PORT)


def _own(url: str, mirror: str) -> Own:
    """What the address itself stands for, where it may be in this network. Never a link-local machine."""
    parts, machines = split(url), set()
    if parts.scheme == "http" or parts.hostname == mirror:
        with suppress(OSError):  # who connects says why not
            machines = {one for one in guarded_http.addresses(str(parts.hostname)) if not _is_link_local(one)}
    return Own(machines, _port(parts))


def _is_link_local(address: str) -> bool:
    found = ipaddress.ip_address(address.partition("%")[0])
    return (getattr(found, "ipv4_mapped", None) or found).is_link_local


def _connected(url: str, parts: SplitResult, own: Own, timeout: float) -> http.client.HTTPConnection:
    """A connection to the host of an address that `url` led to, by the proxy of the environment if there is one."""
    host, port, proxy = str(parts.hostname), _port(parts), _proxy(parts)
    machines = own.machines if port == own.port else set()
    try:
        if proxy is not None:
            return _tunnel(proxy, host, port, machines, timeout)
        machine = guarded_http.machine(host, own=machines)
        if parts.scheme == "http":
            plain = http.client.HTTPConnection(host, port)
            plain.sock = socket.create_connection((machine, port), timeout)
            return plain
        connection = http.client.HTTPSConnection(host, port)
        connection.sock = guarded_http.encrypted(machine, host, timeout, port)
        return connection
    except Refused as why:
        raise AccordError(Problem(url, f"leads to {host}, which {why}", OWN_NETWORK)) from None
    except OSError as error:
        raise urllib.error.URLError(error) from error


def _proxy(parts: SplitResult) -> SplitResult | None:
    """The proxy that the environment names for an address."""
    proxy = urllib.request.getproxies().get(parts.scheme, "")
    if not proxy or parts.hostname in LOCAL or urllib.request.proxy_bypass(parts.netloc):
        return None
    return urlsplit(proxy if "://" in proxy else f"http://{proxy}")


def _tunnel(proxy: SplitResult, host: str, port: int, machines: set[str], timeout: float) -> http.client.HTTPConnection:
    """A connection that a proxy passes on. It looks names up itself; one that is known here, too, is checked."""
    with suppress(OSError):
        guarded_http.machine(host, own=machines)
    connection = http.client.HTTPSConnection(str(proxy.hostname), proxy.port or PROXY_PORT, timeout=timeout)
    account = base64.b64encode(unquote(f"{proxy.username}:{proxy.password or ''}").encode()).decode()
    connection.set_tunnel(host, port, {"Proxy-Authorization": f"Basic {account}"} if proxy.username else {})
    connection.connect()
    return connection
