"""The table of what answers come to."""

import pandera.pandas as pa

from accord.engine.table import Table


class AnswerLabels(Table):
    """One row per answer and text encoder: the label that it comes to, "" where it comes to none.

    label: a class (p1), or yes, no, unknown. exact: the answer is the label, or opens with it, and no encoder was
    asked; cosine: of the nearest label else, missing where there is no text or no encoder. encoder: the model of
    models.yaml, "" where none is configured; rows of the first one come first. status: of the answer, as in Answers.
    """

    model: str
    question: str
    image: str
    subject: str
    about: str
    encoder: str
    label: str
    cosine: float = pa.Field(nullable=True)
    exact: bool
    status: str

    class Config(Table.Config):
        unique = ["model", "question", "image", "subject", "about", "encoder"]  # noqa: RUF012
