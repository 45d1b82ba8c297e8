"""Numbers in sentences: values with unit, interval and size, p-values told apart from their limit."""

from typing import Any

import pandas as pd

from accord.report.telling import names
from accord.statistics.testing.correction import ALPHA
from accord.text.nouns import counted, images_of

DIGITS, MOST = 2, 6


def value(metric: str, number: float) -> str:
    """A score with its unit: two digits, and more where two would make it 0 or 1 that is neither."""
    return _with_unit(metric, number, _digits(number))


def apart(metric: str, one: float, other: float) -> tuple[str, str]:
    """Two scores with as many digits as tell them apart."""
    digits = max(_digits(one), _digits(other))
    while digits < MOST and one != other and f"{one:.{digits}f}" == f"{other:.{digits}f}":
        digits += 1
    return _with_unit(metric, one, digits), _with_unit(metric, other, digits)


def interval(metric: str, low: float, high: float) -> str:
    """`95% interval 0.37 to 0.47`; "" where there is none."""
    if pd.isna(low) or pd.isna(high):
        return ""
    first, last = apart(metric, low, high)
    return f"95% interval {first.removesuffix(names.unit(metric))} to {last}"


def size(row: Any) -> str:
    """`60 images of 20 people in 8 clusters` of those who share images, where a table counts them."""
    clusters = int(getattr(row, "clusters", row.subjects))
    told = f" in {counted(clusters, 'cluster')}" if clusters < row.subjects else ""
    return f"{images_of(int(row.images), int(row.subjects))}{told}"


def sure(row: Any) -> str:
    """The interval and the size of a row of groups: `95% interval 0.37 to 0.47; 60 images of 20 people`."""
    return "; ".join(part for part in (interval(row.metric, row.low, row.high), size(row)) if part)


def p(number: float) -> str:
    """A p-value that is never rounded onto its limit: 0.0503 isn't 0.05."""
    if pd.isna(number):
        return ""
    if 0 < number < 0.0005:
        return f"{number:.1e}"
    texts = [f"{number:.{digits}f}" for digits in range(3, 2 * MOST)]
    return next((text for text in texts if float(text) != ALPHA), texts[0]) if number != ALPHA else texts[0]


def _digits(number: float) -> int:
    digits = DIGITS
    while digits < MOST and number not in (0, 1) and float(f"{number:.{digits}f}") in (0, 1):
        digits += 1
    return digits


def _with_unit(metric: str, number: float, digits: int) -> str:
    return f"{number:.{digits}f}{names.unit(metric)}"
