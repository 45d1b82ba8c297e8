"""A list of links that somebody made by hand, in place of a search. The pictures are fetched as found ones are."""

import re
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path

from accord.errors import Collector, all_problems
from accord.release.searching.names import cells
from accord.release.searching.register import normalised
from accord.release.searching.searchers import OPTIONS, Found
from accord.text import days

COLUMNS = ("name", "url")
MONTH = len("2027-03")
DAY_OR_MONTH = re.compile(r"\d{4}-\d{2}(-\d{2})?", re.ASCII)


class Listed:
    """`path`: a CSV file in UTF-8 with name, url, and may have published: the month, such as 2027-03, or a day.

    Raises AccordError with all that is wrong, by line: neither names nor links are told.
    """

    def __init__(self, *, path: str) -> None:
        self._people: dict[str, list[Found]] = {}
        with all_problems() as problems:
            for name, found in _rows(cells(Path(path), f"{OPTIONS}.path", COLUMNS), problems):
                self._people.setdefault(name, []).append(found)

    def find(self, words: str, since: date, most: int) -> list[Found]:
        """As `Searcher`: the first ones, each once, without those of an earlier month than `since`."""
        every = dict.fromkeys(self._people.get(normalised(words), []))
        return [one for one in every if not one.published or one.published >= since.isoformat()[:MONTH]][:most]


def _rows(found: Sequence[tuple[int, dict]], problems: Collector) -> Iterator[tuple[str, Found]]:
    for line, row in found:
        at = f"{OPTIONS}.path:{line}"
        name, url, published = ((row.get(column) or "").strip() for column in (*COLUMNS, "published"))
        if None in row:
            problems.add(at, "has more cells than the header")
        elif not name or not url:
            problems.add(at, "has no name or no url")
        elif published and not _is_date(published):
            problems.add(at, "published is neither a month nor a day that was", "write 2027-03")
        else:
            yield normalised(name), Found(url, published[:MONTH])


def _is_date(text: str) -> bool:
    if not DAY_OR_MONTH.fullmatch(text):
        return False
    try:
        return date.fromisoformat(f"{text}-01" if len(text) == MONTH else text).isoformat() <= days.today()
    except ValueError:
        return False
