"""Clusters of people: those who are in an image together share what the image is like, so they are one unit."""

import numpy as np

from accord.statistics.permuting.equal_rows import row_keys


def joined(images: np.ndarray, subjects: np.ndarray) -> np.ndarray:
    """The cluster of each row (n,) int: whom images join, directly or through others, is one.

    images, subjects: (n,) int from 0. Clusters are numbered in the order of their first subject; where no image shows
    two subjects they are the subjects, by the same numbers.
    """
    first = np.full(int(images.max(initial=-1)) + 1, -1)
    first[images[::-1]] = subjects[::-1]
    shared = first[images] != subjects
    if not shared.any():
        return subjects
    from scipy import sparse
    from scipy.sparse.csgraph import connected_components

    m = int(subjects.max()) + 1
    edges = sparse.coo_array((np.ones(shared.sum()), (first[images[shared]], subjects[shared])), shape=(m, m))
    labels = connected_components(edges, directed=False)[1]
    place = np.unique(labels, return_index=True)[1]
    return np.argsort(np.argsort(place))[labels][subjects]


def company(images: np.ndarray, subjects: np.ndarray) -> np.ndarray:
    """(n,): a number for the subjects who are in exactly the same images, two or more; -1 where a subject is alone."""
    from scipy import sparse

    shape = (int(subjects.max(initial=-1)) + 1, int(images.max(initial=-1)) + 1)
    of = np.unique(
        row_keys(sparse.csr_array((np.ones(len(images)), (subjects, images)), shape=shape)), return_inverse=True
    )[1]
    return np.where(np.bincount(of)[of] > 1, of, -1)[subjects]


def joint(clusters: int, people: int) -> str:
    """That people count as fewer, since images join them; "" where each counts alone."""
    return f"{people:,} people count as {clusters:,}, since some share images" if clusters < people else ""
