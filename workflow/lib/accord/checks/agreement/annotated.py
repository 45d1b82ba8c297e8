"""What annotators drew, as units that people can be asked about."""

import pandas as pd
from pandera.typing import DataFrame

from accord.checks.tables.summary import Annotated
from accord.engine import table
from accord.review.drawn.drawings import drawings, region


def units(people: pd.DataFrame, keypoints: pd.DataFrame, segments: pd.DataFrame) -> DataFrame[Annotated]:
    """One row per person, image and type of annotation that was drawn of them."""
    rows = [(*key, region(key, parts)) for key, parts in drawings(people, keypoints, segments).items()]
    return table.rows(sorted(rows), Annotated)
