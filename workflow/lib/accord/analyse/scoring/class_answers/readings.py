"""How answers were read: as they are, by an encoder, or not at all."""

from typing import Any

import pandas as pd

from accord.analyse.scoring.class_answers.counting import RUN
from accord.analyse.scoring.class_answers.outcomes import REFUSED


def readings(labels: pd.DataFrame) -> list[dict[str, Any]]:
    """One record per run, as Readings has them. labels: AnswerLabels."""
    found = []
    for key, part in labels.groupby(RUN, sort=True):
        read, refused = part["label"] != "", part["status"] == REFUSED
        near = read & ~part["exact"] & ~refused
        counts = {"exact": part["exact"] & ~refused, "nearest": near, "refused": refused, "unread": ~read & ~refused}
        sums = {name: int(which.sum()) for name, which in counts.items()}
        told = dict(zip(RUN, key, strict=True)) | {"answers": len(part), **sums}
        found.append(told | {"cosine": part.loc[near, "cosine"].median()})
    return found
