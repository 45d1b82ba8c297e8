"""Strata: the rows that are alike in one feature, so that it can be held fixed."""

import numpy as np

from accord.analyse.encoded import NUMBER, Encoded
from accord.analyse.grouping import BETWEEN, DERIVED

PARTS = 5


def feature_strata(features: Encoded, index: int) -> np.ndarray:
    """(n,) int: the fifth of a number that a row is in; of a category, which labels it has."""
    columns = features.matrix[:, features.columns_of(index)]
    if features.kinds[index] != NUMBER:
        return np.unique(columns, axis=0, return_inverse=True)[1].ravel()
    known = columns[features.known[:, index], 0]
    cuts = np.quantile(known, np.arange(1, PARTS) / PARTS) if len(known) else []
    return np.searchsorted(np.unique(cuts), columns[:, 0], side="left")


def made_of(attribute: str) -> set[str]:
    """The attributes that groups are made of, and what those are derived from."""
    parts = attribute.split(BETWEEN)
    return {*parts, *(DERIVED[part][0] for part in parts if part in DERIVED)}
