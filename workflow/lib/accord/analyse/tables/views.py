"""What steps that gather all shards read of their tables: whole ones of a million images don't fit in memory."""

import pandera.pandas as pa
import pyarrow.compute as pc

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


class FaceAnswers(Answers):
    """Of a table Attributes: by what pairs of faces are told apart."""

    class Config(Answers.Config):
        metadata = {ONLY: pc.field("attribute").isin(["pronoun", "natural_skin_color", "hairstyle"])}  # noqa: RUF012
