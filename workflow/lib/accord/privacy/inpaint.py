"""Rebuilds every picture from its pixels, upright and without metadata, bystanders and personal data painted out."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord import bundle as bundles
from accord.decode import decode, encode_png
from accord.intake.tables import Attributes, Images, Regions, Segments
from accord.kinds import Sink
from accord.privacy import again, detectors
from accord.privacy.painters import Painter, Request, load, membrane_fill
from accord.privacy.prompts import Prompts
from accord.privacy.regions import rasterise, region_mask, window_around
from accord.privacy.tables import Decisions, Edits, Pictures
from accord.table import rows

DIFFUSION, MEMBRANE, NOTHING = "diffusion", "membrane", "nothing to paint"


class Painted(NamedTuple):
    """The pictures, and what was painted in them."""

    pictures: DataFrame[Pictures]
    edits: DataFrame[Edits]


class Settings(NamedTuple):
    """How to paint: the model and its words, the range of guidance, DDIM steps, attempts before the membrane."""

    painter: Painter
    prompts: Prompts
    guidance: tuple[float, float]
    steps: int
    attempts: int


class View(NamedTuple):
    """An image, uint8 (H, W, 3), that is changed in place, and masks, bool (H, W): what to paint, what to hide from
    the model (the same, other regions, subjects), and where subjects are."""

    pixels: np.ndarray
    hole: np.ndarray
    unknown: np.ndarray
    subjects: np.ndarray


def run(
    images: DataFrame[Images],
    attributes: DataFrame[Attributes],
    segments: DataFrame[Segments],
    regions: DataFrame[Regions],
    bundle: Path,
    prompts: Path,
    pictures: Sink,
    *,
    decisions: DataFrame[Decisions] | None = None,
    model: str = "embedded",
    guidance: list[float],
    steps: int,
    attempts: int,
) -> Painted:
    """PNGs of all images in the bundle `pictures`; regions are painted out as FHIBE describes it.

    Diffusion inpainting with a prompt and a negative prompt, guidance drawn from U(*guidance), DDIM, eta 0, the seed
    from the image and region. A region in which a detector finds somebody is painted again with another seed, after
    `attempts` with a plain membrane. No subject's pixel and no pixel outside the regions changes. `decisions` of people
    say what is painted again (accord.privacy.again).
    """
    words = Prompts.read(prompts)
    wanted = regions[regions["image"].isin(images["image"])]
    wanted = wanted if decisions is None else again.planned(wanted, decisions, model)
    painter = load(model) if len(wanted) else None
    settings = Settings(painter, words, (guidance[0], guidance[1]), steps, attempts)
    places, edits = [], []
    scenes = words.scenes_of(attributes)
    with bundles.BundleWriter(pictures) as writer:
        for row in images.sort_values("image").itertuples():
            pixels = decode(bundles.read(bundle, row)).copy()
            theirs = wanted[wanted["image"] == row.image].sort_values("region")
            subjects = rasterise(segments.loc[segments["image"] == row.image, "polygon"], pixels.shape[:2])
            edits += paint_out(pixels, theirs, subjects, scenes.get(row.image, "other"), settings)
            member = writer.add(f"{row.image}.png", encode_png(pixels))
            places.append(_picture(row, member, pixels))
    return Painted(rows(places, Pictures), rows(edits, Edits))


def paint_out(
    pixels: np.ndarray, regions: pd.DataFrame, subjects: np.ndarray, scene: str, settings: Settings
) -> Iterator[dict]:
    """Paint regions out of `pixels` (uint8, H x W x 3, changed in place); one record of Edits for each.

    subjects: bool (H, W), never painted, and hidden from the model so that it does not continue them.
    """
    masks = [region_mask(polygon, subjects.shape) for polygon in regions["polygon"]]
    for number, region in enumerate(regions.itertuples()):
        hole = masks[number] & ~subjects
        unknown = np.logical_or.reduce([subjects, *masks[number:]])
        method, attempts, request = NOTHING, 1, _request(region, scene, settings, 0)
        if hole.any():
            view = View(pixels, hole, unknown, subjects)
            method, attempts, request = _paint_one(view, region, scene, settings)
        yield _edit(region, request, method, attempts, settings, int(hole.sum()))


def _paint_one(view: View, region, scene: str, settings: Settings) -> tuple[str, int, Request]:
    """Paint one hole; returns the method, the attempts it took, and what was asked for last."""
    window = window_around(view.hole, settings.painter.side)
    target, part = window.of(view.pixels), window.of(view.hole)
    crop, hidden = target.copy(), window.of(view.unknown)
    request = _request(region, scene, settings, 0)
    for attempt in range(settings.attempts):
        request = _request(region, scene, settings, attempt)
        target[part] = settings.painter.paint(crop, hidden, request)[part]
        if not detectors.left_over(view.pixels, view.hole, view.subjects):
            return DIFFUSION, attempt + 1, request
    target[part] = membrane_fill(crop, hidden)[part]
    return MEMBRANE, max(1, settings.attempts), request


def _request(region, scene: str, settings: Settings, attempt: int) -> Request:
    digest = blake2b(f"{region.image}\0{region.region}\0{attempt}".encode(), digest_size=8).digest()
    seed = int.from_bytes(digest, "big") >> 1
    guidance = float(np.random.default_rng(seed).uniform(*settings.guidance))
    prompt = settings.prompts.of(region.kind, scene)
    return Request(prompt, settings.prompts.negative, guidance, seed, settings.steps)


def _edit(region, request: Request, method: str, attempts: int, settings: Settings, painted: int) -> dict:
    return {
        "image": region.image,
        "region": region.region,
        "kind": region.kind,
        "polygon": region.polygon,
        "method": method,
        "prompt": request.prompt,
        "guidance": request.guidance,
        "seed": request.seed,
        "attempts": attempts,
        "model_sha256": settings.painter.sha256,
        "painted": painted,
    }


def _picture(row, member: bundles.Member, pixels: np.ndarray) -> dict:
    height, width = pixels.shape[:2]
    source = {"image": row.image, "subject": row.subject, "source_sha256": row.sha256}
    return {**source, **member._asdict(), "width": width, "height": height}
