"""What is the same in two pictures of a person that were taken within days: clothes, place and time of day."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

import numpy as np

from accord.checks.files.places import kilometres
from accord.checks.matching.garments import Worn, apart
from accord.checks.matching.keypoints import Keypoints
from accord.checks.matching.matches import match

DAY = 24.0
METRES = 1000.0


class Limits(NamedTuple):
    """Under what two pictures count as the same: colours of clothes (units of L*a*b*), metres, hours of the day; and
    from how many keypoints of the background on, whatever GPS says."""

    clothes: float
    metres: float
    hours: float
    inliers: int


class Shot(NamedTuple):
    """What is known of a picture: GPS in degrees (NaN where unknown), scene "" where it isn't declared; `background`:
    keypoints beside the people, None where nobody is outlined, so that people can't be told from it."""

    image: str
    time: datetime
    latitude: float
    longitude: float
    scene: str
    clothes: Worn
    background: Keypoints | None


def alike(one: Shot, other: Shot, limits: Limits) -> dict[str, bool | None]:
    """Whether clothes, place and time of day are the same; None where that can't be told."""
    colours = apart(one.clothes, other.clothes)
    return {
        "clothes": None if np.isnan(colours) else colours < limits.clothes,
        "place": same_place(one, other, limits),
        "time of day": hours_apart(one.time, other.time) < limits.hours,
    }


def same_place(one: Shot, other: Shot, limits: Limits) -> bool | None:
    """One background seen twice is one place, whatever was declared; two scenes at one position are two places."""
    if one.background and other.background and _seen_twice(one.background, other.background, limits.inliers):
        return True
    if one.scene and other.scene and one.scene != other.scene:
        return False
    far = float(kilometres(one.latitude, one.longitude, other.latitude, other.longitude)) * METRES
    return None if np.isnan(far) else far < limits.metres


def _seen_twice(one: Keypoints, other: Keypoints, least: int) -> bool:
    return match(one, other, least).inliers >= least


def hours_apart(one: datetime, other: datetime) -> float:
    """Hours between two times of day, 0 to 12: midnight is near to both sides."""
    hours = abs((one.hour - other.hour) + (one.minute - other.minute) / 60 + (one.second - other.second) / 3600)
    return min(hours, DAY - hours)
