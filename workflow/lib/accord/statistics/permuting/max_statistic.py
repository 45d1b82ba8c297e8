"""Does anything go with a response? Subjects exchange their responses at random; the largest association is kept."""

from math import ceil
from typing import NamedTuple

import numpy as np

from accord.statistics.permuting.dealing import DUST, ENOUGH, FIRST
from accord.statistics.permuting.deviations import Columns, Highest, Scale, deviations, skewness

LARGEST, TOGETHER = 400, 1 << 26
"""So many deals are made at once, and no more than so many responses."""

RESOLUTION = 4
"""The smallest p-value that is told apart lies this many times below what the correction for all tests asks for."""


class Association(NamedTuple):
    """For c columns: z, how far a column's product with the response is from what chance gives, in standard
    deviations; p, corrected for all columns."""

    z: np.ndarray
    p: np.ndarray


class Dealing(NamedTuple):
    """What is dealt: columns and response (n,), blocks of rows whose subjects exchange theirs, what products are
    weighed by, and whether they are straightened."""

    columns: Columns
    response: np.ndarray
    blocks: list[np.ndarray]
    scale: Scale
    even: bool


def blocks(subjects: np.ndarray, alike: np.ndarray | None = None) -> list[np.ndarray]:
    """The rows of subjects with equally many rows: (subjects, rows of each) row numbers, for each such number.

    alike: (n,) int, one number per subject; subjects in which it differs are not put together.
    """
    order = np.argsort(subjects, kind="stable")
    _, starts, counts = np.unique(subjects[order], return_index=True, return_counts=True)
    kinds = counts[:, np.newaxis] if alike is None else np.column_stack([counts, alike[order][starts]])
    told, of = np.unique(kinds, axis=0, return_inverse=True)
    return [order[starts[of.ravel() == i][:, np.newaxis] + np.arange(kind[0])] for i, kind in enumerate(told)]


def associate(
    columns: Columns,
    response: np.ndarray,
    subjects: np.ndarray,
    most: int,
    rng: np.random.Generator,
    *,
    sides: int = 1,
    alike: np.ndarray | None = None,
    asked: np.ndarray | None = None,
    even: bool = False,
    below: float = 1.0,
) -> Association:
    """Which columns go with the response more than when subjects exchange their responses?

    response: (n,). A deal hands each subject the responses of a subject with equally many rows, in random order: exact
    if subjects, and a subject's rows, are exchangeable. Columns are weighed by their exact mean and spread over all
    deals; the largest z of a deal corrects for all columns (Westfall and Young, 1993). sides: 1 looks for columns that
    go with larger responses, 2 for either. alike: see `blocks`. asked: (c,) bool, the columns whose p is wanted; it is
    corrected for all. even: z are straightened first (one side only), see `straight`; then a p is exact where it is
    `below` a number, and of the largest z that is asked for; any other p is that number or more. Deals stop early when
    nothing is there (Besag and Clifford, 1991). Exact sums, so the same on any machine, where columns and responses are
    whole numbers.
    """
    of = blocks(subjects, alike)
    mean, spread = moments(columns, response, of)
    skew = skewness(columns, response, spread) if even else np.zeros(len(mean))
    scale = Scale(mean, spread, skew, sides)
    z = deviations(columns, response[np.newaxis], scale)[0]
    return Association(z, by_deals(z, Dealing(columns, response, of, scale, even), most, rng, asked, below))


def by_deals(
    z: np.ndarray,
    of: Dealing,
    most: int,
    rng: np.random.Generator,
    asked: np.ndarray | None = None,
    below: float = 1.0,
) -> np.ndarray:
    """(c,): p-values of deviations z (c,), by the largest of each deal; `asked` and `below` as `associate` has them."""
    top = (z if asked is None else z[asked]).max(initial=-np.inf)
    if not np.isfinite(top):
        return np.ones(len(z))
    largest, dealt, reached = [], 0, 0
    highest = Highest(of.columns, of.scale, top - DUST, ceil(below * (most + 1)) + 1)
    while dealt < most:
        count = min(most - dealt, LARGEST, max(FIRST, dealt), max(1, TOGETHER // len(of.response)))
        responses = deal(of.response, of.blocks, count, rng)
        tops = highest.of(responses) if of.even else deviations(of.columns, responses, of.scale).max(axis=1)
        reaching = reached + np.cumsum(tops >= top - DUST)
        if reaching[-1] >= ENOUGH:
            return _share([*largest, tops[: int(np.argmax(reaching >= ENOUGH)) + 1]], z, 0)
        largest.append(tops)
        dealt, reached = dealt + count, reaching[-1]
    return _share(largest, z, 1)


def moments(columns: Columns, response: np.ndarray, of: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Mean and standard deviation of each column's product with the response over all deals: (c,), (c,).

    The variance adds what the exchange of subjects gives, k^2 S(x) S(r) / (N - 1) with S the squares of the subjects'
    means about their mean, and what the order within subjects gives, the sum of each subject's squares of x about
    their mean times the mean of those of r, / (k - 1).
    """
    parts = [_moments(some, response, of) for some in columns()]
    if not parts:
        return np.zeros(0), np.zeros(0)
    mean, variance = (np.concatenate(column) for column in zip(*parts, strict=True))
    return mean, np.sqrt(np.clip(variance, 0, None))


def deal(response: np.ndarray, of: list[np.ndarray], count: int, rng: np.random.Generator) -> np.ndarray:
    """(count, n): the response dealt anew so often."""
    made = np.empty((count, len(response)), np.result_type(response, np.float32))
    wide = response.astype(float)  # things of eight bytes are exchanged twice as fast as of four
    for rows in of:
        size, each = rows.shape
        order = rng.permuted(np.broadcast_to(np.arange(size) if each > 1 else wide[rows[:, 0]], (count, size)), axis=1)
        dealt = rng.permuted(np.take(wide[rows], order, axis=0), axis=2) if each > 1 else order
        made[:, rows.ravel()] = dealt.reshape(count, -1)
    return made


def _moments(some: np.ndarray, response: np.ndarray, of: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    mean, variance = np.zeros(some.shape[1]), np.zeros(some.shape[1])
    for rows in of:
        n, k = rows.shape
        x, r = some[rows.ravel()].reshape(n, k, -1), response[rows].astype(float)
        x_means, r_means = x.sum(axis=1).astype(float) / k, r.mean(axis=1)
        mean += x_means.sum(axis=0) * k * r.mean()
        if n > 1:
            between = ((x_means - x_means.mean(axis=0)) ** 2).sum(axis=0)
            variance += k * k * between * ((r_means - r_means.mean()) ** 2).sum() / (n - 1)
        if k > 1:
            within = np.einsum("nkc,nkc->c", x, x).astype(float) - k * (x_means**2).sum(axis=0)
            variance += np.clip(within, 0, None) * ((r - r_means[:, np.newaxis]) ** 2).sum() / n / (k - 1)
    return mean, variance


def _share(largest: list[np.ndarray], z: np.ndarray, itself: int) -> np.ndarray:
    ordered = np.sort(np.concatenate(largest))
    reached = len(ordered) - np.searchsorted(ordered, z - DUST)
    return np.minimum(1, (reached + itself) / (len(ordered) + itself))
