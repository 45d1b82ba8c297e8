"""How many people a query's faces show, and which faces are of the one that was searched for.

Two rules: `published`, of the paper and its tool, and `strangers`, whose limits come from the service's own scores of
strangers.
"""

from typing import NamedTuple

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform

RATIO, MAGNITUDE, GROUPING = 1.5, 4.0, 0.2
LEAST_MEAN = 0.5
"""A person of the fewest faces counts from this mean similarity on, under `strangers`."""


class Limits(NamedTuple):
    """Of the published rule: ratio of neighbouring singular values, least singular value, least share of a face."""

    ratio: float = RATIO
    magnitude: float = MAGNITUDE
    grouping: float = GROUPING


AS_PUBLISHED = Limits()


class Chance(NamedTuple):
    """What n faces of n different people make of a service's scores in 19 of 20 draws: the largest eigenvalue of their
    confidences, and their largest cluster."""

    eigenvalue: float
    cluster: float


class Identity(NamedTuple):
    """k: the number of people found; member (n,) bool: of the first one's group; z (n,): how clearly, in [0, 1];
    undecided: whether a second person is nearly as frequent (`two_people`)."""

    k: int
    member: np.ndarray
    z: np.ndarray
    undecided: bool = False


def published(matrix: np.ndarray, limits: Limits = AS_PUBLISHED) -> Identity:
    """The paper's rule, of confidences (n, n) in [0, 1], symmetric with unit diagonal.

    k is the largest i with s[i] / s[i + 1] > 1.5 and s[i] > 4, s the singular values falling, counted from 1; 0 if
    there is none. A face is of the first person where s[1] u^2 sign(u) > 0.2, u the first singular vector, turned so
    that its mean is positive. Of fewer than two faces nothing is found.
    """
    if len(matrix) < 2:
        return _nobody(len(matrix))
    vectors, values, _ = np.linalg.svd(matrix)
    following = np.maximum(values[1:], np.finfo(float).tiny)
    parted = (values[:-1] / following > limits.ratio) & (values[:-1] > limits.magnitude)
    k = int(np.nonzero(parted)[0].max(initial=-1)) + 1
    return Identity(k, *_group(values[0], vectors[:, 0], limits.grouping))


def strangers(matrix: np.ndarray, chance: Chance, min_positive: int, limits: Limits = AS_PUBLISHED) -> Identity:
    """People counted against what strangers make by chance, of confidences (n, n) that average 0 for strangers.

    k counts the eigenvalues that are above chance and above 0.5 (min_positive - 1): those of a person. Two people in
    like numbers can share one eigenvector, so clusters are counted too (`cluster_sizes`): those above chance, of
    min_positive faces or more; the larger number is k. The diagonal is taken as 0: a face's likeness to itself tells
    nothing.
    """
    if len(matrix) < 2:
        return _nobody(len(matrix))
    values, vectors = np.linalg.eigh(matrix - np.diag(np.diag(matrix)))
    people = (values > max(chance.eigenvalue, LEAST_MEAN * (min_positive - 1))).sum()
    sizes = cluster_sizes(matrix)
    groups = ((sizes >= min_positive) & (sizes > chance.cluster)).sum()
    k = int(max(people, groups)) if people else 0
    return Identity(k, *_group(max(float(values[-1]), 0.0), vectors[:, -1], limits.grouping))


def chance(matrices: np.ndarray) -> Chance:
    """What strangers make, from confidences (draws, n, n) of n faces of n different people each: 95th percentiles."""
    largest = np.linalg.eigvalsh(matrices * (1 - np.eye(matrices.shape[-1])))[:, -1]
    sizes = [cluster_sizes(one)[0] for one in matrices]
    return Chance(float(np.quantile(largest, 0.95)), float(np.quantile(sizes, 0.95)))


def cluster_sizes(matrix: np.ndarray) -> np.ndarray:
    """The sizes of the clusters of faces, falling."""
    return np.sort(np.bincount(clusters(matrix)))[::-1]


def clusters(matrix: np.ndarray) -> np.ndarray:
    """The cluster (n,) int, from 0, of each face: average linkage, cut where two differ by less than 0.5."""
    if len(matrix) < 2:
        return np.zeros(len(matrix), int)
    apart = np.maximum(1 - (matrix + matrix.T) / 2, 0)
    np.fill_diagonal(apart, 0)
    return fcluster(linkage(squareform(apart, checks=False), "average"), 1 - LEAST_MEAN, "distance") - 1


def _group(value: float, vector: np.ndarray, least: float) -> tuple[np.ndarray, np.ndarray]:
    turned = vector if vector.mean() >= 0 else -vector
    return value * turned**2 * np.sign(turned) > least, np.clip(np.sqrt(value) * turned, 0, 1)


def _nobody(size: int) -> Identity:
    return Identity(0, np.zeros(size, bool), np.zeros(size))
