"""The tables that evaluate produces: predictions, one table per task, shard and model."""

import pandera.pandas as pa

from accord.engine.table import FLOAT_VECTOR, Table
from accord.vocabularies import BODY_PARTS, FACE_PARTS

TASKS = (
    "face_localization",
    "person_localization",
    "keypoint_estimation",
    "person_parsing",
    "body_parts_detection",
    "face_verification",
    "face_parsing",
    "face_encoding",
    "face_super_resolution",
    "image_embedding",
    "image_text",
    "visual_question",
    "age_gender",
    "fake_detection",
)
MEASURES = ("lpips", "psnr", "cosine")
"""How like its original a restored face is: perceptual distance, noise in dB, cosine of embeddings."""


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


class BodyParts(Table):
    """One row per body part that a model speaks of, for a ground-truth person box: how probably it is seen.

    A person of whom the model says nothing has no row.
    """

    model: str
    image: str
    subject: str
    part: str = pa.Field(isin=BODY_PARTS)
    score: float = pa.Field(in_range={"min_value": 0, "max_value": 1})

    class Config(Table.Config):
        unique = ["model", "image", "subject", "part"]  # noqa: RUF012


class FaceLabels(Table):
    """One row per label (CelebAMask-HQ's, background left out) that a model sees in an aligned face: where, as COCO's
    compressed RLE of height x width px. Rows of one face don't overlap; what none covers is background."""

    model: str
    image: str
    subject: str
    label: int = pa.Field(in_range={"min_value": 1, "max_value": len(FACE_PARTS) - 1})
    height: int = pa.Field(gt=0)
    width: int = pa.Field(gt=0)
    counts: str

    class Config(Table.Config):
        unique = ["model", "image", "subject", "label"]  # noqa: RUF012


class Likeness(Table):
    """One row per restored face and measure: how like its original. `value` is missing where it can't be said, and
    `note` says why. Restored faces are pictures of people: they are measured in memory and never written."""

    model: str
    image: str
    subject: str
    measure: str = pa.Field(isin=MEASURES)
    value: float = pa.Field(nullable=True)
    note: str

    class Config(Table.Config):
        unique = ["model", "image", "subject", "measure"]  # noqa: RUF012


class Embeddings(Table):
    """One row per picture: a vector of length 1. `subject` is "" for a whole image.
    An aligned face of which the model makes nothing has no row."""

    model: str
    image: str
    subject: str
    vector: object = pa.Field(metadata=FLOAT_VECTOR)

    class Config(Table.Config):
        unique = ["model", "image", "subject"]  # noqa: RUF012


class Texts(Table):
    """One row per prompt that a model of pictures and texts was asked for: a vector of length 1. `prompt`: its number
    within the label, from 1."""

    model: str
    probe: str
    label: str
    prompt: str
    text: str
    vector: object = pa.Field(metadata=FLOAT_VECTOR)

    class Config(Table.Config):
        unique = ["model", "probe", "label", "prompt"]  # noqa: RUF012


PLAIN = "none"
"""The degradation of pictures that are shown as they are."""


class Fakes(Table):
    """One row per picture of the test: how probably it is a fake, in the eyes of a model that is shown it degraded.

    degradation: a kind and its degree, as jpeg80, or `none`. score is missing where the model gives none, and `note`
    says why.
    """

    model: str
    image: str
    degradation: str
    score: float = pa.Field(nullable=True, in_range={"min_value": 0, "max_value": 1})
    note: str

    class Config(Table.Config):
        unique = ["model", "image", "degradation"]  # noqa: RUF012


class Evaluated(Table):
    """One row per (model, image, subject) that a model was asked about: n of every rate, whatever it answered."""

    model: str
    task: str
    image: str
    subject: str
