"""Paints bystanders and personal data out of pictures: regions of several pictures share calls of the model."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from accord.checks.tables.findings import PAINTED_OVER
from accord.imaging.masks import rasterise
from accord.imaging.regions import region_mask
from accord.privacy.fitting.flaws import NO_FLAWS
from accord.privacy.painting.candidates import DIFFUSION, NONE, NOTHING, Outcome, Task, View, paint
from accord.privacy.painting.prompts import Prompts
from accord.privacy.painting.request import Painter, Request, requested
from accord.privacy.protecting import people as annotated
from accord.privacy.protecting.people import Person
from accord.privacy.protecting.sources import barred


class Settings(NamedTuple):
    """How to paint: the words, the range of guidance, DDIM steps, attempts before the membrane, candidates in each
    attempt, how many images are painted side by side, and what gives the model, once it is needed."""

    prompts: Prompts
    guidance: tuple[float, float]
    steps: int
    attempts: int
    candidates: int
    batch: int
    painter: Callable[[], Painter]

    def tries(self) -> tuple[int, int]:
        """Attempts and candidates. A model without words has one fill for a hole: more of them would be the same."""
        if self.painter().guided:
            return self.attempts, self.candidates
        return min(self.attempts, 1), 1


class Wanted(NamedTuple):
    """What is to be painted in an image: rows of Regions, the people in it who stay, the kind of place."""

    regions: list[Any]
    people: list[Person]
    place: str

    def told(self, settings: Settings) -> list:
        """All of it that the picture depends on, its words among it, as JSON can say it."""
        drawn = [
            [r.region, r.kind, [*map(float, r.polygon)], r.segments, self.words(r, settings)] for r in self.regions
        ]
        parts = [[sorted([*map(float, polygon)] for polygon in part) for part in person] for person in self.people]
        return [drawn, sorted(parts)]

    def words(self, region: Any, settings: Settings) -> tuple[str, str]:
        """The prompt and the negative prompt of a region."""
        return settings.prompts.of(region.kind, self.place), settings.prompts.negative


class Scene(NamedTuple):
    """A picture at work: its pixels, uint8 (H, W, 3), what is wanted in it, the holes of its regions, bool (H, W), and
    where people are: `outlines` that stay, `subjects`: those and the boxes of whoever has no outline, beside regions,
    and `barred`: all that no piece may come from."""

    pixels: np.ndarray
    wanted: Wanted
    holes: list[np.ndarray]
    outlines: np.ndarray
    subjects: np.ndarray
    barred: np.ndarray

    @classmethod
    def of(cls, pixels: np.ndarray, wanted: Wanted) -> Scene:
        """Pixels are copied: a scene is painted in place."""
        shape, people = pixels.shape[:2], wanted.people
        drawn = rasterise([region.polygon for region in wanted.regions], shape)
        outlines = rasterise(annotated.outlines(people), shape) & ~_painted_over(wanted.regions, shape)
        subjects = outlines | (rasterise(annotated.bodies_without_outline(people), shape) & ~drawn)
        holes = [region_mask(region.polygon, shape) & ~subjects for region in wanted.regions]
        return cls(pixels.copy(), wanted, holes, outlines, subjects, barred(pixels, people, drawn))


def paint_out(scenes: Sequence[Scene], settings: Settings) -> Iterator[dict]:
    """Paint the regions of several images, in place; one record of Edits for each.

    The n-th regions of all images share calls of the model; the regions of one image follow each other. Subjects stay,
    and are hidden from the model so that it does not continue them.
    """
    for number in range(max((len(scene.holes) for scene in scenes), default=0)):
        nth = [
            (scene, scene.wanted.regions[number], _task(scene, number, settings))
            for scene in scenes
            if scene.holes[number:]
        ]
        tasks = [task for *_, task in nth if task.view.hole.any()]
        done = iter(paint(tasks, settings.painter(), *settings.tries()))
        for _, region, task in nth:
            hole = int(task.view.hole.sum())
            nothing = Outcome(NOTHING, 1, 0, NONE, task.request(0), NO_FLAWS)
            yield _edit(region, next(done) if hole else nothing, hole, settings)


def _painted_over(regions: list[Any], shape: tuple[int, int]) -> np.ndarray:
    """Where people outlined what is to be painted, whatever lies over it."""
    return rasterise([region.polygon for region in regions if region.segments == PAINTED_OVER], shape)


def _task(scene: Scene, number: int, settings: Settings) -> Task:
    region = scene.wanted.regions[number]
    unknown = np.logical_or.reduce([scene.outlines, *scene.holes[number:]])
    view = View(scene.pixels, scene.holes[number], unknown, unknown | scene.barred, scene.subjects)
    return Task(view, lambda candidate: _request(region, scene.wanted, settings, candidate))


def _request(region: Any, wanted: Wanted, settings: Settings, candidate: int) -> Request:
    words = wanted.words(region, settings)
    key = f"{region.image}\0{region.region}\0{candidate}"
    return requested(key, words, settings.guidance, settings.steps, guided=settings.painter().guided)


def _edit(region: Any, outcome: Outcome, painted: int, settings: Settings) -> dict:
    return {
        "image": region.image,
        "region": region.region,
        "kind": region.kind,
        "polygon": region.polygon,
        "method": settings.painter().method if outcome.method == DIFFUSION else outcome.method,
        "prompt": outcome.request.prompt,
        "guidance": outcome.request.guidance,
        "seed": outcome.request.seed,
        "attempts": outcome.attempts,
        "candidates": outcome.candidates,
        "chosen": outcome.chosen,
        **outcome.flaws._asdict(),
        "model_sha256": settings.painter().sha256,
        "painted": painted,
    }
