"""Normal numbers that go together as sums over deals do: how, and the chance that any of them is large."""

import numpy as np
from scipy.sparse.csgraph import minimum_spanning_tree
from scipy.special import ndtr, owens_t

from accord.statistics.permuting.dealing import DUST
from accord.statistics.permuting.max_statistic import Dealing


def correlations(of: Dealing) -> np.ndarray:
    """(c, c): of sums over deals, of those columns whose sums vary."""
    together = covariance(of)
    spread = np.sqrt(np.clip(np.diag(together), 0, None))
    usable = np.flatnonzero(spread > DUST)
    return together[np.ix_(usable, usable)] / np.outer(spread[usable], spread[usable])


def reached_by_any(z: np.ndarray, alike: np.ndarray) -> np.ndarray:
    """(c,): the chance that any of k normal numbers with correlations (k, k) is z or more, or a little more than it.

    The sum of all chances less those of both of the k - 1 pairs that go together most and join all (Hunter, 1976;
    Worsley, 1982), by Owen's (1956) function. It leaves no more than Bonferroni, and far out next to nothing is amiss.
    """
    if not len(alike):
        return np.zeros(len(z))
    tree = minimum_spanning_tree(2 - alike).tocoo()
    correlation = np.clip(2 - tree.data, -1 + DUST, 1)
    apart = np.sqrt((1 - correlation) / (1 + correlation))
    return np.minimum(1, ndtr(-z) + 2 * owens_t(z[:, np.newaxis], apart).sum(axis=1))


def covariance(of: Dealing) -> np.ndarray:
    """(c, c): of sums over deals, as `moments` has their variance."""
    columns = np.concatenate(list(of.columns()), axis=1).astype(float)
    found = np.zeros((columns.shape[1],) * 2)
    for rows in of.blocks:
        n, k = rows.shape
        x, r = columns[rows], of.response[rows].astype(float)
        means, each = x.mean(axis=1), r.mean(axis=1)
        if n > 1:
            apart = means - means.mean(axis=0)
            found += apart.T @ apart * (k * k * ((each - each.mean()) ** 2).sum() / (n - 1))
        if k > 1:
            within = (x - means[:, np.newaxis]).reshape(n * k, -1)
            found += within.T @ within * (((r - each[:, np.newaxis]) ** 2).sum() / n / (k - 1))
    return found
