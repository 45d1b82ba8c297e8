"""How alike what several people drew or said of one thing is, and what the mean of several is."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import ceil
from typing import Any

import numpy as np

from accord.imaging.keypoints import BLAZEPOSE, oks
from accord.imaging.overlap import iou

MAJORITY = 0.5

Box = tuple[float, float, float, float]
"""x0, y0, x1, y1, px"""
Points = Mapping[int, tuple[float, float]]
"""Number of a visible keypoint (BlazePose) -> place, px."""
Mask = dict[str, Any]
"""COCO's run-length mask."""


def box_of(polygon: Sequence[float]) -> Box:
    """The smallest box around a polygon x0, y0, x1, y1, ..."""
    xs, ys = polygon[0::2], polygon[1::2]
    return min(xs), min(ys), max(xs), max(ys)


def mean_box(boxes: Sequence[Box]) -> Box:
    """The box of the mean sides."""
    return tuple(np.mean(boxes, axis=0).tolist())


def box_iou(left: Box, right: Box) -> float:
    """Intersection over union of two boxes."""
    return float(iou(np.array([left], float), np.array([right], float))[0])


def mask_of(polygons: Sequence[Sequence[float]], height: int, width: int) -> Mask:
    """The pixels that polygons cover together."""
    from accord.imaging.person_masks import union

    return union(map(np.asarray, polygons), height, width)


def mean_mask(masks: Sequence[Mask]) -> Mask:
    """The pixels that half of the masks or more cover."""
    from pycocotools import mask as coco

    enough = ceil(MAJORITY * len(masks))
    return coco.merge([coco.merge(list(some), intersect=True) for some in combinations(masks, enough)])


def mask_iou(left: Mask, right: Mask) -> float:
    """Intersection over union of two masks; 1 where both are empty."""
    shared, total = _overlap(left, right)
    return shared / (total - shared) if total else 1.0


def dice(left: Mask, right: Mask) -> float:
    """Twice the shared pixels over the sum of both masks' pixels; 1 where both are empty."""
    shared, total = _overlap(left, right)
    return 2 * shared / total if total else 1.0


def mean_points(people: Sequence[Points]) -> dict[int, tuple[float, float]]:
    """The mean places of keypoints that half of the people or more see."""
    numbers = sorted({number for points in people for number in points})
    seen = {number: [points[number] for points in people if number in points] for number in numbers}
    enough = {number: places for number, places in seen.items() if len(places) >= MAJORITY * len(people)}
    return {number: tuple(np.mean(places, axis=0).tolist()) for number, places in enough.items()}


def points_oks(found: Points, reference: Points, area: float, *, both: bool = False) -> float:
    """COCO's object keypoint similarity of COCO's 17 keypoints; area: of the person's segments, px^2.

    Over those of the reference, or, of two people of the same standing (`both`), over those that either sees; one that
    the other lacks counts 0. NaN where there is none.
    """
    visible = np.array([n in reference or (both and n in found) for n in BLAZEPOSE])
    pairs = [(found[n], reference[n]) if n in found and n in reference else None for n in BLAZEPOSE]
    away = np.array([np.hypot(*np.subtract(*pair)) if pair else np.inf for pair in pairs])
    return float(oks(away, np.array(area), visible))


def jaccard(left: frozenset[str], right: frozenset[str]) -> float:
    """Shared values over all values of two sets; 1 where both are empty."""
    return len(left & right) / len(left | right) if left | right else 1.0


def mean_values(sets: Sequence[frozenset[str]], *, multiple: bool) -> frozenset[str]:
    """The values that half of the people or more name; of a single choice the most frequent, none where two tie."""
    counts = {value: sum(value in one for one in sets) for value in sorted(frozenset().union(*sets))}
    if multiple:
        return frozenset(value for value, count in counts.items() if count >= MAJORITY * len(sets))
    best = [value for value, count in counts.items() if count == max(counts.values())]
    return frozenset(best) if len(best) == 1 else frozenset()


def _overlap(left: Mask, right: Mask) -> tuple[float, float]:
    """Shared pixels, and the sum of both masks' pixels."""
    from pycocotools import mask as coco

    return float(coco.area(coco.merge([left, right], intersect=True))), float(coco.area(left) + coco.area(right))
