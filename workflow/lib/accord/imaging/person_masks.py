"""Pixels that a person covers: the union of their segments, as COCO's run-length masks."""

from collections.abc import Iterable

import numpy as np
import pandas as pd
from pycocotools import mask as coco

CORNERS = 3


def union(polygons: Iterable[np.ndarray], height: int, width: int) -> dict:
    """The union of polygons (x0, y0, x1, y1, ... px) in a height x width picture, as compressed RLE.

    Filled as pycocotools fills them; polygons with fewer than three corners cover nothing.
    """
    lists = [list(map(float, polygon)) for polygon in polygons]
    solid = [xy for xy in lists if len(xy) >= 2 * CORNERS]
    if not solid:
        return coco.encode(np.zeros((height, width), np.uint8, order="F"))
    return coco.merge(coco.frPyObjects(solid, height, width))


def areas(segments: pd.DataFrame) -> pd.Series:
    """px that the segments of each (image, subject) cover together: a Series named `area`, indexed by the two."""
    grouped = segments.groupby(["image", "subject"], sort=True)["polygon"]
    return grouped.agg(_area).astype(float).rename("area")


def _area(polygons: pd.Series) -> float:
    points = np.concatenate([np.asarray(polygon, float) for polygon in polygons])
    width, height = (int(np.ceil(points[axis::2].max(initial=1))) for axis in (0, 1))
    return float(coco.area(union(polygons, height, width)))
