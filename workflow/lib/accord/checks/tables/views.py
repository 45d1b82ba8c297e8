"""What steps that gather all shards read of their tables: whole ones of a million images don't fit in memory."""

import pandas as pd
import pandera.pandas as pa
import pyarrow.compute as pc

from accord.engine.table import HEXADECIMAL, ONLY, Table
from accord.findings import FAIL, REVIEW, Findings


class Whose(Table):
    """Of a table Images: whose each is."""

    image: str = pa.Field(unique=True)
    subject: str

    class Config(Table.Config):
        strict = "filter"


class OfVendors(Whose):
    """Of a table Images: whose each is, and the vendor."""

    vendor: str


class OfDeliveries(Table):
    """Of a table Images: who delivered it."""

    image: str = pa.Field(unique=True)
    vendor: str
    delivery: str

    class Config(Table.Config):
        strict = "filter"


class Sizes(OfVendors):
    """Of a table Images: whose each is, and its size as stored."""

    width: int = pa.Field(gt=0)
    height: int = pa.Field(gt=0)
    orientation: int = pa.Field(in_range={"min_value": 1, "max_value": 8})


class Circumstances(OfVendors):
    """Of a table Images: in which delivery each came, and when, where and with what it was taken."""

    delivery: str
    captured_at: str
    manufacturer: str
    model: str
    software: str
    iso_speed_ratings: float = pa.Field(nullable=True)
    shutter_speed_value: float = pa.Field(nullable=True)
    gps_latitude: float = pa.Field(nullable=True)
    gps_longitude: float = pa.Field(nullable=True)
    location_country_m49: pd.Int64Dtype = pa.Field(nullable=True)


class Digests(Table):
    """Of a table Images: the sha256 of its file."""

    image: str = pa.Field(unique=True)
    sha256: str = pa.Field(str_length=64)

    class Config(Table.Config):
        strict = "filter"


class Ranked(OfVendors):
    """Of a table Images: what says which of two copies stays (accord.checks.matching.copies)."""

    delivery: str
    source: str
    sha256: str = pa.Field(str_length=64)
    captured_at: str
    has_exif: bool


class Prints(Table):
    """Of a table Fingerprints: what says which of two pictures is better, and how far they are apart."""

    image: str = pa.Field(unique=True)
    subject: str
    pdq: str = pa.Field(str_length=64, str_matches=HEXADECIMAL)
    turned: str = pa.Field(str_length=192, str_matches=HEXADECIMAL)
    width: int = pa.Field(gt=0)
    height: int = pa.Field(gt=0)
    sharpness: float = pa.Field(ge=0)
    encoding: int = pa.Field(in_range={"min_value": 0, "max_value": 100})

    class Config(Table.Config):
        strict = "filter"


class Stopping(Findings):
    """Of a table Findings: those that stop an image, or hold it until somebody decides."""

    class Config(Findings.Config):
        strict = "filter"
        metadata = {ONLY: pc.field("verdict").isin([FAIL, REVIEW])}  # noqa: RUF012


class Ages(Table):
    """Of a table People: who is in which image, and how old."""

    image: str
    subject: str
    age: pd.Int64Dtype = pa.Field(nullable=True)

    class Config(Table.Config):
        strict = "filter"
        unique = ["image", "subject"]  # noqa: RUF012


class Answers(Table):
    """Of a table Attributes: what is said, whoever said it."""

    image: str
    subject: str
    attribute: str
    value: str

    class Config(Table.Config):
        strict = "filter"
        unique = ["image", "subject", "attribute", "value"]  # noqa: RUF012
