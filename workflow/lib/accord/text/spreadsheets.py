"""CSV for people, who open it in a spreadsheet: no cell of it is run as a formula, and Accord reads it back unchanged.

A spreadsheet runs a cell that begins with =, +, -, @, a tab or the end of a line (OWASP, "CSV Injection"). Such a text
gets an apostrophe before it, which makes it plain text there. So does one that has apostrophes before such a sign
already, so that `original` gives every text back. Numbers stay as they are, in a column of texts too.
"""

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

FORMULA = re.compile(r"'*[=+@\t\r\n-]")
NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")
SHIELDED = re.compile(r"'+[=+@\t\r\n-]")
SHIELD = "'"


def shielded(value: Any) -> Any:
    """A value as a cell that no spreadsheet runs; what is not text is as it was."""
    is_formula = isinstance(value, str) and FORMULA.match(value) and not NUMBER.fullmatch(value)
    return f"{SHIELD}{value}" if is_formula else value


def original(value: Any) -> Any:
    """The value that `shielded` was given."""
    return value[1:] if isinstance(value, str) and SHIELDED.match(value) else value


def csv_text(table: "pd.DataFrame") -> str:
    """A table as CSV with a line of column names: names and texts are `shielded`, numbers are as pandas writes them."""
    return _each_text(table, shielded).to_csv(index=False, lineterminator="\n")


def as_written(table: "pd.DataFrame") -> "pd.DataFrame":
    """A table that was read from `csv_text`, with the names and texts that it was made from."""
    return _each_text(table, original)


def _each_text(table: "pd.DataFrame", change: Any) -> "pd.DataFrame":
    found = table.rename(columns=change)
    for place, dtype in enumerate(found.dtypes):
        column = found.iloc[:, place]
        # Most texts stay as they are, and repeat: each is looked at once.
        if dtype.kind == "O" and not (dtype == "str" and all(change(text) is text for text in column.unique())):
            found.isetitem(place, column.map(change))
    return found
