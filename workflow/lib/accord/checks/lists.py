"""Lists that people write: CSV files of which one column counts."""

import csv
from pathlib import Path

from accord.errors import Collector


def column(path: Path, name: str, what: str, problems: Collector) -> list[str]:
    """The cells of a column, in their order; without it, or where the file is no such table, a problem and none.

    `what`: what it is a list of, in the plural.
    """
    hint = f"a list of {what} is a CSV in UTF-8 with a column {name!r}"
    try:
        with Path(path).open(newline="", encoding="utf-8-sig") as file:
            rows = csv.DictReader(file)
            cells = [row.get(name) or "" for row in rows]
            if name in (rows.fieldnames or []):
                return cells
            problems.add(str(path), f"has no column {name!r}", hint)
    except (UnicodeDecodeError, csv.Error):
        problems.add(str(path), "is no CSV in UTF-8", hint)
    return []
