"""What the search for error patterns costs where a cause is there: CPU seconds of the step, of a report of 16 tests.

Its deals are weighed twice: each product straightened, and only those that a p depends on (as the step does). The
tables that come out must be the same. Run: python benchmarks/deals.py [models]
"""

import sys
from time import process_time

import numpy as np
import pandas as pd

import patterns as worlds
from accord.analyse.patterns import Found, run
from accord.analyse.tables.scores import Members
from accord.engine.table import empty
from accord.statistics.permuting.deviations import Highest, deviations

LABELS, SUBJECTS, IMAGES = 36, 120, 4
APART = 0.01
"""How far the scores of models differ, a standard deviation."""


def main(models: int = 16) -> None:
    """Print the table."""
    scores, features = made(models)
    quick, found = seconds(scores, features)
    Highest.of = lambda self, dealt: deviations(self.columns, dealt, self.scale).max(axis=1)
    whole, expected = seconds(scores, features)
    for one, other in zip(found, expected, strict=True):
        pd.testing.assert_frame_equal(one, other, check_exact=True)
    print(f"{models} tests of {found.patterns['looked_at'].max():,} sets, {len(scores) // models} rows each: "
          f"{whole:.1f} -> {quick:.1f} CPU s ({quick / whole:.2f})")  # fmt: skip


def made(models: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Scores of so many models that are alike, and the features of their images."""
    worlds.NOISE = LABELS
    world = worlds.World(
        worlds.dark(worlds.MODERATE),
        (worlds.LIGHT,),
        owners=lambda _: np.repeat(np.arange(SUBJECTS), IMAGES),
        labels=True,
    )
    scores, features = worlds.made(world, np.random.default_rng(0))
    rng = np.random.default_rng(1)
    every = [
        scores.assign(model=f"m{i}", value=scores["value"] + rng.normal(0, APART, len(scores))) for i in range(models)
    ]
    return pd.concat(every, ignore_index=True), features


def seconds(scores: pd.DataFrame, features: pd.DataFrame) -> tuple[float, Found]:
    """CPU seconds of the step with the demo's settings, and what it finds."""
    start = process_time()
    found = run(scores, features, empty(Members), support=0.1, most=3, bootstraps=1000, seed=1)
    return process_time() - start, found


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
