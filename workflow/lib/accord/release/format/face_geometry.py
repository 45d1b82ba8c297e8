"""Where the faces of pictures lie: windows of crops, oriented squares of aligned faces."""

from typing import NamedTuple

import numpy as np
import pandas as pd

from accord.release.format.fhibe import LEFT_EYE, MOUTH_LEFT, MOUTH_RIGHT, RIGHT_EYE
from accord.release.format.geometry import Size, crop_window, ffhq_rectangle
from accord.release.format.scaled import FACE

LANDMARKS = (RIGHT_EYE, LEFT_EYE, MOUTH_RIGHT, MOUTH_LEFT)


class FaceGeometry(NamedTuple):
    """A subject's face in px of the downsampled picture; None where there is no box, or eyes and mouth aren't seen."""

    subject: str
    window: tuple[int, int, int, int] | None
    rectangle: np.ndarray | None


def geometries(people: pd.DataFrame, keypoints: pd.DataFrame, sizes: dict[str, Size]) -> dict[str, list[FaceGeometry]]:
    """The faces in each image, sorted by subject; tables in px of the pictures whose `sizes` are given."""
    marks = _landmarks(keypoints)
    found: dict[str, list[FaceGeometry]] = {}
    for person in people.sort_values(["image", "subject"]).itertuples():
        size, box = sizes[person.image], np.array([getattr(person, name) for name in FACE], float)
        window = None if np.isnan(box).any() else crop_window(box, size)
        square = _rectangle(marks.get((person.image, person.subject), {}), size)
        found.setdefault(person.image, []).append(FaceGeometry(person.subject, window, square))
    return found


def _landmarks(keypoints: pd.DataFrame) -> dict[tuple[str, str], dict[int, tuple[float, float]]]:
    seen = keypoints[keypoints["visible"] & keypoints["keypoint"].isin(LANDMARKS)]
    found: dict = {}
    for row in seen.itertuples():
        found.setdefault((row.image, row.subject), {})[row.keypoint] = (row.x, row.y)
    return found


def _rectangle(marks: dict[int, tuple[float, float]], size: Size) -> np.ndarray | None:
    """The square of a face whose eyes and mouth corners are all seen, in a picture of that size."""
    points = [marks[name] for name in LANDMARKS if name in marks]
    inside = [(np.array(point) >= 0).all() and (np.array(point) <= size).all() for point in points]
    return ffhq_rectangle(*points) if len(points) == len(LANDMARKS) and all(inside) else None
