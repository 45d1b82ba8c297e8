"""The tables of what is measured of people in pictures, and of what annotators say of them."""

import pandas as pd
import pandera.pandas as pa

from accord.engine.table import Table

CHANNEL = {"in_range": {"min_value": 0, "max_value": 255}}
TONE = {"in_range": {"min_value": 1, "max_value": 10}}

DIFFER, AGREE, UNLABELLED = "differ", "agree", "unlabelled"
"""Whether an annotator says what the archive does of a face."""


class SkinTones(Table):
    """One row per face: its tone on Monk's scale, 1 (lightest) to 10, or `note`, why there is none.

    red, green, blue: the centre of the largest cluster of its skin, sRGB; tone_rgb, tone_lab: of the swatch nearest to
    that in RGB, and in CIE L*a*b*; share: of the skin that is in the cluster; pixels: of skin.
    """

    image: str
    subject: str
    red: float = pa.Field(nullable=True, **CHANNEL)
    green: float = pa.Field(nullable=True, **CHANNEL)
    blue: float = pa.Field(nullable=True, **CHANNEL)
    tone_rgb: pd.Int64Dtype = pa.Field(nullable=True, **TONE)
    tone_lab: pd.Int64Dtype = pa.Field(nullable=True, **TONE)
    share: float = pa.Field(nullable=True, ge=0, le=1)
    pixels: int = pa.Field(ge=0)
    note: str

    class Config(Table.Config):
        unique = ["image", "subject"]  # noqa: RUF012


class Annotations(Table):
    """One row per annotator and picture: what the annotator says of the face in it, or `note`, why it says nothing.

    subject: the primary person; score: how probable the value is; learnt: whether the picture was learnt from.
    """

    annotator: str
    image: str
    subject: str
    attribute: str
    value: str
    score: float = pa.Field(nullable=True, in_range={"min_value": 0, "max_value": 1.000001})
    learnt: bool
    note: str

    class Config(Table.Config):
        unique = ["annotator", "image"]  # noqa: RUF012


class Studied(Table):
    """One row per annotator and face that people are asked about on the review page (`item`): what it says, and how the
    archive labels it ("": not, or in several ways).

    drawn: whether the two differ or agree, or the archive has no label; size: faces of the subset that are so.
    """

    item: str
    image: str
    subject: str
    annotator: str
    attribute: str
    subset: str
    drawn: str = pa.Field(isin=(DIFFER, AGREE, UNLABELLED))
    size: int = pa.Field(ge=1)
    said: str
    labelled: str

    class Config(Table.Config):
        unique = ["annotator", "item"]  # noqa: RUF012
