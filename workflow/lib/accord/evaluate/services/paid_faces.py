"""Asking a paid face service: within limits, replayed from the vault, stopped where it dies or changes."""

import hashlib
import threading
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from accord.errors import AccordError, Problem
from accord.evaluate.asking import paid
from accord.evaluate.asking.answer_vault import AnswerVault, Call, Limits
from accord.models.face_calls import COMPARE, DETECT, score_of
from accord.models.protocols import Answer, PaidAnswer, PaidFaceService

DEAD = 10
"""Calls in a row that fail before a service counts as dead."""
SAME = 0.005
"""How far a score may be from the one that was given before, in [0, 1]: services round, and add no noise."""
AGAIN = "what was answered is kept and not paid again: run again later"


class Shown(NamedTuple):
    """A picture that a service is shown: its image's id, the sha256 of its pixels, (height, width, 3) uint8 RGB."""

    image: str
    sha256: str
    pixels: np.ndarray


Pair = tuple[Shown, Shown]


class _Watched:
    """A service whose job is stopped where it answers no more."""

    def __init__(self, name: str, service: PaidFaceService) -> None:
        self._name, self._service, self.cost_per_call = name, service, service.cost_per_call
        self._failed, self._lock = 0, threading.Lock()

    def ask(self, picture: Sequence[np.ndarray], question: str) -> PaidAnswer:
        found = self._service.ask(picture, question)
        with self._lock:
            self._failed = self._failed + 1 if found.answer.status == "failed" else 0
            if self._failed >= DEAD:
                what = f"gave no answer to {DEAD} calls in a row ({found.answer.reason})"
                raise AccordError(Problem(self._name, what, AGAIN))
        return found


def shown(image: str, pixels: np.ndarray) -> Shown:
    """A picture with its sum: of its shape and its pixels."""
    told = hashlib.sha256(repr(pixels.shape).encode() + np.ascontiguousarray(pixels).tobytes())
    return Shown(image, told.hexdigest(), pixels)


def calls_of(pictures: Sequence[Shown], pairs: Sequence[Pair]) -> list[Call]:
    """All calls that a test will make, so that their cost can be told before the first (`paid.announce`)."""
    return [*map(_detecting, pictures), *(_comparing(*pair) for pair in pairs)]


def detected(
    vault: AnswerVault, service: PaidFaceService, pictures: Sequence[Shown], limits: Limits, parallel: int = 1
) -> list[Answer]:
    """What the service finds in each picture (`face_calls.boxes_of` reads it). Raises AccordError where the limits
    are reached, the service refuses all calls or answers none, or another version of it answers."""
    watched = _Watched(vault.name, service)
    return paid.answered(
        vault, watched, [*map(_detecting, pictures)], [(p.pixels,) for p in pictures], limits, parallel
    )


def compared(
    vault: AnswerVault, service: PaidFaceService, pairs: Sequence[Pair], limits: Limits, parallel: int = 1
) -> list[Answer]:
    """What the service says of each pair (`face_calls.score_of` reads it). Raises AccordError as `detected`.

    Where some pairs have an answer and others are asked now, one that has one is asked again before: services change
    without telling, and scores of two versions can't be compared. The call counts.
    """
    calls, watched = [_comparing(*pair) for pair in pairs], _Watched(vault.name, service)
    pictures = [(left.pixels, right.pixels) for left, right in pairs]
    known = [vault.known(call) for call in calls]
    if None in known:
        _check_unchanged(vault, watched, list(zip(calls, pictures, known, strict=True)), limits)
    return paid.answered(vault, watched, calls, pictures, limits, parallel)


def _check_unchanged(vault: AnswerVault, service: _Watched, known: Sequence[tuple], limits: Limits) -> None:
    """Raises AccordError where a pair's score isn't what it was."""
    scored = ((c, p, score) for c, p, answer in known if answer and (score := score_of(answer)) is not None)
    for call, pictures, before in scored:
        vault.reserve(1, service.cost_per_call, limits)
        again = paid.ask(vault, service, pictures, call.question, limits)
        now = score_of(again.answer)
        if again.answer.status == "failed":
            return
        vault.check_version(again.version)
        if now is None or abs(now - before) > SAME:
            what = "gives a pair another score than before: its version changed in the middle"
            hint = "give its entry another `version` under options; then all is asked of the new one"
            raise AccordError(Problem(vault.name, what, hint))
        return


def _detecting(picture: Shown) -> Call:
    return Call(picture.image, picture.sha256, DETECT)


def _comparing(left: Shown, right: Shown) -> Call:
    return Call(left.image, left.sha256, f"{COMPARE} {right.sha256}", right.image)
