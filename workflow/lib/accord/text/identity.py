"""Identity: what is the same id, name or label in two spellings; the one rule of all readers.

Two spellings are one id where they have the same normal form (Unicode NFKC, no space around it), and numbers where they
are the same whole number (1 and 1.0). Case and leading zeros count: ids that differ in them alone are near each other,
which is reported and never decided.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from itertools import combinations
from numbers import Integral, Real
from operator import index
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from accord.text.references import normal

if TYPE_CHECKING:
    import pandas as pd

WHOLE = re.compile(r"[+-]?[0-9]+\.0+")
"""A whole number as programs write it that keep all numbers as fractions."""
ZEROS = re.compile(r"(?<![0-9.])0+(?=[0-9])")
REWRITINGS: dict[str, Callable[[str], str]] = {
    "leading zeros": lambda text: ZEROS.sub("", text),
    "case": str.casefold,
    "folders": lambda text: text.replace("\\", "/").rpartition("/")[2],
    "the ending of the file": lambda text: text.removesuffix(PurePosixPath(text).suffix),
}
"""What programs change of ids, and what undoes it."""
SHARE = 0.5
"""Of the ids of the smaller side so many have to match before a rewriting explains why none did."""


def identity(value: object) -> str:
    """The id that a cell stands for, however it is spelled or typed; "" for a missing one."""
    if isinstance(value, bytes):
        value = value.decode(errors="replace")
    if not isinstance(value, str):
        return "" if value is None else _number(value)
    plain = normal(value)
    return plain.partition(".")[0] if plain.endswith("0") and WHOLE.fullmatch(plain) else plain


def identities(column: "pd.Series") -> "pd.Series":
    """The ids that the cells of a column stand for, as texts; each different cell is looked at once."""
    import pandas as pd

    code, cells = pd.factorize(column)
    ids = pd.Series([*map(identity, cells), ""], dtype=str)
    return pd.Series(ids.to_numpy()[code], column.index, name=column.name, dtype=str)


def near(value: object) -> str:
    """What ids share that differ only in case, in doubled space, or in leading zeros of their numbers."""
    plain = " ".join(identity(value).casefold().split())
    return ZEROS.sub("", plain) if "0" in plain else plain


def clashes(values: Iterable[str], key: Callable[[str], str] = identity) -> list[list[str]]:
    """The spellings of each id that has several, in the order given. key: what spellings of one id share."""
    spellings: dict[str, dict[str, None]] = defaultdict(dict)
    for value in values:
        spellings[key(value)][value] = None
    return [list(several) for several in spellings.values() if len(several) > 1]


def known_as(name: str, names: Collection[str]) -> str:
    """How a name is spelled among some names; the name itself where none of them is the same, or several are."""
    if name in names:
        return name
    same = [spelling for spelling in names if identity(spelling) == identity(name)]
    return same[0] if len(same) == 1 else name


def rewriting(these: Iterable[str], those: Iterable[str]) -> str:
    """How ids of two sides that share none seem to be written differently, as in `leading zeros and case`; "" where
    undoing it would not make most of them match, or would make one id of two."""
    sides = [set(these), set(those)]
    if not all(sides) or sides[0] & sides[1]:
        return ""
    for count in range(1, len(REWRITINGS) + 1):
        for names in combinations(REWRITINGS, count):
            plain = [{_undone(text, names) for text in side} for side in sides]
            is_apart = [len(few) for few in plain] == [len(side) for side in sides]
            if is_apart and len(plain[0] & plain[1]) >= SHARE * min(map(len, plain)):
                return " and ".join(names)
    return ""


def _undone(text: str, names: Iterable[str]) -> str:
    for name in names:
        text = REWRITINGS[name](text)
    return text


def _number(value: Any) -> str:
    """What is no text, as one: a whole number without its fraction; "" for what is not a number."""
    if isinstance(value, bool) or not isinstance(value, Real):
        return identity(str(value))
    if isinstance(value, Integral):
        return str(index(value))
    number = float(value)
    return str(int(number)) if number.is_integer() else "" if number != number else str(value)
