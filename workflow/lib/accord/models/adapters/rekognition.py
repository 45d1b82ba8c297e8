"""Amazon Rekognition: DetectFaces and CompareFaces, as a plugin that its user enables.

Source: Amazon Rekognition's API reference (DetectFaces, CompareFaces), JSON 1.1, signed by Signature Version 4.
"""

import base64
import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from accord.models import aws_signature, error_codes, face_calls, sent
from accord.models.aws_signature import Keys, Scope
from accord.models.face_calls import ATTEMPTS, NONE, SEVERAL, FaceServiceClient
from accord.models.http_service import Reply, Service, is_local
from accord.models.protocols import Answer, PaidAnswer

TARGET, CONTENT = "RekognitionService", "application/x-amz-json-1.1"
THROTTLED = ("ThrottlingException", "ProvisionedThroughputExceededException", "InternalServerError")
PICTURE = ("ImageTooLargeException", "InvalidImageFormatException")
NO_FACE = "InvalidParameterException"
"""What CompareFaces answers where it finds no face in one of the pictures."""
SIDES = ("Left", "Top", "Width", "Height")
HINT = "check region, keys and their permissions: rekognition:DetectFaces, rekognition:CompareFaces; and the clock"


class Client(FaceServiceClient):
    """Asks about one picture, or two, at a time. `key`, `secret`, `token`: the environment variables with the access
    key; of `token` there need be none. `version`: any name; another one asks all again. `cost_per_call`: the most that
    a call may cost. Pictures are sent without metadata, their longer side at `side` px or less.

    Of several faces in the first picture CompareFaces takes the largest, and doesn't tell; in the second it tells.
    """

    def __init__(
        self,
        weights: dict[str, Path],
        *,
        region: str,
        address: str = "",
        key: str = "AWS_ACCESS_KEY_ID",
        secret: str = "AWS_SECRET_ACCESS_KEY",
        token: str = "AWS_SESSION_TOKEN",
        version: str = "",
        side: int = 1024,
        timeout: float = 30.0,
        cost_per_call: float = 0.0,
        sleep: Callable[[float], None] | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.where, self.cost_per_call, self._side, self._now = "Amazon Rekognition", cost_per_call, side, now
        self._url, self._scope = address or f"https://rekognition.{region}.amazonaws.com/", Scope(region, "rekognition")
        self.external = not is_local(self._url)
        self._keys = Keys(sent.key(key, self.where), sent.key(secret, self.where), sent.optional_key(token, self.where))
        patience = {"sleep": sleep} if sleep else {}
        self._service = Service(self._url, {}, timeout=timeout, attempts=ATTEMPTS, where=self.where, **patience)

    def find(self, picture: np.ndarray) -> PaidAnswer:
        document = {"Image": self._image(picture), "Attributes": ["DEFAULT"]}
        reply = self._call("DetectFaces", document, lambda found: _boxes(found, picture.shape) is not None)
        boxes = _boxes(reply.document, picture.shape) if reply.status == 200 else None
        if boxes is None:
            return self._without(reply)
        return PaidAnswer(Answer(face_calls.boxes_text(boxes)), "")

    def match(self, left: np.ndarray, right: np.ndarray) -> PaidAnswer:
        document = {"SourceImage": self._image(left), "TargetImage": self._image(right), "SimilarityThreshold": 0}
        reply = self._call("CompareFaces", document, lambda found: _matched(found) is not None)
        if reply.status == 400 and _type(reply.document) == NO_FACE:
            return PaidAnswer(NONE, "")
        answer = _matched(reply.document) if reply.status == 200 else None
        return self._without(reply) if answer is None else PaidAnswer(answer, "")

    def _image(self, picture: np.ndarray) -> dict[str, str]:
        return {"Bytes": base64.b64encode(sent.jpeg(picture, self._side)).decode()}

    def _call(self, action: str, document: dict[str, Any], makes_sense: Callable[[Any], bool]) -> Reply:
        body, told = json.dumps(document).encode(), {"Content-Type": CONTENT, "X-Amz-Target": f"{TARGET}.{action}"}
        return self._service.send(
            body,
            lambda: aws_signature.signed("POST", self._url, told, body, self._keys, self._scope, self._now()),
            makes_sense=makes_sense,
            passes=lambda found: _type(found) in THROTTLED,
        )

    def _without(self, reply: Reply) -> PaidAnswer:
        """Why there is no answer. Raises AccordError where there would be none to any other call."""
        code = _type(reply.document)
        if code in PICTURE:
            return face_calls.refused(code)
        if 400 <= reply.status < 500 and code not in (*THROTTLED, NO_FACE) and reply.status not in (408, 425, 429):
            raise face_calls.stop(self.where, reply, code, HINT)
        return face_calls.failed(reply, code)


def _type(document: Any) -> str:
    """The type of an error, without its name space; "" where there is none that is known."""
    told = document.get("__type") if isinstance(document, dict) else None
    named = told.rpartition("#")[2].partition(":")[0] if isinstance(told, str) else ""
    return named if named in error_codes.REKOGNITION else ""


def _boxes(document: Any, shape: tuple[int, ...]) -> Any:
    """Boxes of FaceDetails, told as shares of the picture's sides; None where the answer is not of the protocol."""
    try:
        faces = document["FaceDetails"]
        sides = np.array([[face["BoundingBox"][side] for side in SIDES] for face in faces], dtype=float).reshape(-1, 4)
        scores = [float(face["Confidence"]) / 100 for face in faces]
    except (KeyError, TypeError, ValueError):
        return None
    corners = np.hstack([sides[:, :2], sides[:, :2] + sides[:, 2:]]) * ([shape[1], shape[0]] * 2)
    return face_calls.inside(corners, scores, shape)


def _matched(document: Any) -> Answer | None:
    """The score of the one face in the second picture; None where the answer is not of the protocol."""
    try:
        scores = [match["Similarity"] for match in document["FaceMatches"]]
        count = len(scores) + len(document.get("UnmatchedFaces") or [])
    except (KeyError, TypeError, AttributeError):
        return None
    if count != 1:
        return SEVERAL if count else NONE
    if not all(map(face_calls.percent, scores)):
        return None
    return Answer(face_calls.score_text(scores[0])) if scores else Answer("", "empty", "the service gave no score")
