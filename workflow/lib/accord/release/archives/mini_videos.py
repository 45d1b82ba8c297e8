"""The mini set: two videos of each person, one dark and one bright where there are.

Casual Conversations (Hazirbas et al., 2021), Section 3: "we sub-sample our dataset to include only one pair of videos
per subject ... When possible, we chose one dark and one bright video". Which ones isn't stated: here those with the
smallest digest of subject and video, so that a video that is added or taken away changes nobody else's.
"""

from hashlib import blake2b

import pandas as pd

from accord.release.archives.ccv1 import BRIGHT, DARK

EACH = 2


def chosen(videos: pd.DataFrame) -> pd.DataFrame:
    """The rows of the mini set, of rows with subject, video, lighting (dark, bright, "" where it isn't known)."""
    named = zip(videos["subject"], videos["video"], strict=True)
    told = videos.assign(digest=[digest(subject, video) for subject, video in named])
    told = told.sort_values(["subject", "digest"], ignore_index=True)
    # The first of each lighting comes before all second ones, and what has no lighting last.
    unlit = ~told["lighting"].isin((DARK, BRIGHT))
    turn = told.groupby(["subject", "lighting"]).cumcount() + unlit * len(told)
    place = told.assign(turn=turn).sort_values(["subject", "turn", "digest"]).groupby("subject").cumcount()
    found = told[place.sort_index() < EACH].drop(columns="digest")
    return found.sort_values(["subject", "lighting", "video"], ignore_index=True)


def digest(subject: str, video: str) -> bytes:
    """What videos of a lighting are ordered by: no property of a video, and the same on every machine."""
    return blake2b(f"{subject}\0{video}".encode(), digest_size=16).digest()
