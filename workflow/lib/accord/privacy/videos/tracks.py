"""Tracks: boxes that detectors found in some frames of a video, joined over time, and a box for every other frame."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from scipy.optimize import linear_sum_assignment

REACH = 3.0
"""How far a box may be from where its track is expected, in longer sides: of a face about 0.6 m, which somebody who
walks needs 0.4 s for."""
RESIZED = 2.0
"""How many times larger or smaller a box may be than the last one of its track."""
APART = 1e6


class Look(NamedTuple):
    """What was found in a frame, seconds from the start: boxes, float (n, 4) left, top, right, bottom, px."""

    seconds: float
    boxes: np.ndarray


class Track(NamedTuple):
    """Boxes of one thing: seconds, ascending, (n,), and boxes, (n, 4) left, top, right, bottom, px."""

    seconds: np.ndarray
    boxes: np.ndarray

    def at(self, seconds: float, pad: float) -> np.ndarray | None:
        """The box (4,) at a time; None more than `pad` seconds before the first or after the last one.

        Linear between two boxes. Before the first and after the last one it holds that box, and the box where it would
        be if it moved on as before.
        """
        first, last = self.seconds[0], self.seconds[-1]
        if not first - pad <= seconds <= last + pad:
            return None
        held = np.array([np.interp(seconds, self.seconds, side) for side in self.boxes.T])
        if first <= seconds <= last:
            return held
        moved = held + (self._speed(slice(0, 2)) * (seconds - first) if seconds < first else self._after(seconds))
        return np.concatenate([np.minimum(held, moved)[:2], np.maximum(held, moved)[2:]])

    def expected(self, seconds: float) -> np.ndarray:
        """The box (4,) where it would be if it moved on as before."""
        return self.boxes[-1] + self._after(seconds)

    def _after(self, seconds: float) -> np.ndarray:
        return self._speed(slice(-2, None)) * (seconds - self.seconds[-1])

    def _speed(self, two: slice) -> np.ndarray:
        if len(self.seconds) < 2:
            return np.zeros(4)
        return (np.diff(self.boxes[two], axis=0) / np.diff(self.seconds[two])[:, None])[0]


def joined(looks: Iterable[Look], gap: float) -> list[Track]:
    """The tracks of boxes that were found in frames, in ascending time; each box is in one of them.

    A box goes on with the track that is expected to be where it is (the pairs with the least sum of distances); a track
    ends when it has no box for more than `gap` seconds.
    """
    tracks: list[Track] = []
    living: list[int] = []
    for look in looks:
        living = [place for place in living if look.seconds - tracks[place].seconds[-1] <= gap]
        taken, before = _matched([tracks[place] for place in living], look), len(tracks)
        for number, box in enumerate(look.boxes):
            here = Track(np.array([look.seconds]), box[None].astype(float))
            if number in taken:
                place = living[taken[number]]
                pair = zip(tracks[place], here, strict=True)
                tracks[place] = Track(*(np.concatenate(both) for both in pair))
            else:
                tracks.append(here)
        living += range(before, len(tracks))
    return tracks


def boxes_at(tracks: Sequence[Track], seconds: float, pad: float = 0.0) -> np.ndarray:
    """The boxes (n, 4) of all tracks that have one at a time (see Track.at)."""
    found = [box for track in tracks if (box := track.at(seconds, pad)) is not None]
    return np.array(found).reshape(-1, 4)


def spans(tracks: Sequence[Track], pad: float) -> list[tuple[float, float]]:
    """From when to when, in seconds, any track has a box (see Track.at), in order; what overlaps is one."""
    found: list[tuple[float, float]] = []
    for begin, end in sorted((max(0.0, track.seconds[0] - pad), track.seconds[-1] + pad) for track in tracks):
        if found and begin <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], float(end)))
        else:
            found.append((float(begin), float(end)))
    return found


def _matched(tracks: Sequence[Track], look: Look) -> dict[int, int]:
    """Number of a box -> number of the track that it goes on with."""
    if not tracks or not len(look.boxes):
        return {}
    expected = np.array([track.expected(look.seconds) for track in tracks])[:, None]
    last, boxes = np.array([track.boxes[-1] for track in tracks])[:, None], look.boxes[None]
    sides, before = _longer(boxes), _longer(last)
    apart = np.linalg.norm(_centres(expected) - _centres(boxes), axis=-1) / ((sides + before) / 2)
    ratio = np.maximum(sides / before, before / sides)
    cost = np.where((apart <= REACH) & (ratio <= RESIZED), apart, APART)
    return {
        int(box): int(track)
        for track, box in zip(*linear_sum_assignment(cost), strict=True)
        if cost[track, box] < APART
    }


def _centres(boxes: np.ndarray) -> np.ndarray:
    return (boxes[..., :2] + boxes[..., 2:]) / 2


def _longer(boxes: np.ndarray) -> np.ndarray:
    return (boxes[..., 2:] - boxes[..., :2]).max(-1)
