"""Serves an ASGI application of this machine until it is stopped: bounded connections, no log of who asked for what."""

import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from accord.errors import AccordError, Problem

if TYPE_CHECKING:
    import uvicorn

GRACE = 3
"""Seconds that requests have to end when the server is stopped."""


class Listening(NamedTuple):
    """Where to listen: `host` and `port`; `cert` and `key`: a TLS certificate and its key (PEM); whether a proxy stands
    before it."""

    host: str
    port: int
    cert: Path | None = None
    key: Path | None = None
    proxied: bool = False


def run(app: Callable, at: Listening, ready: Callable[[], None]) -> None:
    """Serve until stopped; `ready` is called once the port is open. Raises AccordError where it can't be."""
    import uvicorn

    from accord.review.page import connections

    most = connections.MOST if at.proxied else connections.MOST_OF_ADDRESS  # all behind a proxy have its address
    with connections.Listening(_opened(at.host.strip("[]"), at.port), most) as listening:
        settings = uvicorn.Config(
            app,
            http=connections.Connection,
            loop="asyncio",
            ssl_certfile=at.cert,
            ssl_keyfile=at.key,
            access_log=False,  # it would hold addresses of people, and what they looked at
            server_header=False,
            proxy_headers=False,
            log_config=None,  # uvicorn's would close the handlers of everything else in this process
            log_level="warning",
            ws="none",
            timeout_graceful_shutdown=GRACE,
        )
        _load(settings)
        ready()
        with suppress(KeyboardInterrupt):
            uvicorn.Server(settings).run(sockets=[listening])


def _opened(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listening = socket.create_server((host, port), family=family)
    except OSError as error:
        hint = "the port may be in use: give another --port"
        raise AccordError(
            Problem("--host and --port", f"can't listen there ({str(error.strerror).partition(' (')[0]})", hint)
        ) from None
    # asyncio sets it on its own sockets alone: without, an answer in two parts waits 40 ms for an acknowledgement.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


def _load(settings: "uvicorn.Config") -> None:
    try:
        settings.load()
    except OSError as error:  # ssl.SSLError is one
        kind = type(error).__name__
        raise AccordError(
            Problem("--cert and --key", f"can't be used ({kind})", "give a matching pair in PEM format")
        ) from None
