"""How often the Rapid Test's 95% intervals hold the true rate, on simulated queries whose rates are known.

    python benchmarks/rapid_intervals.py [--tests 1000] [--queries 6 10 20 40 80 200] [--faces 10 10] [--fnmr 0.1]
        [--hard 0.12] [--alike 0.05] [--related 0] [--fmr 0.01]

A score of one person is normal, moved by how hard the query is and by each of the two faces; one of two people about
0.1, moved by how alike each of the two queries is to others, which goes with how hard it is (`related`). So pairs share
queries and faces, as in a test, and FNMR follows from normal distributions. The queries are a group, a quarter of all.
FNMR at three thresholds: the true one; the group's own; the service's common one, of all queries. And the FMR of the
group at the common one. Beside each Wilson's interval as published, as if pairs were independent. In parentheses how
often the truth lies below and above the interval, and its mean width.
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

DRAWS, OTHERS = 200, 4
"""The test has 400 draws; fewer are quicker, and hold as often or less."""


class World(NamedTuple):
    """Means of scores, and how far they spread: by query, face and pair of one person; by query and pair of two. faces:
    of a query, the least and most; each number is as likely. related: the correlation of hard and alike."""

    genuine: float = 0.63
    hard: float = 0.12
    face: float = 0.05
    pair: float = 0.08
    impostor: float = 0.1
    alike: float = 0.05
    other: float = 0.12
    faces: tuple[int, int] = (10, 10)
    fmr: float = 0.01
    related: float = 0

    def threshold(self) -> float:
        """That which accepts a share `fmr` of the pairs of two people."""
        return self.impostor + float(norm.isf(self.fmr)) * float(np.hypot(np.sqrt(2) * self.alike, self.other))

    def fnmr(self) -> float:
        """The true rate at that threshold."""
        return float(norm.cdf((self.threshold() - self.genuine) / self.spread()))

    def spread(self) -> float:
        """The standard deviation of scores of one person."""
        return float(np.sqrt(self.hard**2 + 2 * self.face**2 + self.pair**2))

    def at(self, fnmr: float) -> "World":
        """The same where the true rate is `fnmr`."""
        return self._replace(genuine=self.threshold() - float(norm.ppf(fnmr)) * self.spread())


class Held(NamedTuple):
    """Where the true rate lies: below an interval, above it; how wide it is."""

    below: bool
    above: bool
    width: float

    @classmethod
    def of(cls, interval: tuple[float, float], true: float) -> "Held":
        """Of one interval."""
        low, high = interval
        return cls(true < low, true > high, high - low)


def main() -> None:
    """Print a line for each number of queries and each rate."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tests", type=int, default=1000, help="simulated tests for each line (default: 1000)")
    parser.add_argument("--queries", type=int, nargs="+", default=[6, 10, 20, 40, 80], help="default: 6 10 20 40 80")
    parser.add_argument("--faces", type=int, nargs=2, default=[10, 10], help="of a query, least and most: 10 10")
    parser.add_argument("--fnmr", type=float, default=0.1, help="the true rate: 0.1")
    parser.add_argument("--hard", type=float, default=World().hard, help="how much queries differ: 0.12")
    parser.add_argument("--alike", type=float, default=World().alike, help="how much they are like others: 0.05")
    parser.add_argument("--related", type=float, default=0.0, help="the correlation of the two: 0")
    parser.add_argument("--fmr", type=float, default=World().fmr, help="at which FNMR is read: 0.01")
    flags = parser.parse_args()
    world = World(hard=flags.hard, alike=flags.alike, faces=tuple(flags.faces), fmr=flags.fmr, related=flags.related)
    world = world.at(flags.fnmr)
    spread = f"queries differ by {world.hard}, {world.alike} ({world.related})"
    print(f"true FNMR {flags.fnmr} at an FMR of {world.fmr}, {flags.faces} faces, {spread}; {flags.tests} tests a line")
    for queries in flags.queries:
        start = process_time()
        told = defaultdict(list)
        for seed in range(flags.tests):
            for key, held in _held(world, queries, np.random.default_rng([queries, seed])).items():
                told[key].append(held)
        for (rate, way), some in told.items():
            below, above, width = np.mean(some, axis=0)
            print(f"{queries:4}  {rate:13} {way:8} {1 - below - above:.1%} ({below:.1%}, {above:.1%}; {width:.3f})")
        print(f"      {process_time() - start:.0f} s of one core", flush=True)


def _held(world: World, queries: int, rng: np.random.Generator) -> dict[tuple[str, str], Held]:
    """Rate and way -> where the true rate lies in a simulated test."""
    whole = simulated(world, OTHERS * queries, queries, rng)
    weights = half_unseen.weights(OTHERS * queries, DRAWS, rng)
    genuine, impostor = whole.owner < queries, (whole.left < queries) & (whole.right < queries)
    sides = (one[impostor] for one in (whole.impostor, whole.left, whole.right))
    none = whole.genuine_pairs
    trials = Trials(whole.genuine[genuine], whole.owner[genuine], *sides, none, none)
    far = world.fmr
    [true] = curves.given(trials, queries, {far: world.threshold()}, weights, 2)
    common, moved = {far: threshold_at(whole.impostor, far)}, thresholds(whole, (far,), weights)
    [shared] = curves.given(trials, queries, common, weights, 2, moved)
    [own] = curves.own(trials, queries, (far,), weights, 2)
    rows = {"FNMR, true": true, "FNMR, common": shared} | ({} if own["note"] else {"FNMR, own": own})
    found = {("FMR, common", "ours"): Held.of((shared["reached_low"], shared["reached_high"]), far)}
    for name, row in rows.items():
        for way, kind in (("ours", ""), ("Wilson", "wilson_")):
            found[name, way] = Held.of((1 - row[f"{kind}high"], 1 - row[f"{kind}low"]), world.fnmr())
    return found


def simulated(world: World, queries: int, group: int, rng: np.random.Generator) -> Trials:
    """All pairs of each query's faces; as many of two queries, and as many of two of the first `group` ones."""
    own = rng.integers(world.faces[0], world.faces[1] + 1, queries)
    starts = np.cumsum(own) - own
    left, right = np.concatenate(
        [start + np.array(np.triu_indices(n, 1)) for start, n in zip(starts, own, strict=True)], axis=1
    )
    owner = np.repeat(np.arange(queries), own * (own - 1) // 2)
    faces = rng.normal(0, world.face, own.sum())
    harder = rng.normal(size=queries)
    hard = world.hard * harder
    genuine = rng.normal(world.genuine, world.pair, len(left)) + hard[owner] + faces[left] + faces[right]
    # A query that is hard as it looks like others: its own pairs score lower, those with others higher.
    other = rng.normal(size=queries)
    alike = world.alike * (np.sqrt(1 - world.related**2) * other - world.related * harder)
    sizes = np.repeat([queries, group], [len(genuine), int((owner < group).sum())])
    one = rng.integers(sizes)
    two = (one + rng.integers(1, sizes)) % sizes
    impostor = rng.normal(world.impostor, world.other, len(one)) + alike[one] + alike[two]
    none = np.empty((0, 2), int)
    return Trials(genuine, owner, impostor, one, two, none, none)


if __name__ == "__main__":
    main()
