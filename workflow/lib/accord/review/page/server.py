"""Serves the review page: on this machine alone unless told otherwise, and then with a warning where it isn't safe."""

import ipaddress
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from accord.engine import configuration
from accord.errors import Collector, all_problems
from accord.review.page import serving
from accord.review.page.guard import Guard, Origin

HOST, PORT = "127.0.0.1", 8765
LOCAL = ("localhost", "127.0.0.1", "[::1]")
USUAL = {"http": 80, "https": 443}


class Places(NamedTuple):
    """Where the vault and the results of a run lie."""

    vault: Path
    results: Path


def serve(
    config: list[Path],
    host: str = HOST,
    port: int = PORT,
    *,
    vault: Path | None = None,
    results: Path | None = None,
    cert: Path | None = None,
    key: Path | None = None,
    url: str = "",
) -> None:
    """Serve the page until it is stopped.

    `cert`, `key`: a TLS certificate and its key (PEM); `url`: where browsers reach the page, if it isn't at host and
    port: behind a proxy. Raises AccordError with all that is wrong with these.
    """
    where = _checked(host, port, cert, key, url)
    at = places(config, vault)
    at = at._replace(results=results or at.results)

    def ready() -> None:
        _say(f"the review page is at {address(host, port, where, url)}")
        if not is_local(host) and not where.secure:
            _say("WARNING: others on the network can reach it, and intercept passwords and pictures:")
            _say("give --cert and --key, or put it behind a proxy with TLS and give --url https://...")

    serving.run(application(at, where), serving.Listening(host, port, cert, key, bool(url)), ready)


def application(at: Places, where: Origin, told: Callable[[str], None] | None = None) -> Guard:
    """The page as an ASGI application."""
    from accord.review.page import pages

    return pages.create(at.vault, at.results, where, told=told or _say)


def places(config: list[Path], vault: Path | None = None) -> Places:
    """Where things lie, by configuration files, later ones over earlier ones; `vault` counts instead of theirs."""
    found = configuration.read(configuration.used(config))
    results = configuration.section(found, "pathvars").get("results", "results")
    return Places(vault or Path(str(found.get("vault", "vault"))), Path(str(results)))


def origin(host: str, port: int, secure: bool, url: str = "") -> Origin:
    """Where browsers reach a server at host and port, or at `url`."""
    if url:
        parts = urlsplit(url)
        return Origin(parts.scheme, _with_port(parts.hostname or "", parts.port, parts.scheme))
    scheme = "https" if secure else "http"
    names = {*LOCAL, host} if is_local(host) or _is_any(host) else {host}
    return Origin(scheme, frozenset().union(*(_with_port(name, port, scheme) for name in names)))


def is_local(host: str) -> bool:
    """Whether only this machine reaches a host of that name."""
    try:
        return host == "localhost" or ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def address(host: str, port: int, where: Origin, url: str = "") -> str:
    """The URL to type into a browser."""
    return url or f"{where.scheme}://{f'[{host}]' if ':' in host and '[' not in host else host}:{port}/"


def _checked(host: str, port: int, cert: Path | None, key: Path | None, url: str) -> Origin:
    with all_problems() as problems:
        if not 0 < port < 65536:
            problems.add("--port", "is not a valid port", "use 1 to 65535")
        if (cert is None) != (key is None):
            problems.add("--cert and --key", "go together", "give both, or neither")
        for flag, file in (("--cert", cert), ("--key", key)):
            if file is not None and not file.is_file():
                problems.add(flag, "is not a file")
        if _is_any(host) and not url:
            problems.add(
                "--url", "is missing", "give the public URL of the page, required when listening on all addresses"
            )
        _check_url(url, problems)
    return origin(host, port, cert is not None, url)


def _check_url(url: str, problems: Collector) -> None:
    try:
        parts = urlsplit(url)
        right = not url or (parts.scheme in USUAL and parts.hostname and parts.port != 0 and parts.path in ("", "/"))
    except ValueError:
        right = False
    if not right:
        problems.add("--url", "is not a valid URL", "give a URL such as https://review.example.org, without a path")


def _is_any(host: str) -> bool:
    return host in ("", "0.0.0.0", "::", "[::]")


def _with_port(name: str, port: int | None, scheme: str) -> frozenset[str]:
    """How browsers write a host in its header: with its port, or, if that is the usual one, without."""
    name = f"[{name}]" if ":" in name and "[" not in name else name.lower()
    usual = port in (None, USUAL.get(scheme))
    return frozenset({f"{name}:{port or USUAL.get(scheme)}", *([name] if usual else [])})


def _say(line: str) -> None:
    print(f"accord review: {line}", file=sys.stderr, flush=True)
