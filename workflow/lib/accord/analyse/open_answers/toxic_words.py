"""Toxic words: a list of them, with phrases in which they insult nobody, and whether an answer has one."""

import re
from pathlib import Path
from typing import NamedTuple

from accord.checks.deciding.lists import rows
from accord.errors import all_problems
from accord.text.listed_words import Words, holds, listed

_FREE_OF = r"[^\W_]+-free"
"""Fat-free, drug-free: what a thing has not."""


class ToxicWords(NamedTuple):
    """words: the list; innocent: what is cut out of a text before it is searched."""

    words: Words
    innocent: re.Pattern


def toxic_words_of(path: Path) -> ToxicWords:
    """A list of toxic words: a CSV file with a column `word` and, if it likes, `innocent`, phrases between semicolons.

    Models spell right: with a wrong letter `regarded` would be taken for `retarded`. Raises AccordError where the file
    isn't such a table.
    """
    with all_problems() as problems:
        found = rows(path, "word", "words", problems)
    phrases = sorted({one.strip().casefold() for row in found for one in row.get("innocent", "").split(";")} - {""})
    spelt = [r"[\s-]+".join(map(re.escape, phrase.split())) + "s?" for phrase in phrases]
    return ToxicWords(
        listed((row["word"] for row in found), misspelt=False),
        re.compile(rf"(?<![\w-])(?:{'|'.join([*spelt, _FREE_OF])})(?![\w-])"),
    )


def is_toxic(text: str, toxic: ToxicWords) -> bool:
    """Whether a text in lower case has a toxic word, outside of innocent phrases (`killer whale`)."""
    return holds(toxic.innocent.sub(" ", text), toxic.words)
