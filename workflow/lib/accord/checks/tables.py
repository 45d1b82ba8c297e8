"""The tables that checks produces."""

import pandera.pandas as pa

from accord.findings import Findings
from accord.intake.tables import REGION_KINDS, Images, Regions
from accord.review.tables import Decisions, Items
from accord.table import LIST_OF_FLOATS, Table

__all__ = [
    "Answers",
    "Decisions",
    "Findings",
    "Fingerprints",
    "Images",
    "Items",
    "Pairs",
    "Proposals",
    "Regions",
    "Texts",
    "Verdicts",
    "Waterfall",
]


class Fingerprints(Table):
    """One row per image that decodes: what its pixels say. `pdq`: 64 hexadecimal digits; `pixels`: sha256 of the
    upright RGB pixels; width and height upright, px; sharpness: variance of the Laplacian at 512 px."""

    image: str = pa.Field(unique=True)
    subject: str
    pixels: str = pa.Field(str_length=64)
    pdq: str = pa.Field(str_length=64)
    pdq_quality: int = pa.Field(in_range={"min_value": 0, "max_value": 100})
    phash: str = pa.Field(str_length=16)
    width: int = pa.Field(gt=0)
    height: int = pa.Field(gt=0)
    sharpness: float = pa.Field(ge=0)
    brightness: float = pa.Field(in_range={"min_value": 0, "max_value": 255})


class Texts(Table):
    """One row per line of text that is read in an image. `polygon`: its four corners, px of the upright image."""

    image: str
    line: int = pa.Field(ge=0)
    polygon: object = pa.Field(metadata=LIST_OF_FLOATS)
    text: str
    score: float = pa.Field(in_range={"min_value": 0, "max_value": 1})

    class Config(Table.Config):
        unique = ["image", "line"]  # noqa: RUF012


class Proposals(Table):
    """One row per region in which a detector sees what may have to be painted out, for a person to confirm.

    `region`: opaque id of image, detector and place; `covered`: share of its area, 0 to 1, that regions drawn by
    annotators cover already; `reason`: what it is taken for, without the text that was read.
    """

    image: str
    region: str = pa.Field(unique=True)
    kind: str = pa.Field(isin=REGION_KINDS)
    polygon: object = pa.Field(metadata=LIST_OF_FLOATS)
    detector: str
    score: float = pa.Field(in_range={"min_value": 0, "max_value": 1})
    threshold: float = pa.Field(in_range={"min_value": 0, "max_value": 1})
    covered: float = pa.Field(in_range={"min_value": 0, "max_value": 1})
    reason: str


class Answers(Table):
    """One row per thing that an outside service says of an image.

    `feature`: web or logos; `name`: the address of the same picture (full) or of a part of it (partial), a brand
    (logo), else the feature; `polygon`: of a logo, px of the upright image."""

    image: str
    feature: str = pa.Field(isin=("web", "logos"))
    number: int = pa.Field(ge=0)
    kind: str = pa.Field(isin=("full", "partial", "logo", "nothing", "refused"))
    name: str
    score: float = pa.Field(nullable=True)
    polygon: object = pa.Field(metadata=LIST_OF_FLOATS)

    class Config(Table.Config):
        unique = ["image", "feature", "number"]  # noqa: RUF012


class Pairs(Table):
    """One row per pair of duplicates, left < right. distance: differing bits of 256 (near), 0 (exact)."""

    left: str
    right: str
    kind: str = pa.Field(isin=("exact", "near", "crop"))
    distance: int = pa.Field(ge=0)
    same_subject: bool

    class Config(Table.Config):
        unique = ["left", "right"]  # noqa: RUF012


class Verdicts(Table):
    """One row per delivered image, in the end: whether it passes, and the first check in the order that stopped it.

    `reserve`: it passes, and is held back to replace another one day."""

    image: str = pa.Field(unique=True)
    subject: str
    verdict: str = pa.Field(isin=("pass", "fail", "review", "reserve"))
    room: str
    check: str
    reason: str


class Waterfall(Table):
    """One row per step from delivery to release: how many images came, how many were stopped, how many are left."""

    order: int = pa.Field(unique=True, ge=0)
    room: str
    check: str
    label: str
    images_in: int = pa.Field(ge=0)
    images_out: int = pa.Field(ge=0)
    stopped: int = pa.Field(ge=0)
    subjects_left: int = pa.Field(ge=0)
