"""Scores that are too large, too small or too close together for numbers of 64 bits (float64)."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from accord.errors import Collector

LARGEST, SMALLEST = 1e90, 1e-90
"""Third powers of scores are summed: beyond these they leave what float64 holds, and figures are false or missing."""
CLOSE = 1e-9
"""Scores that differ by less than this share of their size: tests take differences of 1e-12 of it for rounding."""


def check_scale(values: np.ndarray, where: str, problems: Collector) -> None:
    """Add scores (n,), NaN for none, of a size that can't be computed with, to `problems`."""
    size = float(np.nanmax(np.abs(values), initial=0.0))
    if size > LARGEST:
        problems.add(where, f"has values beyond {LARGEST:g}", "give it in a larger unit: divide all by one number")
    elif 0 < size < SMALLEST:
        hint = "give it in a smaller unit: multiply all by one number"
        problems.add(where, f"has only values below {SMALLEST:g}", hint)


def hardly_varying(scores: pd.DataFrame) -> Iterator[str]:
    """A remark for each metric of Scores whose values differ by next to nothing beside their size."""
    for metric, some in scores.groupby("metric", sort=True, observed=True)["value"]:
        low, high = some.min(), some.max()
        if 0 < high - low < CLOSE * max(abs(low), abs(high)):
            yield (
                f"{str(metric)!r} varies by less than a billionth of its size, so that differences may count as "
                "rounding. If they are real, subtract first what all values have in common."
            )
