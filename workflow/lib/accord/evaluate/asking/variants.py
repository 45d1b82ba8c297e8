"""Variants of a picture: as it is, its people masked or blurred, all but these masked; and where its people are."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd

from accord.evaluate.asking import pictures
from accord.imaging.masks import rasterise

KEY = ["image", "subject"]
SIGMA, LONGEST = 100.0, 2048
"""FHIBE blurs people with "radius 100": px, of pictures with a longest side of 2,048 px."""
FINEST = 8.0
"""Pictures are reduced before they are blurred until sigma is so many px: what is lost is under a grey level."""


class Outlines(NamedTuple):
    """The people of a picture, px: boxes (n, 4) x0, y0, x1, y1, and polygons x0, y0, x1, y1, ... of segments."""

    boxes: np.ndarray
    polygons: tuple

    def region(self, shape: tuple[int, int]) -> np.ndarray:
        """Mask, bool (height, width), of all of them; a pixel that a box touches belongs to it."""
        inside = rasterise(self.polygons, shape)
        low, high = (side.astype(int).clip(0) for side in (np.floor(self.boxes[:, :2]), np.ceil(self.boxes[:, 2:])))
        for (x0, y0), (x1, y1) in zip(low, high, strict=True):
            inside[y0:y1, x0:x1] = True
        return inside


def outlines(people: pd.DataFrame, segments: pd.DataFrame | None = None) -> Mapping[str, Outlines]:
    """Image -> where its people are, for images where that is known of each of them.

    people, segments: release's People and Segments. A person is the union of their segments, or their box where they
    have none; without `segments` everyone is their box.
    """
    boxes = pictures.person_boxes(people)
    drawn = people[KEY].merge(segments[[*KEY, "polygon"]], on=KEY) if segments is not None else None
    if drawn is not None:
        boxes = boxes[~pd.MultiIndex.from_frame(boxes[KEY]).isin(pd.MultiIndex.from_frame(drawn[KEY]))]
    known = boxes[KEY] if drawn is None else pd.concat([boxes[KEY], drawn[KEY].drop_duplicates()])
    told, counts = known.groupby("image").size(), people.groupby("image").size()
    sides = {image: some[["x0", "y0", "x1", "y1"]].to_numpy(float) for image, some in boxes.groupby("image")}
    shapes = {} if drawn is None else {image: tuple(some["polygon"]) for image, some in drawn.groupby("image")}
    return {
        image: Outlines(sides.get(image, np.empty((0, 4))), shapes.get(image, ()))
        for image, count in told.items()
        if count == counts[image]
    }


def variant(picture: np.ndarray, people: np.ndarray | None, part: str) -> np.ndarray | None:
    """A picture (height, width, 3) uint8 as `part` of VARIANTS has it; None where it needs the people's region, bool
    (height, width), and that isn't known."""
    if part == "image":
        return picture
    if people is None:
        return None
    if part == "people_blurred":
        return np.where(people[:, :, np.newaxis], blurred(picture, SIGMA * max(picture.shape[:2]) / LONGEST), picture)
    return np.where(people[:, :, np.newaxis] == (part == "background_masked"), picture, np.uint8(0))


def blurred(picture: np.ndarray, sigma: float) -> np.ndarray:
    """The picture under a Gaussian of `sigma` px, mirrored at its edges: (height, width, 3) uint8."""
    import cv2

    height, width = picture.shape[:2]
    times = max(1.0, sigma / FINEST)
    size = max(1, round(width / times)), max(1, round(height / times))
    small = cv2.resize(picture.astype(np.float32), size, interpolation=cv2.INTER_AREA)
    sides = {"sigmaX": sigma * size[0] / width, "sigmaY": sigma * size[1] / height}
    soft = cv2.GaussianBlur(small, (0, 0), **sides, borderType=cv2.BORDER_REFLECT)
    return np.round(cv2.resize(soft, (width, height), interpolation=cv2.INTER_LINEAR)).astype(np.uint8)


def share_seen(people: np.ndarray | None, window: tuple[float, float, float, float] | None) -> float:
    """Share of the pixels of a region, bool (height, width), that lie in a window x0, y0, x1, y1; NaN of nothing."""
    if people is None or window is None or not people.any():
        return float("nan")
    x0, y0, x1, y1 = (max(round(side), 0) for side in window)
    return float(people[y0:y1, x0:x1].sum() / people.sum())
