"""The tables that evaluate produces: predictions, one table per task, shard and model."""

import pandera.pandas as pa

from accord.table import FLOAT_VECTOR, Table

TASKS = (
    "face_localization",
    "person_localization",
    "keypoint_estimation",
    "person_parsing",
    "face_verification",
    "image_embedding",
)


class Detections(Table):
    """One row per predicted box, px of the downsampled image; images without any have no row."""

    model: str
    image: str
    x0: float
    y0: float
    x1: float
    y1: float
    score: float
    label: str


class Poses(Table):
    """One row per predicted keypoint of a ground-truth person box (BlazePose 0-32), px of the downsampled image."""

    model: str
    image: str
    subject: str
    keypoint: int = pa.Field(in_range={"min_value": 0, "max_value": 32})
    x: float
    y: float
    score: float

    class Config(Table.Config):
        unique = ["model", "image", "subject", "keypoint"]  # noqa: RUF012


class Masks(Table):
    """One row per predicted mask: COCO's compressed RLE (`counts`) of height x width px."""

    model: str
    image: str
    score: float
    label: str
    height: int = pa.Field(gt=0)
    width: int = pa.Field(gt=0)
    counts: str


class Embeddings(Table):
    """One row per picture: a vector of length 1. `subject` is "" for a whole image.
    An aligned face of which the model makes nothing has no row."""

    model: str
    image: str
    subject: str
    vector: object = pa.Field(metadata=FLOAT_VECTOR)

    class Config(Table.Config):
        unique = ["model", "image", "subject"]  # noqa: RUF012


class Evaluated(Table):
    """One row per (model, image, subject) that a model was asked about: n of every rate, whatever it answered."""

    model: str
    task: str
    image: str
    subject: str
