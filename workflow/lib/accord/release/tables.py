"""The tables that release produces. Those of a shard speak of downsampled pictures and carry internal ids."""

import pandera.pandas as pa

from accord.checks.tables.findings import Verdicts, Waterfall
from accord.engine.table import LIST_OF_FLOATS, Table
from accord.intake.tables import Attributes, Checked, Keypoints, People, Segments
from accord.privacy.tables import PublicImages

__all__ = [
    "Attributes",
    "Cells",
    "Checked",
    "Classes",
    "Derivatives",
    "Faces",
    "Gates",
    "Keypoints",
    "Keys",
    "Manifest",
    "Packed",
    "People",
    "PublicImages",
    "Published",
    "Segments",
    "Terms",
    "Verdicts",
    "Waterfall",
]

KINDS = ("original", "downsampled", "face_crop", "face_aligned", "mask")


class Derivatives(Table):
    """One row per file made from a picture; `part` names a mask's class and is "" for all else.

    `subject` is "" for what shows the whole image. `source_sha256`: the picture that it was made from.
    """

    image: str
    subject: str
    kind: str = pa.Field(isin=KINDS)
    part: str
    member: str
    offset: int = pa.Field(ge=0)
    size: int = pa.Field(gt=0)
    sha256: str = pa.Field(str_length=64)
    source_sha256: str = pa.Field(str_length=64)
    width: int = pa.Field(gt=0)
    height: int = pa.Field(gt=0)

    class Config(Table.Config):
        unique = ["image", "subject", "kind", "part"]  # noqa: RUF012


class Faces(Table):
    """One row per face picture: the homography (row-major 3 x 3) from the downsampled image to it."""

    image: str
    subject: str
    kind: str = pa.Field(isin=("face_crop", "face_aligned"))
    homography: object = pa.Field(metadata=LIST_OF_FLOATS)

    class Config(Table.Config):
        unique = ["image", "subject", "kind"]  # noqa: RUF012


class Terms(Table):
    """One row per image: what may be done with it besides evaluating models on this machine.

    `train`: train models with it; `external`: give it to a model on somebody else's server.
    """

    image: str = pa.Field(unique=True)
    train: bool
    external: bool


class Gates(Table):
    """One row per gate: what was measured, against what, and whether a release may be made; over how many."""

    gate: str = pa.Field(unique=True)
    score: float = pa.Field(ge=0)
    threshold: float = pa.Field(ge=0)
    verdict: str = pa.Field(isin=("pass", "fail"))
    reason: str
    images: int = pa.Field(ge=0)
    subjects: int = pa.Field(ge=0)


class Classes(Table):
    """One row per combination of quasi-identifiers, and how many people have it."""

    combination: str = pa.Field(unique=True)
    subjects: int = pa.Field(gt=0)


class Keys(Table):
    """One row per image that passes: whether it is released or held back, and what its replacement should be like.

    The values are the primary subject's, several joined by ` + `, "" where none is published; scene is the image's.
    """

    image: str = pa.Field(unique=True)
    subject: str
    state: str = pa.Field(isin=("published", "reserve"))
    pronoun: str
    age_group: str
    ancestry: str
    pose: str
    scene: str
    camera_distance: str


class Manifest(Table):
    """One row per file of a release."""

    path: str = pa.Field(unique=True)
    size: int = pa.Field(ge=0)
    sha256: str = pa.Field(str_length=64)
    media: str


class Published(Table):
    """One row per image or video of a version: the digests of its files, and of all that is published of it."""

    image: str = pa.Field(unique=True)
    pictures: str = pa.Field(str_length=64)
    all: str = pa.Field(str_length=64)


class Cells(Table):
    """One row per person in a cell of the aggregates: a value of an attribute that is told in numbers alone."""

    attribute: str
    value: str
    subject: str


class Packed(Table):
    """One row per image or video of a shard in a version: how many files were made of it, and their bytes."""

    image: str = pa.Field(unique=True)
    files: int = pa.Field(gt=0)
    bytes: int = pa.Field(gt=0)
