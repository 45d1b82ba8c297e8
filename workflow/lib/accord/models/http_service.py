"""A service on somebody's server that is asked in JSON: bounded, patient, and silent about its key."""

import http.client
import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from accord.errors import AccordError, Problem

LOCAL = ("127.0.0.1", "localhost", "::1")
PASSING = (0, 408, 425, 429, 500, 502, 503, 504)
"""Statuses after which the same request may succeed; 0: no connection, or one that was cut."""
LONGEST_ANSWER = 32 << 20
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0


class Reply(NamedTuple):
    """What came back: the status of HTTP (0 without a connection), the JSON (None where it is none), and the pause in
    seconds that the service asks for."""

    status: int
    document: Any
    pause: float = 0.0


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect is an error: the key and the pictures go where the settings say, and nowhere else."""

    def redirect_request(self, *args: Any, **more: Any) -> None:
        return None


class Service:
    """Posts JSON to one address. `headers`: with the key, if any; `timeout`: seconds for each request."""

    def __init__(
        self,
        address: str,
        headers: dict[str, str],
        *,
        timeout: float,
        attempts: int,
        where: str,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        check_address(address, where)
        self._address, self._headers = address, {"Content-Type": "application/json", **headers}
        self._timeout, self._attempts, self._sleep = timeout, attempts, sleep
        self._opener = urllib.request.build_opener(NoRedirect)

    def post(
        self,
        document: dict[str, Any],
        makes_sense: Callable[[Any], bool] = lambda _: True,
        lasts: Callable[[Any], bool] = lambda _: False,
    ) -> Reply:
        """The last reply to a document, sent again after failures that pass, as long as the service wants, in bounds.

        A reply of status 200 that isn't JSON, or makes no sense, has status 200 and no document. lasts: whether the
        document of a failure says that the same request can't succeed, whatever its status.
        """
        body, reply = json.dumps(document).encode(), Reply(0, None)
        for attempt in range(self._attempts):
            reply = self._sent(body)
            if reply.status == 200 and reply.document is not None and makes_sense(reply.document):
                return reply
            if reply.status not in (200, *PASSING) or (reply.status != 200 and lasts(reply.document)):
                return reply
            if attempt + 1 < self._attempts:
                self._sleep(min(reply.pause or FIRST_PAUSE * 2**attempt, LONGEST_PAUSE))
        return reply._replace(document=None)

    def _sent(self, body: bytes) -> Reply:
        request = urllib.request.Request(self._address, body, self._headers, method="POST")
        try:
            with self._opener.open(request, timeout=self._timeout) as answer:
                return Reply(answer.status, _read(answer))
        except urllib.error.HTTPError as error:
            with error:
                return Reply(error.code, _read(error), seconds(error.headers.get("Retry-After")))
        except (OSError, http.client.HTTPException):
            return Reply(0, None)


def check_address(address: str, where: str) -> None:
    """Raises AccordError where keys and pictures would travel in the open."""
    parts = urlsplit(address)
    if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in LOCAL):
        hint = "keys and pictures must not be sent unencrypted; http:// is for servers on this machine alone"
        raise AccordError(Problem(where, "unsupported URL: https required", hint))


def is_local(address: str) -> bool:
    """Whether a server runs on this machine."""
    return urlsplit(address).hostname in LOCAL


def seconds(text: str | None, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> float:
    """The pause that a Retry-After header asks for (RFC 9110, section 10.2.3): seconds, or a date; 0 for none."""
    if not text:
        return 0.0
    if text.isascii() and text.isdigit():
        return float(text)
    try:
        return max(0.0, (parsedate_to_datetime(text) - now()).total_seconds())
    except (ValueError, TypeError, OverflowError):
        return 0.0


def _read(answer: Any) -> Any:
    try:
        return json.loads(answer.read(LONGEST_ANSWER))
    except (OSError, http.client.HTTPException, ValueError, RecursionError):
        return None
