"""What people are to watch in a shard: painted videos, with the moments to look at."""

from collections.abc import Iterator
from typing import Any

import pandas as pd
from pandera.typing import DataFrame

from accord.checks.settling.items import item_id, ordered
from accord.checks.tables.findings import Items
from accord.checks.tables.videos import FramesSeen
from accord.engine import table
from accord.errors import AccordError, Problem
from accord.findings import FAIL, REVIEW
from accord.privacy.tables import Findings, Moments, PaintedVideos, Passages
from accord.queues import VIDEOS
from accord.text.nouns import counted

ALL, FOUND = MODES = ("all", "findings")
CHECK = "video_review"
PAINTED = "painted"
UNSEEN = "every video is watched before it is published"


def items(videos: DataFrame[PaintedVideos], findings: DataFrame[Findings], *, review: str) -> DataFrame[Items]:
    """One item per painted video that a person is to watch; `review`: `all` of them, or those with `findings` that want
    one. Nobody is asked about a video that a finding fails.

    A decision is on the painted file, and on what was found in it: where a check finds something that was not there,
    people are asked anew.
    """
    if review not in MODES:
        raise AccordError(Problem("privacy.videos.review", f"{review!r} is not one of {', '.join(MODES)}"))
    stopped = set(findings.loc[findings["verdict"] == FAIL, "image"])
    wanted = findings[findings["verdict"] == REVIEW].groupby("image")["check"].agg(sorted).to_dict()
    asked = videos[~videos["image"].isin(stopped)]
    asked = asked if review == ALL else asked[asked["image"].isin(wanted)]
    return ordered([_item(row, wanted.get(row.image, [])) for row in asked.itertuples()])


def _item(video: Any, checks: list[str]) -> dict:
    return {
        "item": item_id(VIDEOS, video.image, "", "", video.sha256, *checks),
        "queue": VIDEOS,
        "image": video.image,
        "subject": video.subject,
        "other": "",
        "region": "",
        "check": CHECK,
        "kind": "",
        "polygon": [],
        "score": None,
        "threshold": None,
        "reason": f"{counted(len(checks), 'check')} found something in its frames" if checks else UNSEEN,
    }


def moments(seen: DataFrame[FramesSeen], passages: DataFrame[Passages]) -> DataFrame[Moments]:
    """What was seen in frames, and where somebody is painted over, in the order of time; what is seen in several frames
    in a row is one."""
    rows = [*_of_frames(seen)]
    rows += [(row.image, row.begin, row.end, PAINTED, "somebody whom no box explains") for row in passages.itertuples()]
    return table.rows(sorted(rows), Moments)


def _of_frames(seen: pd.DataFrame) -> Iterator[tuple]:
    for (image, check, reason), rows in seen.groupby(["image", "check", "reason"]):
        frames = rows.sort_values("frame").drop_duplicates("frame")
        for _, run in frames.groupby((frames["frame"].diff() != 1).cumsum()):
            yield image, run["seconds"].iloc[0], run["seconds"].iloc[-1], check, reason
