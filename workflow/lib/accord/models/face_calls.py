"""A face service on somebody's server: what its answers are kept as, and what all such services have in common."""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from accord.errors import AccordError, Problem
from accord.models.http_service import Reply
from accord.models.protocols import Answer, Boxes, PaidAnswer

DETECT, COMPARE = "detect", "compare"
ATTEMPTS = 6
NONE = Answer("", "empty", "no face in one of the pictures")
SEVERAL = Answer("", "refused", "several faces in one of the pictures")
FACE = "face"
MOST_FACES = 1000
"""In a picture: an answer of more would fill the vault, and shows nobody who can be told apart."""


class FaceServiceClient:
    """`detect` and `compare` of a service that is asked one call at a time, from several threads."""

    where: str

    def find(self, picture: np.ndarray) -> PaidAnswer:
        """The faces of a picture, as `boxes_text`."""
        raise NotImplementedError

    def match(self, left: np.ndarray, right: np.ndarray) -> PaidAnswer:
        """How alike the faces of two pictures are, as `score_text`."""
        raise NotImplementedError

    def ask(self, picture: Sequence[np.ndarray], question: str) -> PaidAnswer:
        """`find` with one picture, `match` with two."""
        return self.find(*picture) if len(picture) == 1 else self.match(*picture)

    def detect(self, pictures: Sequence[np.ndarray]) -> list[Boxes]:
        """The faces of each picture, px. Raises AccordError where a call fails."""
        return [boxes_of(self.find(picture).answer, self.where) for picture in pictures]

    def compare(self, left: Sequence[np.ndarray], right: Sequence[np.ndarray]) -> list[float | None]:
        """How alike the faces of each pair are, in [0, 1]; None where the service gives no score."""
        return [score_of(self.match(a, b).answer) for a, b in zip(left, right, strict=True)]


def boxes_text(boxes: Boxes) -> str:
    """Boxes as a vault keeps them."""
    return json.dumps([[*map(float, box), float(score)] for box, score in zip(boxes.boxes, boxes.scores, strict=True)])


def boxes_of(answer: Answer, where: str) -> Boxes:
    """The faces that an answer tells. Raises AccordError where it tells nothing, which isn't the same as no faces."""
    if answer.status != "said":
        raise AccordError(Problem(where, f"could not be asked for faces: {answer.reason}", "run again later"))
    rows = np.array(json.loads(answer.text), dtype=float).reshape(-1, 5)
    return Boxes(rows[:, :4], rows[:, 4], [FACE] * len(rows))


def score_text(percent: float) -> str:
    """A score as a vault keeps it: in [0, 1], from per cent."""
    return repr(percent / 100)


def score_of(answer: Answer) -> float | None:
    """The score that an answer tells."""
    return float(answer.text) if answer.status == "said" else None


def inside(corners: Any, scores: Any, shape: tuple[int, ...]) -> Boxes | None:
    """Boxes within a picture of `shape` (height, width, ...), clipped to it.

    corners: (n, 4) px; scores: (n,) in [0, 1]. None where one isn't finite, has no area or lies outside, or there are
    over MOST_FACES: then nothing of the answer can be trusted.
    """
    boxes, sure = np.array(corners, dtype=float).reshape(-1, 4), np.array(scores, dtype=float)
    if len(boxes) > MOST_FACES or not (np.isfinite(boxes).all() and ((sure >= 0) & (sure <= 1)).all()):
        return None
    clipped = boxes.clip(0, [shape[1], shape[0]] * 2)
    if (clipped[:, 2:] <= clipped[:, :2]).any():
        return None
    return Boxes(clipped, sure, [FACE] * len(clipped))


def percent(value: Any) -> bool:
    """Whether a value of JSON is a number from 0 to 100."""
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 100


def failed(reply: Reply, code: str) -> PaidAnswer:
    """Why there is no answer, by status and code alone: a message may repeat what the service was sent."""
    named = f"status {reply.status}" + (f" ({code})" if code else "")
    reason = {0: "no connection", 200: "the service's answer is not of the protocol"}.get(reply.status, named)
    return PaidAnswer(Answer("", "failed", reason), "")


def refused(code: str) -> PaidAnswer:
    """The service doesn't take this picture."""
    return PaidAnswer(Answer("", "refused", f"the service doesn't take the picture ({code})"), "")


def stop(where: str, reply: Reply, code: str, hint: str) -> AccordError:
    """All other calls would fail as this one did."""
    named = f"{code}, status {reply.status}" if code else f"status {reply.status}"
    return AccordError(Problem(where, f"refuses to work ({named})", hint))
