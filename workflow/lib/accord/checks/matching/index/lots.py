"""What is drawn by lot: the same in every run, so that the same vectors give the same."""

import numpy as np

SEED = 20_231


def lots() -> np.random.Generator:
    """Lots that begin anew."""
    return np.random.default_rng(SEED)


def drawn(count: int, most: int) -> np.ndarray:
    """Sorted numbers below `count`, no more than `most` of them."""
    return np.sort(lots().permutation(count)[:most])
