"""People in a picture who are none of those whom annotators outlined, and where their bodies are likely to be."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from accord.imaging.boxes import iou
from accord.models.detectors import YUNET_SIDE, Found, faces_blazeface, faces_yunet, persons

FACE_PIXELS = 12
"""Px of the smallest face that YuNet finds reliably in what it sees (its authors train it from 10)."""
FITS, BODY_FITS = 0.25, 0.35
"""IoU of a face with the box that annotators drew, and of a likely body with a person's box. On the demo's 428 pictures
the subjects' own are at 0.28 and 0.42 or more, one apart, and those of bystanders at 0.38 or less."""
SAME = 0.3
EDGE = 0.1
"""A face of which a tile shows a part seems to end so near the tile's edge, as a share of its longer side."""
COVERED = 0.5
"""Share of a face or trunk that declared regions cover where it is painted with them."""
INSIDE = 0.6
# A standing body, in widths and heights of its face: arms a little apart, hair above, feet below.
WIDE, ABOVE, BELOW = 2.2, 0.6, 8.8


class Known(NamedTuple):
    """Whom annotators told of. faces, persons: boxes of subjects, (n, 4) left, top, right, bottom; regions: bool
    (H, W), what is declared to be painted out. No segment counts: a sloppy one would hide whoever stands there."""

    faces: np.ndarray
    persons: np.ndarray
    regions: np.ndarray


class Stranger(NamedTuple):
    """Somebody whom nobody outlined. body: left, top, right, bottom, px, of where their body is likely to be."""

    found: Found
    body: tuple[float, float, float, float]


def strangers(
    picture: np.ndarray, known: Known, smallest_face: float, whole: list[Found] | None = None
) -> list[Stranger]:
    """Everybody in a picture, uint8 RGB (H, W, 3), who is not known; each once, faces before bodies.

    `smallest_face`: width of the smallest face to look for, as a share of the picture's longer side; smaller ones need
    more and smaller tiles. `whole`: what YuNet finds in the whole picture, where that is known.
    """
    out: list[Stranger] = []
    found = sorted(_found(picture, smallest_face, whole), key=lambda one: (not _is_face(one), -one.score))
    for one in unknown(found, known, picture.shape):
        stranger = Stranger(one, likely_body(one, picture.shape))
        if not any(_same(stranger, other) for other in out):
            out.append(stranger)
    return out


def unknown(found: list[Found], known: Known, shape: tuple[int, ...]) -> list[Found]:
    """The findings in a picture of that shape which no annotator explains.

    One is explained by a declared region over it, or by a subject's box that it fits. A box explains one face, however
    many detectors see it, and one body: what fits it best.
    """
    left = [one for one in found if not _is_covered(one, known.regions)]
    faces, bodies = alike([one for one in left if _is_face(one)]), [[one] for one in left if not _is_face(one)]
    boxes = [[one.box for one in face] for face in faces]
    explained = [face for face, fits in zip(faces, _fitting(boxes, known.faces, FITS), strict=True) if fits]
    likely = [[likely_body(body[0], shape)] for body in bodies]
    explained += [body for body, fits in zip(bodies, _fitting(likely, known.persons, BODY_FITS), strict=True) if fits]
    own = {id(one) for group in explained for one in group}
    return [one for one in left if id(one) not in own]


def _fitting(groups: list[list[tuple]], boxes: np.ndarray, least: float) -> list[bool]:
    """Whether each group is the one that fits one of `boxes`: pairs with the largest IoU first, each of both once."""
    pairs = [
        (float(max(iou(np.array(group), box))), i, j) for i, group in enumerate(groups) for j, box in enumerate(boxes)
    ]
    taken, used = set(), set()
    for value, group, box in sorted(pairs, key=lambda pair: (-pair[0], *pair[1:])):
        if value >= least and group not in taken and box not in used:
            taken.add(group)
            used.add(box)
    return [group in taken for group in range(len(groups))]


def alike(faces: list[Found]) -> list[list[Found]]:
    """Faces, each with the other findings of it; the first is the surest where they come so."""
    groups: list[list[Found]] = []
    for face in faces:
        own = next((group for group in groups if iou(group[0].box, face.box) >= SAME), None)
        if own is None:
            groups.append([face])
        else:
            own.append(face)
    return groups


def _is_covered(found: Found, regions: np.ndarray) -> bool:
    left, top, right, bottom = np.round(found.box).astype(int)
    part = regions[max(top, 0) : max(bottom, 0), max(left, 0) : max(right, 0)]
    return bool(part.size == 0 or part.mean() >= COVERED)


def _is_face(found: Found) -> bool:
    return found.check.startswith("face")


def _found(picture: np.ndarray, smallest_face: float, whole: list[Found] | None = None) -> Iterator[Found]:
    yield from faces_blazeface(picture)
    yield from trunks(picture)
    yield from in_tiles(picture, faces_yunet, FACE_PIXELS / (YUNET_SIDE * smallest_face), whole)


def trunks(picture: np.ndarray) -> list[Found]:
    """Persons whom BlazePose finds in a picture, uint8 RGB (H, W, 3), without those that it dreams of."""
    height, width = picture.shape[:2]
    return [found for found in persons(picture) if _plausible(found.box, width, height)]


def in_tiles(
    picture: np.ndarray, finder: Callable[[np.ndarray], list[Found]], times: float, whole: list[Found] | None = None
) -> Iterator[Found]:
    """What a detector of faces finds in `tiles` of a picture, a face that two tiles show twice; arguments as there."""
    height, width = picture.shape[:2]
    for left, top, part in tiles(picture, times):
        for found in whole if part is picture and whole is not None else finder(part):
            box = _moved(found.box, left, top)
            if not _is_cut(box, (left, top, left + part.shape[1], top + part.shape[0]), width, height):
                yield Found(found.check, found.score, box)


def tiles(picture: np.ndarray, times: float) -> Iterator[tuple[int, int, np.ndarray]]:
    """Left, top and pixels of the whole picture, then of tiles in which all is seen `times` as large.

    Tiles overlap by a half, so that a face which one of them cuts is whole in another.
    """
    yield 0, 0, picture
    if times <= 1:
        return
    side = int(np.ceil(max(picture.shape[:2]) / times))
    for top in _starts(picture.shape[0], side):
        for left in _starts(picture.shape[1], side):
            yield left, top, picture[top : top + side, left : left + side]


def _is_cut(box: tuple[float, ...], tile: tuple[int, ...], width: int, height: int) -> bool:
    """Whether a tile ends in a face, or hardly beyond it, where the picture goes on: the face is whole in another tile,
    or so large that the whole picture shows it."""
    left, top, right, bottom = box
    near = EDGE * max(right - left, bottom - top)
    return (
        (tile[0] > 0 and left - tile[0] < near)
        or (tile[1] > 0 and top - tile[1] < near)
        or (tile[2] < width and tile[2] - right < near)
        or (tile[3] < height and tile[3] - bottom < near)
    )


def _starts(length: int, side: int) -> list[int]:
    if length <= side:
        return [0]
    count = int(np.ceil(2 * length / side)) - 1
    return [round(place) for place in np.linspace(0, length - side, count)]


def _plausible(box: tuple[float, ...], width: int, height: int) -> bool:
    """Whether a trunk lies in the picture: BlazePose dreams of larger ones outside."""
    left, top, right, bottom = box
    shown = max(0, min(right, width) - max(left, 0)) * max(0, min(bottom, height) - max(top, 0))
    return shown >= INSIDE * (right - left) * (bottom - top) and right - left <= 0.75 * max(width, height)


def likely_body(found: Found, shape: tuple[int, ...]) -> tuple[float, float, float, float]:
    """Where a whole body is likely to be: from a face by its proportions, from a trunk twice its size."""
    left, top, right, bottom = found.box
    middle, width, height = (left + right) / 2, right - left, bottom - top
    if _is_face(found):
        body = (middle - WIDE * width, top - ABOVE * height, middle + WIDE * width, bottom + BELOW * height)
    else:
        body = (middle - 0.75 * width, top - 0.75 * height, middle + 0.75 * width, bottom + 1.25 * height)
    low, high = (0.0, 0.0), (float(shape[1]), float(shape[0]))
    return (max(body[0], low[0]), max(body[1], low[1]), min(body[2], high[0]), min(body[3], high[1]))


def _same(one: Stranger, other: Stranger) -> bool:
    """Whether two findings are one person: their faces overlap, or the middle of one's trunk is in the other's body."""
    if _is_face(one.found) and _is_face(other.found):
        return bool(iou(one.found.box, other.found.box) >= SAME)
    left, top, right, bottom = one.found.box
    x, y = (left + right) / 2, (top + bottom) / 2
    return other.body[0] <= x <= other.body[2] and other.body[1] <= y <= other.body[3]


def _moved(found: tuple[float, float, float, float], x: int, y: int) -> tuple[float, float, float, float]:
    left, top, right, bottom = found
    return left + x, top + y, right + x, bottom + y
