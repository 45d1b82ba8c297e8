"""What each answer comes to, given the class that a person is of."""

import pandas as pd

from accord.evaluate.asking.class_questions import DIRECT
from accord.evaluate.labelling.exact import NO, UNKNOWN, YES

FAILED = "failed"
SAID = (YES, NO, UNKNOWN, FAILED)
REFUSED = "refused"
"""Status of an answer that a model declined to give: an abstention, counted with `unknown`."""
KEY = ["model", "question", "encoder", "image", "subject"]


def outcomes(labels: pd.DataFrame, truth: pd.DataFrame) -> pd.DataFrame:
    """One row per answer about an image of known class: KEY, class, contrast, said.

    labels: AnswerLabels; truth: image, subject, class. contrast: whether the question names another class than the
    person's. said: yes (p1: the answer is the class), no (p1: another), unknown (or refused), failed (no text, or none
    that could be read).
    """
    rows = labels.merge(truth, on=["image", "subject"], validate="many_to_one")
    direct = rows["question"] == DIRECT
    said = rows["label"].where(~direct, (rows["label"] == rows["class"]).map({True: YES, False: NO}))
    said = said.mask(rows["label"] == "", FAILED).mask(rows["status"] == REFUSED, UNKNOWN)
    contrast = ~direct & (rows["about"] != rows["class"])
    return rows[[*KEY, "class"]].assign(contrast=contrast, said=said)
