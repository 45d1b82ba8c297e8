"""Intervals of group metrics: subjects are drawn again with all their faces."""

import numpy as np
import pandas as pd
from scipy import sparse

from accord.analyse.scoring.fairness import Fairness, group_metrics
from accord.statistics.distinct import coded
from accord.statistics.resampling import bootstrap

UNKNOWN = (float("nan"), float("nan"))
GROUP_METRICS = Fairness._fields[:5]


def intervals(
    labels: np.ndarray,
    predicted: np.ndarray,
    groups: pd.Categorical,
    subjects: np.ndarray | None,
    draws: int,
    rng: np.random.Generator,
) -> dict[str, tuple[float, float]]:
    """Group metric -> the ends of its 95% interval: expanded percentiles (Hesterberg, 2015) over draws of subjects.

    NaN without draws, of fewer than two subjects, or where half of the draws or more can't compare two groups. A
    largest difference is never below 0, and draws add chance to it: its interval lies higher than its value, the more
    so the smaller the groups, and an end above 0 shows no difference.
    """
    known = groups.codes >= 0
    cells = 4 * groups.codes[known].astype(np.int64) + 2 * labels[known] + predicted[known]
    shape = (len(groups.categories), 2, 2)
    codes = None if subjects is None else coded(subjects[known])[1]
    drawn_from = len(cells) if codes is None else int(codes.max(initial=-1)) + 1
    if drawn_from < 2 or not draws:
        return dict.fromkeys(GROUP_METRICS, UNKNOWN)
    size = int(np.prod(shape))
    counts = _of_rows(cells, size, draws, rng) if codes is None else _of_subjects(cells, codes, size, draws, rng)
    found = group_metrics(counts.reshape(-1, *shape))
    return {name: ends(values, drawn_from) for name, values in zip(GROUP_METRICS, found, strict=True)}


def _of_rows(cells: np.ndarray, size: int, draws: int, rng: np.random.Generator) -> np.ndarray:
    """Counts of cells in draws of as many rows: one multinomial number each, whatever the number of rows."""
    counts = np.bincount(cells, minlength=size)
    return rng.multinomial(len(cells), counts / len(cells), size=draws)


def _of_subjects(cells: np.ndarray, codes: np.ndarray, size: int, draws: int, rng: np.random.Generator) -> np.ndarray:
    people = int(codes.max()) + 1
    of = sparse.csr_array((np.ones(len(cells)), (cells, codes)), shape=(size, people))
    parts = bootstrap.blocks(bootstrap.resampled(people, draws, rng))
    return np.concatenate([(of @ part.T.astype(float)).T for part in parts])


def ends(values: np.ndarray, subjects: int) -> tuple[float, float]:
    """The ends of a metric's 95% interval, of its values in draws of so many subjects; NaN where half of them or more
    have none, and where all are alike: draws that never vary tell nothing of how far off the value may be."""
    few = np.isnan(values).sum() >= len(values) / 2
    return UNKNOWN if few or np.nanmin(values) == np.nanmax(values) else bootstrap.interval(values, subjects)
