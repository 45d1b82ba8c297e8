"""Limits on how often somebody may try: waits that double after each failure, and requests per second."""

import ipaddress
import threading
import time
from collections.abc import Callable
from typing import NamedTuple

KEYS = 20_000
"""Keys that are held at once; where all are in use, a new one has to wait."""
SMALLEST = 1e-9
IPV6_BITS = 64


def network(address: str) -> str:
    """What the limits of an address apply to: of IPv6 its network of 64 bits, all of which somebody has."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if found.version == 4 or found.ipv4_mapped:
        return address
    return str(ipaddress.IPv6Network((found, IPV6_BITS), strict=False))


class Failures(NamedTuple):
    """How many failures in a row a key has, and when the last one was, s."""

    count: int
    last: float


class Backoff:
    """Waits after failures: none for the first `free`, then 1, 2, 4, ... s up to `longest`; none after `quiet` s."""

    def __init__(self, free: int, longest: float, quiet: float = 900, clock: Callable[[], float] = time.monotonic):
        self._free, self._longest, self._quiet, self._clock = free, longest, max(quiet, longest), clock
        self._failures: dict[str, Failures] = {}
        self._lock = threading.Lock()

    def attempt(self, key: str) -> float:
        """Seconds to wait; 0 where the key may try now, which counts as a failure until it is `forgiven`.

        So attempts at the same time don't get past the limit together.
        """
        with self._lock:
            now = self._clock()
            held = self._held(key, now)
            wait = self._wait(held) - (now - held.last)
            if wait > 0:
                return wait
            if key not in self._failures and len(self._failures) >= KEYS and not self._tidied(now):
                return self._longest
            self._failures[key] = Failures(held.count + 1, now)
            return 0.0

    def forgive(self, key: str, all_of_them: bool = False) -> None:
        """Take the last attempt of a key back, since it was none that failed; or all of them."""
        with self._lock:
            held = self._failures.pop(key, None)
            if held and held.count > 1 and not all_of_them:
                self._failures[key] = Failures(held.count - 1, held.last)

    def _held(self, key: str, now: float) -> Failures:
        held = self._failures.get(key)
        return held if held and now - held.last < self._quiet else Failures(0, now)

    def _wait(self, held: Failures) -> float:
        over = held.count - self._free
        return 0.0 if over < 0 else min(2.0 ** min(over, 60), self._longest)

    def _tidied(self, now: float) -> bool:
        self._failures = {key: held for key, held in self._failures.items() if now - held.last < self._quiet}
        return len(self._failures) < KEYS


class Bucket:
    """Requests of a key: `burst` at once, `rate` per second in the long run."""

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic):
        self._rate, self._burst, self._clock = rate, burst, clock
        self._held: dict[str, tuple[float, float]] = {}
        self._lock = threading.Lock()

    def allows(self, key: str) -> bool:
        """Whether a request of the key may pass now; if so, it is counted."""
        with self._lock:
            now = self._clock()
            tokens, last = self._held.pop(key, (self._burst, now))
            tokens = min(self._burst, tokens + (now - last) * self._rate)
            allowed = tokens >= 1 - SMALLEST
            self._held[key] = (tokens - allowed, now)
            if len(self._held) > KEYS:
                self._held.pop(next(iter(self._held)))
            return allowed
