"""The table of what models answered to questions about pictures."""

import pandera.pandas as pa

from accord.engine.table import Table

STATUSES = ("said", "empty", "refused", "cut", "failed")
"""Of an answer: said; no text; declined; cut off at the longest that was allowed; the call failed."""


class Answers(Table):
    """One row per question that a model was asked about an image. `about`: the class that the question names, "" for
    none; `text`: what it answered, "" where the call failed; `reason`: why there is no full answer."""

    model: str
    question: str
    image: str
    subject: str
    about: str
    text: str
    status: str = pa.Field(isin=STATUSES)
    reason: str

    class Config(Table.Config):
        unique = ["model", "question", "image", "subject", "about"]  # noqa: RUF012
