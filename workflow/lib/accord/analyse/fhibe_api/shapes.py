"""Pixels of people as FHIBE's public Evaluation API draws them."""

from collections.abc import Iterable

import numpy as np
import pandas as pd

from accord.analyse.scoring.instances import KEY


def drawn(polygons: Iterable[np.ndarray], height: int, width: int) -> np.ndarray:
    """The union of polygons (x0, y0, x1, y1, ... px) in a picture: (height, width) uint8 of 0 and 1.

    Coordinates are cut to integers (not rounded) and filled with their outline: a square is larger by a row and a
    column of pixels than its area, and a polygon of one or two points is a dot or a line.
    """
    import cv2

    mask = np.zeros((height, width), np.uint8)
    for polygon in polygons:
        points = np.asarray(polygon, float).reshape(-1, 2)
        if len(points):
            cv2.fillPoly(mask, [np.trunc(points).astype(np.int32)], 1)
    return mask


def areas(people: pd.DataFrame, segments: pd.DataFrame, derivatives: pd.DataFrame) -> np.ndarray:
    """px that the segments of each row of `people` (image, subject) cover: (n,), 0 without any.

    derivatives: release's, whose downsampled pictures have the size at which segments are cut.
    """
    small = derivatives[derivatives["kind"] == "downsampled"]
    sizes = {row.image: (int(row.height), int(row.width)) for row in small.itertuples()}
    polygons = dict(list(segments.merge(people[KEY].drop_duplicates(), on=KEY).groupby(KEY)["polygon"]))
    found = {key: float(np.count_nonzero(drawn(some, *sizes[key[0]]))) for key, some in polygons.items()}
    return np.array([found.get(key, 0.0) for key in zip(people["image"], people["subject"], strict=True)])
