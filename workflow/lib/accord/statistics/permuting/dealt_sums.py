"""The tail of weighed sums of scores that are dealt out within strata to several kinds of subjects, by saddlepoint.

`saddlepoint` tells of one sum of subjects who are chosen or not; this of many sums at once, as of the difference of two
groups, in which subjects of one count more than nothing, of the other less.
"""

from itertools import combinations, pairwise
from typing import NamedTuple

import numpy as np
from scipy.special import gammaln

from accord.statistics.permuting import lugannani_rice

STEPS, HALVINGS = 60, 12
CLOSE = 1e-7
"""Steps end where no number of subjects is further off than so large a share of all."""

DUST = 1e-9


class Levels(NamedTuple):
    """Scores of strata that lie one behind the other: values (b,), descending in each and 0 on average, how many
    subjects have each (b,), and where strata start (s,)."""

    values: np.ndarray
    times: np.ndarray
    starts: np.ndarray

    @property
    def stratum(self) -> np.ndarray:
        """(b,) int."""
        return np.repeat(np.arange(len(self.starts)), np.diff(np.append(self.starts, len(self.values))))


class Sums(NamedTuple):
    """c sums: by what scores of each kind of subjects are weighed (c, k), how many of each kind a stratum has (c, s,
    k), and what the sum is to reach (c,), above its mean, 0."""

    weights: np.ndarray
    counts: np.ndarray
    least: np.ndarray

    def only(self, some: np.ndarray) -> "Sums":
        return Sums(*(part[some] for part in self))


class Point(NamedTuple):
    """Where Newton's steps are: t (c,), lift (c, s, k) the log odds of each kind; how high the exponent is there, how
    steep, (c,) and (c, s, k), and how it bends: by t, by both, and by lift (c, s, k, k)."""

    t: np.ndarray
    lift: np.ndarray
    height: np.ndarray
    slope: np.ndarray
    missing: np.ndarray
    bend: np.ndarray
    cross: np.ndarray
    matrix: np.ndarray

    def put(self, some: np.ndarray, other: "Point") -> None:
        for mine, its in zip(self, other, strict=True):
            mine[some] = its


def tails(levels: Levels, sums: Sums, nothing: float = 0.0) -> np.ndarray:
    """(c,): the chance that each sum is at least as large when scores are dealt out at random within strata.

    Lugannani and Rice's formula for the distribution of the sum given how many of each kind a stratum has (Skovgaard,
    1987; Booth and Butler, 1990), of sums that can have any value; where they have few, ask for half a step less. Never
    less than the chance of the largest sum that there is, and 0 above it. nothing: a chance below which it is enough to
    know that it is.
    """
    found = np.zeros(len(sums.least))
    most, chance = largest(levels, sums)
    able = np.flatnonzero(sums.least <= most * (1 + DUST))
    if len(able):
        found[able] = np.clip(_tails(levels, sums.only(able), nothing), chance[able], 1)
    return found


def largest(levels: Levels, sums: Sums) -> tuple[np.ndarray, np.ndarray]:
    """The largest value of each sum, and its chance: scores go to kinds in order of their weights. Each (c,)."""
    order = np.argsort(-sums.weights, axis=1, kind="stable")
    weights = np.take_along_axis(sums.weights, order, axis=1)
    ends = np.cumsum(np.take_along_axis(sums.counts, order[:, np.newaxis], axis=2), axis=2)
    most, ways = np.zeros(len(ends)), np.zeros(len(ends))
    bounds = np.append(levels.starts, len(levels.values))
    for stratum, (first, end) in enumerate(pairwise(bounds)):
        times, reached = levels.times[first:end], np.append(0, np.cumsum(levels.times[first:end]))
        upper = np.minimum(ends[:, stratum, :, np.newaxis], reached[1:])
        lower = np.maximum(np.insert(ends[:, stratum, :-1], 0, 0, axis=1)[:, :, np.newaxis], reached[:-1])
        given = np.clip(upper - lower, 0, None)
        most += np.einsum("ck,ckb,b->c", weights, given, levels.values[first:end])
        ways += gammaln(times + 1).sum() - gammaln(given + 1).sum(axis=(1, 2))
        ways -= gammaln(times.sum() + 1) - gammaln(sums.counts[:, stratum] + 1).sum(axis=1)
    return most, np.exp(np.minimum(ways, 0))


def _tails(levels: Levels, sums: Sums, nothing: float) -> np.ndarray:
    with np.errstate(divide="ignore"):
        lift = np.log(sums.counts / sums.counts.sum(axis=2, keepdims=True))
    rest = _at(levels, sums, np.zeros(len(lift)), lift)
    found = _highest(levels, sums, rest, nothing)
    height = np.clip(found.height - rest.height, 0, None)
    w = np.sqrt(2 * height)
    bent = found.bend - np.einsum("csk,csk->c", found.cross, _solved(found.matrix, found.cross))
    ratio = np.linalg.slogdet(found.matrix)[1].sum(axis=1) - np.linalg.slogdet(rest.matrix)[1].sum(axis=1)
    with np.errstate(all="ignore"):
        v = found.t * np.sqrt(bent) * np.exp(ratio / 2)
        made = lugannani_rice.tail(w, v)
    return np.where(np.isfinite(made) & (made > 0) & (height < _enough(nothing)), made, np.exp(-height))


def _highest(levels: Levels, sums: Sums, start: Point, nothing: float) -> Point:
    """Newton's steps to where as many of each kind are expected as there are, and as large a sum as is asked for; or
    until it is known that nothing is left: the higher the exponent, the smaller the chance."""
    here = Point(*(part.copy() for part in start))
    moving, size = np.arange(len(here.t)), sums.counts.sum(axis=(1, 2))
    for _ in range(STEPS):
        at = Point(*(part[moving] for part in here))
        solved, short = _solved(at.matrix, at.cross), _solved(at.matrix, at.missing)
        bent = at.bend - np.einsum("csk,csk->c", at.cross, solved)
        step = (at.slope - np.einsum("csk,csk->c", at.cross, short)) / bent
        lifted = short - solved * step[:, np.newaxis, np.newaxis]
        gained = step**2 * bent
        off = np.abs(at.missing).max(axis=(1, 2)) / size[moving]
        unknown = at.height - start.height[moving] < _enough(nothing)
        left = np.flatnonzero(unknown & ((gained > CLOSE) | (off > CLOSE)))
        if not len(left):
            break
        moving, step, lifted = moving[left], step[left], lifted[left]
        _move(levels, sums, here, moving, step, lifted)
    return here


def _enough(nothing: float) -> float:
    return -np.log(nothing) if nothing > 0 else np.inf


def _move(levels: Levels, sums: Sums, here: Point, moving: np.ndarray, step: np.ndarray, lifted: np.ndarray) -> None:
    """As far along a step as the exponent grows."""
    for halving in range(HALVINGS):
        share = 0.5**halving
        t, lift = here.t[moving] + share * step, here.lift[moving] + share * lifted
        tried = _at(levels, sums.only(moving), t, lift)
        good = tried.height >= here.height[moving] - DUST
        here.put(moving[good], Point(*(part[good] for part in tried)))
        moving, step, lifted = moving[~good], step[~good], lifted[~good]
        if not len(moving):
            return


def _at(levels: Levels, sums: Sums, t: np.ndarray, lift: np.ndarray) -> Point:
    x, times = levels.values[:, np.newaxis], levels.times[:, np.newaxis]
    weights, there = sums.weights[:, np.newaxis], sums.counts > 0
    p = lift[:, levels.stratum] + t[:, np.newaxis, np.newaxis] * weights * x
    top = p.max(axis=2, keepdims=True)
    p = np.exp(p - top)
    whole = p.sum(axis=2, keepdims=True)
    logs = (top + np.log(whole))[:, :, 0] @ levels.times
    p /= whole
    mean = (p * weights).sum(axis=2, keepdims=True)
    counted = p * times
    expected = np.add.reduceat(counted, levels.starts, axis=1)
    cross = np.add.reduceat(counted * (weights - mean) * x, levels.starts, axis=1)
    bend = (counted * (weights**2 - mean * weights) * x * x).sum(axis=(1, 2))
    height = t * sums.least + np.where(there, sums.counts * np.where(there, lift, 0), 0).sum(axis=(1, 2)) - logs
    slope = sums.least - (counted * weights * x).sum(axis=(1, 2))
    return Point(t, lift, height, slope, np.where(there, sums.counts - expected, 0), bend, np.where(there, cross, 0),
                 _matrix(levels, counted, p, there))  # fmt: skip


def _matrix(levels: Levels, counted: np.ndarray, p: np.ndarray, there: np.ndarray) -> np.ndarray:
    """(c, s, k, k): how numbers of kinds vary together. What all share, which says nothing, is given a size of its own,
    and kinds that aren't there one by themselves, so that it can be inverted; ratios of determinants stay."""
    made = np.zeros((*there.shape, there.shape[2]))
    for one, other in combinations(range(there.shape[2]), 2):
        both = np.add.reduceat(counted[:, :, one] * p[:, :, other], levels.starts, axis=1)
        made[:, :, one, other] -= both
        made[:, :, other, one] -= both
        made[:, :, one, one] += both
        made[:, :, other, other] += both
    size = np.add.reduceat(levels.times, levels.starts)[:, np.newaxis, np.newaxis]
    alike = there[..., np.newaxis] & there[:, :, np.newaxis]
    made += np.where(alike, size / there.sum(axis=2)[..., np.newaxis, np.newaxis] ** 2, 0)
    return made + np.eye(there.shape[2]) * np.where(there[..., np.newaxis], 1e-13 * size, 1.0)


def _solved(matrix: np.ndarray, of: np.ndarray) -> np.ndarray:
    return np.linalg.solve(matrix, of[..., np.newaxis])[..., 0]
