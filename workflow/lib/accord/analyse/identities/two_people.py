"""Two people in like numbers in one query: which of them was searched for can't be told by numbers of faces."""

from collections.abc import Callable

import numpy as np
from scipy.stats import binom

from accord.analyse.identities.rules import Chance, clusters

UNDECIDED = 0.2
"""Chance of numbers as uneven, were both people as frequent, from which on a query is undecided: 7 to 4 and 10 to 6
are, 8 to 4 and 10 to 5 aren't. 0.1 would cost a quarter of the queries of 9 own faces and 3 of another person, and
close no more."""


def undecided(matrix: np.ndarray, chance: Callable[[int], Chance]) -> bool:
    """Whether a second person has nearly as many faces as the first.

    matrix: confidences (n, n) that average 0 for strangers; chance: what so many strangers make. The first
    person is the largest cluster. The largest of the other faces is a second one if it is larger than chance makes it
    among as many strangers: among all faces, as `rules.strangers` counts, it would have to be larger still. A sign test
    of both sizes then tells whether the first is the more frequent.
    """
    whose = clusters(matrix)
    is_first = whose == np.bincount(whose).argmax()
    others = np.bincount(whose[~is_first])
    if not len(others) or others.max() <= max(chance(int((~is_first).sum())).cluster, 1):
        return False
    first, second = int(is_first.sum()), int(others.max())
    return bool(binom.sf(first - 1, first + second, 0.5) > UNDECIDED)
