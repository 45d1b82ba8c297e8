"""The age and the gender that a model gives a video, of what it said of its frames.

Casual Conversations (Hazirbas et al., 2021), Section 4.1: "Final predictions are calculated by aggregating results over
these samples (most voted gender and median age)". What becomes of ties isn't stated: here the higher mean score wins.
"""

from collections.abc import Iterator

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord.analyse.casual.tables import FramePredictions, VideoLooks
from accord.engine.table import rows
from accord.vocabularies import age_range

AGE, GENDER = "age", "gender"
NO_FACE, OUTSIDE, NO_TRUTH = "no face in any frame", "an age outside of all ranges", "it isn't known what is right"
NOT_ASKED = "the model wasn't asked about the video"


def video_looks(frames: DataFrame[FramePredictions], truth: pd.DataFrame) -> DataFrame[VideoLooks]:
    """A row for each model, attribute and row of `truth` (video, subject, gender, age_range; "" where it isn't known).

    A video without a face, and an age in no range, are wrong. Frames of other videos don't count. What a model says of
    no frame at all, age or gender, it isn't judged by.
    """
    made = [part for model, some in frames.groupby("model", sort=True) for part in _of_model(str(model), some, truth)]
    columns = list(VideoLooks.to_schema().columns)
    together = pd.concat(made, ignore_index=True) if made else pd.DataFrame(columns=columns)
    known = together["note"].isin(("", NO_FACE, OUTSIDE)).to_numpy(bool)
    right = np.where(known, (together["value"] == together["truth"]).to_numpy(float), np.nan)
    ordered = together.assign(right=right).sort_values(["model", "attribute", "video", "subject"])
    return rows(ordered[columns].to_dict("records"), VideoLooks)


def _of_model(model: str, frames: pd.DataFrame, truth: pd.DataFrame) -> Iterator[pd.DataFrame]:
    found = truth.merge(_videos(frames), on="video", how="left")
    asked = found["frames"].notna()
    whole = found.assign(model=model, frames=found["frames"].fillna(0), faces=found["faces"].fillna(0))
    says = {AGE: frames["age"].notna().any(), GENDER: (frames["gender"] != "").any()}
    for attribute, right in {AGE: "age_range", GENDER: "gender"}.items():
        if says[attribute]:
            said = whole.assign(attribute=attribute, truth=whole[right], value=whole[f"said_{attribute}"].fillna(""))
            yield said.assign(note=_notes(said, asked))


def _notes(said: pd.DataFrame, asked: pd.Series) -> np.ndarray:
    outside = (said["value"] == "") & said["age"].notna() & (said["attribute"] == AGE)
    return np.select(
        [~asked, said["truth"] == "", outside, said["value"] == ""], [NOT_ASKED, NO_TRUTH, OUTSIDE, NO_FACE], ""
    )


def _videos(frames: pd.DataFrame) -> pd.DataFrame:
    """video, frames, faces, said_gender, age (the median), said_age (its range) of one model."""
    faces = (frames["gender"] != "") | frames["age"].notna()
    found = frames.assign(face=faces).groupby("video").agg(
        frames=("face", "size"), faces=("face", "sum"), age=("age", "median")
    )  # fmt: skip
    ranges = [age_range(age) or "" for age in found["age"]]
    return found.assign(said_age=ranges, said_gender=_modes(frames)).reset_index()


def _modes(frames: pd.DataFrame) -> pd.Series:
    """Video -> the gender that most frames have; of a tie that with the higher mean score, then by the alphabet."""
    named = frames[frames["gender"] != ""]
    counts = named.groupby(["video", "gender"])["gender_score"].agg(["size", "mean"]).reset_index()
    order = counts.sort_values(["video", "size", "mean", "gender"], ascending=[True, False, False, True])
    return order.drop_duplicates("video").set_index("video")["gender"]
