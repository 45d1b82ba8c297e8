"""The table of those to search for, as people write it: query names, words behind them, a column for each group."""

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path

from accord.errors import AccordError, Collector, Problem, all_problems
from accord.release.searching.register import Register, Search, normalised
from accord.text.nouns import listed

LONGEST, MOST_BYTES = 200, 16 << 20
OWN = ("name", "words")


def read(path: Path, register: Register) -> list[Search]:
    """The searches of a CSV file: `name`, may have `words`; all other columns are groups.

    Raises AccordError with all that is wrong, by line: no name is told.
    """
    with all_problems() as problems:
        return list(_rows(cells(path, str(path), OWN[:1]), str(path), register, problems))


def cells(path: Path, where: str, columns: Sequence[str]) -> list[tuple[int, dict]]:
    """The rows of a CSV file, each with the number of its line; all have `columns`.

    Raises AccordError, which tells no cell, where it can't be read.
    """
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
        table = csv.DictReader(io.StringIO(data.decode("utf-8-sig")))
        found = [] if len(data) > MOST_BYTES else [(table.line_num, row) for row in table]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        what = f"can't be read ({type(error).__name__})"
        raise AccordError(Problem(where, what, "give a CSV file in UTF-8")) from None
    if len(data) > MOST_BYTES:
        raise AccordError(Problem(where, "is too large", f"at most {MOST_BYTES >> 20} MB"))
    if lacking := [name for name in columns if name not in (table.fieldnames or ())]:
        hint = f"its first line names {listed([*columns], 'and')}"
        raise AccordError(Problem(where, f"has no column {name!r}", hint) for name in lacking)
    return found


def _rows(found: Sequence[tuple[int, dict]], where: str, register: Register, problems: Collector) -> Iterator[Search]:
    seen: set[str] = set()
    for line, row in found:
        at = f"{where}:{line}"
        name, words = (_single(row.get(column) or "") for column in OWN)
        extra = [key for key in row if key is None]
        if not normalised(name) or extra or not all(map(_plain, (name, words))):
            what = "has no name, more cells than columns, or a cell that is no plain text"
            problems.add(at, what, f"a name of at most {LONGEST} characters in each line")
        elif normalised(name) in seen:
            problems.add(at, "names somebody whom a line above names", "list each person once")
        else:
            groups = {key: _single(value or "") for key, value in row.items() if key not in OWN}
            yield Search(register.id_of(name), name, words, {key: value for key, value in groups.items() if value})
        seen.add(normalised(name))


def _single(text: str) -> str:
    """A cell without spaces around it, and with single ones in it."""
    return " ".join(text.split())


def _plain(text: str) -> bool:
    return text.isprintable() and len(text) <= LONGEST
