"""Painting holes: candidates from a model, the best one by detectors and by its flaws, or else a membrane."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from accord.imaging.regions import Window, window_around
from accord.models import detectors
from accord.privacy.fitting import flaws
from accord.privacy.fitting.flaws import Flaws
from accord.privacy.painting.painters import membrane_fill
from accord.privacy.painting.request import Job, Painter, Request

DIFFUSION, MEMBRANE, NOTHING = "diffusion", "membrane", "nothing to paint"
NONE = -1
CLEAR = 0.15
"""Share of a window that a model should see: of less it can't tell what goes on in the hole."""


class View(NamedTuple):
    """An image, uint8 (H, W, 3), that is changed in place, and masks, bool (H, W): what to paint, what a fill must not
    continue (the same, other regions, outlines of subjects), what the model may not see or copy either (boxes of
    people), and where subjects are."""

    pixels: np.ndarray
    hole: np.ndarray
    unknown: np.ndarray
    barred: np.ndarray
    subjects: np.ndarray


class Task(NamedTuple):
    """A hole to paint, and what to ask for at the n-th candidate."""

    view: View
    request: Callable[[int], Request]


class Outcome(NamedTuple):
    """What became of a hole. attempts: calls for it; candidates: fills that were tried; chosen: number of the one that
    is kept, NONE for a membrane; request: what was asked for (last); flaws: of what was painted."""

    method: str
    attempts: int
    candidates: int
    chosen: int
    request: Request
    flaws: Flaws


class Candidate(NamedTuple):
    """A fill of a window. found: strongest score of a detector in it, 0 where none finds anybody; less is better."""

    found: float
    flaws: Flaws
    number: int
    fill: np.ndarray


class _Open(NamedTuple):
    """A task at work: its window, the crop in it as it was, the parts of it that are unknown, and barred."""

    task: Task
    window: Window
    crop: np.ndarray
    unknown: np.ndarray
    barred: np.ndarray
    tried: list[Candidate]


def paint(tasks: Sequence[Task], painter: Painter, attempts: int, each: int) -> list[Outcome]:
    """Paint one hole in each of several images, in place; the holes share the calls of the model.

    Candidates are tried until one is good: no detector finds anybody in it, and no flaw of it can be seen. Each attempt
    tries `each` candidates at most; where one of them is without anybody, the best is kept, by detectors first, then by
    its worst flaw; of equal ones the first. Where `attempts` bring none, a membrane takes the place. No pixel outside a
    hole changes.
    """
    at_work = [_opened(task, painter.side) for task in tasks]
    for number in range(attempts * each):
        left = [one for one in at_work if not _is_done(one, each)]
        jobs = [Job(one.crop, one.unknown, one.task.request(number), one.barred) for one in left]
        fills = painter.paint_all(jobs)
        for one, fill in zip(left, fills, strict=True):
            one.tried.append(_judged(one, fill, number))
    return [_closed(one, attempts, each) for one in at_work]


def best(candidates: Sequence[Candidate]) -> Candidate:
    """The one with the least found, then the least worst flaw, then the lowest number."""
    return min(candidates, key=lambda one: (one.found, one.flaws.worst(), one.number))


def _opened(task: Task, side: int) -> _Open:
    view = task.view
    window = _window(view, side)
    crop = window.of(view.pixels).copy()
    return _Open(task, window, crop, window.of(view.unknown), window.of(view.barred), [])


def _window(view: View, side: int) -> Window:
    """The window around a hole, so wide that the model sees CLEAR of it where the picture has that much."""
    window = window_around(view.hole, side)
    while (~window.of(view.barred)).mean() < CLEAR and window.of(view.hole).shape != view.hole.shape:
        window = window_around(view.hole, 2 * max(window.of(view.hole).shape))
    return window


def _is_done(one: _Open, each: int) -> bool:
    if not one.tried or best(one.tried).found > 0:
        return False
    return len(one.tried) % each == 0 or best(one.tried).flaws.worst() <= 1


def _judged(one: _Open, fill: np.ndarray, number: int) -> Candidate:
    view = one.task.view
    _put(one, fill)
    found = detectors.left_over(view.pixels, view.hole, view.subjects)
    return Candidate(max((f.score for f in found), default=0.0), _flaws(one), number, fill)


def _closed(one: _Open, attempts: int, each: int) -> Outcome:
    """Keep the best candidate, or fill with a membrane."""
    if one.tried and best(one.tried).found == 0:
        kept = best(one.tried)
        _put(one, kept.fill)
        request = one.task.request(kept.number)
        return Outcome(DIFFUSION, kept.number // each + 1, len(one.tried), kept.number, request, kept.flaws)
    _put(one, membrane_fill(one.crop, one.unknown))
    last = one.task.request(max(0, attempts * each - 1))
    return Outcome(MEMBRANE, max(1, attempts), len(one.tried), NONE, last, _flaws(one))


def _put(one: _Open, fill: np.ndarray) -> None:
    part = one.window.of(one.task.view.hole)
    one.window.of(one.task.view.pixels)[part] = fill[part]


def _flaws(one: _Open) -> Flaws:
    view = one.task.view
    hole = one.window.of(view.hole)
    return flaws.of_fill(one.window.of(view.pixels), hole, one.unknown & ~hole)
