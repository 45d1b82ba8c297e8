"""Vendi score: the effective number of different images, from sums that can be added shard by shard."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np


class Moments(NamedTuple):
    """The sum of v v^T over n vectors of length 1: (d, d) float64, and n. Sums of parts add up to that of the whole."""

    total: np.ndarray
    count: int


def moments(vectors: np.ndarray) -> Moments:
    """The second moments of (n, d) vectors, each brought to length 1 first. Raises ValueError where one is 0."""
    vectors = np.asarray(vectors, np.float64)
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not (length > 0).all():
        raise ValueError("A vector of length 0 has no direction")
    unit = vectors / length
    return Moments(unit.T @ unit, len(unit))


def add(parts: Iterable[Moments]) -> Moments:
    """The moments of all parts together. Raises ValueError without any part."""
    parts = list(parts)
    if not parts:
        raise ValueError("Nothing to add")
    return Moments(sum(p.total for p in parts), sum(p.count for p in parts))


def subtract(whole: Moments, gone: Moments) -> Moments:
    """The moments of what is left when a part goes. Raises ValueError where `gone` is no part of `whole`."""
    if gone.count > whole.count or gone.total.shape != whole.total.shape:
        raise ValueError("What is taken away is no part of the whole")
    return Moments(whole.total - gone.total, whole.count - gone.count)


def vendi(of: Moments) -> float:
    """exp of the entropy of the eigenvalues of K/n, K the cosines of all pairs (Friedman and Dieng, 2023; q = 1).

    The (d, d) moments have the same non-zero eigenvalues as the (n, n) K. Raises ValueError without vectors.
    """
    if not of.count:
        raise ValueError("The Vendi score of no vectors is undefined")
    eigenvalues = np.linalg.eigvalsh(of.total / of.count)
    positive = eigenvalues[eigenvalues > 0]
    return float(np.exp(-(positive * np.log(positive)).sum()))
