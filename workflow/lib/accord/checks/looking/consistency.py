"""Hold what was declared of each image against what it shows, and look for traces of what was done to it since."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord.checks.deciding.limits import Finding, unknown
from accord.checks.files import declared, light, traces
from accord.checks.files.declared import enough, judged
from accord.checks.files.pixels import Picture, Shown, by_image, shown
from accord.checks.files.scenes import seen_outdoors
from accord.checks.tables.findings import Findings, Images
from accord.engine import table
from accord.engine.parameter_types import Folder
from accord.imaging.coordinates import extents
from accord.intake.tables import FACE, Attributes, People, Segments
from accord.models import loading

FACE_SKIN = 0
SAVED_TWICE, DETAIL = 4.0, 0.285
BLUR, CLIPPED, SHALLOW = 20.0, 0.25, 17.0
"""Peak of repetition; share of detail; variance of the Laplacian at 512 px; share of pixels that are black or white;
people's edges over those behind them. docs/checks-consistency.md has what each finds, and how often wrongly."""


def run(
    images: DataFrame[Images],
    bundle: Path | Shown,
    people: DataFrame[People],
    segments: DataFrame[Segments],
    attributes: DataFrame[Attributes],
    *,
    scene_classifier: dict | None = None,
    weights: Folder,
    max_km_abroad: float,
    max_days_apart: int,
    max_pixels: int,
) -> DataFrame[Findings]:
    """Thirteen findings of each image; all but seven that never decide may ask for a review.

    `scene_classifier`: an entry of models.yaml with `logits` of ImageNet's classes; without it light alone tells of
    scenes. `max_km_abroad`: km that a GPS position may lie outside the declared country; `max_days_apart`: days between
    the declared day of capture and the camera's. Raises AccordError where a picture does not decode or is not as it was
    written, or a model is not installed.
    """
    classifier = loading.loaded(scene_classifier, weights, "logits") if scene_classifier else None
    drawn = {name: by_image(part) for name, part in _tables(people, segments, attributes)}
    findings: list[Finding] = []
    for row, picture in shown(images, bundle, max_pixels):
        own = {name: parts.get(row.image) for name, parts in drawn.items()}
        found = [declared.country(row, max_km_abroad), declared.day(row, max_days_apart), *_file(row, picture.data)]
        seen = seen_outdoors(classifier.logits([picture.pixels])[0]) if classifier else np.nan
        found.append(declared.place(row, _said(own["attributes"], "scene", ""), seen, traces.flashed(picture.data)))
        findings += sorted([*found, *_seen(row, picture, own)])
    return table.rows(findings, Findings)


def _tables(people: pd.DataFrame, segments: pd.DataFrame, attributes: pd.DataFrame) -> Iterator:
    yield "people", people
    yield "segments", segments
    yield "attributes", attributes


def _file(row: Any, data: bytes) -> Iterator[Finding]:
    """What the file itself says of its past."""
    edited = traces.editor(row.software)
    words = "last saved by image editing software" if edited else "no image editing software named"
    yield judged(row.image, "software", edited, 0.5, words, strong=True)
    wide = traces.panorama(data)
    words = "marked as a panorama" if wide else "not marked as a panorama"
    yield judged(row.image, "panorama", wide, 0.5, words, strong=True)
    again = traces.saved_twice(data, row.media)
    if again is None:
        yield unknown(row.image, "saved_twice", "not a JPEG, or too little detail to judge")
    else:
        reason = "is the periodicity of its DCT coefficients; high after recompression or contrast changes"
        yield judged(row.image, "saved_twice", again, SAVED_TWICE, reason)


def _seen(row: Any, picture: Picture, own: dict[str, pd.DataFrame | None]) -> Iterator[Finding]:
    """What the pixels say."""
    import cv2

    from accord.imaging.masks import rasterise

    pixels, segments, people = picture.pixels, own["segments"], own["people"]
    mask = rasterise([] if segments is None else segments["polygon"], pixels.shape[:2])
    little, cover = picture.thumbnail, light.small(mask.astype(np.uint8)).astype(bool)
    grey = cv2.cvtColor(little, cv2.COLOR_RGB2GRAY)
    faces = extents(np.array([found.box for found in picture.faces]).reshape(-1, 4))
    boxes = np.empty((0, 4)) if people is None else people[FACE].dropna().to_numpy(float)
    yield declared.head_count(row.image, faces, 0 if people is None else len(people))
    yield declared.face_box(row, boxes, faces, pixels.shape[1::-1])
    skin, label = _skin(pixels, own), _said(own["attributes"], "apparent_skin_color", row.subject)
    yield declared.skin(row.image, skin, label)
    yield from _light(row.image, grey)
    yield _focus(row.image, grey, cover)
    lost = traces.detail(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY))
    yield enough(
        row.image, "upscaled", lost, DETAIL, "of the fine detail is lost at 1/1.5 size; a low value suggests upscaling"
    )


def _light(image: str, grey: np.ndarray) -> Iterator[Finding]:
    yield enough(image, "blur", light.sharpness(grey), BLUR, "is the variance of the Laplacian at 512 px")
    yield judged(image, "exposure", light.clipped(grey), CLIPPED, "of the pixels are black or white")


def _focus(image: str, grey: np.ndarray, people: np.ndarray) -> Finding:
    near, far = light.crispness(grey, people), light.crispness(grey, ~people)
    if near is None or far is None:
        return unknown(image, "shallow_focus", "no annotated person, or no background")
    reason = "is the ratio of edge strength, people to background"
    return judged(image, "shallow_focus", near / max(far, 1.0), SHALLOW, reason)


def _skin(pixels: np.ndarray, own: dict[str, pd.DataFrame | None]) -> np.ndarray:
    """The colours of the primary subject's face skin, uint8 (n, 3)."""
    from accord.imaging.masks import rasterise

    people, segments = own["people"], own["segments"]
    if people is None or segments is None:
        return np.empty((0, 3), np.uint8)
    first = set(people.loc[people["is_primary"], "subject"])
    theirs = segments[(segments["segment"] == FACE_SKIN) & segments["subject"].isin(first)]
    return pixels[rasterise(theirs["polygon"], pixels.shape[:2])]


def _said(attributes: pd.DataFrame | None, name: str, subject: str) -> str | None:
    """The value of an attribute of the image (subject "") or of a subject; None where it has none or several."""
    if attributes is None:
        return None
    values = attributes.loc[(attributes["attribute"] == name) & (attributes["subject"] == subject), "value"]
    return values.iloc[0] if len(values) == 1 else None
