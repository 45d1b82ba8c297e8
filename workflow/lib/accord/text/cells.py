"""CSV files of others: what they are read as, what they are instead, and cells longer than the csv module's limit."""

import csv
import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def longest(letters: int) -> Iterator[None]:
    """In the block, cells may have so many letters."""
    before = csv.field_size_limit(letters)
    try:
        yield
    finally:
        csv.field_size_limit(before)


SEPARATORS = {";": "semicolons", "\t": "tabs"}


def separated_by(header: list[str], delimiter: str = ",") -> str:
    """What a table seems to be separated by, if its one column shows that it isn't what was expected; else ""."""
    found = [name for sign, name in SEPARATORS.items() if sign != delimiter and sign in "".join(header)]
    return found[0] if len(header) == 1 and found else ""


def lines(data: bytes) -> list[list[str]]:
    """The lines of a table in UTF-8 with commas, as cells; its header comes first, [] is an empty line.

    Raises ValueError that says what it is instead.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"is not valid CSV in UTF-8 ({error.reason} at byte {error.start:,})") from None
    reader, found = csv.reader(io.StringIO(text, newline=""), strict=True), []
    try:
        found.extend(reader)
    except csv.Error as error:
        raise ValueError(f"is not valid CSV in UTF-8 (line {reader.line_num}: {error})") from None
    if found and (sign := separated_by(found[0])):
        raise ValueError(f"looks separated by {sign}, not commas")
    return found


def rows(path: Path, letters: int) -> Iterator[dict[str, str]]:
    """The rows of a CSV file in UTF-8 whose cells have at most so many letters; missing cells are ""."""
    with longest(letters), path.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file, restval="")
