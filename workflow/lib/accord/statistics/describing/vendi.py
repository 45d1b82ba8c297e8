"""Vendi score: the effective number of different images, from sums that can be added shard by shard."""

from typing import NamedTuple

import numpy as np
from scipy.linalg import blas

ROWS = 1024
"""So many vectors are normalised and summed at once: they stay in the processor's cache."""

ROUNDING = 1e-9
"""How far below 0 an eigenvalue may be by rounding: of moments of vectors none is below."""


class Moments(NamedTuple):
    """The sum of v v^T over n vectors of length 1, (d, d) float64 (its upper triangle), and n. Sums of parts add up to
    that of the whole."""

    total: np.ndarray
    count: int


def moments(vectors: np.ndarray, onto: Moments | None = None) -> Moments:
    """The second moments of (n, d) vectors, each brought to length 1 first; with those of `onto`, which is used up.

    Raises ValueError where a vector is 0 or not finite, or not as long as those of `onto`.
    """
    vectors = np.asarray(vectors)
    size = vectors.shape[1]
    if onto and len(onto.total) != size:
        raise ValueError("vectors are of different lengths")
    total = onto.total if onto else np.zeros((size, size), order="F")
    for start in range(0, len(vectors), ROWS):
        some = np.array(vectors[start : start + ROWS], np.float64, order="C")
        length = np.sqrt(np.einsum("nd,nd->n", some, some))
        if not np.isfinite(length).all():
            raise ValueError("vectors have something else than numbers")
        if not length.all():
            raise ValueError("a vector of length 0 has no direction")
        some /= length[:, np.newaxis]
        # Half of the products of a matrix with itself are the same: this makes each once, and in place.
        total = blas.dsyrk(1.0, some.T, beta=1.0, c=total, overwrite_c=True)
    return Moments(total, len(vectors) + (onto.count if onto else 0))


def subtract(whole: Moments, gone: Moments) -> Moments:
    """The moments of what is left when a part goes. Raises ValueError where `gone` is more than `whole`, or of other
    lengths; that it is no part of it otherwise shows in the score (`vendi`)."""
    if gone.count > whole.count or gone.total.shape != whole.total.shape:
        raise ValueError("What is taken away is not part of the whole")
    return Moments(whole.total - gone.total, whole.count - gone.count)


def vendi(of: Moments) -> float:
    """exp of the entropy of the eigenvalues of K/n, K the cosines of all pairs (Friedman and Dieng, 2023; q = 1).

    The (d, d) moments have the same non-zero eigenvalues as the (n, n) K, and the entropy is the authors' own
    (vendi-score). Raises ValueError without vectors, and where no vectors have these moments.
    """
    from vendi_score.vendi import entropy_q  # here, since it takes two seconds: it brings scikit-learn

    if not of.count:
        raise ValueError("The Vendi score of no vectors is undefined")
    values = np.linalg.eigvalsh(of.total / of.count, UPLO="U")
    if values[0] < -ROUNDING:
        raise ValueError("What was taken away was not part of the whole")
    return float(np.exp(entropy_q(values)))
