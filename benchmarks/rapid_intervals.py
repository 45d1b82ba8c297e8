"""How often the Rapid Test's 95% intervals hold the true rate, on simulated queries whose rates are known.

    python benchmarks/rapid_intervals.py [--tests 1000] [--queries 6 10 20 40 80] [--faces 10 10] [--fnmr 0.1]

A score of one person is normal, moved by how hard the query is and by each of the two faces; one of two people about
0.1, moved by how alike each of the two queries is to others. So pairs share queries and faces, as in a test, and FNMR
at an FMR of 0.01 follows from normal distributions. The queries are a group, a quarter of all. FNMR at three
thresholds: the true one; the group's own; the service's common one, of all queries; the latter two are set anew in each
resample. And the FMR of the group at the common one. Of FNMR three intervals: that of the test (resamples with half a
query more); Wilson's of as many independent pairs as spread like the resamples (Fogliato, Patil and Perona, 2024), of
which that of FMR is, too; and Wilson's as published, as if pairs were independent. In parentheses the mean width.
"""

import argparse
from collections import defaultdict
from time import process_time
from typing import NamedTuple

import numpy as np
from scipy.stats import norm

from accord.analyse.faces import curves
from accord.analyse.faces.rates import threshold_at
from accord.analyse.faces.trials import Trials, thresholds
from accord.statistics.resampling import half_unseen

FMR, DRAWS, OTHERS = 0.01, 200, 4
"""The test has 400 draws; fewer are quicker, and hold as often or less."""
WAYS = ("half unseen", "spread", "Wilson")
Interval = tuple[float, float]


class World(NamedTuple):
    """Means of scores, and how far they spread: by query, face and pair of one person; by query and pair of two. faces:
    of a query, the least and most; each number is as likely."""

    genuine: float = 0.63
    hard: float = 0.12
    face: float = 0.05
    pair: float = 0.08
    impostor: float = 0.1
    alike: float = 0.05
    other: float = 0.12
    faces: tuple[int, int] = (10, 10)

    def threshold(self) -> float:
        """That which accepts a share FMR of the pairs of two people."""
        return self.impostor + float(norm.isf(FMR)) * float(np.hypot(np.sqrt(2) * self.alike, self.other))

    def fnmr(self) -> float:
        """The true rate at that threshold."""
        return float(norm.cdf((self.threshold() - self.genuine) / self.spread()))

    def spread(self) -> float:
        """The standard deviation of scores of one person."""
        return float(np.sqrt(self.hard**2 + 2 * self.face**2 + self.pair**2))

    def at(self, fnmr: float) -> "World":
        """The same where the true rate is `fnmr`."""
        return self._replace(genuine=self.threshold() - float(norm.ppf(fnmr)) * self.spread())


def main() -> None:
    """Print a line for each number of queries and each rate."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tests", type=int, default=1000, help="simulated tests for each line (default: 1000)")
    parser.add_argument("--queries", type=int, nargs="+", default=[6, 10, 20, 40, 80], help="default: 6 10 20 40 80")
    parser.add_argument("--faces", type=int, nargs=2, default=[10, 10], help="of a query, least and most: 10 10")
    parser.add_argument("--fnmr", type=float, default=0.1, help="the true rate: 0.1")
    parser.add_argument("--hard", type=float, default=World().hard, help="how much queries differ: 0.12")
    flags = parser.parse_args()
    world = World(hard=flags.hard, faces=tuple(flags.faces)).at(flags.fnmr)
    print(f"true FNMR {world.fnmr():.4f} at an FMR of {FMR}, {flags.faces} faces; {flags.tests} tests a line")
    for queries in flags.queries:
        start = process_time()
        told = defaultdict(list)
        for seed in range(flags.tests):
            for key, held in _held(world, queries, np.random.default_rng([queries, seed])).items():
                told[key].append(held)
        for rate, some in told.items():
            shares = "  ".join(f"{way} {covers:.1%} ({width:.3f})" for way, covers, width in _means(some))
            print(f"{queries:4}  {rate:16}  {shares}", flush=True)
        print(f"      {process_time() - start:.0f} s of one core", flush=True)


def _means(held: list[dict[str, tuple[bool, float]]]) -> list[tuple[str, float, float]]:
    """Way -> the share of intervals that hold, and their mean width."""
    return [(way, *np.mean([one[way] for one in held], axis=0)) for way in held[0]]


def _held(world: World, queries: int, rng: np.random.Generator) -> dict[str, dict[str, tuple[bool, float]]]:
    """Rate and threshold -> way -> whether the interval of a simulated test holds the true rate, and its width."""
    whole = simulated(world, OTHERS * queries, queries, rng)
    weights = half_unseen.weights(OTHERS * queries, DRAWS, rng)
    drawn = half_unseen.rounded(weights, rng)
    genuine, impostor = whole.owner < queries, (whole.left < queries) & (whole.right < queries)
    sides = (whole.impostor, whole.left, whole.right)
    trials = Trials(
        whole.genuine[genuine],
        whole.owner[genuine],
        *(one[impostor] for one in sides),
        whole.genuine_pairs,
        whole.impostor_pairs,
    )
    common = {FMR: threshold_at(whole.impostor, FMR)}
    spread: list[Interval] = []
    by_spread, by_half_unseen = curves.by_spread(drawn, queries), curves.by_half_unseen(weights)

    def both(*told) -> list[Interval]:
        spread.extend(by_spread(*told))
        return by_half_unseen(*told)

    [true] = curves.given(trials, queries, {FMR: world.threshold()}, drawn, 2, None, both)
    [shared] = curves.given(trials, queries, common, drawn, 2, thresholds(whole, (FMR,), drawn), both)
    rows = {"FNMR, true": true, "FNMR, common": shared}
    [own] = curves.own(trials, queries, (FMR,), drawn, 2, both)
    rows |= {} if own["note"] else {"FNMR, own": own}
    tar = 1 - world.fnmr()
    found = {}
    for (name, row), of_spread in zip(rows.items(), spread, strict=True):
        ways = ((row["low"], row["high"]), of_spread, (row["wilson_low"], row["wilson_high"]))
        found[name] = {way: _holds(one, tar) for way, one in zip(WAYS, ways, strict=True)}
    reached = (shared["reached_low"], shared["reached_high"])
    return found | {"FMR, common": {"spread": _holds(reached, FMR)}}


def _holds(interval: Interval, true: float) -> tuple[bool, float]:
    low, high = interval
    return low <= true <= high, high - low


def simulated(world: World, queries: int, group: int, rng: np.random.Generator) -> Trials:
    """All pairs of each query's faces; as many of two queries, and as many of two of the first `group` ones."""
    own = rng.integers(world.faces[0], world.faces[1] + 1, queries)
    starts = np.cumsum(own) - own
    left, right = np.concatenate(
        [start + np.array(np.triu_indices(n, 1)) for start, n in zip(starts, own, strict=True)], axis=1
    )
    owner = np.repeat(np.arange(queries), own * (own - 1) // 2)
    faces = rng.normal(0, world.face, own.sum())
    hard = rng.normal(0, world.hard, queries)
    genuine = rng.normal(world.genuine, world.pair, len(left)) + hard[owner] + faces[left] + faces[right]
    alike = rng.normal(0, world.alike, queries)
    sizes = np.repeat([queries, group], [len(genuine), int((owner < group).sum())])
    one = rng.integers(sizes)
    two = (one + rng.integers(1, sizes)) % sizes
    impostor = rng.normal(world.impostor, world.other, len(one)) + alike[one] + alike[two]
    none = np.empty((0, 2), int)
    return Trials(genuine, owner, impostor, one, two, none, none)


if __name__ == "__main__":
    main()
