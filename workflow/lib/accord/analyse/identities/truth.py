"""Whom a face shows, of pictures whose people are annotated: what hand labels would say, without a hand."""

import numpy as np
import pandas as pd

from accord.imaging.boxes import iou

LEAST = 0.2
"""Intersection over union from which on a face is an annotated person's. Detectors and annotators draw faces
differently (with or without forehead and ears), and two people's faces hardly overlap."""
SIDES = ["x0", "y0", "x1", "y1"]


def truth(faces: pd.DataFrame, people: pd.DataFrame) -> pd.DataFrame:
    """The rows of `HandLabels`: face, label. faces: `FaceIds`; people: `People` of their pictures.

    1: the face is the query's person's; 0: another annotated person's, by the largest mean overlap with the boxes of
    all services; -1: of nobody whose face is annotated. In a picture of one person without an annotated face it is
    taken to be theirs.
    """
    found = faces[faces["face"] != ""].merge(people, on="image")
    x, y, width, height = (found[f"face_{side}"].to_numpy(float) for side in ("x", "y", "width", "height"))
    drawn = np.stack([x, y, x + width, y + height], axis=1)
    found["shared"] = np.nan_to_num(iou(found[SIDES].to_numpy(float), drawn))
    alone = found.groupby("face")["subject"].transform("nunique") == 1
    found.loc[alone & np.isnan(drawn).any(axis=1), "shared"] = 1.0
    mean = found.groupby(["face", "query", "subject"])["shared"].mean().reset_index()
    best = mean.sort_values(["face", "shared", "subject"], ascending=[True, False, True]).drop_duplicates("face")
    label = np.where(best["shared"] < LEAST, -1, (best["subject"] == best["query"]).astype(int))
    return pd.DataFrame({"face": best["face"].to_numpy(), "label": label})
