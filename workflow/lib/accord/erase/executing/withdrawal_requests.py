"""Wishes that lie in the inbox: the rows of a person who is erased are taken out of its files."""

import csv
import io
from pathlib import Path

from accord.consent.requests import imports
from accord.files import replace
from accord.text import cells
from accord.text.references import person


def rows_of(inbox: Path, subject: str) -> int:
    """How many rows of the inbox's files name a person (an opaque id)."""
    return sum(rows for _, _, rows in _files(inbox, subject))


def take_out(inbox: Path, subject: str) -> None:
    """Rewrite the files without the person's rows; one that has no others goes. It can be done again."""
    for path, kept, rows in _files(inbox, subject):
        if rows and len(kept) > 1:
            written = io.StringIO(newline="")
            csv.writer(written, lineterminator="\n").writerows(kept)
            replace(path, written.getvalue().encode(), path.stat().st_mode & 0o777)
        elif rows:
            path.unlink()


def _files(inbox: Path, subject: str) -> list[tuple[Path, list[list[str]], int]]:
    """(path, lines that stay, how many rows name the person) of each file that can be read as wishes."""
    found = []
    for path in sorted(path for path in inbox.iterdir() if path.suffix.lower() == ".csv"):
        data = imports.named(path).data
        try:
            lines = cells.lines(data or b"")
        except cells.NotCsvError:
            continue
        if lines and {"vendor", "subject"} <= set(lines[0]):
            kept = [line for line in lines if not _names(lines[0], line, subject)]
            found.append((path, kept, len(lines) - len(kept)))
    return found


def _names(header: list[str], line: list[str], subject: str) -> bool:
    told = {name: cell.strip() for name, cell in zip(header, line, strict=False)}
    return person(told.get("vendor", ""), told.get("subject", "")) == subject
