"""Google Vision's `images:annotate` over REST: bounded, patient, and silent about its key."""

import base64
import http.client
import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from accord.errors import AccordError, Problem
from accord.models.deadline import within
from accord.models.http_service import check_address, opener, seconds
from accord.models.sent import in_header

PATH = "/v1/images:annotate"
FEATURES = {"web": "WEB_DETECTION", "logos": "LOGO_DETECTION"}
MOST_RESULTS = 50
LONGEST_ANSWER = 32 << 20
ATTEMPTS, FIRST_PAUSE, LONGEST_PAUSE = 5, 1.0, 60.0
PASSING = (408, 429, 500, 502, 503, 504)
"""Statuses of HTTP after which it is asked again; those of a single image are gRPC's, below."""
PASSING_CODES = (1, 4, 8, 10, 13, 14)
WHERE = "Google Vision"


class Reply(NamedTuple):
    """What the service says of one image: its answer, or why there is none. `again`: worth asking another time."""

    answer: dict[str, Any] | None
    error: str = ""
    again: bool = False


class Client:
    """Asks for several images at once. `per_minute`: requests at most; `timeout`: seconds for each."""

    def __init__(
        self,
        address: str,
        key: str,
        *,
        per_minute: int = 600,
        timeout: float = 30.0,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        check_address(address, "checks.vision.address")
        self._url, self._timeout = address.rstrip("/") + PATH, timeout
        self._key = in_header(key, "its key", WHERE)
        self._sleep, self._clock, self._gap, self._next = sleep, clock, 60.0 / per_minute, 0.0
        self._opener = opener(address)

    def annotate(self, pictures: Sequence[bytes], features: Sequence[str]) -> list[Reply]:
        """A reply for each of the encoded pictures. `features`: of FEATURES.

        Asks again after failures that pass, for as long as the service wants, within bounds. Raises AccordError where
        the service refuses the key, or gives no answer that makes sense.
        """
        wanted = [{"type": FEATURES[feature], "maxResults": MOST_RESULTS} for feature in features]
        asked = [{"image": {"content": base64.b64encode(one).decode()}, "features": wanted} for one in pictures]
        body = json.dumps({"requests": asked}).encode()
        why = ""
        for attempt in range(ATTEMPTS):
            status, pause, data = self._send(body)
            if status in (401, 403):
                hint = "check ACCORD_VISION_KEY and the permissions of the key"
                raise AccordError(Problem(WHERE, f"refuses the key (status {status})", hint))
            if status == 200 and (replies := _replies(data, len(pictures))) is not None:
                return replies
            why = f"status {status}" if status != 200 else "an invalid answer"
            if status not in (0, 200, *PASSING):
                break
            if attempt + 1 < ATTEMPTS:
                self._sleep(min(pause or FIRST_PAUSE * 2**attempt, LONGEST_PAUSE))
        hint = "earlier answers are kept and not charged again: rerun it later"
        raise AccordError(Problem(WHERE, f"gave no answer ({why.replace('status 0', 'no connection')})", hint))

    def _send(self, body: bytes) -> tuple[int, float, bytes]:
        """Status (0 without a connection), the pause in seconds that the service asks for, and the answer."""
        self._wait()
        headers = {"Content-Type": "application/json", "X-Goog-Api-Key": self._key}
        request = urllib.request.Request(self._url, body, headers, method="POST")
        try:
            with within(request, self._timeout), self._opener.open(request, timeout=self._timeout) as answer:
                return answer.status, 0.0, answer.read(LONGEST_ANSWER)
        except urllib.error.HTTPError as error:
            with error:
                return error.code, seconds(error.headers.get("Retry-After")), b""
        except (OSError, http.client.HTTPException):
            return 0, 0.0, b""

    def _wait(self) -> None:
        now = self._clock()
        if now < self._next:
            self._sleep(self._next - now)
        self._next = max(now, self._next) + self._gap


def _replies(data: bytes, count: int) -> list[Reply] | None:
    """One reply per image; None where the answer makes no sense."""
    try:
        responses = json.loads(data)["responses"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    if not isinstance(responses, list) or len(responses) != count or not all(isinstance(r, dict) for r in responses):
        return None
    return [_reply(response) for response in responses]


def _reply(response: dict[str, Any]) -> Reply:
    error = response.get("error")
    if not error:
        return Reply(response)
    code = error.get("code") if isinstance(error, dict) else None
    return Reply(None, f"code {code}" if isinstance(code, int) else "no reason", code in PASSING_CODES)
