"""How a release is made up: sizes of groups, where people are in the picture, and what papers say of other datasets."""

from pathlib import Path
from typing import NamedTuple

import pandas as pd
from pandera.typing import DataFrame

from accord.analyse import references as published
from accord.analyse.composition_tables import (
    AttributeSizes,
    GroupSizes,
    Heat,
    Layout,
    References,
    Spreads,
)
from accord.analyse.describe import describe
from accord.analyse.instances import released
from accord.analyse.shapes import areas
from accord.analyse.tables import Diversity, Members
from accord.checks.tables import Verdicts
from accord.release.tables import Derivatives, Keypoints, People, Segments
from accord.table import rows

OURS = "this release"


class Composed(NamedTuple):
    """`Described`, and published figures."""

    layout: DataFrame[Layout]
    spreads: DataFrame[Spreads]
    heat: DataFrame[Heat]
    group_sizes: DataFrame[GroupSizes]
    attribute_sizes: DataFrame[AttributeSizes]
    references: DataFrame[References]


def run(
    people: DataFrame[People],
    derivatives: DataFrame[Derivatives],
    keypoints: DataFrame[Keypoints],
    segments: DataFrame[Segments],
    members: DataFrame[Members],
    verdicts: DataFrame[Verdicts],
    diversity: DataFrame[Diversity],
    *,
    references: list[Path],
) -> Composed:
    """Of the released images. members: their groups and intersections; references: CSV files of published figures."""
    everyone, outlined = released(people, verdicts), released(segments, verdicts)
    whole = derivatives.loc[derivatives["kind"] == "downsampled", ["image", "width", "height"]]
    covered = areas(outlined).reset_index()[["image", "subject", "area"]]
    described = describe(
        everyone, whole.assign(in_pixels=True), covered, released(keypoints, verdicts), released(members, verdicts)
    )
    told = [*published.read(references), *_ours(everyone, diversity)]
    return Composed(*described, rows(told, References))


def _ours(people: pd.DataFrame, diversity: pd.DataFrame) -> list[dict]:
    """The release's own figures, under the names of the published ones."""
    counts = {"images": people["image"].nunique(), "subjects": people["subject"].nunique()}
    told = [(figure, float(count), "counted") for figure, count in counts.items()]
    scored = diversity.dropna(subset="vendi")
    told += [(f"vendi.{row.part}", row.vendi, f"embedded by {row.model}") for row in scored.itertuples()]
    return [{"dataset": OURS, "figure": figure, "value": value, "source": source} for figure, value, source in told]
