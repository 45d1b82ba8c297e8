"""The table of what models answered to questions about pictures."""

import pandera.pandas as pa

from accord.engine.table import Table
from accord.models.protocols import STATUSES


class Answers(Table):
    """One row per question that a model was asked about an image. `about`: the class that the question names, "" for
    none; `text`: what it answered, as it is, "" where the call failed; `reason`: why there is no full answer.
    `subject`: the one person in the image, "" where there isn't exactly one."""

    model: str
    question: str
    image: str
    subject: str
    about: str
    text: str
    status: str = pa.Field(isin=STATUSES)
    reason: str

    class Config(Table.Config):
        unique = ["model", "question", "image", "about"]  # noqa: RUF012
