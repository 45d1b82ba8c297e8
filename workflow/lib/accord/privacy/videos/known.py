"""People who may stay in a video, and where they are at a time."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from accord.checks.personal.bystanders import Known
from accord.privacy.videos.tracks import Track, boxes_at

FACE, PERSON = "face", "person"


class People(NamedTuple):
    """Tracks of the faces and of the whole persons who may stay."""

    faces: list[Track]
    persons: list[Track]

    def at(self, seconds: float, shape: tuple[int, ...]) -> Known:
        """Whom annotators told of at a time, in a frame of that shape. Nobody is known by a region."""
        return Known(boxes_at(self.faces, seconds), boxes_at(self.persons, seconds), np.zeros(shape[:2], bool))


def people(known: pd.DataFrame, gap: float) -> People:
    """From KnownBoxes: linear between two boxes of a person at most `gap` seconds apart.

    Nobody is known before their first box, after their last one, and between two that are further apart.
    """
    return People(*(_tracks(known[known["kind"] == kind], gap) for kind in (FACE, PERSON)))


def _tracks(rows: pd.DataFrame, gap: float) -> list[Track]:
    tracks = []
    for _, own in rows.sort_values(["person", "seconds"]).groupby("person"):
        seconds = own["seconds"].to_numpy(float)
        corners = own[["x", "y"]].to_numpy(float)
        boxes = np.hstack([corners, corners + own[["width", "height"]].to_numpy(float)])
        breaks = np.flatnonzero(np.diff(seconds) > gap) + 1
        tracks += map(Track, np.split(seconds, breaks), np.split(boxes, breaks))
    return tracks
