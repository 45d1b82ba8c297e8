"""Findings: what a check says of an image. Every step that judges returns this table."""

import pandera.pandas as pa

from accord.engine.table import Table

PASS, FAIL, REVIEW, INFO = "pass", "fail", "review", "info"
VERDICTS = (PASS, FAIL, REVIEW, INFO)


class Findings(Table):
    """One row per (image, check): what was measured, against what, and the verdict.

    `fail` takes the image out; `review` waits for a person; `info` only says. `score` and `threshold` are in the
    check's own unit, missing where it has none; `reason` is a short sentence without personal data.
    """

    image: str
    check: str
    score: float = pa.Field(nullable=True)
    threshold: float = pa.Field(nullable=True)
    verdict: str = pa.Field(isin=VERDICTS)
    reason: str

    class Config(Table.Config):
        unique = ["image", "check"]  # noqa: RUF012
