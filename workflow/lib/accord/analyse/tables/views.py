"""What steps that gather all shards read of their tables: whole ones of a million images don't fit in memory."""

import pandas as pd
import pandera.pandas as pa
import pyarrow.compute as pc

from accord.analyse.tables.scores import Members, Scores
from accord.checks.tables.views import Answers
from accord.engine.table import ONLY, Table


class Drawn(Table):
    """Of a table Segments: what is outlined of whom."""

    image: str
    subject: str
    segment: int = pa.Field(in_range={"min_value": 0, "max_value": 27})

    class Config(Table.Config):
        strict = "filter"


class Visible(Table):
    """Of a table Keypoints: which are annotated of whom, and which of these are visible."""

    image: str
    subject: str
    keypoint: int = pa.Field(in_range={"min_value": 0, "max_value": 32})
    visible: bool

    class Config(Table.Config):
        strict = "filter"
        unique = ["image", "subject", "keypoint"]  # noqa: RUF012


class Downsampled(Table):
    """Of a table Derivatives: how large each picture of the release is."""

    image: str = pa.Field(unique=True)
    kind: str
    width: int = pa.Field(gt=0)
    height: int = pa.Field(gt=0)

    class Config(Table.Config):
        strict = "filter"
        metadata = {ONLY: pc.field("kind") == "downsampled"}  # noqa: RUF012


class Captured(Table):
    """Of a table PublicImages: what the camera said, and where and when."""

    image: str = pa.Field(unique=True)
    aperture_value: float = pa.Field(nullable=True)
    focal_length: float = pa.Field(nullable=True)
    iso_speed_ratings: float = pa.Field(nullable=True)
    shutter_speed_value: float = pa.Field(nullable=True)
    manufacturer: str
    location_country: str
    user_hour_captured: str

    class Config(Table.Config):
        strict = "filter"


class Light(Table):
    """Of a table Fingerprints: how sharp and how bright each picture is."""

    image: str = pa.Field(unique=True)
    sharpness: float = pa.Field(ge=0)
    brightness: float = pa.Field(in_range={"min_value": 0, "max_value": 255})

    class Config(Table.Config):
        strict = "filter"


class FaceAnswers(Answers):
    """Of a table Attributes: by what pairs of faces are told apart, each text kept once."""

    image: pd.CategoricalDtype
    subject: pd.CategoricalDtype
    attribute: pd.CategoricalDtype
    value: pd.CategoricalDtype

    class Config(Answers.Config):
        metadata = {ONLY: pc.field("attribute").isin(["pronoun", "natural_skin_color", "hairstyle"])}  # noqa: RUF012


class EncodedScores(Scores):
    """A table Scores, each text kept once: a million images have 12 million rows."""

    task: pd.CategoricalDtype
    model: pd.CategoricalDtype
    metric: pd.CategoricalDtype
    image: pd.CategoricalDtype
    subject: pd.CategoricalDtype
    note: pd.CategoricalDtype


class EncodedMembers(Members):
    """A table Members, each text kept once: a million images have 9 million rows."""

    image: pd.CategoricalDtype
    subject: pd.CategoricalDtype
    attribute: pd.CategoricalDtype
    group: pd.CategoricalDtype
