"""Figures in sentences: as many digits as are needed, the interval, the number of people."""

from typing import Any

import pandas as pd

from accord.analyse.plain.found import ROW
from accord.grouping import BETWEEN
from accord.text.nouns import counted

DIGITS, MOST = 3, 8


def value(number: float, digits: int = DIGITS) -> str:
    """A figure with so many significant digits, without an exponent where that can be read: 1000 as 1000."""
    if pd.isna(number):
        return "none"
    text = f"{number:.{digits}g}"
    return f"{number:.0f}" if "e+" in text and abs(number) < 1e9 else text


def apart(one: float, other: float) -> tuple[str, str]:
    """Two figures with as many digits as tell them apart."""
    for digits in range(DIGITS, MOST):
        if one == other or value(one, digits) != value(other, digits):
            return value(one, digits), value(other, digits)
    return value(one, MOST), value(other, MOST)


def interval(low: float, high: float) -> str:
    """`0.37 to 0.47`; "" where there is none."""
    return " to ".join(apart(low, high)) if pd.notna(low) and pd.notna(high) else ""


def sure(row: Any, of: tuple[str, str]) -> str:
    """`95% interval 0.37 to 0.47; 60 images of 20 people`: of a row of groups. of: `Found.counted`."""
    known = interval(row.low, row.high)
    return "; ".join(part for part in (f"95% interval {known}" if known else "", size(row, of)) if part)


def size(row: Any, of: tuple[str, str]) -> str:
    """`60 images of 20 people`, or `60 people` with an image each; `60 rows of 20 people` where no column tells images,
    `60 rows` where none tells people. of: `Found.counted`."""
    image, subject = of
    images, people = int(row.images), int(row.subjects)
    told = counted(people, ROW if subject == ROW else "person")
    alone = images == people or subject == ROW
    return f"{told if alone else f'{counted(images, image)} of {told}'}{in_clusters(row)}"


def in_clusters(row: Any) -> str:
    """` in 4 clusters` of people who share images; "" where none do."""
    return f" in {counted(int(row.clusters), 'cluster')}" if row.clusters < row.subjects else ""


def people(note: str) -> str:
    """A note about subjects, as a page says it: `3 people, fewer than 10`."""
    return note.replace("subjects", "people").replace("subject", "person")


def p(number: float) -> str:
    """A p-value."""
    return "< 0.0001" if number < 1e-4 else f"{number:.2g}"


def label(name: str) -> str:
    """A group or an attribute: `dark × lamp` of an intersection."""
    return name.replace(BETWEEN, " × ")
