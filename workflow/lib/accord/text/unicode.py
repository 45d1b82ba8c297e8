"""Texts of untrusted origin: those that can't be written as UTF-8, or take long to normalise, are refused when read."""

import unicodedata
from collections.abc import Iterator
from itertools import groupby
from typing import Any

MOST_MARKS = 30
"""Combining marks in a row: the Stream-Safe Text Format (UAX #15, 20.1) has no more. Sorting them takes the square of
their number."""

SPLIT_INTO_MARKS = frozenset("\u0f73\u0f75\u0f81\uff9e\uff9f")
"""Letters that are no combining marks themselves, but begin with one once they are split (NFKD)."""

NO_UTF_8 = "has half of a surrogate pair, which is not text"
MANY_MARKS = f"has more than {MOST_MARKS} combining marks in a row"


def fault(text: str) -> str:
    """Why a text is not read, without quoting it; "" where it can be. Takes a time that grows with its length."""
    if text.isascii():
        return ""
    try:
        text.encode()
    except UnicodeEncodeError:
        return NO_UTF_8
    runs = (sum(1 for _ in run) for marks, run in groupby(text, is_mark) if marks)
    return MANY_MARKS if any(run > MOST_MARKS for run in runs) else ""


def is_mark(letter: str) -> bool:
    """Whether a letter is a combining mark, or begins with one once it is split."""
    return unicodedata.combining(letter) > 0 or letter in SPLIT_INTO_MARKS


def fault_within(value: Any) -> str:
    """The same of the first bad text among a JSON value's keys and strings; "" where all can be read."""
    return next(filter(None, map(fault, _strings(value))), "")


def _strings(value: Any) -> Iterator[str]:
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, dict):
            waiting += [*one.keys(), *one.values()]
        elif isinstance(one, list):
            waiting += one
