"""Bystanders in a video: looked for in some of its frames, and where to paint in every frame."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from accord.checks.personal import bystanders
from accord.imaging import video
from accord.imaging.video import Openable
from accord.models.detectors import YUNET_SIDE, Found, faces_yunet
from accord.privacy.videos.known import People
from accord.privacy.videos.tracks import Look, Track, boxes_at, joined

FACES, TRUNKS = "face_yunet", "person_blazepose"
GROWN = 0.25
"""By how much a painted box is larger than the likely body on each side, in longer sides of the face or trunk: between
looks nobody moves along a straight line exactly."""


ROUNDING = 1e-6
"""Seconds: sums of fractions of a second are not exact."""


class How(NamedTuple):
    """Width of the smallest face to look for, as a share of a frame's longer side; seconds between two looks; the
    longest time that somebody isn't found and is still the same; how long before and after they are painted."""

    smallest_face: float = 0.03
    every: float = 0.2
    gap: float = 1.0
    pad: float = 0.5


class Bystanders(NamedTuple):
    """Tracks by the detector that found them; the begin of each frame in ticks of `unit` seconds; the size of
    a frame, height, width."""

    tracks: dict[str, list[Track]]
    ticks: np.ndarray
    unit: Fraction
    shape: tuple[int, int]

    def at(self, seconds: float, pad: float) -> np.ndarray:
        """Where to paint at a time: int (n, 4) left, top, right, bottom, px, within the frame and not empty."""
        found = [
            _body(check, box, self.shape) for check in self.tracks for box in boxes_at(self.tracks[check], seconds, pad)
        ]
        boxes = np.array(found, int).reshape(-1, 4)
        return boxes[(boxes[:, 2] > boxes[:, 0]) & (boxes[:, 3] > boxes[:, 1])]


def found(file: Openable, people: People, how: How) -> Bystanders:
    """Everybody in a video who is not known. Raises AccordError where it can't be read."""
    looks: dict[str, list[Look]] = {FACES: [], TRUNKS: []}
    ticks, unit, following, shape = array("q"), Fraction(1), 0.0, (0, 0)
    for stored in video.every(file):
        ticks.append(stored.ticks)
        unit = stored.unit
        if stored.seconds >= following - ROUNDING:
            following = stored.seconds + how.every
            pixels = stored.pixels()
            shape = (pixels.shape[0], pixels.shape[1])
            for check, boxes in _looked(pixels, stored.seconds, people, how.smallest_face):
                looks[check].append(Look(stored.seconds, boxes))
    tracks = {check: joined(seen, how.gap) for check, seen in looks.items()}
    return Bystanders(tracks, np.array(ticks), unit, shape)


def _looked(pixels: np.ndarray, seconds: float, people: People, smallest: float) -> Iterator[tuple[str, np.ndarray]]:
    """Detector and boxes (n, 4) of whom it found, and nobody knows."""
    times = bystanders.FACE_PIXELS / (YUNET_SIDE * smallest)
    everybody = [*bystanders.in_tiles(pixels, faces_yunet, times), *bystanders.trunks(pixels)]
    left = bystanders.unknown(everybody, people.at(seconds, pixels.shape), pixels.shape)
    for check in (FACES, TRUNKS):
        own = sorted((one for one in left if one.check == check), key=lambda one: (-one.score, one.box))
        yield check, np.array([group[0].box for group in bystanders.alike(own)]).reshape(-1, 4)


def _body(check: str, box: np.ndarray, shape: tuple[int, int]) -> tuple[int, int, int, int]:
    left, top, right, bottom = bystanders.likely_body(Found(check, 1.0, tuple(box.tolist())), shape)
    more = GROWN * float((box[2:] - box[:2]).max())
    return (
        max(0, int(np.floor(left - more))),
        max(0, int(np.floor(top - more))),
        min(shape[1], int(np.ceil(right + more))),
        min(shape[0], int(np.ceil(bottom + more))),
    )
