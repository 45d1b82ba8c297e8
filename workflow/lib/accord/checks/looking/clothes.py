"""What subjects wear, and which keypoints lie beside people: what later tells one occasion from another."""

from pathlib import Path

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord.checks.files.pixels import Picture, Shown, by_image, shown
from accord.checks.matching.garments import GARMENTS, worn
from accord.checks.tables.findings import Clothes, Images
from accord.engine import table
from accord.imaging.masks import rasterise
from accord.intake.tables import Segments

EDGE = 5
"""Px of the thumbnail around people that count as theirs."""


def run(
    images: DataFrame[Images], bundle: Path | Shown, segments: DataFrame[Segments], max_pixels: int
) -> DataFrame[Clothes]:
    """Colours of the primary subject's clothes, and the keypoints beside all people, of images with segments."""
    outlined = by_image(segments)
    own = images[images["image"].isin(outlined)]
    made = [_seen(row, picture, outlined[row.image]) for row, picture in shown(own, bundle, max_pixels)]
    return table.rows(made, Clothes)


def _seen(row: pd.Series, picture: Picture, segments: pd.DataFrame) -> dict:
    size = picture.pixels.shape[:2]
    own = segments[segments["subject"] == row.subject]
    masks = {name: rasterise(own.loc[own["segment"] == name, "polygon"], size) for name in GARMENTS}
    clothes = worn({name: picture.pixels[mask] for name, mask in masks.items()})
    colours = [float(value) for quantiles in clothes.values() for value in quantiles.ravel()]
    beside = _beside(picture, rasterise(segments["polygon"], size))
    return {"image": row.image, "garments": [float(name) for name in clothes], "colours": colours,
            "beside": beside.astype(np.uint8).tobytes()}  # fmt: skip


def _beside(picture: Picture, people: np.ndarray) -> np.ndarray:
    """Whether each keypoint lies beside people, bool (n,)."""
    import cv2

    cover = cv2.resize(people.astype(np.uint8), picture.thumbnail.shape[1::-1])
    cover = cv2.dilate(cover, np.ones((2 * EDGE + 1, 2 * EDGE + 1), np.uint8)).astype(bool)
    x, y = np.clip(np.rint(picture.keypoints.points).astype(int), 0, np.array(cover.shape[::-1]) - 1).T
    return ~cover[y, x]
