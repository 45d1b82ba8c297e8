"""Long cells of CSV files: the limit of the csv module is one of the whole process, and put back."""

import csv
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


def rows(path: Path, letters: int) -> Iterator[dict[str, str]]:
    """The rows of a CSV file in UTF-8 whose cells have at most so many letters; missing cells are ""."""
    with longest(letters), path.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file, restval="")
