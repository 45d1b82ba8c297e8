"""What steps that gather all shards read of a release's tables: whole ones of a million images don't fit in memory."""

import pandas as pd
import pandera.pandas as pa
import pyarrow.compute as pc

from accord.engine.table import ONLY, Table
from accord.findings import PASS
from accord.release.reserve.key_attributes import SOURCES


class Pictured(Table):
    """Of a table Derivatives: the image that each file was made from."""

    image: str

    class Config(Table.Config):
        strict = "filter"


class Passing(Table):
    """Of a table Verdicts: the images that are released."""

    image: str = pa.Field(unique=True)
    verdict: str

    class Config(Table.Config):
        strict = "filter"
        metadata = {ONLY: pc.field("verdict") == PASS}  # noqa: RUF012


class Primary(Table):
    """Of a table People: who is in which image, how old, and whether it is theirs."""

    image: str
    subject: str
    is_primary: bool
    age: pd.Int64Dtype = pa.Field(nullable=True)

    class Config(Table.Config):
        strict = "filter"
        unique = ["image", "subject"]  # noqa: RUF012


class KeyAnswers(Table):
    """Of a table Attributes: those by which images replace each other."""

    image: str
    subject: str
    attribute: str
    value: str

    class Config(Table.Config):
        strict = "filter"
        unique = ["image", "subject", "attribute", "value"]  # noqa: RUF012
        metadata = {ONLY: pc.field("attribute").isin(SOURCES)}  # noqa: RUF012
