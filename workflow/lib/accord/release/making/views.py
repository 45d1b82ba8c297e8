"""What steps that gather all shards read of a release's tables: whole ones of a million images don't fit in memory."""

import pandera.pandas as pa
import pyarrow.compute as pc

from accord.checks.tables.views import Ages, Answers
from accord.engine.table import ONLY, Table
from accord.findings import PASS, REVIEW
from accord.release.reserve.key_attributes import SOURCES


class Pictured(Table):
    """Of a table Derivatives: the image that each file was made from."""

    image: str

    class Config(Table.Config):
        strict = "filter"


class Rendered(Table):
    """Of a table Images of intake: those of deliveries that are marked as rendered."""

    image: str
    rendered: bool

    class Config(Table.Config):
        strict = "filter"
        metadata = {ONLY: pc.field("rendered")}  # noqa: RUF012


class Held(Table):
    """Of a table Verdicts: the images that wait for a review."""

    image: str = pa.Field(unique=True)
    verdict: str

    class Config(Table.Config):
        strict = "filter"
        metadata = {ONLY: pc.field("verdict") == REVIEW}  # noqa: RUF012


class Passing(Table):
    """Of a table Verdicts: the images that are released."""

    image: str = pa.Field(unique=True)
    verdict: str

    class Config(Table.Config):
        strict = "filter"
        metadata = {ONLY: pc.field("verdict") == PASS}  # noqa: RUF012


class Primary(Ages):
    """Of a table People: who is in which image, how old, and whether it is theirs."""

    is_primary: bool


class KeyAnswers(Answers):
    """Of a table Attributes: those by which images replace each other."""

    class Config(Answers.Config):
        metadata = {ONLY: pc.field("attribute").isin(SOURCES)}  # noqa: RUF012
