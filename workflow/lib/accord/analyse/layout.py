"""How a release is made up: sizes of groups, where people are in the picture, and what papers say of other datasets."""

from pathlib import Path
from typing import NamedTuple

from pandera.typing import DataFrame

from accord.analyse.describing import references as published
from accord.analyse.describing.describe import describe
from accord.analyse.describing.own_figures import own_figures
from accord.analyse.scoring.instances import released
from accord.analyse.tables.composition import AttributeSizes, GroupSizes, Heat, Layout, References, Spreads
from accord.analyse.tables.scores import Diversity, Members
from accord.checks.tables.findings import Verdicts
from accord.engine.table import rows
from accord.imaging.person_masks import areas
from accord.release.tables import Derivatives, Keypoints, People, Segments

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
    own = own_figures(everyone, released(derivatives, verdicts), described.group_sizes, diversity)
    ours = [{"dataset": OURS, "figure": name, "value": value, "source": how} for name, value, how in own]
    return Composed(*described, rows([*published.read(references), *ours], References))
