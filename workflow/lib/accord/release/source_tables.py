"""The tables of an archive of sources of made and real faces."""

import pandas as pd
import pandera.pandas as pa

from accord.engine.table import HEXADECIMAL, Table
from accord.release.sources.described import CATEGORIES
from accord.release.sources.splits import SPLITS

LABELS = {"ge": 0, "le": 1}


class Listed(Table):
    """One row per picture of an archive of sources, or per frame of a video that a face is to be cut out of.

    file: its path in the archive; index, frames: which frame of how many, at (index + 0.5) / frames of the video's
    length. people: everybody whom it shows, a line each, the first of them its `subject`; its file where nobody is
    known. What is not said of it is "". train, external: what its source's terms allow.
    """

    image: str = pa.Field(unique=True)
    file: str
    index: pd.Int64Dtype = pa.Field(nullable=True, ge=0)
    frames: pd.Int64Dtype = pa.Field(nullable=True, ge=1)
    subject: str
    people: str
    shard: str
    subset: str
    category: str = pa.Field(isin=CATEGORIES)
    method: str
    label: int = pa.Field(**LABELS)
    split: str = pa.Field(isin=SPLITS)
    gender: str
    age: str
    tone: str
    skin: str
    train: bool
    external: bool


class Sources(Table):
    """One row per picture: its source, whether it is real (label 0) or made (1), and its split.

    split: `none` of a picture that shows people of different splits.
    """

    image: str = pa.Field(unique=True)
    subset: str
    category: str = pa.Field(isin=CATEGORIES)
    method: str
    label: int = pa.Field(**LABELS)
    split: str = pa.Field(isin=SPLITS)


class CutFaces(Table):
    """One row per picture or frame in which a face was looked for.

    found: whether there is one, else `note` says why not; x, y, width, height: its box, px of the upright picture, and
    score the detector's; side: of the square crop, px, `scale` of them to a px of the picture.
    """

    image: str = pa.Field(unique=True)
    found: bool
    note: str
    x: float = pa.Field(nullable=True)
    y: float = pa.Field(nullable=True)
    width: float = pa.Field(nullable=True)
    height: float = pa.Field(nullable=True)
    score: float = pa.Field(nullable=True)
    side: pd.Int64Dtype = pa.Field(nullable=True)
    scale: float = pa.Field(nullable=True)


class FacePrints(Table):
    """One row per picture: what tells whether two of them are the same. pixels: sha256 of the RGB pixels; pdq: 64
    hexadecimal digits, and its quality."""

    image: str = pa.Field(unique=True)
    pixels: str = pa.Field(str_length=64)
    pdq: str = pa.Field(str_length=64, str_matches=HEXADECIMAL)
    pdq_quality: int = pa.Field(in_range={"min_value": 0, "max_value": 100})


class SourceCopies(Table):
    """One row per pair of pictures of two sources that are copies.

    kind: `exact` (the same pixels), or `near` (PDQ hashes `distance` bits apart). relearnt: whether one is of the
    training and the other of another split, so that a model would be judged by what it learnt from.
    """

    image: str
    other: str
    source: str
    other_source: str
    kind: str = pa.Field(isin=("exact", "near"))
    distance: int = pa.Field(ge=0)
    relearnt: bool

    class Config(Table.Config):
        unique = ["image", "other"]  # noqa: RUF012
