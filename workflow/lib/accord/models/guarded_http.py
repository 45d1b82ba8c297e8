"""GET from machines that nobody vouches for: a name's addresses are checked, and the machine checked is the one asked.

A name may stand for a machine of this network, and a redirect may lead to one: no download reads from these.
"""

import http.client
import ipaddress
import socket
import ssl
from collections.abc import Callable, Collection, Sequence
from urllib.parse import SplitResult, quote, urljoin

PORT = 443
MOVED = (301, 302, 303, 307, 308)
LOCAL = ("127.0.0.1", "localhost", "::1")
"""Names of this machine, for servers that a person starts on it."""
NEVER = tuple(
    map(ipaddress.ip_network, ("::/96", "64:ff9b::/96", "64:ff9b:1::/48", "fec0::/10", "2001::/32", "192.0.0.0/24"))
)
"""Addresses that stand for others, maybe private ones (IPv4-compatible, NAT64, Teredo), or are of a site alone."""
NOT_PUBLIC = "isn't a public machine"
SAFE = "/%:=&?~#+!$,;'@()*[]"
Resolve = Callable[[str], Sequence[str]]


class Refused(Exception):
    """Why an address isn't asked, in words that tell no address."""


def addresses(host: str) -> list[str]:
    """The addresses that a name stands for."""
    return sorted({str(info[4][0]) for info in socket.getaddrinfo(host, PORT, type=socket.SOCK_STREAM)})


def machine(host: str, resolve: Resolve | None = None, own: Collection[str] = ()) -> str:
    """One address of a name, all of whose addresses are public; or one of `own`. Raises Refused."""
    resolved = (resolve or addresses)(host)
    allowed = resolved if all(map(is_public, resolved)) else [address for address in resolved if address in own]
    if not allowed:
        raise Refused(NOT_PUBLIC)
    return allowed[0]


def is_public(text: str) -> bool:
    """Whether an address is one of the public Internet, and of a single machine."""
    address = ipaddress.ip_address(text.partition("%")[0])
    if any(address.version == network.version and address in network for network in NEVER):
        return False
    inner = getattr(address, "ipv4_mapped", None) or getattr(address, "sixtofour", None)
    return all(one.is_global and not one.is_multicast for one in (address, inner) if one)


def encrypted(address: str, host: str, timeout: float, port: int = PORT) -> socket.socket:
    """A connection to a machine that proves to be `host`."""
    plain = socket.create_connection((address, port), timeout=timeout)
    try:
        return ssl.create_default_context().wrap_socket(plain, server_hostname=host)
    except BaseException:
        plain.close()
        raise


def answer(
    connection: http.client.HTTPConnection, parts: SplitResult, headers: dict[str, str]
) -> http.client.HTTPResponse:
    """The answer to GET by a connection; no connection is asked twice."""
    target = quote(parts.path or "/", SAFE) + (f"?{quote(parts.query, SAFE)}" if parts.query else "")
    connection.request("GET", target, headers={"User-Agent": "accord", "Connection": "close", **headers})
    return connection.getresponse()


def redirect(url: str, response: http.client.HTTPResponse) -> str | None:
    """The address that an answer leads to; None where it is no redirect."""
    location = response.headers.get("Location") if response.status in MOVED else None
    try:
        return urljoin(url, location) if location else None
    except ValueError:
        return location
