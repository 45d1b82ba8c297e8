"""The groups of submitted videos: of whom they show, and of the videos that they were made of."""

import pandas as pd
from pandera.typing import DataFrame

from accord.analyse.casual.deepfakes.submissions import PREFIX
from accord.analyse.tables.scores import Members
from accord.engine.table import check, empty
from accord.grouping import BETWEEN, KEY

LIGHTING = "lighting"


def submitted_members(truth: pd.DataFrame, members: pd.DataFrame) -> DataFrame[Members]:
    """Members of submitted videos, whose image is `submitted/<filename>`.

    truth: filename, subject, video, lighting; members: of the dataset, image being the video. A submitted video is in
    the groups of its video; where that isn't known, in those of the subject that hold for all of the subject's videos.
    A lighting of its own goes before.
    """
    named = truth.assign(image=PREFIX + truth["filename"])
    known = named[named["video"] != ""].rename(columns={"video": "of"})
    own = known.merge(members.rename(columns={"image": "of"}), on=["of", "subject"])
    everywhere = named[named["video"] == ""].merge(_constant(members), on="subject")
    lit = named[named[LIGHTING] != ""]
    stated = lit.assign(attribute=LIGHTING, group=lit[LIGHTING])
    taken = pd.concat([own, everywhere])
    replaced = taken["image"].isin(lit["image"]) & taken["attribute"].map(lambda name: LIGHTING in name.split(BETWEEN))
    whole = pd.concat([taken[~replaced], stated])[[*KEY, "attribute", "group"]].drop_duplicates()
    if whole.empty:
        return empty(Members)
    return check(whole.sort_values(["attribute", "group", *KEY]), Members, "submitted members")


def _constant(members: pd.DataFrame) -> pd.DataFrame:
    """subject, attribute, group of groups that all images of a subject are in."""
    images = members.groupby("subject")["image"].nunique()
    counts = members.groupby(["subject", "attribute", "group"])["image"].nunique().rename("images").reset_index()
    return counts[counts["images"] == counts["subject"].map(images)][["subject", "attribute", "group"]]
