"""How many of a falling row of figures stand out."""

import numpy as np

FEWEST, MOST = 4, 6


def elbow(falling: np.ndarray) -> int:
    """How many of `falling` (descending) come before the elbow, the point farthest below the straight line from the
    first to the last (Satopaa et al., 2011): 4 to 6, but only positive ones."""
    positive = int((falling > 0).sum())
    if positive <= FEWEST:
        return positive
    span = falling[0] - falling[-1]
    height = (falling - falling[-1]) / span if span > 0 else np.zeros(len(falling))
    along = np.linspace(0, 1, len(falling))
    return min(positive, int(np.clip(np.argmax(1 - along - height), FEWEST, MOST)))
