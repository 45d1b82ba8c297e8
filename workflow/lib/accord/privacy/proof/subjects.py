"""Is anybody who stays painted over, or copied into what is painted? By annotations, detectors and pixels.

Like declared.py this shares no code with what paints.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from accord.checks.personal.bystanders import Known, strangers
from accord.models.detectors import faces_blazeface, faces_yunet
from accord.privacy.proof import declared
from accord.privacy.protecting.people import Person

MOST = 0.5
"""Share of a face or body from which on it is as good as gone."""
ALIKE = 0.9
"""Correlation of detail from which on a tile was copied (docs/privacy.md)."""
TILE, TILES, LARGEST = 24, 64, 1024
"""Px of the tiles that are looked for, how many at most, and px of the picture's longer side."""
CONTRAST, CORNERS, BLUR = 3.0, 0.2, 3.0
"""From which on a tile can be told from others: standard deviation of its detail, levels, and the share of its weaker
direction (Harris and Stephens 1988), since one straight edge is like any other. Px over which detail stands out."""
SMALLEST_FACE = 0.04
NOBODY = np.zeros((0, 4))


def covered(people: Sequence[Person], painted: np.ndarray) -> float:
    """The largest share of anybody's face, or of their body, that is painted; painted: bool (H, W).

    A body is its segments, or the box where they don't show all of it.
    """
    parts = [part for person in people for part in (person.faces, _body(person)) if part]
    masks = [declared.bodies(part, painted.shape) for part in parts]
    return max((float((mask & painted).sum() / mask.sum()) for mask in masks if mask.any()), default=0.0)


def are_lost(before: np.ndarray, people: Sequence[Person], painted: np.ndarray) -> bool:
    """Whether detectors find somebody in what is painted of a picture, uint8 (H, W, 3), and elsewhere fewer people than
    are annotated: boxes of another picture, or in other units, save nobody."""
    nothing = np.zeros_like(painted)
    everybody, remaining = (
        strangers(before, Known(NOBODY, NOBODY, mask), SMALLEST_FACE) for mask in (nothing, painted)
    )
    return len(remaining) < min(len(people), len(everybody))


def copied(before: np.ndarray, after: np.ndarray, people: Sequence[Person], painted: np.ndarray) -> float:
    """The highest correlation of a tile of what is painted with a place of anybody's body in the picture before.

    before, after: uint8 (H, W, 3); painted: bool (H, W). It is 1 for a copy, whatever its light.
    """
    import cv2

    times = min(1.0, LARGEST / max(painted.shape))
    size = [max(1, round(side * times)) for side in painted.shape[::-1]]
    bodies = declared.bodies((box for person in people for box in (*person.faces, *_body(person))), painted.shape)
    there, hole = (_small(mask, size) for mask in (bodies & ~painted, painted))
    source, fill = (_detail(cv2.resize(picture, size, interpolation=cv2.INTER_AREA)) for picture in (before, after))
    part, places = _part(there, TILE), _whole(there)
    if part is None or not places.any():
        return 0.0
    source, places = np.ascontiguousarray(source[part]), places[part][: 1 - TILE, : 1 - TILE]
    correlations = (cv2.matchTemplate(source, tile, cv2.TM_CCOEFF_NORMED)[places] for tile in _tiles(fill, hole))
    return max((float(values.max(initial=0)) for values in correlations), default=0.0)


def faces(before: np.ndarray, people: Sequence[Person]) -> tuple[list[Sequence[float]], np.ndarray]:
    """left, top, right, bottom of all faces in a picture, annotated or detected; and where people are, bool (H, W)."""
    detections = [detection.box for detection in (*faces_yunet(before), *faces_blazeface(before))]
    boxes = [(box[0], box[1], box[4], box[5]) for person in people for box in person.faces]
    bodies = declared.bodies((part for person in people for part in (*person.faces, *_body(person))), before.shape[:2])
    return [*boxes, *detections], bodies


def _body(person: Person) -> list[Sequence[float]]:
    return person.segments if person.is_outlined() else [*person.segments, *person.bodies]


def _tiles(fill: np.ndarray, hole: np.ndarray) -> list[np.ndarray]:
    """The tiles of detail that lie in a hole, those first in which it runs in all directions."""
    places = np.argwhere(_whole(hole)[:: TILE // 2, :: TILE // 2]) * (TILE // 2)
    tiles = [np.ascontiguousarray(fill[y : y + TILE, x : x + TILE]) for y, x in places]
    weights = [(*_directions(tile), tile) for tile in tiles if tile.std() >= CONTRAST]
    rich = sorted((row for row in weights if row[0] >= CORNERS * row[1]), key=lambda row: row[0], reverse=True)
    return [tile for *_, tile in rich[:TILES]]


def _directions(tile: np.ndarray) -> tuple[float, float]:
    """How much a tile changes in the direction in which it changes least, and in that across."""
    down, across = np.gradient(tile)
    mixed = (down * across).sum()
    weaker, stronger = np.linalg.eigvalsh([[(across**2).sum(), mixed], [mixed, (down**2).sum()]])
    return float(weaker), float(stronger)


def _whole(mask: np.ndarray) -> np.ndarray:
    """The upper left corners of the tiles that lie in a mask."""
    import cv2

    square = np.ones((TILE, TILE), np.uint8)
    return cv2.erode(mask.astype(np.uint8), square, anchor=(0, 0), borderType=cv2.BORDER_CONSTANT, borderValue=0) > 0


def _part(mask: np.ndarray, smallest: int) -> tuple[slice, slice] | None:
    """The part of a picture that a mask is in; None where it is too small."""
    spans = [np.flatnonzero(mask.any(axis)) for axis in (1, 0)]
    if min(map(len, spans)) < smallest:
        return None
    rows, columns = (slice(span[0], span[-1] + 1) for span in spans)
    return rows, columns


def _small(mask: np.ndarray, size: list[int]) -> np.ndarray:
    import cv2

    return cv2.resize(mask.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST) > 0


def _detail(picture: np.ndarray) -> np.ndarray:
    """What stands out of the luma over its blur."""
    import cv2

    luma = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY).astype(np.float32)
    return luma - cv2.GaussianBlur(luma, (0, 0), BLUR)
