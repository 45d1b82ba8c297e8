"""One deadline for a whole exchange over HTTP: a server that sends a byte now and then can't hold anybody up."""

import http.client
import socket
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

WATCH = "accord_watch"


class Watch:
    """Cuts the connections of one request when its time is over, whatever they are doing: a shake of hands, headers,
    `100 Continue`, the length of a chunk, or a body. Timeouts of sockets bound only the wait for the next byte."""

    def __init__(self, timeout: float) -> None:
        self._until, self._lock, self._over = time.monotonic() + timeout, threading.Lock(), False
        self._held: list[socket.socket] = []

    @property
    def left(self) -> float:
        """Seconds, never quite 0: to a socket that were no timeout."""
        return max(self._until - time.monotonic(), 0.001)

    def connect(self, address: tuple[str, int], timeout: float, *more: Any) -> socket.socket:
        """As `socket.create_connection`, in the time that is left."""
        made = socket.create_connection(address, min(timeout, self.left), *more)
        with self._lock:
            # A duplicate: encryption takes the socket over, and nobody else sees the new one before it is agreed on.
            self._held.append(made.dup())
            over = self._over
        if over:
            self.cut()
        return made

    def cut(self) -> None:
        """End all connections: who reads from them sees their end."""
        with self._lock:
            self._over = True
            for held in self._held:
                with suppress(OSError):
                    held.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Give the duplicates back."""
        with self._lock:
            for held in self._held:
                held.close()
            self._held = []


@contextmanager
def within(request: urllib.request.Request, timeout: float) -> Iterator[None]:
    """Within it a request that an opener with HANDLERS sends, and what is read of its answer, ends with the timeout, in
    seconds: as a connection that was lost."""
    watch = Watch(timeout)
    setattr(request, WATCH, watch)
    timer = threading.Timer(timeout, watch.cut)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        watch.close()


def _watched(kind: type[http.client.HTTPConnection], request: urllib.request.Request) -> Any:
    def made(host: str, **more: Any) -> http.client.HTTPConnection:
        connection: Any = kind(host, **more)
        connection._create_connection = getattr(request, WATCH).connect  # what http.client connects by, proxy or not
        return connection

    return made


class _Plain(urllib.request.HTTPHandler):
    def http_open(self, req: urllib.request.Request) -> Any:
        return self.do_open(_watched(http.client.HTTPConnection, req), req)


class _Encrypted(urllib.request.HTTPSHandler):
    def https_open(self, req: urllib.request.Request) -> Any:
        return self.do_open(_watched(http.client.HTTPSConnection, req), req)


HANDLERS = (_Plain, _Encrypted)
"""For `urllib.request.build_opener`: of requests that are sent `within` a deadline, and no others."""
