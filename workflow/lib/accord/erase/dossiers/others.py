"""Other people in a video of somebody who is to be erased: by what is seen of them alone, nothing is looked for.

Their own films from the same place would be found by it, which stay.
"""

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
import pyarrow.parquet as pq

from accord.privacy.videos.known import People, people
from accord.scan.dossier import Print
from accord.scan.pictures import KNOWN_SIDE, MIN_INLIERS

COLUMNS = ["subject", "kind", "seconds", "x", "y", "width", "height"]


class InVideo(NamedTuple):
    """Where boxes tell that she is in a video, and where others are."""

    her: People
    others: People

    def left_out(self, known: Print, seconds: float, shape: tuple[int, ...]) -> Print:
        """The print of a frame without the features in others' boxes alone; whole where too few are left."""
        points = known.points / min(1.0, KNOWN_SIDE / max(shape[:2]))
        kept = ~_inside(points, self.others, seconds, shape) | _inside(points, self.her, seconds, shape)
        if kept.sum() < MIN_INLIERS:
            return known
        return known._replace(points=known.points[kept], descriptors=known.descriptors[kept])


def of_video(boxes: Path, image: str, subject: str) -> InVideo:
    """From a table VideoBoxes; nobody where there is none."""
    told = pq.read_table(boxes, filters=[("image", "=", image)]).to_pandas() if boxes.is_file() else pd.DataFrame()
    told = told.reindex(columns=COLUMNS).rename(columns={"subject": "person"})
    mine = told["person"] == subject
    return InVideo(people(told[mine], np.inf), people(told[~mine], np.inf))


def _inside(points: np.ndarray, who: People, seconds: float, shape: tuple[int, ...]) -> np.ndarray:
    """Which points (n, 2), px of the frame, lie in a box of theirs."""
    at = who.at(seconds, shape)
    boxes = np.concatenate([at.faces.reshape(-1, 4), at.persons.reshape(-1, 4)])
    left_top, right_bottom = boxes[None, :, :2], boxes[None, :, 2:]
    within: np.ndarray = (points[:, None] >= left_top) & (points[:, None] <= right_bottom)
    return np.any(np.all(within, axis=2), axis=1)
