"""What raters are shown of a shard's people to vote on their skin: one face of each of their videos."""

from typing import Any, NamedTuple

import pandas as pd
from pandera.typing import DataFrame

from accord.engine import table
from accord.evaluate.tables.videos import Frames, SkinFaces
from accord.queues import SKIN
from accord.release.archives.ccv1 import BRIGHT
from accord.release.video_tables import Videos
from accord.review.tables import Items
from accord.shards import opaque_id

CHECK = "skin_vote"
PICTURE = ["image", "member", "offset", "size", "sha256"]


class Asked(NamedTuple):
    """A question for each person with a face, and the faces that it shows."""

    review_items: DataFrame[Items]
    faces: DataFrame[SkinFaces]


def run(videos: DataFrame[Videos], frames: DataFrame[Frames], *, scale: str) -> Asked:
    """One item per person: up to two faces side by side, each the one that the detector is surest of in its video.

    Of two videos of the mini set the bright one comes first; who has no face in them is not asked about. scale:
    fitzpatrick or monk. An item's id follows from person and scale, so that votes last while faces change.
    """
    found = frames[frames["found"]].sort_values(["image", "score", "index"], ascending=[True, False, True])
    best = found.drop_duplicates("image").merge(videos, left_on=["image", "subject"], right_on=["video", "subject"])
    best = best[best["mini"]].assign(dark=lambda told: told["lighting"] != BRIGHT)
    best = best.sort_values(["subject", "dark", "image"], ignore_index=True)
    faces = best[PICTURE].assign(width=best["side"], height=best["side"]).sort_values("image")
    items = [_item(str(subject), theirs, scale) for subject, theirs in best.groupby("subject", sort=True)["image"]]
    return Asked(table.rows(items, Items), table.rows(faces.to_dict("records"), SkinFaces))


def _item(subject: str, faces: pd.Series, scale: str) -> dict[str, Any]:
    first, *others = faces
    return {
        "item": opaque_id("item", SKIN, subject, scale),
        "queue": SKIN,
        "image": first,
        "subject": subject,
        "other": others[0] if others else "",
        "region": "",
        "check": CHECK,
        "kind": scale,
        "polygon": [],
        "score": None,
        "threshold": None,
        "reason": "",
    }
