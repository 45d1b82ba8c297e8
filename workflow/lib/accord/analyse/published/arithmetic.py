"""The arithmetic of printed tables: a small grammar of sums and comparisons, read and worked out without eval.

relation = [expression] comparison expression         comparison: = <= >= < > of
expression = term { (+ | -) term };  term = factor { (* | /) factor };  factor = [-] (number | name | call | ( ) )
call = (one of ranges.CALLS) ( expression { , expression } ), or name.* for an expression: all figures whose names begin
so
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Mapping
from functools import cached_property
from itertools import takewhile
from typing import NamedTuple

from accord.analyse.published.printed import Range, exactly, printed
from accord.analyse.published.ranges import CALLS, WORK, Undefined, times

LONGEST, DEEPEST = 500, 40
TOKEN = re.compile(r"\s*(\d{1,30}(\.\d{1,30})?%?|[^\W\d][\w&]*(\.[\w&]+)*(\.\*)?|<=|>=|[=<>+\-−*/(),])")
COMPARISONS = ("<=", ">=", "=", "<", ">", "of")


class Names(dict):
    """Figures by name; None of those without a value. Names are all there from the start, values may come later."""

    def under(self, start: str) -> list[str]:
        """The names that begin with `start`, found by bisection: tables have thousands."""
        first = bisect_left(self._ordered, start)
        return list(takewhile(lambda name: name.startswith(start), self._ordered[first:]))

    @cached_property
    def _ordered(self) -> list[str]:
        return sorted(self)


class Relation(NamedTuple):
    """left comparison right. Both sides are worked out by `value`, given the figures by name."""

    left: tuple
    comparison: str
    right: tuple


def relation(text: str, names: Mapping[str, Range | None], own: str) -> Relation:
    """Read a relation; its left side is `own` where it begins with a comparison.

    names: all figures that there are. Raises ValueError that says what is wrong and where.
    """
    reader = _reader(text, names)
    left = ("name", own) if reader.next in COMPARISONS else reader.expression(0)
    comparison = reader.take()
    if comparison not in COMPARISONS:
        raise reader.wrong(f"{comparison!r} in place of one of {' '.join(COMPARISONS)}")
    return Relation(left, comparison, reader.last())


def expression(text: str, names: Mapping[str, Range | None]) -> tuple:
    """Read what `value` works out. Raises ValueError that says what is wrong and where."""
    return _reader(text, names).last()


def holds(made: Relation, figures: Mapping[str, Range | None]) -> tuple[bool, Range, Range]:
    """Whether numbers that round to the printed ones can obey a relation, and its two sides.

    `left of right`: some whole number over `right` is `left`, as a share or a mean of whole numbers must be (Brown and
    Heathers, 2017). Rounded numbers that occur twice are taken as free of each other, so no false alarm is raised.
    Raises Undefined where a side can't be worked out.
    """
    left, right = (value(side, figures) for side in (made.left, made.right))
    if made.comparison == "of":
        whole = times(left, right)
        return -(-whole.low.numerator // whole.low.denominator) <= whole.high, left, right
    possible = {
        "=": left.low <= right.high and right.low <= left.high,
        "<=": left.low <= right.high,
        ">=": left.high >= right.low,
        "<": left.low < right.high,
        ">": left.high > right.low,
    }
    return possible[made.comparison], left, right


def value(node: tuple, figures: Mapping[str, Range | None]) -> Range:
    """The range of an expression. Raises Undefined."""
    kind, *rest = node
    if kind == "number":
        return rest[0]
    if kind == "name":
        found = figures[rest[0]]
        if found is None:
            raise Undefined(f"{rest[0]} has no value")
        return found
    return WORK[kind](*(value(part, figures) for part in rest))


def _reader(text: str, names: Mapping[str, Range | None]) -> "_Reader":
    if len(text) > LONGEST:
        raise ValueError(f"is longer than {LONGEST} characters")
    return _Reader(_tokens(text), names if isinstance(names, Names) else Names(names))


def _tokens(text: str) -> list[str]:
    found, at = [], 0
    while text[at:].strip():
        token = TOKEN.match(text, at)
        if not token:
            raise ValueError(f"{text[at:].strip()[:20]!r} can't be read")
        found.append(token[0].strip())
        at = token.end()
    return found


class _Reader:
    """Reads tokens from left to right (recursive descent). `unknown`: what names no figure, told at the end."""

    def __init__(self, tokens: list[str], names: Names):
        self.tokens, self.at, self.names = tokens, 0, names
        self.unknown: list[str] = []

    @property
    def next(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self) -> str:
        taken, self.at = self.next, self.at + 1
        return taken

    def expression(self, depth: int) -> tuple:
        return self._chain(("+", "-", "−"), lambda: self._chain(("*", "/"), lambda: self._factor(depth + 1)))

    def last(self) -> tuple:
        """The expression that ends the text."""
        made = self.expression(0)
        if self.next:
            raise self.wrong(f"{self.next!r} after its end")
        if self.unknown:
            raise self.wrong()
        return made

    def wrong(self, *what: str) -> ValueError:
        """All that is wrong so far, and what else is."""
        return ValueError("; ".join((*dict.fromkeys(self.unknown), *what)))

    def _chain(self, signs: tuple[str, ...], part: Callable[[], tuple]) -> tuple:
        made = part()
        while self.next in signs:
            sign = self.take()
            made = ("-" if sign == "−" else sign, made, part())
        return made

    def _factor(self, depth: int) -> tuple:
        if depth > DEEPEST:
            raise self.wrong(f"is nested deeper than {DEEPEST}")
        token = self.take()
        if token in ("-", "−"):
            return ("-", ("number", exactly(0)), self._factor(depth + 1))
        if token == "(":
            return self._closed(self.expression(depth + 1))
        if token[:1].isdigit():
            return ("number", exactly(printed(token).middle))
        if self.next == "(" and token in CALLS:
            return self._call(token, depth)
        if token not in self.names:
            what = f"{token!r} is not a figure in the table" if token else "ends unexpectedly"
            if not re.match(r"[^\W\d]", token):
                raise self.wrong(what)
            self.unknown.append(what)
        return ("name", token)

    def _closed(self, made: tuple) -> tuple:
        if self.take() != ")":
            raise self.wrong("a ) is missing")
        return made

    def _call(self, name: str, depth: int) -> tuple:
        self.take()
        parts = self._argument(depth)
        while self.next == ",":
            self.take()
            parts += self._argument(depth)
        if CALLS[name] and len(parts) != len(CALLS[name].split(" and ")):
            raise self.wrong(f"{name} takes {CALLS[name]}")
        return self._closed((name, *parts))

    def _argument(self, depth: int) -> list[tuple]:
        if not self.next.endswith(".*"):
            return [self.expression(depth + 1)]
        start = self.take()[:-1]
        found = [("name", name) for name in self.names.under(start)]
        if not found:
            self.unknown.append(f"no figure begins with {start!r}")
        return found
