"""What can be worked out of ranges: each function gives all values that its arguments, anywhere in theirs, can have."""

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import product

from accord.analyse.faces.rates import wilson
from accord.analyse.published.printed import Range

HAIR = Fraction(1, 10**9)
"""Bounds that are worked out in doubles are good to so much, of themselves or, near 0, of 1."""
CALLS = {
    "min": "", "max": "", "sum": "", "abs": "one figure", "sqrt": "one figure", "exp": "one figure",
    "wilson_low": "hits and trials", "wilson_high": "hits and trials",
}  # fmt: skip
"""Functions that rules may call, and what they take; nothing is said of those that take any number of figures."""


class Undefined(Exception):
    """A relation that can't be worked out, such as a division by 0. The message says why."""


def times(left: Range, right: Range) -> Range:
    ends = [a * b for a, b in product(left, right)]
    return Range(min(ends), max(ends))


def _over(left: Range, right: Range) -> Range:
    if right.low <= 0 <= right.high:
        raise Undefined("it divides by 0, or by a value that may be 0")
    return times(left, Range(1 / right.high, 1 / right.low))


def _sum(*parts: Range) -> Range:
    return Range(sum((part.low for part in parts), Fraction()), sum((part.high for part in parts), Fraction()))


def _abs(part: Range) -> Range:
    ends = sorted(map(abs, part))
    return Range(Fraction(0) if part.low <= 0 <= part.high else ends[0], ends[1])


def _sqrt(part: Range) -> Range:
    """Of what may be below 0 only by rounding, the rest."""
    if part.high < 0:
        raise Undefined("it takes the square root of a negative number")
    return _rising(math.sqrt, Range(max(part.low, Fraction(0)), part.high))


def _rising(function: Callable[[float], float], part: Range) -> Range:
    low, high = (Fraction(function(float(end))) for end in part)
    return Range(low - HAIR * max(abs(low), 1), high + HAIR * max(abs(high), 1))


def _wilson(side: int, hits: Range, trials: Range) -> Range:
    counts = [int(part.low) for part in (hits, trials) if part.low == part.high and part.low.denominator == 1]
    if len(counts) < 2 or not 0 <= counts[0] <= counts[1] or not counts[1]:
        raise Undefined("Wilson's interval needs a whole number of hits, at most the number of trials")
    bound = Fraction(wilson(*counts)[side])
    return Range(bound - HAIR, bound + HAIR)


WORK: dict[str, Callable[..., Range]] = {
    "+": lambda a, b: Range(a.low + b.low, a.high + b.high),
    "-": lambda a, b: Range(a.low - b.high, a.high - b.low),
    "*": times,
    "/": _over,
    "sum": _sum,
    "abs": _abs,
    "sqrt": _sqrt,
    "exp": lambda part: _rising(math.exp, part),
    "min": lambda *parts: Range(min(p.low for p in parts), min(p.high for p in parts)),
    "max": lambda *parts: Range(max(p.low for p in parts), max(p.high for p in parts)),
    "wilson_low": lambda hits, trials: _wilson(0, hits, trials),
    "wilson_high": lambda hits, trials: _wilson(1, hits, trials),
}
"""Operators and functions by their names in rules. All are exact but those of doubles, whose ranges are HAIR wider."""
