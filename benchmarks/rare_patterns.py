"""P-values of patterns that a bound tells in place of deals, in null worlds of 1,000 subjects and more.

    python benchmarks/rare_patterns.py [--worlds 1000]

Nothing goes with errors, which cluster in people; nine properties, four of images, in all sets of up to three that a
tenth of rows has. Printed is the share of worlds in which the smallest p, corrected for all sets, is below a level.
"""

import argparse

import numpy as np

from accord.statistics.conjunctions import conjunctions
from accord.statistics.itemsets import frequent, packed
from accord.statistics.permuting.max_statistic_limit import LARGE, RARE_OF_MANY, associate_many

LEVELS = (0.1, 0.05, 0.01, 0.001)
DEALS = 1_000_000
"""p-values are no smaller than so many deals tell; none is made."""


def main() -> None:
    """Print the shares."""
    made = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    made.add_argument("--worlds", type=int, default=1_000)
    worlds = made.parse_args().worlds
    rng = np.random.default_rng(1)
    smallest = np.array([_smallest(rng) for _ in range(worlds)])
    print(f"{worlds} worlds of {LARGE} to {LARGE * 2} subjects")
    for level in LEVELS:
        print(f"p < {level}: {np.mean(smallest < level):.4f}")


def _smallest(rng: np.random.Generator) -> float:
    subjects = int(rng.integers(LARGE, 2 * LARGE))
    owner = np.repeat(np.arange(subjects), rng.integers(1, 5, subjects))
    n = len(owner)
    marks = np.hstack([rng.random((n, 4)) < 0.5, (rng.random((subjects, 5)) < 0.6)[owner]])
    errors = rng.random(n) < 0.05 + 0.2 * (rng.random(subjects) < 0.2)[owner]
    sets = [tuple(some) for of, _ in frequent(marks, n // 10, 3) for some in of.tolist()]
    columns = conjunctions(packed(np.ascontiguousarray(marks.T)), sets, n)
    found = associate_many(columns, errors.astype(np.float32), owner, DEALS, rng, below=RARE_OF_MANY * 0.9)
    return float(found.p.min())


if __name__ == "__main__":
    main()
