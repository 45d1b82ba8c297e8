"""How often the Rapid Test's 95% intervals of FNMR hold the true rate, on simulated queries whose rates are known.

    python benchmarks/rapid_intervals.py [--tests 400] [--queries 10 20 40 80] [--faces 10 10] [--genuine 0.63]

A score of one person is normal about 0.63, moved by how hard the query is and by each of the two faces; one of two
people about 0.1, moved by how alike each of the two queries is to others. So pairs share queries and faces, as in a
test, and FNMR at an FMR of 0.01 follows from normal distributions. The queries are a group, a quarter of all. Four
thresholds: the true one; the group's own, set anew in each resample; the service's common one, of all queries, set anew
in each resample, as the test does it; and that taken as given.
"""

import argparse
from collections import Counter
from typing import NamedTuple

import numpy as np
from scipy.stats import norm

from accord.analyse.faces import curves
from accord.analyse.faces.rates import threshold_at
from accord.analyse.faces.trials import Trials, thresholds
from accord.statistics.resampling import bootstrap

FMR, DRAWS = 0.01, 400


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
        spread = np.sqrt(self.hard**2 + 2 * self.face**2 + self.pair**2)
        return float(norm.cdf((self.threshold() - self.genuine) / spread))


def main() -> None:
    """Print a line for each number of queries."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tests", type=int, default=400, help="simulated tests for each line (default: 400)")
    parser.add_argument("--queries", type=int, nargs="+", default=[10, 20, 40, 80], help="default: 10 20 40 80")
    parser.add_argument("--faces", type=int, nargs=2, default=[10, 10], help="of a query, least and most: 10 10")
    parser.add_argument("--genuine", type=float, default=World().genuine, help="mean score of one person: 0.63")
    flags = parser.parse_args()
    world = World(genuine=flags.genuine, faces=tuple(flags.faces))
    print(f"true FNMR {world.fnmr():.3f} at an FMR of {FMR}; {flags.tests} tests a line")
    print("queries  threshold  by queries  Wilson")
    for queries in flags.queries:
        held: Counter[tuple[str, str]] = Counter()
        for seed in range(flags.tests):
            held += _held(world, queries, np.random.default_rng([queries, seed]))
        for threshold in ("true", "own", "common", "as given"):
            shares = [held[threshold, kind] / flags.tests for kind in ("", "wilson_")]
            print(f"{queries:7}  {threshold:9}  {shares[0]:10.1%}  {shares[1]:6.1%}", flush=True)


def _held(world: World, queries: int, rng: np.random.Generator) -> Counter[tuple[str, str]]:
    """Which intervals of a simulated test hold the true rate."""
    whole, drawn = simulated(world, 4 * queries, queries, rng), bootstrap.weights(4 * queries, DRAWS, rng)
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
    rows = {
        "true": curves.given(trials, queries, {FMR: world.threshold()}, drawn, 2),
        "own": curves.own(trials, queries, (FMR,), drawn, 2),
        "common": curves.given(trials, queries, common, drawn, 2, thresholds(whole, (FMR,), drawn)),
        "as given": curves.given(trials, queries, common, drawn, 2),
    }
    tar = 1 - world.fnmr()
    return Counter(
        {(name, kind): int(row[f"{kind}low"] <= tar <= row[f"{kind}high"])
         for name, [row] in rows.items() for kind in ("", "wilson_")}
    )  # fmt: skip


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
