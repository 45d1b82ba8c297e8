"""Which pictures that are kept are still to be compared: those whose copies are copies of one another.

A picture is compared with the few that look most like it. Of many copies of one picture, these may all be gone
themselves, as copies of one that was never compared with it.
"""

import numpy as np

from accord.checks.matching.copies import keepers
from accord.statistics.distinct import distinct_pairs


def between_kept(pairs: np.ndarray, ranks: np.ndarray) -> np.ndarray:
    """(k, 2) positions, left < right, sorted, of kept pictures that the ends of a pair that holds are kept for.

    pairs: (m, 2) positions of pictures, those that hold; ranks: (n,) of each picture, the best first.
    """
    rows = np.sort(ranks[pairs], axis=1)
    keeper = keepers(int(ranks.max(initial=-1)) + 1, rows[np.lexsort([rows[:, 0], rows[:, 1]])])
    kept = keeper[rows]
    place = np.empty(len(keeper), np.int64)
    place[ranks] = np.arange(len(ranks))
    return distinct_pairs(np.sort(place[kept[kept[:, 0] != kept[:, 1]]], axis=1))


def untried(pairs: np.ndarray, tried: np.ndarray) -> np.ndarray:
    """Those of some pairs, (k, 2), that aren't among others, (m, 2)."""
    most = int(max(pairs.max(initial=0), tried.max(initial=0))) + 1
    codes, known = (some[:, 0].astype(np.int64) * most + some[:, 1] for some in (pairs, tried))
    return pairs[~np.isin(codes, known)]
