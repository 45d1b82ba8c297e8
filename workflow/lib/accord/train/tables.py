"""The tables of training: what a model learns from, what it doesn't and why, and how its training went."""

import pandera.pandas as pa

from accord.engine.table import FLOAT_VECTOR, Table
from accord.release.sources.splits import TRAIN, VALIDATION


class Learnt(Table):
    """One row per picture and person in it ("": nobody known) that a model is shown in its training.

    split: `train`, learnt from, or `validation`, by which the training is watched. subset, category, method: where a
    picture is from; label: 1 fake, 0 real; group: the attributes of the settings, joined by ` x `.
    """

    image: str
    subject: str
    subset: str
    category: str
    method: str
    label: int = pa.Field(isin=(0, 1))
    split: str = pa.Field(isin=(TRAIN, VALIDATION))
    group: str

    class Config(Table.Config):
        unique = ["image", "subject"]  # noqa: RUF012


class LeftOut(Table):
    """One row per picture that a model isn't shown in its training, and why."""

    image: str = pa.Field(unique=True)
    reason: str


class Features(Table):
    """One row per picture of which a frozen encoder makes something: its vector, and the primary person."""

    image: str = pa.Field(unique=True)
    subject: str
    vector: object = pa.Field(metadata=FLOAT_VECTOR)


class Curve(Table):
    """One row per step of a training: its loss, its learning rate, and how well the model does on the pictures of
    `validation` after it, where it was measured: a detector's AUC, an annotator's mean recall of classes."""

    step: int = pa.Field(unique=True, ge=1)
    loss: float
    rate: float = pa.Field(ge=0)
    metric: float = pa.Field(nullable=True, in_range={"min_value": 0, "max_value": 1})
