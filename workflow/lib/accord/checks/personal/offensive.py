"""Lists of offensive words, to be found in free text."""

from collections.abc import Iterable
from pathlib import Path

from accord.checks.deciding.lists import column
from accord.engine import resources
from accord.errors import all_problems
from accord.text.listed_words import Words, listed

OWN = "offensive.csv"
"""Our short list, beside this module."""


def read(paths: Iterable[Path]) -> Words:
    """The words of our own list and of others: CSV files with columns `word` and `language`.

    Raises AccordError where a list has no such column.
    """
    words: list[str] = []
    with all_problems() as problems:
        for path in (resources.beside(__name__) / OWN, *map(Path, paths)):
            words += column(path, "word", "words", problems)
    return listed(words)
