"""The tables that privacy produces, for each shard."""

import pandas as pd
import pandera.pandas as pa

from accord.engine.table import LIST_OF_FLOATS, Table
from accord.findings import Findings
from accord.imaging.decode import CONVERSIONS
from accord.review.tables import Decisions, Items

__all__ = [
    "Conversions",
    "Decisions",
    "Edits",
    "Findings",
    "Items",
    "KnownBoxes",
    "Moments",
    "Paintable",
    "PaintedVideos",
    "Passages",
    "Pictures",
    "PublicImages",
    "VideoTracks",
]


class Pictures(Table):
    """One row per picture rebuilt from pixels (PNG, upright): where it lies in the bundle, what it was made from."""

    image: str = pa.Field(unique=True)
    subject: str
    member: str
    offset: int = pa.Field(ge=0)
    size: int = pa.Field(gt=0)
    sha256: str = pa.Field(str_length=64)
    source_sha256: str = pa.Field(str_length=64)
    width: int = pa.Field(gt=0)
    height: int = pa.Field(gt=0)


class Edits(Table):
    """One row per region that was painted out: how. `polygon` as drawn, px; `painted`: number of pixels.

    `candidates`: fills that were tried; `chosen`: number of the one that was kept, -1 for none of them; `seam`: change
    across its border over that of its surroundings (accord.privacy.fitting.seam); `detail`: how many times finer or
    coarser it is than they are (accord.privacy.fitting.detail); `outline`: edges that follow its border over those
    across it (accord.privacy.fitting.outline); 0 where there is nothing to see.
    """

    image: str
    region: str = pa.Field(unique=True)
    kind: str
    polygon: object = pa.Field(metadata=LIST_OF_FLOATS)
    method: str
    prompt: str
    guidance: float
    seed: int = pa.Field(ge=0)
    attempts: int = pa.Field(ge=1)
    candidates: int = pa.Field(ge=0)
    chosen: int = pa.Field(ge=-1)
    seam: float = pa.Field(ge=0)
    detail: float = pa.Field(ge=0)
    outline: float = pa.Field(ge=0)
    model_sha256: str = pa.Field(str_length=64)
    painted: int = pa.Field(ge=0)


class Conversions(Table):
    """One row per thing that was done to a whole picture, so that its pixels are what viewers show."""

    image: str
    conversion: str = pa.Field(isin=list(CONVERSIONS))


class Paintable(Table):
    """One row per delivery with declared regions to paint: of how many images; whether it is marked as rendered."""

    vendor: str
    delivery: str
    rendered: bool
    images: int = pa.Field(gt=0)

    class Config(Table.Config):
        unique = ["vendor", "delivery"]  # noqa: RUF012


class KnownBoxes(Table):
    """One row per box of somebody who may stay in a video: the face or the whole person, at a time in seconds from the
    start, px of the upright frame."""

    person: str
    kind: str = pa.Field(isin=("face", "person"))
    seconds: float = pa.Field(ge=0)
    x: float
    y: float
    width: float = pa.Field(gt=0)
    height: float = pa.Field(gt=0)

    class Config(Table.Config):
        unique = ["person", "kind", "seconds"]  # noqa: RUF012


class PaintedVideos(Pictures):
    """One row per video that was painted and proven: where it lies in the bundle, what it was made from, how many
    tracks of bystanders were painted over. width, height: px of a frame."""

    tracks: int = pa.Field(ge=0)


class Passages(Table):
    """One row per passage of a painted video in which somebody is painted over: seconds from the start."""

    image: str
    begin: float = pa.Field(ge=0)
    end: float = pa.Field(ge=0)


class Moments(Table):
    """One row per moment of a painted video that whoever watches it should see, in order: why, by which check, from
    when to when (seconds from the start). It names nothing that was read."""

    image: str
    begin: float = pa.Field(ge=0)
    end: float = pa.Field(ge=0)
    check: str
    reason: str


class VideoTracks(Table):
    """One row per face or trunk of a bystander that a detector found in a frame of a video; the rows of a track are one
    person, as far as can be told. seconds: from the start; box: px of the upright frame."""

    track: int = pa.Field(ge=0)
    check: str
    seconds: float = pa.Field(ge=0)
    x: float
    y: float
    width: float = pa.Field(gt=0)
    height: float = pa.Field(gt=0)


class PublicImages(Table):
    """One row per image: what may be said of it in public. Month and quarter of the day, country and region."""

    image: str = pa.Field(unique=True)
    subject: str
    aperture_value: float = pa.Field(nullable=True)
    focal_length: float = pa.Field(nullable=True)
    iso_speed_ratings: float = pa.Field(nullable=True)
    shutter_speed_value: float = pa.Field(nullable=True)
    manufacturer: str
    model: str
    location_country: str
    location_country_m49: pd.Int64Dtype = pa.Field(nullable=True)
    location_region: str
    user_date_captured: str
    user_hour_captured: str
