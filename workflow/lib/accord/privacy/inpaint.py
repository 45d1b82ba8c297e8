"""Rebuilds every picture from its pixels, upright and without metadata, bystanders and personal data painted out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord.checks.tables.findings import PAINTED_OVER, Regions
from accord.engine.parameter_types import Folder, Sink
from accord.engine.table import rows
from accord.imaging import bundle as bundles
from accord.imaging import decode
from accord.imaging.masks import rasterise
from accord.imaging.regions import region_mask
from accord.intake.tables import Attributes, Images, Segments
from accord.privacy import permitted
from accord.privacy.fitting.flaws import NO_FLAWS
from accord.privacy.painting import repaint
from accord.privacy.painting.candidates import DIFFUSION, NONE, NOTHING, Outcome, Task, View, paint
from accord.privacy.painting.painters import load
from accord.privacy.painting.prompts import Prompts
from accord.privacy.painting.request import Painter, Request, requested
from accord.privacy.tables import Conversions, Decisions, Edits, Pictures


class Painted(NamedTuple):
    """The pictures, what was painted in them, and what was done to them as a whole."""

    pictures: DataFrame[Pictures]
    edits: DataFrame[Edits]
    conversions: DataFrame[Conversions]


class Settings(NamedTuple):
    """How to paint: the model and its words, the range of guidance, DDIM steps, attempts before the membrane,
    candidates in each attempt, and how many images are painted side by side."""

    painter: Painter | None
    prompts: Prompts
    guidance: tuple[float, float]
    steps: int
    attempts: int
    candidates: int = 1
    batch: int = 1

    def used(self) -> Painter:
        """The painter; there is one wherever anything is to be painted."""
        assert self.painter is not None
        return self.painter


class Scene(NamedTuple):
    """An image and what is to be painted in it: its row, its pixels, uint8 (H, W, 3), rows of Regions and their masks,
    where subjects stay, bool (H, W), the kind of place, and what was done to get the pixels."""

    row: Any
    pixels: np.ndarray
    regions: list[Any]
    masks: list[np.ndarray]
    subjects: np.ndarray
    place: str
    conversions: tuple[str, ...] = ()


def run(
    images: DataFrame[Images],
    attributes: DataFrame[Attributes],
    segments: DataFrame[Segments],
    regions: DataFrame[Regions],
    bundle: Path,
    prompts: Path,
    painted: Sink,
    *,
    decisions: DataFrame[Decisions] | None = None,
    model: str = "embedded",
    guidance: list[float],
    steps: int,
    attempts: int,
    candidates: int = 1,
    batch: int = 1,
    entry: dict | None = None,
    weights: Folder | None = None,
) -> Painted:
    """PNGs of all images in the bundle `painted`; regions are painted out as FHIBE describes it.

    Diffusion inpainting with a prompt and a negative prompt, guidance drawn from U(*guidance), DDIM, eta 0, the seed
    from the image and region. Of `candidates` the best is kept. A region in which a detector finds somebody is painted
    again with other seeds, after `attempts` with a plain membrane. No pixel outside the regions changes, and none of a
    subject's segments but where people outlined a region over them. `batch`: images that are painted side by side, and
    crops in one call on a GPU. `decisions` of people say what is painted again (accord.privacy.painting.repaint).
    `model`: what it is called; `entry`: what models.yaml says of it, none for `embedded` and a folder; `weights`: where
    its files lie. Raises AccordError, before anything is painted, where `permitted.check` does.
    """
    words = Prompts.read(prompts)
    wanted = regions[regions["image"].isin(images["image"])]
    wanted = wanted if decisions is None else repaint.planned(wanted, decisions, model)
    permitted.check(images, wanted["image"], model, entry, weights)
    painter = load(model, batch, entry, weights) if len(wanted) else None
    if painter and not painter.guided:
        # It has one fill for a hole: more of them would be the same.
        attempts, candidates = min(attempts, 1), 1
    settings = Settings(painter, words, (guidance[0], guidance[1]), steps, attempts, candidates, batch)
    scenes = _scenes(images, segments, wanted, bundle, words.scenes_of(attributes))
    places, edits, conversions = [], [], []
    with bundles.BundleWriter(painted) as writer:
        for group in _side_by_side(scenes, batch):
            edits += paint_out(group, settings)
            for scene in group:
                member = writer.add(f"{scene.row.image}.png", decode.encode_png(scene.pixels))
                places.append(_picture(scene.row, member, scene.pixels))
                conversions += [(scene.row.image, conversion) for conversion in scene.conversions]
    edits = sorted(edits, key=lambda edit: (edit["image"], edit["region"]))
    made = rows(sorted(places, key=lambda place: place["image"]), Pictures)
    return Painted(made, rows(edits, Edits), rows(sorted(conversions), Conversions))


def paint_out(scenes: Sequence[Scene], settings: Settings) -> Iterator[dict]:
    """Paint the regions of several images, in place; one record of Edits for each.

    The n-th regions of all images share calls of the model; the regions of one image follow each other. Subjects stay,
    and are hidden from the model so that it does not continue them.
    """
    for number in range(max((len(scene.regions) for scene in scenes), default=0)):
        nth = [
            (scene, scene.regions[number], _task(scene, number, settings)) for scene in scenes if scene.masks[number:]
        ]
        tasks = [task for *_, task in nth if task.view.hole.any()]
        done = iter(paint(tasks, settings.used(), settings.attempts, settings.candidates))
        for _, region, task in nth:
            hole = int(task.view.hole.sum())
            nothing = Outcome(NOTHING, 1, 0, NONE, task.request(0), NO_FLAWS)
            yield _edit(region, next(done) if hole else nothing, hole, settings)


def _scenes(
    images: pd.DataFrame, segments: pd.DataFrame, wanted: pd.DataFrame, bundle: Path, places: dict[str, str]
) -> Iterator[Scene]:
    """Images to paint first, so that they meet in groups; within both kinds by id."""
    theirs = {image: list(table.sort_values("region").itertuples()) for image, table in wanted.groupby("image")}
    ordered = sorted(images.itertuples(), key=lambda row: (row.image not in theirs, row.image))
    for row in ordered:
        pixels, conversions = decode.read(bundles.read(bundle, row))
        shape = pixels.shape[:2]
        regions = theirs.get(row.image, [])
        masks = [region_mask(region.polygon, shape) for region in regions]
        bodies = segments.loc[segments["image"] == row.image, "polygon"] if regions else []
        subjects = rasterise(bodies, shape) & ~_painted_over(regions, shape)
        yield Scene(row, pixels, regions, masks, subjects, places.get(row.image, "other"), conversions)


def _painted_over(regions: list[Any], shape: tuple[int, int]) -> np.ndarray:
    """Where people outlined what is to be painted, whatever lies over it."""
    return rasterise([region.polygon for region in regions if region.segments == PAINTED_OVER], shape)


def _side_by_side(scenes: Iterator[Scene], batch: int) -> Iterator[list[Scene]]:
    """Groups of `batch` images with something to paint; the others one by one, so that few are held at once."""
    group: list[Scene] = []
    for scene in scenes:
        group.append(scene)
        if len(group) == batch or not scene.regions:
            yield group
            group = []
    if group:
        yield group


def _task(scene: Scene, number: int, settings: Settings) -> Task:
    region = scene.regions[number]
    unknown = np.logical_or.reduce([scene.subjects, *scene.masks[number:]])
    view = View(scene.pixels, scene.masks[number] & ~scene.subjects, unknown, scene.subjects)
    return Task(view, lambda candidate: _request(region, scene.place, settings, candidate))


def _request(region: Any, place: str, settings: Settings, candidate: int) -> Request:
    words = settings.prompts.of(region.kind, place), settings.prompts.negative
    key = f"{region.image}\0{region.region}\0{candidate}"
    return requested(key, words, settings.guidance, settings.steps, guided=settings.used().guided)


def _edit(region: Any, outcome: Outcome, painted: int, settings: Settings) -> dict:
    return {
        "image": region.image,
        "region": region.region,
        "kind": region.kind,
        "polygon": region.polygon,
        "method": settings.used().method if outcome.method == DIFFUSION else outcome.method,
        "prompt": outcome.request.prompt,
        "guidance": outcome.request.guidance,
        "seed": outcome.request.seed,
        "attempts": outcome.attempts,
        "candidates": outcome.candidates,
        "chosen": outcome.chosen,
        **outcome.flaws._asdict(),
        "model_sha256": settings.used().sha256,
        "painted": painted,
    }


def _picture(row: Any, member: bundles.Member, pixels: np.ndarray) -> dict:
    height, width = pixels.shape[:2]
    source = {"image": row.image, "subject": row.subject, "source_sha256": row.sha256}
    return {**source, **member._asdict(), "width": width, "height": height}
