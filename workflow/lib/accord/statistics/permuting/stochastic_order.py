"""Do the images of one group score lower than those of another, if there is one more subject whom nobody saw?

Of few subjects whose images are alike all can score well by chance. Then they vary little, and seem to be certain. As
in the intervals of means (`mean_intervals`), one subject who speaks against the difference is added to what they vary.
"""

import numpy as np


def order_p(values: np.ndarray, units: np.ndarray, first: np.ndarray, weights: np.ndarray) -> float:
    """P-value, two-sided, that P(X > Y) + P(X = Y) / 2 isn't below 1/2 for images X and Y of two groups (Brunner and
    Munzel, 2000; of clusters: Obuchowski, 1997, by placements, with Satterthwaite's degrees of freedom).

    values: (n,) scores of images; units: (n,) numbers of their subjects, of m; first: (m,) bool, in the first group or
    the second; weights: (m,) what a subject counts, shared by its images. The variance of each group has one more
    subject, see `_unseen`. 1 where it isn't below in the data.
    """
    shares = (weights / np.bincount(units, minlength=len(first)))[units]
    of_first = first[units]
    placed = np.empty(len(values))
    placed[of_first] = _placements(values[of_first], values[~of_first], shares[~of_first])
    placed[~of_first] = 1 - _placements(values[~of_first], values[of_first], shares[of_first])
    mean = np.bincount(units, placed * shares, len(first)) / weights
    ends = _unseen(values, of_first, shares)
    (higher, spread, freedom), (_, other, more) = (
        _estimated(mean[some], weights[some], end) for some, end in zip((first, ~first), ends, strict=True)
    )
    return _t_p(higher - 0.5, spread + other, spread**2 / freedom + other**2 / more)


def _placements(values: np.ndarray, others: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """For each value the share of the others below it, half of the equal ones among them."""
    order = np.argsort(others, kind="stable")
    below = np.concatenate([[0.0], np.cumsum(shares[order])])
    at = [np.searchsorted(others[order], values, side) for side in ("left", "right")]
    return (below[at[0]] + below[at[1]]) / (2 * below[-1])


def _unseen(values: np.ndarray, first: np.ndarray, shares: np.ndarray) -> tuple[float, float]:
    """What `order_p` places a subject at whose images all have the highest score, of the first group, or the lowest, of
    the second: that speaks most against a difference."""
    best = _placements(values.max(keepdims=True), values[~first], shares[~first])
    worst = _placements(values.min(keepdims=True), values[first], shares[first])
    return float(best[0]), float(1 - worst[0])


def _estimated(values: np.ndarray, weights: np.ndarray, unseen: float) -> tuple[float, float, float]:
    """A group's weighted mean, the variance of that mean with an unseen subject in it, its degrees of freedom."""
    share = weights / weights.sum()
    mean, count = float(values @ share), 1 / float((share**2).sum())
    squares = float((share**2) @ (values - mean) ** 2) + ((unseen - mean) / count) ** 2
    return mean, squares * count / (count - 1), count - 1


def _t_p(difference: float, variance: float, over_freedom: float) -> float:
    from scipy.stats import t

    if difference >= 0 or variance <= 0:
        return float(difference >= 0)
    return float(2 * t.sf(-difference / np.sqrt(variance), variance**2 / over_freedom))
