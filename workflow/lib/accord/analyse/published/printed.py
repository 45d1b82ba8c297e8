"""Numbers as papers print them, and all that they may have been before they were rounded."""

import re
from fractions import Fraction
from typing import NamedTuple

NUMBER = re.compile(
    r"(?P<sign>[-−])?(?P<whole>\d{1,3}(,\d{3})+|\d{1,30})(\.(?P<decimals>\d{1,30}))?"
    r"(?P<percent>\s?%)?(\s?±\s?(?P<slack>\d{1,30}(\.\d{1,30})?))?"
)


class Range(NamedTuple):
    """All numbers from low to high. A count is exact: low = high."""

    low: Fraction
    high: Fraction

    @property
    def middle(self) -> Fraction:
        return (self.low + self.high) / 2

    def __str__(self) -> str:
        slack = self.high - self.middle
        return f"{_text(self.middle)} ± {_text(slack)}" if slack else _text(self.middle)


def exactly(number: Fraction | int) -> Range:
    return Range(Fraction(number), Fraction(number))


def printed(text: str) -> Range:
    """What a printed number may stand for: `28,703` itself; `0.97` 0.965 to 0.975; `3.5%` 0.0345 to 0.0355.

    A whole number is a count, so exact, unless it is a percentage; `1200 ± 50` states its own slack. Both ends of a
    rounded number belong to it, whichever way halves were rounded. Raises ValueError where it is no number.
    """
    found = NUMBER.fullmatch(text.strip())
    if not found:
        raise ValueError(f"{text!r} is not a number such as 28,703, 0.97, 3.5% or 1200 ± 50")
    decimals = found["decimals"] or ""
    number = Fraction(f"{found['whole'].replace(',', '')}.{decimals or 0}") * (-1 if found["sign"] else 1)
    slack = Fraction(found["slack"]) if found["slack"] else _unit(decimals, bool(found["percent"])) / 2
    scale = 100 if found["percent"] else 1
    return Range((number - slack) / scale, (number + slack) / scale)


def _unit(decimals: str, percent: bool) -> Fraction:
    return Fraction(1, 10 ** len(decimals)) if decimals or percent else Fraction(0)


def _text(number: Fraction) -> str:
    return str(number) if number.denominator == 1 else f"{float(number):.10g}"
