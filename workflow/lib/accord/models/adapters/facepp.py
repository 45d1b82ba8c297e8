"""Face++: detect and compare of its API 3, as a plugin that its user enables.

Source: Face++'s API documents "Detect API" and "Compare API" (v3): form fields, and JSON as the answer.
"""

import base64
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import numpy as np

from accord.models import error_codes, face_calls, sent
from accord.models.face_calls import ATTEMPTS, NONE, SEVERAL, FaceServiceClient
from accord.models.http_service import PASSING, Reply, Service, is_local
from accord.models.protocols import Answer, PaidAnswer

ADDRESS = "https://api-us.faceplusplus.com/facepp/v3"
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
BUSY = "CONCURRENCY_LIMIT_EXCEEDED"
"""More calls in a second than were paid for: status 403, as a wrong key has."""
PICTURE = ("IMAGE_ERROR_UNSUPPORTED_FORMAT", "INVALID_IMAGE_SIZE", "IMAGE_FILE_TOO_LARGE")
SIDES = ("left", "top", "width", "height")
HINT = "check address (as far as /v3), key, secret and what they may do"


class Client(FaceServiceClient):
    """Asks about one picture, or two, at a time. `key`, `secret`: the environment variables with the API's key and
    secret. `version`: any name; another one asks all again. `cost_per_call`: the most that a call may cost. Pictures
    are sent without metadata, their longer side at `side` px or less.

    The service names no version, but thresholds of its scores, which belong to its model: these count as the version.
    It gives boxes no score: all have 1.
    """

    def __init__(
        self,
        weights: dict[str, Path],
        *,
        address: str = ADDRESS,
        key: str = "FACEPP_API_KEY",
        secret: str = "FACEPP_API_SECRET",
        version: str = "",
        side: int = 1024,
        timeout: float = 30.0,
        cost_per_call: float = 0.0,
        sleep: Callable[[float], None] | None = None,
    ) -> None:
        self.where, self.cost_per_call, self._side = "Face++", cost_per_call, side
        self.external = not is_local(address)
        self._keys = {"api_key": sent.key(key, self.where), "api_secret": sent.key(secret, self.where)}
        more: dict[str, Any] = {"timeout": timeout, "attempts": ATTEMPTS, "where": self.where}
        more |= {"sleep": sleep} if sleep else {}
        self._detect = Service(f"{address.rstrip('/')}/detect", FORM, **more)
        self._compare = Service(f"{address.rstrip('/')}/compare", FORM, **more)

    def find(self, picture: np.ndarray) -> PaidAnswer:
        scale = max(1.0, max(picture.shape[:2]) / self._side)
        fields = {"image_base64": self._image(picture)}
        reply = self._call(self._detect, fields, lambda found: _boxes(found, scale, picture.shape) is not None)
        boxes = _boxes(reply.document, scale, picture.shape) if reply.status == 200 else None
        if boxes is None:
            return self._without(reply)
        return PaidAnswer(Answer(face_calls.boxes_text(boxes)), "")

    def match(self, left: np.ndarray, right: np.ndarray) -> PaidAnswer:
        fields = {"image_base64_1": self._image(left), "image_base64_2": self._image(right)}
        reply = self._call(self._compare, fields, lambda found: _matched(found) is not None)
        answer = _matched(reply.document) if reply.status == 200 else None
        return self._without(reply) if answer is None else PaidAnswer(answer, _version(reply.document))

    def _image(self, picture: np.ndarray) -> str:
        return base64.b64encode(sent.jpeg(picture, self._side)).decode()

    def _call(self, service: Service, fields: dict[str, str], makes_sense: Callable[[Any], bool]) -> Reply:
        body = urlencode(self._keys | fields).encode()
        return service.send(body, makes_sense=makes_sense, passes=lambda found: _code(found) == BUSY)

    def _without(self, reply: Reply) -> PaidAnswer:
        """Why there is no answer. Raises AccordError where there would be none to any other call."""
        code = _code(reply.document)
        if code in PICTURE or reply.status == 413:
            return face_calls.refused(code or "status 413")
        if code != BUSY and reply.status not in (200, *PASSING):
            raise face_calls.stop(self.where, reply, code, HINT)
        return face_calls.failed(reply, code)


def _code(document: Any) -> str:
    """The code of an error, without what it says more; "" where there is none that is known."""
    told = document.get("error_message") if isinstance(document, dict) else None
    named = told.partition(":")[0].strip() if isinstance(told, str) else ""
    return named if named in error_codes.FACEPP else ""


def _boxes(document: Any, scale: float, shape: tuple[int, ...]) -> Any:
    """Boxes, told in px of the picture that was sent; None where the answer is not of the protocol."""
    try:
        faces = [face["face_rectangle"] for face in document["faces"]]
        sides = np.array([[face[side] for side in SIDES] for face in faces], dtype=float).reshape(-1, 4) * scale
    except (KeyError, TypeError, ValueError):
        return None
    return face_calls.inside(np.hstack([sides[:, :2], sides[:, :2] + sides[:, 2:]]), np.ones(len(sides)), shape)


def _matched(document: Any) -> Answer | None:
    """The score of one face in each picture; None where the answer is not of the protocol."""
    try:
        counts = [len(document[name]) for name in ("faces1", "faces2")]
    except (KeyError, TypeError):
        return None
    if counts != [1, 1]:
        return SEVERAL if min(counts) else NONE
    sure = document.get("confidence")
    return Answer(face_calls.score_text(sure)) if face_calls.percent(sure) else None


def _version(document: dict[str, Any]) -> str:
    """The thresholds, as "1e-3 62.327, ..."; "" where there are none."""
    told = document.get("thresholds")
    known = {k: v for k, v in told.items() if re.fullmatch(r"1e-\d", k)} if isinstance(told, dict) else {}
    numbers = all(map(face_calls.percent, known.values()))
    return ", ".join(f"{name} {known[name]:.3f}" for name in sorted(known)) if numbers else ""
