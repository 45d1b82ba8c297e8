"""The videos of the mini set, and how many there are of what, beside the published numbers."""

from typing import NamedTuple

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord.analyse.casual.published import Published
from accord.analyse.casual.tables import MiniCounts, MiniSet
from accord.engine.table import rows
from accord.release.archives.ccv1 import BRIGHT, DARK
from accord.release.archives.mini_videos import EACH, chosen

COLUMNS = ["subject", "video", "lighting"]


class Mini(NamedTuple):
    """The videos of the mini set, and how many there are of what, beside the published numbers."""

    videos: DataFrame[MiniSet]
    counts: DataFrame[MiniCounts]


def mini_set(videos: pd.DataFrame, published: Published) -> Mini:
    """videos: subject, video, lighting (dark, bright, "" where it isn't known), a row for each of whom it is."""
    found = chosen(videos[COLUMNS])
    return Mini(rows(found.to_dict("records"), MiniSet), _counts(videos, found, published))


def _counts(videos: pd.DataFrame, chosen: pd.DataFrame, published: Published) -> DataFrame[MiniCounts]:
    lit = videos.groupby("subject")["lighting"].agg(frozenset)
    dark, bright = (lit.map(lambda of, name=name: name in of).to_numpy(bool) for name in (DARK, BRIGHT))
    taken = chosen.groupby("subject").size()
    found = {
        "subjects": videos["subject"].nunique(),
        "videos": videos["video"].nunique(),
        "mini.videos": len(chosen),
        "mini.dark": (chosen["lighting"] == DARK).mean() if len(chosen) else np.nan,
        "subjects.dark_and_bright": (dark & bright).sum(),
        "subjects.only_dark": (dark & ~bright).sum(),
        "subjects.only_bright": (bright & ~dark).sum(),
        "subjects.fewer_videos": (taken < EACH).sum(),
    }
    told = ({"figure": name, "value": float(value), "published": published.of(name)} for name, value in found.items())
    return rows(told, MiniCounts)
