"""Connections to the review page: so many of an address, each with so long for a request and its answer.

uvicorn itself waits without end for a request whose headers or body don't come, and for whoever doesn't take an answer;
what it limits is requests, not connections.
"""

import asyncio
import socket
import threading
from collections import Counter
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

MOST, MOST_OF_ADDRESS = 500, 60
"""Connections at a time: a browser opens six, and a process may usually have 1,024 files open."""

REQUEST, ANSWER = 20, 120
"""Seconds from the first byte of a request to its last, and for the answer that waits to be taken."""


class Listening(socket.socket):
    """A listening socket that drops connections over `MOST` in all, or over `of_address` of one address.

    They are counted from the moment that they are accepted, before TLS.
    """

    def __init__(self, listening: socket.socket, of_address: int = MOST_OF_ADDRESS):
        super().__init__(fileno=listening.detach())
        self._of_address, self._held = of_address, Counter[str]()
        self._lock = threading.Lock()

    def accept(self) -> tuple[socket.socket, Any]:
        """The next connection. Raises ConnectionAbortedError where it was dropped, which servers expect."""
        accepted, address = super().accept()
        with self._lock:
            full = self._held.total() >= MOST or self._held[address[0]] >= self._of_address
            self._held[address[0]] += not full
        if full:
            accepted.close()
            raise ConnectionAbortedError
        return _Counted(accepted, self, address[0]), address

    def gone(self, address: str) -> None:
        """Count a connection of an address less."""
        with self._lock:
            self._held[address] -= 1
            if not self._held[address]:
                del self._held[address]


class _Counted(socket.socket):
    def __init__(self, accepted: socket.socket, listening: Listening, address: str):
        super().__init__(fileno=accepted.detach())
        self._listening, self._address = listening, address

    def close(self) -> None:
        if self._address:
            self._listening.gone(self._address)
            self._address = ""
        super().close()


class Connection(H11Protocol):
    """uvicorn's protocol, which ends a connection that takes too long over a request or its answer."""

    _request: asyncio.TimerHandle | None = None
    _answer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Give the first request its time."""
        super().connection_made(transport)
        transport.set_write_buffer_limits(1, 0)  # writing is paused while anything waits; over TLS, 0 would never end
        self._request = self._within(REQUEST)

    def data_received(self, data: bytes) -> None:
        """Give a request its time when it begins; more of its bytes give it no more."""
        super().data_received(data)
        self._look()

    def on_response_complete(self) -> None:
        """Give the next request its time if it has begun; a body that still comes keeps its own."""
        super().on_response_complete()
        self._look()

    def pause_writing(self) -> None:
        """Give the answer its time."""
        super().pause_writing()
        self._answer = self._within(ANSWER)

    def resume_writing(self) -> None:
        """The answer was taken."""
        super().resume_writing()
        self._answer = _cancelled(self._answer)

    def connection_lost(self, exc: Exception | None) -> None:
        """Nothing is waited for any more."""
        self._request, self._answer = _cancelled(self._request), _cancelled(self._answer)
        super().connection_lost(exc)

    def _look(self) -> None:
        state = self.conn.their_state
        if state not in (h11.IDLE, h11.SEND_BODY):
            self._request = _cancelled(self._request)
        elif self._request is None and (state is h11.SEND_BODY or self.conn.trailing_data[0]):
            self._request = self._within(REQUEST)

    def _within(self, seconds: float) -> asyncio.TimerHandle:
        return self.loop.call_later(seconds, self.transport.abort)


def _cancelled(timer: asyncio.TimerHandle | None) -> None:
    if timer is not None:
        timer.cancel()
