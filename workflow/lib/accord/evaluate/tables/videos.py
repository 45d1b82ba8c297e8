"""The tables of videos: the faces that are cut out of their frames, and what models take them for."""

import pandas as pd
import pandera.pandas as pa

from accord.engine.table import Table


class Frames(Table):
    """One row per frame that was looked at, with its largest face, or without one.

    seconds: from the video's start; x, y, width, height: the face's box, px of the upright frame, and score the
    detector's; member, offset, size, sha256: where the crop lies in the bundle, a square of `side` px, `scale` of them
    to a px of the frame, with the face's box in its middle. `note` says why there is no face; of a video that can't be
    read there is one row, index 0.
    """

    image: str
    subject: str
    index: int = pa.Field(ge=0)
    seconds: float = pa.Field(nullable=True, ge=0)
    found: bool
    note: str
    x: float = pa.Field(nullable=True)
    y: float = pa.Field(nullable=True)
    width: float = pa.Field(nullable=True)
    height: float = pa.Field(nullable=True)
    score: float = pa.Field(nullable=True)
    side: pd.Int64Dtype = pa.Field(nullable=True)
    scale: float = pa.Field(nullable=True)
    member: str
    offset: pd.Int64Dtype = pa.Field(nullable=True)
    size: pd.Int64Dtype = pa.Field(nullable=True)
    sha256: str

    class Config(Table.Config):
        unique = ["image", "subject", "index"]  # noqa: RUF012


class Looks(Table):
    """One row per frame that a model of age and gender was shown, or that had no face to show.

    age: years; gender: female or male, "" for none, and its score. Both are missing where there is no face; `note` says
    why.
    """

    model: str
    image: str
    subject: str
    index: int = pa.Field(ge=0)
    age: float = pa.Field(nullable=True, in_range={"min_value": 0, "max_value": 150})
    gender: str = pa.Field(isin=("female", "male", ""))
    gender_score: float = pa.Field(nullable=True, in_range={"min_value": 0, "max_value": 1})
    note: str

    class Config(Table.Config):
        unique = ["model", "image", "subject", "index"]  # noqa: RUF012


class SkinFaces(Table):
    """One row per face that raters are shown: whose video it was cut out of, where it lies in the bundle of video
    faces, and its sides, px."""

    image: str = pa.Field(unique=True)
    member: str
    offset: int = pa.Field(ge=0)
    size: int = pa.Field(gt=0)
    sha256: str = pa.Field(str_length=64)
    width: int = pa.Field(gt=0)
    height: int = pa.Field(gt=0)
