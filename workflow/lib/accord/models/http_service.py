"""A service on somebody's server that answers in JSON: bounded, patient, and silent about its key."""

import http.client
import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, NamedTuple
from urllib.parse import urlencode, urlsplit

from accord.errors import AccordError, Problem
from accord.models.deadline import HANDLERS, within
from accord.models.guarded_http import LOCAL

EXAMPLE = "such as https://example.org/v1"
PASSING = (0, 408, 425, 429, 500, 502, 503, 504)
"""Statuses after which the same request may succeed; 0: no connection, or one that was cut."""
LONGEST_ANSWER = 32 << 20
PART = 1 << 16
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
LONGEST_TIMEOUT = 86_400.0
TIMEOUT_HINT = f"it is a number of seconds above 0, at most {LONGEST_TIMEOUT:,.0f}"


class Reply(NamedTuple):
    """What came back: the status of HTTP (0 without a connection), the JSON (None where it is none), and the pause in
    seconds that the service asks for."""

    status: int
    document: Any
    pause: float = 0.0


_again: ContextVar[Callable[[], bool]] = ContextVar("again", default=lambda: True)


@contextmanager
def asking_again(allowed: Callable[[], bool]) -> Iterator[None]:
    """Within it a request that failed is sent again only where `allowed` says so, once for each time: it may cost."""
    token = _again.set(allowed)
    try:
        yield
    finally:
        _again.reset(token)


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect is an error: the key and the pictures go where the settings say, and nowhere else. Its address isn't
    even read."""

    def http_error_302(self, req: Any, fp: Any, code: int, msg: str, headers: Any) -> None:
        return None

    http_error_301 = http_error_303 = http_error_307 = http_error_308 = http_error_302


def _anything(document: Any) -> bool:
    return True


def _nothing(document: Any) -> bool:
    return False


class Service:
    """Asks one address, which answers in JSON. `headers`: with the key, if any; `timeout`: seconds for all of a
    request."""

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
        check_timeout(timeout, where)
        self._address, self._headers = address, headers
        self._timeout, self._attempts, self._sleep = timeout, attempts, sleep
        self._opener = opener(address)

    def post(
        self,
        document: dict[str, Any],
        makes_sense: Callable[[Any], bool] = _anything,
        lasts: Callable[[Any], bool] = _nothing,
    ) -> Reply:
        """The last reply to a document, posted as JSON: see `send`."""
        headers = {"Content-Type": "application/json"}
        return self.send(json.dumps(document).encode(), lambda: headers, makes_sense=makes_sense, lasts=lasts)

    def get(self, query: dict[str, str], makes_sense: Callable[[Any], bool] = _anything) -> Reply:
        """The last reply to a query: see `send`."""
        return self.send(None, makes_sense=makes_sense, query=f"?{urlencode(query)}")

    def send(
        self,
        body: bytes | None,
        headers: Callable[[], dict[str, str]] = dict,
        *,
        makes_sense: Callable[[Any], bool] = _anything,
        lasts: Callable[[Any], bool] = _nothing,
        passes: Callable[[Any], bool] = _nothing,
        query: str = "",
    ) -> Reply:
        """The last reply to a request, sent again after failures that pass, as long as the service wants, in bounds.

        A reply of status 200 that isn't JSON, or makes no sense, has status 200 and no document. body: None to get;
        headers: made anew for each attempt, since a signature has a time; lasts, passes: whether the document of a
        failure says that the same request can't succeed, or may succeed later, whatever its status.
        """
        reply = Reply(0, None)
        for attempt in range(self._attempts):
            reply = self._sent(self._address + query, body, self._headers | headers())
            if reply.status == 200 and reply.document is not None and makes_sense(reply.document):
                return reply
            again = reply.status in (200, *PASSING) or passes(reply.document)
            if not again or (reply.status != 200 and lasts(reply.document)):
                return reply
            if attempt + 1 == self._attempts or not _again.get()():
                break
            self._sleep(min(reply.pause or FIRST_PAUSE * 2**attempt, LONGEST_PAUSE))
        return reply._replace(document=None) if reply.status == 200 else reply

    def _sent(self, url: str, body: bytes | None, headers: dict[str, str]) -> Reply:
        request = urllib.request.Request(url, body, headers, method="GET" if body is None else "POST")
        until = time.monotonic() + self._timeout
        try:
            with within(request, self._timeout):
                return self._replied(request, until)
        except (OSError, http.client.HTTPException):
            return Reply(0, None)

    def _replied(self, request: urllib.request.Request, until: float) -> Reply:
        try:
            with self._opener.open(request, timeout=self._timeout) as answer:
                return Reply(answer.status, _read(answer, until))
        except urllib.error.HTTPError as error:
            with error:
                return Reply(error.code, _read(error, until), seconds(error.headers.get("Retry-After")))


def check_address(address: str, where: str) -> None:
    """Raises AccordError where keys and pictures would travel in the open."""
    try:
        parts = urlsplit(address)
    except (ValueError, AttributeError, TypeError):
        raise AccordError(Problem(where, "its address is no URL", EXAMPLE)) from None
    if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in LOCAL):
        hint = "keys and pictures must not be sent unencrypted; http:// is for servers on this machine alone"
        raise AccordError(Problem(where, "unsupported URL: https required", hint))
    if not parts.hostname:
        raise AccordError(Problem(where, "its address has no host", EXAMPLE))


def check_timeout(timeout: Any, where: str) -> None:
    """Raises AccordError of what is no number of seconds above 0, or longer than a day: no clock takes any number."""
    if not is_timeout(timeout):
        raise AccordError(Problem(f"{where}: option timeout", f"is {str(timeout)[:40]!r}", TIMEOUT_HINT))


def is_timeout(value: Any) -> bool:
    """Whether a value can be a timeout: TIMEOUT_HINT says which can."""
    return not isinstance(value, bool) and isinstance(value, int | float) and 0 < value <= LONGEST_TIMEOUT


def is_local(address: str) -> bool:
    """Whether a server runs on this machine."""
    return urlsplit(address).hostname in LOCAL


def opener(address: str) -> urllib.request.OpenerDirector:
    """What sends requests to an address, and nowhere else: it follows no redirect, and asks a server on this machine
    without a proxy, whatever the environment says. Each request is sent `within` its deadline."""
    direct = [urllib.request.ProxyHandler({})] if is_local(address) else []
    return urllib.request.build_opener(NoRedirect, *direct, *HANDLERS)


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


def _read(answer: Any, until: float) -> Any:
    """The JSON of an answer; None of none, and where it isn't here in time."""
    parts, size = [], 0
    try:
        while size < LONGEST_ANSWER and (part := answer.read1(PART)):
            if time.monotonic() > until:
                return None
            parts.append(part)
            size += len(part)
        return json.loads(b"".join(parts))
    except (OSError, http.client.HTTPException, ValueError, RecursionError):
        return None
