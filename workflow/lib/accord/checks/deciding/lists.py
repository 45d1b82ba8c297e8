"""Lists that people write: CSV files of which one column counts, and others may."""

from pathlib import Path

from accord.errors import Collector
from accord.text import cells


def column(path: Path, name: str, what: str, problems: Collector) -> list[str]:
    """The cells of a column, in their order; without it, or where the file is no such table, a problem and none."""
    return [row[name] for row in rows(path, name, what, problems)]


def rows(path: Path, name: str, what: str, problems: Collector) -> list[dict[str, str]]:
    """The rows of a list, in their order; without the column, or where the file is no such table, a problem and none.

    `what`: what it is a list of, in the plural.
    """
    hint = f"a list of {what} must be a CSV in UTF-8 with a column {name!r}"
    try:
        header, *below = cells.lines(Path(path).read_bytes()) or [[]]
    except ValueError as error:
        problems.add(str(path), str(error), hint)
        return []
    if name not in header:
        problems.add(str(path), f"has no column {name!r}", hint)
        return []
    found = []
    for number, row in enumerate(below, 2):
        if row and len(row) != len(header):
            problems.add(f"{path}, row {number}", f"has {len(row)} cells, not {len(header)}", "quote cells with commas")
        elif row:
            found.append(dict(zip(header, row, strict=True)))
    return found
