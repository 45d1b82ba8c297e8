"""The confidences of all pairs of a query's faces as a matrix, and the most faces that miss none."""

import numpy as np
from scipy import sparse
from scipy.optimize import Bounds, LinearConstraint, milp

NODES = 200
"""Branches after which the best cover found so far is taken. A count, not a time: the result is always the same."""


def matrix(size: int, left: np.ndarray, right: np.ndarray, scores: np.ndarray) -> np.ndarray:
    """The symmetric confidences (size, size) float64 of pairs of faces left, right (p,) int; unit diagonal.

    A pair that was asked both ways has the mean; one that was never scored, or scored NaN, is NaN.
    """
    known = ~np.isnan(scores)
    sums, counts = np.zeros((2, size, size))
    for one, other in ((left, right), (right, left)):
        np.add.at(sums, (one[known], other[known]), scores[known])
        np.add.at(counts, (one[known], other[known]), 1)
    made = np.divide(sums, counts, out=np.full((size, size), np.nan), where=counts > 0)
    np.fill_diagonal(made, 1.0)
    return made


def complete(matrix: np.ndarray) -> np.ndarray:
    """The faces (k,) int, sorted, of a largest set without a missing pair.

    Leaving out as few faces as possible is a minimum vertex cover of the missing pairs: solved by integer programming
    (HiGHS), exactly but where gaps are scattered over many faces (a fifth of the pairs of 100), where that takes far
    longer; there a face more may go. Of several largest sets one is taken, always the same.
    """
    left, right = np.nonzero(np.triu(np.isnan(matrix), 1))
    size, missing = len(matrix), len(left)
    if not missing:
        return np.arange(size)
    rows = np.repeat(np.arange(missing), 2)
    pairs = sparse.csr_array((np.ones(2 * missing), (rows, np.stack([left, right], 1).ravel())), shape=(missing, size))
    # Equal covers are parted by a price that rises by less than one face in all: the last faces stay.
    price = 1 + np.arange(size, 0, -1) / (size + 1) ** 2
    solved = milp(
        price,
        constraints=LinearConstraint(pairs, lb=1),
        integrality=np.ones(size),
        bounds=Bounds(0, 1),
        options={"node_limit": NODES},
    )
    return _without_most_missing(matrix) if solved.x is None else np.nonzero(np.round(solved.x) == 0)[0]


def _without_most_missing(matrix: np.ndarray) -> np.ndarray:
    """The faces that are left when the one that misses most pairs goes until none is missing: where no cover is found
    within the limit."""
    missing, left = np.isnan(matrix), np.ones(len(matrix), bool)
    while missing.any():
        worst = int(missing.sum(0).argmax())
        missing[worst], missing[:, worst], left[worst] = False, False, False
    return np.nonzero(left)[0]
