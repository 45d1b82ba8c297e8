"""F_IND: whether a detector of made faces gives similar scores to similar faces, after AI-Face (Lin et al., 2025).

Of n faces there are n (n - 1) / 2 pairs. They are gone through in blocks, of faces sorted by their scores: distances
of a block come from one product of matrices, and no more than a block is ever in memory. Where no pair of a block can
differ by as much as its smallest distance allows, the rest of it is left out, which changes nothing.
"""

from typing import Any, NamedTuple

import numpy as np

from accord.statistics.distinct import coded

SCALE = 0.08
EVERY = 10_000_000_000
"""Pairs that are all taken: of 141,000 faces, in half a minute; more are drawn unless more are asked for."""
FEW = 10_000_000
"""Pairs of which distances are computed in float64, without products."""
AT_ONCE = 4_000_000
HIGH, WIDE = 512, 1024
"""A block of so many by so many faces stays in a processor's cache."""
NEAR, FAR = 16.0, 1e8
"""Squared distances from the middle, scaled, up to which products of float32 and float64 lose nothing that counts: what
they lose of a squared distance is about 1e-7 and 1e-16 of these, and distances matter up to 1."""
SURE = 1.001
"""A block is left out where its smallest squared distance is larger than needed by more than float32 can err."""


class Individual(NamedTuple):
    """f_ind: mean over pairs of max(0, |f_i - f_j| - 0.08 |x_i - x_j|); its standard error (0 where all pairs were
    taken); total: over all pairs, as the paper prints; pairs: how many were looked at; space: what x is."""

    f_ind: float
    standard_error: float
    total: float
    pairs: int
    space: str


def individual(
    scores: np.ndarray, points: np.ndarray, space: str, *, scale: float = SCALE, every: int = EVERY, seed: int = 1
) -> Individual:
    """F_IND of predicted probabilities (n,) and points (n, d) of a space that `space` names.

    All pairs up to `every` of them, else that many drawn at random with replacement. Distances of more than 10 million
    pairs are computed in float32 and summed in float64: about 1e-6 of the total; in float64 where points lie far apart.
    """
    n = len(scores)
    pairs = n * (n - 1) // 2
    if not pairs:
        return Individual(float("nan"), float("nan"), float("nan"), 0, space)
    if pairs <= every:
        total = _all(scores, points, scale) if pairs <= FEW else blocked(scores, points, scale)
        return Individual(total / pairs, 0.0, total, pairs, space)
    excess = _drawn(scores, points, scale, every, np.random.default_rng(seed))
    mean, error = float(excess.mean()), float(excess.std(ddof=1) / np.sqrt(len(excess)))
    return Individual(mean, error, mean * pairs, len(excess), space)


def blocked(scores: np.ndarray, points: np.ndarray, scale: float) -> float:
    """The sum over all pairs, by products of blocks: (n,) and (n, d)."""
    order = np.argsort(scores, kind="stable")
    f, scaled = scores[order].astype(float), points[order].astype(np.float64) * scale
    if _squares(scaled)[1].max() <= NEAR:
        return _of_cluster(f, scaled)
    return sum(_of_cluster(f[some], scaled[some]) for some in _clusters(scaled, float(f[-1] - f[0])))


def _clusters(points: np.ndarray, reach: float) -> list[np.ndarray]:
    """Indices of points in parts, each in order. Points of two parts are more than `reach` apart in a coordinate, so
    that no pair of them counts; without them, those of a part aren't measured on a scale that loses their digits."""
    codes = np.zeros(len(points), np.int64)
    for column in points.T:
        order = np.argsort(column, kind="stable")
        with np.errstate(over="ignore"):
            after = np.append(0, np.cumsum(np.diff(column[order]) > SURE * reach))
        if after[-1]:
            labels = np.empty_like(codes)
            labels[order] = after
            codes = coded(codes * (after[-1] + 1) + labels)[1]
    order = np.argsort(codes, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(codes[order])) + 1)


def _squares(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Points from their middle, from where distances lose the fewest digits, and squared distances from it, (n, 1)."""
    with np.errstate(over="ignore", invalid="ignore"):
        near = points - points[0]  # a mean of large numbers is none of those that are all the same
        centred = near - near.mean(axis=0)
        return centred, np.einsum("ij,ij->i", centred, centred)[:, np.newaxis]


def _of_cluster(scores: np.ndarray, points: np.ndarray) -> float:
    """The sum over pairs of points that lie together: scores sorted, points scaled."""
    import torch

    centred, squares = _squares(points)
    if not squares.max() <= FAR:
        return _all(scores, points, 1.0)
    kind = np.float32 if squares.max() <= NEAR else np.float64
    ones = np.ones_like(squares)
    f, left, right = (
        torch.from_numpy(np.ascontiguousarray(part, kind))
        for part in (scores, np.hstack([-2 * centred, squares, ones]), np.hstack([centred, ones, squares]))
    )
    space = torch.empty(HIGH * WIDE, dtype=f.dtype)
    return sum(
        _of_block(f, left, right, slice(top, top + HIGH), slice(start, start + WIDE), space)
        for top in range(0, len(f), HIGH)
        for start in range(top, len(f), WIDE)
    )


def _of_block(f: Any, left: Any, right: Any, rows: slice, columns: slice, space: Any) -> float:
    """The sum over pairs of a row and a later column. left, right: whose product are squared distances, scaled."""
    import torch

    high, wide = f[columns], f[rows]
    block = space[: len(wide) * len(high)].view(len(wide), len(high))
    torch.mm(left[rows], right[columns].T, out=block)
    nearest = float(block.amin())
    if nearest > SURE * float(high[-1] - wide[0]) ** 2:
        return 0.0
    if nearest < 0:  # by rounding, of faces that are all but the same
        block.clamp_(min=0)
    block.sqrt_()
    torch.sub(high[None], block, out=block)
    block.sub_(wide[:, None]).clamp_(min=0)
    if columns.start < rows.stop:
        block.triu_(1 - (columns.start - rows.start))
    return float(block.sum())  # by pairs of halves: to float32's last digits


def _all(scores: np.ndarray, points: np.ndarray, scale: float) -> float:
    from scipy.spatial.distance import cdist

    n, total = len(scores), 0.0
    size = max(1, AT_ONCE // n)
    for start in range(0, n, size):
        rows = slice(start, min(start + size, n))
        apart = np.abs(scores[rows, np.newaxis] - scores[start:]) - scale * cdist(points[rows], points[start:])
        total += float(np.triu(np.maximum(apart, 0), 1).sum())
    return total


def _drawn(scores: np.ndarray, points: np.ndarray, scale: float, count: int, rng: np.random.Generator) -> np.ndarray:
    parts, n, size = [], len(scores), max(1, AT_ONCE // points.shape[1])
    for start in range(0, count, size):
        left = rng.integers(n, size=min(size, count - start))
        right = (left + rng.integers(1, n, size=len(left))) % n
        apart = np.linalg.norm(points[left] - points[right], axis=1)
        parts.append(np.maximum(np.abs(scores[left] - scores[right]) - scale * apart, 0))
    return np.concatenate(parts)
