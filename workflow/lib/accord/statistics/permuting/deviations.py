"""How far products of columns with a response are from what chance gives, and the largest of them."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np

from accord.statistics.permuting.dealing import DUST

STRAIGHT = 1e-3
"""Skewness under which there is nothing to straighten."""

FULLY = 2
"""So many times as many responses as are asked for are weighed in full at first, to see how large deviations are."""

SLACK = 1e-6
"""Far more than rounding moves a deviation."""

Columns = Callable[[], Iterable[np.ndarray]]
"""Gives the columns (n, c) of floats, block by block, each time from the start."""


class Scale(NamedTuple):
    """What the products of c columns are weighed by, (c,) each: their mean, standard deviation, and skewness (0 where
    they aren't straightened). sides: 1 where larger products count, 2 where smaller ones do, too."""

    mean: np.ndarray
    spread: np.ndarray
    skew: np.ndarray
    sides: int = 1


def deviations(columns: Columns, responses: np.ndarray, scale: Scale) -> np.ndarray:
    """(r, n) responses -> (r, c): how far each product is from its mean, in standard deviations, straightened."""
    usable, z = scale.spread > DUST, _products(columns, responses) - scale.mean
    if scale.sides == 2:
        np.abs(z, out=z)
    z /= np.where(usable, scale.spread, 1)
    z[:, ~usable] = -np.inf
    return straight(z, scale.skew)


class Highest:
    """Weighs deals for p-values: the largest of `deviations` of each, of one side, is exact where it may matter.

    A p is asked for exactly only where fewer than `many` deals reach a column, and of the column at `top`. So of a deal
    whose largest deviation is below `top` and below the `many` highest so far nothing more is asked. To straighten is
    dear; done is it only to products that may reach these. Exact where products are whole numbers below 2^24.
    """

    def __init__(self, columns: Columns, scale: Scale, top: float, many: int):
        self.columns, self.scale, self.top, self.many = columns, scale, top, many
        self.highest = np.zeros(0)
        self._learn(self.highest)

    def of(self, responses: np.ndarray) -> np.ndarray:
        """(r, n) responses -> (r,): their largest deviations; less than they are where nothing is asked of them."""
        if len(self.highest) == self.many:
            found = _reaching(self.columns, responses, self.scale, self.needed)
            self._learn(found)
            return found
        first = deviations(self.columns, responses[: FULLY * self.many], self.scale).max(axis=1)
        self._learn(first)
        rest = responses[FULLY * self.many :]
        return np.append(first, self.of(rest)) if len(rest) else first

    def _learn(self, found: np.ndarray) -> None:
        """Raises what a product needs."""
        before, self.highest = self.highest, np.sort(np.append(self.highest, found))[-self.many :]
        if len(self.highest) == self.many and not np.array_equal(before, self.highest):
            self.needed = _needed(self.scale, min(self.top, self.highest[0]))


def _reaching(columns: Columns, responses: np.ndarray, scale: Scale, needed: np.ndarray) -> np.ndarray:
    """(r,): the largest deviation of each response among products that reach `needed` (c,); -inf where none does."""
    start, found = 0, np.full(len(responses), -np.inf)
    for some in columns():
        products = responses.astype(some.dtype, copy=False) @ some
        row, column = np.divmod(np.flatnonzero(products >= needed[start : start + some.shape[1]]), some.shape[1])
        at = column + start
        z = (products[row, column].astype(float) - scale.mean[at]) / scale.spread[at]
        np.maximum.at(found, row, straight(z, scale.skew[at]))
        start += some.shape[1]
    return found


def _needed(scale: Scale, least: float) -> np.ndarray:
    """(c,) float32: a product below this lies straightened below `least`."""
    usable, bent = scale.spread > DUST, np.abs(scale.skew) > STRAIGHT
    some = np.where(bent, scale.skew, 1.0)
    z = np.where(bent, (((least - some / 6) * some / 6 + 1) ** 3 - 1) * 2 / some, least)
    products = np.where(usable, scale.mean + scale.spread * (z - SLACK), np.inf)
    return np.nextafter(products.astype(np.float32), np.float32(-np.inf))


def skewness(columns: Columns, response: np.ndarray, spread: np.ndarray) -> np.ndarray:
    """(c,): about how skew each column's product with the response is over deals of a given spread (c,).

    That of n rows which are exchanged one by one, N S3(x) S3(r) / (N - 1) / (N - 2) with S3 the cubes about the mean,
    times how much wider the spread is than theirs: k rows that go together count as one.
    """
    n, r = len(response), response - response.mean(dtype=float)
    cubes, squares = [np.zeros(0)], [np.zeros(0)]
    for some in columns():
        x = some - some.mean(axis=0)
        squares.append(np.einsum("nc,nc->c", x, x).astype(float))
        cubes.append(np.einsum("nc,nc,nc->c", x, x, x).astype(float))
    variance = np.concatenate(squares) * (r**2).sum() / max(1, n - 1)
    third = np.concatenate(cubes) * (r**3).sum() * n / max(1, n - 1) / max(1, n - 2)
    return np.divide(third * spread, variance**2, out=np.zeros(len(variance)), where=variance > DUST)


def straight(z: np.ndarray, skew: np.ndarray) -> np.ndarray:
    """(..., c) deviations z and their skewness (c,) -> what they'd be if they were normal (Wilson and Hilferty, 1931).

    A small column reaches a large z by chance far more often than a large one; so they can be compared.
    """
    bent = np.abs(skew) > STRAIGHT
    some = np.where(bent, skew, 1.0)
    made = z * (some / 2)
    made += 1
    np.cbrt(made, out=made)
    made -= 1
    made *= 6 / some
    made += some / 6
    return made if bent.all() else np.where(bent, made, z)


def _products(columns: Columns, responses: np.ndarray) -> np.ndarray:
    """(r, n) -> (r, c)."""
    parts = [(responses.astype(some.dtype, copy=False) @ some).astype(float, copy=False) for some in columns()]
    return np.concatenate(parts, axis=1) if parts else np.zeros((len(responses), 0))
