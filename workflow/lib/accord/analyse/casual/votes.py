"""Votes of raters on the skin of people: `votes.csv`, with a row per vote, or those of the review page."""

from collections.abc import Collection
from pathlib import Path

import pandas as pd
from pandera.typing import DataFrame

from accord.analyse.casual import files
from accord.analyse.casual.scales import Scale
from accord.analyse.casual.tables import Votes
from accord.engine.table import rows
from accord.errors import all_problems
from accord.review.database import store
from accord.review.database.rated_votes import skin_votes

COLUMNS = ("subject", "rater", "type", "uncertain")


def read(path: Path, scale: Scale, subjects: Collection[str]) -> DataFrame[Votes]:
    """The votes of a file on a scale, CSV or Parquet: subject, rater, type (number or label), uncertain (0 or 1).

    subjects: those there are. Raises AccordError with all that is wrong, by rows.
    """
    with all_problems() as problems:
        found, where = files.read(path, COLUMNS, problems), str(path)
        types = found["type"].map(scale.value)
        uncertain = files.truths(found["uncertain"])
        named = (found["subject"] != "") & (found["rater"] != "")
        span = f"1 to {len(scale.labels)}, or {scale.labels[0]} to {scale.labels[-1]}"
        files.tell(where, types.isna(), f"type is not on the scale {scale.name}", f"use {span}", problems)
        files.tell(where, uncertain.isna(), "uncertain is neither 0 nor 1", "1: the rater was not sure", problems)
        files.tell(where, ~named, "has no subject or no rater", "every vote needs both", problems)
        unknown = (found["subject"] != "") & ~found["subject"].isin(set(subjects))
        files.tell(where, unknown, "subject is unknown", "use the ids of the dataset's people", problems)
        again = named & found.duplicated(["subject", "rater"])
        files.tell(where, again, "a rater votes on the same subject again", "keep one vote of each rater", problems)
    made = pd.DataFrame({"subject": found["subject"], "rater": found["rater"], "type": types, "uncertain": uncertain})
    return rows(made.sort_values(["subject", "rater"]).to_dict("records"), Votes)


def of_page(vault: Path, scale: Scale, subjects: Collection[str]) -> DataFrame[Votes]:
    """The votes from the review page on some people, on a scale; none without a vault of reviews.

    Raises AccordError where a vote is not as it was recorded.
    """
    with store.reading(vault) as db:
        found = skin_votes(db)
    mine = found[(found["scale"] == scale.name) & found["subject"].isin(set(subjects))]
    return rows(mine.drop(columns="scale").to_dict("records"), Votes)
