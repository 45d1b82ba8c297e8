"""Lists that people write: CSV files of which one column counts, and others may."""

import csv
from pathlib import Path

from accord.errors import Collector


def column(path: Path, name: str, what: str, problems: Collector) -> list[str]:
    """The cells of a column, in their order; without it, or where the file is no such table, a problem and none."""
    return [row[name] or "" for row in rows(path, name, what, problems)]


def rows(path: Path, name: str, what: str, problems: Collector) -> list[dict[str, str | None]]:
    """The rows of a list, in their order; without the column, or where the file is no such table, a problem and none.

    `what`: what it is a list of, in the plural.
    """
    hint = f"a list of {what} is a CSV in UTF-8 with a column {name!r}"
    try:
        with Path(path).open(newline="", encoding="utf-8-sig") as file:
            table = csv.DictReader(file)
            found = list(table)
            if name in (table.fieldnames or []):
                return found
            problems.add(str(path), f"has no column {name!r}", hint)
    except (UnicodeDecodeError, csv.Error):
        problems.add(str(path), "is no CSV in UTF-8", hint)
    return []
