"""Sessions of signed-in people: random tokens, held in memory as digests only; they end when idle, old, or asked to.

What a session may ask for goes by handles: random names that mean something in this session alone.
"""

import hashlib
import hmac
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable

IDLE, LONGEST = 30 * 60, 12 * 3600
"""Seconds without a request, and seconds in all, after which a session has ended."""
TOKEN_BYTES = 32
HANDLE_BYTES = 16
HANDLES = 4096
"""Handles that a session holds; the one that was used least recently goes first."""


class Handles:
    """Random names of things, each good in one session: they can't be guessed, listed or carried to another one."""

    def __init__(self) -> None:
        self._things: OrderedDict[str, Hashable] = OrderedDict()
        self._names: dict[Hashable, str] = {}
        self._lock = threading.Lock()

    def give(self, thing: Hashable) -> str:
        """The name of a thing: the one that it has, or a new one."""
        with self._lock:
            name = self._names.setdefault(thing, "") or secrets.token_urlsafe(HANDLE_BYTES)
            self._names[thing], self._things[name] = name, thing
            self._things.move_to_end(name)
            if len(self._things) > HANDLES:
                del self._names[self._things.popitem(last=False)[1]]
            return name

    def find(self, name: str) -> Hashable | None:
        """What a name stands for; None where it stands for nothing here."""
        with self._lock:
            if name in self._things:
                self._things.move_to_end(name)
            return self._things.get(name)


class Served:
    """Which bytes of files a session was served, as spans that neither touch nor overlap."""

    def __init__(self) -> None:
        self._spans: dict[Hashable, list[tuple[int, int]]] = {}
        self._lock = threading.Lock()

    def add(self, file: Hashable, begin: int, end: int) -> None:
        """Note that bytes were served, from `begin` up to `end`, which is not one of them."""
        with self._lock:
            apart = []
            for first, last in self._spans.get(file, []):
                if last < begin or end < first:
                    apart.append((first, last))
                else:
                    begin, end = min(begin, first), max(end, last)
            self._spans[file] = [*apart, (begin, end)]

    def is_whole(self, file: Hashable, size: int) -> bool:
        """Whether all bytes of a file of `size` were served."""
        with self._lock:
            return self._spans.get(file) == [(0, size)]


class Session:
    """Somebody who signed in. `name`: of the account; its role is looked up at each request, and whether its password
    is still the one of that `stamp`."""

    def __init__(self, name: str, stamp: str, now: float):
        self.name, self.stamp, self.since, self.seen = name, stamp, now, now
        self.handles, self.served = Handles(), Served()


class Sessions:
    """All sessions of a server. Times in s of `clock`."""

    def __init__(self, idle: float = IDLE, longest: float = LONGEST, clock: Callable[[], float] = time.monotonic):
        self._idle, self._longest, self._clock = idle, longest, clock
        self._sessions: dict[bytes, Session] = {}
        self._lock = threading.Lock()
        self._key = secrets.token_bytes(TOKEN_BYTES)

    def start(self, name: str, stamp: str = "") -> str:
        """A new session; returns its token, which is told once and not kept."""
        token = self.token()
        with self._lock:
            now = self._clock()
            self._sessions = {key: one for key, one in self._sessions.items() if not self._over(one, now)}
            self._sessions[_digest(token)] = Session(name, stamp, now)
        return token

    def find(self, token: str) -> Session | None:
        """The session of a token, which counts as its use; None where it has ended or never was."""
        with self._lock:
            now, key = self._clock(), _digest(token)
            found = self._sessions.get(key)
            if found is None:
                return None
            if self._over(found, now):
                del self._sessions[key]
                return None
            found.seen = now
            return found

    def is_one(self, token: str) -> bool:
        """Whether a token is of a session that was started and not ended; it doesn't count as its use."""
        return _digest(token) in self._sessions

    def end(self, token: str) -> None:
        """End a session, if it is one."""
        with self._lock:
            self._sessions.pop(_digest(token), None)

    def csrf(self, token: str) -> str:
        """What a page must send along to act in the session of a token, hex: other sites can't read it."""
        return hmac.new(self._key, token.encode(errors="replace"), hashlib.sha256).hexdigest()

    @staticmethod
    def token() -> str:
        """A new random token. Before anybody signs in, a browser holds one that no session belongs to."""
        return secrets.token_urlsafe(TOKEN_BYTES)

    def _over(self, session: Session, now: float) -> bool:
        return now - session.seen > self._idle or now - session.since > self._longest


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode(errors="replace")).digest()
