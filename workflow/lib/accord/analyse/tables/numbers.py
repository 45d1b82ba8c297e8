"""The table of checked arithmetic."""

import pandera.pandas as pa

from accord.engine.table import Table


class Numbers(Table):
    """One row per rule of a table of published figures: whether it can hold.

    file, line: where the rule stands; left, right: its two sides as printed, or worked out from what is printed;
    apart: left - right. state: `broken` if no numbers that round to the printed ones obey the rule, `undefined` if it
    can't be worked out; `note` says what and why. reason: why a broken rule most likely does not hold, where the file
    says so.
    """

    file: str
    line: int = pa.Field(ge=1)
    name: str
    rule: str
    left: float = pa.Field(nullable=True)
    right: float = pa.Field(nullable=True)
    apart: float = pa.Field(nullable=True)
    state: str = pa.Field(isin=("holds", "broken", "undefined"))
    source: str
    note: str
    reason: str

    class Config(Table.Config):
        unique = ["file", "line", "rule"]  # noqa: RUF012
