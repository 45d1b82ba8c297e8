"""How much alike pictures are: by the best part of one in which the whole of the other is seen."""

import numpy as np


def alike_with(mine: np.ndarray, others: np.ndarray, wholes: np.ndarray) -> np.ndarray:
    """(n, m) cosines of (n, regions, d) pictures with (m, regions, d) others: the best of a whole one with a part.

    wholes: (m, d), the others as a whole, one after the other in memory.
    """
    parts = (mine[:, 0] @ others.reshape(-1, others.shape[-1]).T).reshape(len(mine), *others.shape[:2]).max(axis=2)
    inverse = (mine.reshape(-1, mine.shape[-1]) @ wholes.T).reshape(*mine.shape[:2], len(others)).max(axis=1)
    return np.maximum(parts, inverse)
