"""Do the images of one group score lower than those of another, however alike the images of a subject are?

Means of subjects can differ in distribution where scores of images don't: where the images of a subject are more alike
in one of the groups. What is asked here is of images, and its spread is told from each group's own subjects.
"""

import numpy as np


def order_p(values: np.ndarray, units: np.ndarray, first: np.ndarray, weights: np.ndarray) -> float:
    """P-value, two-sided, that P(X > Y) + P(X = Y) / 2 isn't below 1/2 for images X and Y of two groups (Brunner and
    Munzel, 2000; of clusters: Obuchowski, 1997, by placements, with Satterthwaite's degrees of freedom).

    values: (n,) scores of images; units: (n,) numbers of their subjects, of m; first: (m,) bool, in the first group or
    the second; weights: (m,) what a subject counts, shared by its images. 1 where it isn't below in the data.
    """
    shares = (weights / np.bincount(units, minlength=len(first)))[units]
    of_first = first[units]
    placed = np.empty(len(values))
    placed[of_first] = _placements(values[of_first], values[~of_first], shares[~of_first])
    placed[~of_first] = 1 - _placements(values[~of_first], values[of_first], shares[of_first])
    mean = np.bincount(units, placed * shares, len(first)) / weights
    (higher, spread, freedom), (_, other, more) = (_estimated(mean[some], weights[some]) for some in (first, ~first))
    return _t_p(higher - 0.5, spread + other, spread**2 / freedom + other**2 / more)


def _placements(values: np.ndarray, others: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """For each value the share of the others below it, half of the equal ones among them."""
    order = np.argsort(others, kind="stable")
    below = np.concatenate([[0.0], np.cumsum(shares[order])])
    at = [np.searchsorted(others[order], values, side) for side in ("left", "right")]
    return (below[at[0]] + below[at[1]]) / (2 * below[-1])


def _estimated(values: np.ndarray, weights: np.ndarray) -> tuple[float, float, float]:
    """A group's weighted mean, the variance of that mean, and its degrees of freedom."""
    share = weights / weights.sum()
    mean, count = float(values @ share), 1 / float((share**2).sum())
    return mean, float((share**2) @ (values - mean) ** 2) * count / (count - 1), count - 1


def _t_p(difference: float, variance: float, over_freedom: float) -> float:
    from scipy.stats import t

    if difference >= 0 or variance <= 0:
        return float(difference >= 0)
    return float(2 * t.sf(-difference / np.sqrt(variance), variance**2 / over_freedom))
