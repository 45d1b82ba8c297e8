"""What every request has to pass before anything answers it, and what every answer carries: plain ASGI."""

import hmac
from collections.abc import Callable
from http.cookies import CookieError, SimpleCookie
from typing import NamedTuple
from urllib.parse import urlsplit

from accord.review.page.limits import Bucket
from accord.review.page.sessions import Sessions

SAFE = ("GET", "HEAD")
LARGEST, LARGEST_OF_STRANGERS = 2 << 20, 16 << 10
"""Bytes of a request's body: 200 regions of some hundred corners each; of strangers, a name and a password."""
REQUESTS_PER_SECOND, REQUESTS_AT_ONCE = 40, 400
HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; media-src 'self'; "
        "connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'; "
        "require-trusted-types-for 'script'; trusted-types 'none'"
    ),
    "x-frame-options": "DENY",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "x-robots-tag": "noindex, nofollow",
    "cache-control": "no-store",
}
STRICT_TRANSPORT = {"strict-transport-security": "max-age=31536000"}


class Origin(NamedTuple):
    """Where browsers reach a page: `scheme` http or https, and the `hosts` (name:port) that may be asked for.

    page: its name; browsers send the cookies of a host to all of its ports.
    """

    scheme: str
    hosts: frozenset[str]
    page: str = "review"

    @property
    def secure(self) -> bool:
        """Whether what is sent can't be read on the way."""
        return self.scheme == "https"

    @property
    def cookie(self) -> str:
        """The name of the session's cookie; browsers let no other host or path set one of `__Host-`."""
        return "__Host-accord" if self.secure else f"accord_{self.page}"

    def holds(self, url: str) -> bool:
        """Whether a URL is of this origin."""
        try:
            parts = urlsplit(url)
        except ValueError:
            return False
        return parts.scheme == self.scheme and parts.netloc.lower() in self.hosts


class Guard:
    """ASGI middleware: host, rate, size, origin and CSRF token of requests; headers of answers; silent failures."""

    def __init__(self, app: Callable, origin: Origin, sessions: Sessions, told: Callable[[str], None]):
        self._app, self._origin, self._sessions, self._told = app, origin, sessions, told
        self._bucket = Bucket(REQUESTS_PER_SECOND, REQUESTS_AT_ONCE)

    async def __call__(self, scope: dict, receive: Callable, send: Callable) -> None:
        """Answer a request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        body = _Body(scope, receive)
        answer = _Answer(send, self._origin.secure, body)
        refused = self._refused(scope)
        if refused:
            await answer.say(*refused)
            return
        try:
            await self._app(scope, body.receive, answer.send)
        except Exception as error:  # what an error says can quote personal data: its kind alone is told
            self._told(f"{scope['method']} failed: {type(error).__name__}")
            if not answer.started:
                await answer.say(500, "Something went wrong on the server.")

    def _refused(self, scope: dict) -> tuple[int, str] | None:
        """Status and text of the refusal of a request; None where it may pass."""
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        if headers.get("host", "").lower() not in self._origin.hosts:
            return 421, "Unknown host name."
        if "transfer-encoding" in headers:  # it would count instead of the length that is told
            return 411, "The request needs a Content-Length."
        token = cookie_of(headers.get("cookie", ""), self._origin.cookie)
        key = token if token and self._sessions.is_one(token) else (scope.get("client") or ("",))[0]
        if not self._bucket.allows(key):
            return 429, "Too many requests: wait a moment."
        if scope["method"] in SAFE:
            return None
        return self._unsafe(headers, token)

    def _unsafe(self, headers: dict[str, str], token: str) -> tuple[int, str] | None:
        """Why a request that changes something may not pass."""
        if headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            return 415, "Only JSON is accepted."
        if not headers.get("content-length", "").isascii() or not headers.get("content-length", "").isdigit():
            return 411, "The request needs a Content-Length."
        most = LARGEST if token and self._sessions.is_one(token) else LARGEST_OF_STRANGERS
        if int(headers["content-length"][:12]) > most:
            return 413, "The body is too large."
        site = headers.get("sec-fetch-site", "same-origin")
        if site != "same-origin" or not self._origin.holds(headers.get("origin", "")):
            return 403, "The request comes from another site."
        given = headers.get("x-csrf-token", "").encode("latin-1")
        if not token or not hmac.compare_digest(given, self._sessions.csrf(token).encode()):
            return 403, "The page is outdated: reload it."
        return None


class _Body:
    """A request's body on its way in. is_left: whether some of it was not read yet."""

    def __init__(self, scope: dict, receive: Callable):
        told = {name.lower(): value for name, value in scope["headers"]}
        self._receive = receive
        self.is_left = b"transfer-encoding" in told or told.get(b"content-length", b"0").strip(b"0") != b""

    async def receive(self) -> dict:
        message = await self._receive()
        self.is_left = self.is_left and bool(message.get("more_body", False))
        return message


class _Answer:
    """An answer on its way out: the headers that all carry are added to it.

    Before all of the request's body was read, the answer ends the connection, so that nothing in the body is taken for
    another request (RFC 9112, 6.1).
    """

    def __init__(self, send: Callable, secure: bool, body: _Body):
        self._send, self._body, self.started = send, body, False
        self._headers = HEADERS | (STRICT_TRANSPORT if secure else {})

    async def send(self, message: dict) -> None:
        if message["type"] == "http.response.start":
            self.started = True
            own = {name.lower() for name, _ in message["headers"]}
            if self._body.is_left:
                message = {**message, "headers": [*message["headers"], (b"connection", b"close")]}
            more = [(n.encode(), v.encode()) for n, v in self._headers.items() if n.encode() not in own]
            message = {**message, "headers": [*message["headers"], *more]}
        await self._send(message)

    async def say(self, status: int, text: str) -> None:
        body = f'{{"problem": "{text}"}}'.encode()
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        await self.send({"type": "http.response.start", "status": status, "headers": headers})
        await self.send({"type": "http.response.body", "body": body})


def cookie_of(header: str, name: str) -> str:
    """The value of a cookie in a Cookie header; "" where it has none."""
    try:
        found = SimpleCookie(header).get(name)
    except CookieError:
        return ""
    return found.value if found else ""
