"""Asking a paid face service: within limits, replayed from the vault, stopped where it dies or changes."""

import threading
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from accord.errors import AccordError, Problem
from accord.evaluate.asking import paid
from accord.evaluate.asking.answer_vault import AnswerVault, Call, Limits
from accord.models.face_calls import COMPARE, DETECT, score_of
from accord.models.protocols import Answer, PaidAnswer, PaidFaceService

DEAD = 10
"""Calls in a row that fail before a service counts as dead."""
CHECKED = 5
"""Pairs that are asked again."""
SAME = 0.005
"""How far a score may be from the one that was given before, in [0, 1]: services round, and add no noise."""
UNANSWERED = Answer("", "failed", "an earlier version gave no answer that is kept")
AGAIN = "what was answered is kept and not paid again: run again later"


class Shown(NamedTuple):
    """A picture that a service is shown: its image's id, a sha256 that is another one for other pixels, and what gives
    the pixels, (height, width, 3) uint8 RGB: nobody looks at a picture whose answer is known."""

    image: str
    sha256: str
    look: Callable[[], np.ndarray]


Pair = tuple[Shown, Shown]
Known = tuple[Call, Pair, float]
"""A pair that was answered before, and its score."""


class PaidFaces:
    """A service that is asked by way of its vault.

    Its methods raise AccordError where the limits are reached, the service refuses all calls or answers none, or
    another version of it answers.
    """

    def __init__(self, vault: AnswerVault, service: PaidFaceService, limits: Limits, parallel: int = 1) -> None:
        self._vault, self._service = vault, _Watched(vault.name, service)
        self._limits, self._parallel = limits, parallel
        self._known: list[Known] = []
        self._is_checked = False

    def detected(self, pictures: Sequence[Shown]) -> list[Answer]:
        """What the service finds in each picture (`face_calls.boxes_of` reads it)."""
        calls = [*map(_detecting, pictures)]
        shown = [(one,) for one in pictures]
        return paid.answered(self._vault, self._service, calls, shown, self._limits, self._parallel)

    def compared(self, pairs: Sequence[Pair]) -> list[Answer]:
        """What the service says of each pair (`face_calls.score_of` reads it).

        Where pairs were answered by an earlier run and others are asked now, some are asked again before, from the
        least alike to the most: services change without telling, and scores of two versions can't be compared. That is
        done once; the calls count.
        """
        calls = [_comparing(*pair) for pair in pairs]
        known = [self._vault.known(call) for call in calls]
        if not self._known and not self._is_checked:
            every = zip(calls, pairs, map(_score, known), strict=True)
            self._known = _spread([(call, pair, score) for call, pair, score in every if score is not None])
        if None in known and self._known and not self._is_checked:
            self._check_unchanged(self._known)
        return paid.answered(self._vault, self._service, calls, pairs, self._limits, self._parallel)

    def _check_unchanged(self, known: Sequence[Known]) -> None:
        """Raises AccordError where a pair's score isn't what it was, or no call is answered."""
        self._is_checked = True
        answered = 0
        for call, pair, before in known:
            self._vault.reserve(1, self._service.cost_per_call, self._limits)
            again = paid.ask(self._vault, self._service, pair, call.question, self._limits)
            if again.answer.status == "failed":
                continue
            answered += 1
            self._vault.check_version(again.version)
            now = score_of(again.answer)
            if now is None or abs(now - before) > SAME:
                what = "gives a pair another score than before: its version changed in the middle"
                hint = "give its entry another `version` under options; then all is asked of the new one"
                raise AccordError(Problem(self._vault.name, what, hint))
        if not answered:
            what = "doesn't answer what it answered before: whether it is still the same version can't be told"
            raise AccordError(Problem(self._vault.name, what, AGAIN))


def _spread(known: Sequence[Known]) -> list[Known]:
    """At most as many as are asked again, from the lowest score to the highest: at a ceiling versions look alike."""
    ordered = sorted(known, key=lambda one: one[2])
    places = np.linspace(0, len(ordered) - 1, min(CHECKED, len(ordered))).round().astype(int)
    return [ordered[place] for place in dict.fromkeys(places.tolist())]


class ReplayedFaces:
    """What an earlier version of a service answered, as it stands in its vault: nobody is asked, since another version
    would answer."""

    def __init__(self, vault: AnswerVault) -> None:
        self._vault = vault

    def detected(self, pictures: Sequence[Shown]) -> list[Answer]:
        """What it found in each picture."""
        return [self._vault.known(_detecting(one)) or UNANSWERED for one in pictures]

    def compared(self, pairs: Sequence[Pair]) -> list[Answer]:
        """What it said of each pair."""
        return [self._vault.known(_comparing(*pair)) or UNANSWERED for pair in pairs]


class _Watched:
    """A service whose job is stopped where it answers no more."""

    def __init__(self, name: str, service: PaidFaceService) -> None:
        self._name, self._service, self.cost_per_call = name, service, service.cost_per_call
        self._failed, self._lock = 0, threading.Lock()

    def ask(self, picture: Sequence[Shown], question: str) -> PaidAnswer:
        found = self._service.ask([one.look() for one in picture], question)
        with self._lock:
            self._failed = self._failed + 1 if found.answer.status == "failed" else 0
            if self._failed >= DEAD:
                what = f"gave no answer to {DEAD} calls in a row ({found.answer.reason})"
                raise AccordError(Problem(self._name, what, AGAIN))
        return found


def calls_of(pictures: Sequence[Shown], pairs: Sequence[Pair]) -> list[Call]:
    """All calls that a job will make, so that their cost can be told before the first (`paid.announce`)."""
    return [*map(_detecting, pictures), *(_comparing(*pair) for pair in pairs)]


def _score(answer: Answer | None) -> float | None:
    return score_of(answer) if answer else None


def _detecting(picture: Shown) -> Call:
    return Call(picture.image, picture.sha256, DETECT)


def _comparing(left: Shown, right: Shown) -> Call:
    return Call(left.image, left.sha256, f"{COMPARE} {right.sha256}", right.image)
