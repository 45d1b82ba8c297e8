"""Precision over classes by every averaging there is, from counts: none of them is meant by "precision" alone.

counts: (..., C, C + 1), [truth, said], where what a model said is one of the C classes, or none of them (last). A class
that is never said has no precision; averages that need a number take 0 for it, as scikit-learn does unless told else.
"""

from typing import NamedTuple

import numpy as np

from accord.statistics.describing.ratios import ratio


class Average(NamedTuple):
    """An averaging: the classes that it is over (C,) bool, and its value (...)."""

    classes: np.ndarray
    value: np.ndarray


def precision(counts: np.ndarray) -> np.ndarray:
    """The precision of each class: (..., C); NaN of one that is never said."""
    return ratio(_right(counts), _said(counts))


def accuracy(counts: np.ndarray) -> np.ndarray:
    """The share that is right, of all: (...). What is said to be of no class is wrong."""
    return ratio(_right(counts).sum(axis=-1), counts.sum(axis=(-2, -1)))


def averages(counts: np.ndarray, seen: np.ndarray, subjects: np.ndarray, least: int) -> dict[str, Average]:
    """Name -> the averaging.

    seen: (C, C + 1), the counts that say which classes there are; subjects: (C,), of each class in truth. macro: over
    classes that are there or are said; macro_frequent: of them those with `least` subjects or more; macro_said: those
    that are said; weighted: by how many there are of a class; micro: all that is said together.
    """
    each, there = precision(counts), seen.sum(axis=-1)
    occur, said = (there > 0) | (_said(seen) > 0), _said(seen) > 0
    zeroed = np.nan_to_num(each, nan=0.0)
    weights = counts.sum(axis=-1)
    return {
        "macro": Average(occur, _mean(zeroed, occur)),
        "macro_frequent": Average(occur & (subjects >= least), _mean(zeroed, occur & (subjects >= least))),
        "macro_said": Average(said, _mean(each, said)),
        "weighted": Average(there > 0, ratio((zeroed * weights).sum(axis=-1), weights.sum(axis=-1))),
        "micro": Average(said, ratio(_right(counts).sum(axis=-1), _said(counts).sum(axis=-1))),
    }


def _right(counts: np.ndarray) -> np.ndarray:
    return np.diagonal(counts, axis1=-2, axis2=-1)


def _said(counts: np.ndarray) -> np.ndarray:
    return counts.sum(axis=-2)[..., :-1]


def _mean(values: np.ndarray, over: np.ndarray) -> np.ndarray:
    """The mean over some classes, of those that have a value."""
    some = values[..., over]
    known = ~np.isnan(some)
    return ratio(np.where(known, some, 0.0).sum(axis=-1), known.sum(axis=-1))
