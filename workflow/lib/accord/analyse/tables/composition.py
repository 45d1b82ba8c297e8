"""The tables that tell how a dataset is made up: sizes of groups, where people are, published figures."""

import pandera.pandas as pa

from accord.engine.table import Table

HEATS = ("person", "face", "person_centre", "face_centre", "keypoints")
SHARE = {"min_value": 0, "max_value": 1}


class Layout(Table):
    """One row per (feature, bin): how many people in an image have a value in [low, high); the last bin holds `high`.

    Features: docs/statistics.md. low, high: -inf or inf for what lies outside of all other bins; `share` is of all
    people of whom the feature is known.
    """

    feature: str
    bin: int = pa.Field(ge=0)
    low: float
    high: float
    count: int = pa.Field(ge=0)
    share: float = pa.Field(in_range=SHARE)

    class Config(Table.Config):
        unique = ["feature", "bin"]  # noqa: RUF012


class Spreads(Table):
    """One row per feature: of how many people, images and subjects it is known, and its mean and quantiles."""

    feature: str = pa.Field(unique=True)
    people: int = pa.Field(gt=0)
    images: int = pa.Field(gt=0)
    subjects: int = pa.Field(gt=0)
    mean: float
    p5: float
    p25: float
    median: float
    p75: float
    p95: float


class Heat(Table):
    """One row per (kind, row, column) of a grid over the picture, row 0 on top, column 0 on the left.

    person, face: the mean share of the cell that their boxes cover; person_centre, face_centre, keypoints: the share of
    all centres of boxes, or visible keypoints, that lie in the cell, which add up to 1.
    """

    kind: str = pa.Field(isin=HEATS)
    row: int = pa.Field(ge=0)
    column: int = pa.Field(ge=0)
    share: float = pa.Field(in_range=SHARE)

    class Config(Table.Config):
        unique = ["kind", "row", "column"]  # noqa: RUF012


class GroupSizes(Table):
    """One row per (attribute, group), with `not given` and all/all: images and subjects, their shares of all, and the
    median number of images of the group's subjects."""

    attribute: str
    group: str
    images: int = pa.Field(ge=0)
    subjects: int = pa.Field(ge=0)
    share_of_images: float = pa.Field(in_range=SHARE)
    share_of_subjects: float = pa.Field(in_range=SHARE)
    images_per_subject: float = pa.Field(gt=0)

    class Config(Table.Config):
        unique = ["attribute", "group"]  # noqa: RUF012


class AttributeSizes(Table):
    """One row per attribute: its groups, who answered, medians and extremes over its groups.

    evenness: entropy of the groups' shares of memberships / log(groups): 1 where all groups are equally large, 0 where
    all people are in one; undefined with a single group.
    """

    attribute: str = pa.Field(unique=True)
    groups: int = pa.Field(gt=0)
    images: int = pa.Field(gt=0)
    subjects: int = pa.Field(gt=0)
    median_images: float = pa.Field(gt=0)
    median_subjects: float = pa.Field(gt=0)
    smallest: str
    smallest_subjects: int = pa.Field(gt=0)
    largest: str
    largest_subjects: int = pa.Field(gt=0)
    evenness: float = pa.Field(nullable=True, in_range=SHARE)


class References(Table):
    """One row per (dataset, figure, source): what papers published, beside what this release has."""

    dataset: str
    figure: str
    value: float
    source: str

    class Config(Table.Config):
        unique = ["dataset", "figure", "source"]  # noqa: RUF012


class Pictures(Table):
    """One row per image: its size. Where only relative coordinates are known it is 1 x 1 and `in_pixels` is false."""

    image: str = pa.Field(unique=True)
    width: float = pa.Field(gt=0)
    height: float = pa.Field(gt=0)
    in_pixels: bool


class Areas(Table):
    """One row per (image, subject) whose outline is known: the area of it, in the units of the picture."""

    image: str
    subject: str
    area: float = pa.Field(ge=0)

    class Config(Table.Config):
        unique = ["image", "subject"]  # noqa: RUF012
