"""How a release is made up: sizes of groups, where people are in the picture, and what papers say of other datasets."""

from pathlib import Path
from typing import NamedTuple

import pandas as pd
from pandera.typing import DataFrame

from accord.analyse.describing import references as published
from accord.analyse.describing.describe import Placed, place, summed
from accord.analyse.describing.own_figures import FACES, own_figures
from accord.analyse.scoring.instances import Passing, passing, released
from accord.analyse.tables.composition import AttributeSizes, GroupSizes, Heat, Layout, References, Spreads
from accord.analyse.tables.scores import Diversity, Members
from accord.engine.by_shard import by_shard
from accord.engine.table import rows
from accord.grouping import KEY
from accord.imaging.person_masks import areas
from accord.release.making.views import Passing as Passed
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


class Part(NamedTuple):
    """Of some of the images: people (image, subject, is_primary), where they are, and whose faces are cropped out."""

    people: pd.DataFrame
    placed: Placed
    faces: pd.DataFrame


def part(
    people: pd.DataFrame, derivatives: pd.DataFrame, keypoints: pd.DataFrame, segments: pd.DataFrame, verdicts: Passing
) -> Part:
    """What a shard's tables tell of those of its images that pass."""
    everyone, made = released(people, verdicts), released(derivatives, verdicts)
    whole = derivatives.loc[derivatives["kind"] == "downsampled", ["image", "width", "height"]]
    covered = areas(released(segments, verdicts)).reset_index()[[*KEY, "area"]]
    where = place(everyone, whole.assign(in_pixels=True), covered, released(keypoints, verdicts))
    return Part(everyone[[*KEY, "is_primary"]], where, made.loc[made["kind"].isin(FACES), ["kind", "subject"]])


def composed(
    parts: list[Part], members: pd.DataFrame, verdicts: Passing, diversity: pd.DataFrame, references: list[Path]
) -> Composed:
    """The tables of `run`, of all shards."""
    everyone, faces = (pd.concat([of[at] for of in parts], ignore_index=True) for at in (0, 2))
    described = summed([of.placed for of in parts], everyone, released(members, verdicts))
    own = own_figures(everyone, faces, described.group_sizes, diversity)
    ours = [{"dataset": OURS, "figure": name, "value": value, "source": how} for name, value, how in own]
    return Composed(*described, rows([*published.read(references), *ours], References))


@by_shard("people", "derivatives", "keypoints", "segments", each=part, join=composed, verdicts=passing)
def run(
    people: DataFrame[People],
    derivatives: DataFrame[Derivatives],
    keypoints: DataFrame[Keypoints],
    segments: DataFrame[Segments],
    members: DataFrame[Members],
    verdicts: DataFrame[Passed],
    diversity: DataFrame[Diversity],
    *,
    references: list[Path],
) -> Composed:
    """Of the released images. members: their groups and intersections; references: CSV files of published figures."""
    whole = part(people, derivatives, keypoints, segments, verdicts)
    return composed([whole], members, verdicts, diversity, references)
