"""What annotators draw into a photograph: polygons, keypoints, boxes and regions, with the noise of a human hand.

All coordinates are px of the upright image, rounded to 0.1; boxes are x_min, y_min, width, height.
"""

from typing import Any

import numpy as np

from accord.vocabularies import KEYPOINTS, SEGMENTS
from accord_demo.polygons import fill, outline, polygons

KEYPOINT_NOISE, BOX_NOISE, REGION_MARGIN = 0.8, 0.7, 4.0
"""Standard deviations of clicks, and how far a region is drawn around what it hides, px at the standard size."""
REGION_KINDS = {"plate": "license_plate", "card": "card", "screen": "screen", "logo": "logo"}
BYSTANDER, BACKGROUND = "bystander", 255


def trace(photograph, rng: np.random.Generator, scale: float) -> dict:
    """The annotations of a photograph (`render.Photograph`): people, regions, width and height.

    scale: size of the picture as a share of the standard size; noise shrinks with it.
    """
    height, width = photograph.labels.shape
    people, regions = [], []
    for number, person in enumerate(photograph.people, 1):
        mask = photograph.instances == number
        if person.role == BYSTANDER:
            regions += [{"kind": BYSTANDER, "polygon": p} for p in _hide(mask, photograph, scale)]
        else:
            people.append(_person(person, mask, photograph.labels, rng, scale))
    for thing in photograph.objects:
        mask = fill([thing.polygon], (height, width))
        regions += [{"kind": REGION_KINDS[thing.kind], "polygon": p} for p in _hide(mask, photograph, scale)]
    numbered = [{"region": f"r{i}", **region} for i, region in enumerate(regions, 1)]
    return {"people": people, "regions": numbered, "width": width, "height": height}


def _person(person, mask: np.ndarray, labels: np.ndarray, rng, scale: float) -> dict:
    segments: list[dict[str, Any]] = []
    for number, name in enumerate(SEGMENTS):
        for num, polygon in enumerate(polygons(mask & (labels == number), scale), 1):
            segments.append({"class_name": name, "num": num, "polygon": [{"x": x, "y": y} for x, y in polygon]})
    drawn = fill([[(p["x"], p["y"]) for p in s["polygon"]] for s in segments], mask.shape)
    return {
        "face_bbox": _box(person.face_box, mask.shape, rng, scale) if person.face_box else None,
        "person_bbox": _box(_bounds(drawn), mask.shape, rng, scale),
        "keypoints": _keypoints(person.keypoints, drawn, rng, scale),
        "segments": segments,
    }


def _keypoints(points: np.ndarray, drawn: np.ndarray, rng, scale: float) -> dict[str, list[float]]:
    """Name -> x, y and 1 if visible. An annotator clicks on the person, not beside: a click that noise has moved off
    the drawn body falls where the point is; a point that is not on it (out of the frame, behind something) is left out.
    """
    clicks = points[:, :2] + rng.normal(0, KEYPOINT_NOISE * scale, (len(points), 2))
    inner = _eroded(drawn)
    found = {}
    for name, click, (x, y, visible) in zip(KEYPOINTS, clicks, points, strict=True):
        at = next((p for p in (click, (x, y)) if _on(inner, *p)), None)
        if at is not None:
            found[name] = [round(float(at[0]), 1), round(float(at[1]), 1), int(visible)]
    return found


def _on(mask: np.ndarray, x: float, y: float) -> bool:
    height, width = mask.shape
    return bool(0 <= round(x) < width and 0 <= round(y) < height and mask[round(y), round(x)])


def _eroded(mask: np.ndarray) -> np.ndarray:
    import cv2

    return cv2.erode(mask.astype(np.uint8), np.ones((3, 3), np.uint8)).astype(bool)


def _box(box, shape: tuple[int, int], rng, scale: float) -> list[float]:
    """A box as it is drawn: each side a little off, inside the image."""
    x, y, w, h = box
    sides = np.array([x, y, x + w, y + h]) + rng.normal(0, BOX_NOISE * scale, 4)
    left, top, right, bottom = np.clip(sides, 0, [shape[1], shape[0], shape[1], shape[0]])
    return [round(float(v), 1) for v in (left, top, max(1.0, right - left - 0.1), max(1.0, bottom - top - 0.1))]


def _bounds(mask: np.ndarray) -> tuple[float, float, float, float]:
    rows, columns = np.nonzero(mask)
    left, top = columns.min(), rows.min()
    return float(left), float(top), float(columns.max() + 1 - left), float(rows.max() + 1 - top)


def _hide(mask: np.ndarray, photograph, scale: float) -> list[list[list[float]]]:
    """Polygons around what must be painted out; subjects in front of it stay untouched."""
    import cv2

    margin = max(1, round(REGION_MARGIN * scale))
    wide = cv2.dilate(mask.astype(np.uint8), np.ones((2 * margin + 1,) * 2, np.uint8)).astype(bool)
    subjects = [number for number, person in enumerate(photograph.people, 1) if person.role != BYSTANDER]
    return outline(wide & ~np.isin(photograph.instances, subjects), scale)
