"""The mini set: two videos of each person, one dark and one bright where there are.

Casual Conversations (Hazirbas et al., 2021), Section 3: "we sub-sample our dataset to include only one pair of videos
per subject ... When possible, we chose one dark and one bright video". Which ones isn't stated: here those with the
smallest digest of subject and video, so that a video that is added or taken away changes nobody else's.
"""

from hashlib import blake2b
from typing import NamedTuple

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord.analyse.casual.published import Published
from accord.analyse.casual.tables import MiniCounts, MiniSet
from accord.engine.table import rows

DARK, BRIGHT = "dark", "bright"
EACH = 2
COLUMNS = ["subject", "video", "lighting"]


class Mini(NamedTuple):
    """The videos of the mini set, and how many there are of what, beside the published numbers."""

    videos: DataFrame[MiniSet]
    counts: DataFrame[MiniCounts]


def mini_set(videos: pd.DataFrame, published: Published) -> Mini:
    """videos: subject, video, lighting (dark, bright, "" where it isn't known), a row for each of whom it is."""
    named = zip(videos["subject"], videos["video"], strict=True)
    told = videos[COLUMNS].assign(digest=[digest(subject, video) for subject, video in named])
    told = told.sort_values(["subject", "digest"], ignore_index=True)
    # The first of each lighting comes before all second ones, and what has no lighting last.
    unlit = ~told["lighting"].isin((DARK, BRIGHT))
    turn = told.groupby(["subject", "lighting"]).cumcount() + unlit * len(told)
    place = told.assign(turn=turn).sort_values(["subject", "turn", "digest"]).groupby("subject").cumcount()
    chosen = told[place.sort_index() < EACH]
    chosen = chosen.sort_values(["subject", "lighting", "video"])
    return Mini(rows(chosen[COLUMNS].to_dict("records"), MiniSet), _counts(videos, chosen, published))


def digest(subject: str, video: str) -> bytes:
    """What videos of a lighting are ordered by: no property of a video, and the same on every machine."""
    return blake2b(f"{subject}\0{video}".encode(), digest_size=16).digest()


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
