"""Reversals: how often is one told that is not there, and how often one that is? Prints a table.

Two groups, photographed in different light, of which scores depend as each world says; six other features are noise.
Run: python benchmarks/reversals.py [reports of each world] [part of a world's name] (200: five minutes of one core)
"""

import sys
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.stats import binomtest, norm

from accord.analyse.robust.power import Compared
from accord.analyse.robust.reversals import reversals
from accord.statistics.cohort import cohort, tests

REPORTS, SUBJECTS, IMAGES = 200, 160, 3
Draw = Callable[[np.random.Generator, np.ndarray], np.ndarray]
"""Light of images (n,), of (n,) bool, whether of the group that is more often in the dark."""


class World(NamedTuple):
    """effect: of light (n,) -> (n,) by how much scores are lower; of_group: by how much the dark group's are higher;
    there: whether a reversal is."""

    light: Draw
    effect: Callable[[np.ndarray], np.ndarray]
    of_group: float
    there: bool = False


def peaks(share: float) -> Draw:
    """A dark and a bright peak; so large a share of the one group, and as much less of the other, is dark."""

    def draw(rng: np.random.Generator, one: np.ndarray) -> np.ndarray:
        low = rng.random(len(one)) < np.where(one, share, 1 - share)
        return np.where(low, rng.normal(60, 12, len(one)), rng.normal(180, 15, len(one)))

    return draw


def one_peak(rng: np.random.Generator, one: np.ndarray) -> np.ndarray:
    return rng.normal(np.where(one, 100, 140), 30)


def halves(light: np.ndarray) -> np.ndarray:
    return 0.4 * (light < 120)


def even(light: np.ndarray) -> np.ndarray:
    return 0.4 * norm.cdf((120 - light) / 60)


def nothing(light: np.ndarray) -> np.ndarray:
    return np.zeros(len(light))


WORLDS = {
    "nothing": World(peaks(0.8), nothing, 0.0),
    "a gap, light has no effect": World(peaks(0.7), nothing, -0.05),
    "light explains the gap: two peaks, 80% and 20%": World(peaks(0.8), halves, 0.0),
    "light explains the gap: two peaks, 60% and 40%": World(peaks(0.6), halves, 0.0),
    "light explains the gap: one peak, falls at a limit": World(one_peak, halves, 0.0),
    "light explains the gap: one peak, falls evenly": World(one_peak, even, 0.0),
    "turned by 0.05: two peaks, 80% and 20%": World(peaks(0.8), halves, 0.05, True),
    "turned by 0.05: two peaks, 70% and 30%": World(peaks(0.7), halves, 0.05, True),
    "turned by 0.10: two peaks, 90% and 10%": World(peaks(0.9), halves, 0.1, True),
    "turned by 0.05: one peak, falls at a limit": World(one_peak, halves, 0.05, True),
    "turned by 0.05: one peak, falls evenly": World(one_peak, even, 0.05, True),
}


def main() -> None:
    """Print the table."""
    reports = int(sys.argv[1]) if len(sys.argv) > 1 else REPORTS
    print("| world | reports that claim a reversal | at most (95%) | that have any row |")
    print("|---|---|---|---|")
    for name in (name for name in WORLDS if len(sys.argv) < 3 or sys.argv[2] in name):
        world = WORLDS[name]
        found = [told(world, np.random.default_rng(seed)) for seed in range(reports)]
        claimed, rows = (sum(any(of) for of in some) for some in (found, [[True] * len(of) for of in found]))
        bound = "" if world.there else f"{binomtest(claimed, reports).proportion_ci(0.9, method='exact').high:.1%}"
        print(f"| {name} | {claimed} of {reports} ({claimed / reports:.1%}) | {bound} | {rows} |", flush=True)


def told(world: World, rng: np.random.Generator) -> list[bool]:
    """Of each reversal that is told whether it is claimed."""
    owner = np.repeat(np.arange(SUBJECTS), IMAGES)
    one, n = owner % 2 == 1, len(owner)
    light = world.light(rng, one)
    noise = rng.normal(0, 0.05, SUBJECTS)[owner] + rng.normal(0, 0.1, n)
    values = 0.7 - world.effect(light) + world.of_group * one + noise
    keys = pd.DataFrame({"image": [f"i{i:04d}" for i in range(n)], "subject": [f"s{s:03d}" for s in owner]})
    scores = keys.assign(task="faces", model="m", metric="psnr", value=values, note="")
    numbers = {"light": light, "a": rng.random(n), "b": rng.normal(size=SUBJECTS)[owner], "c": rng.normal(size=n) ** 2}
    parts = [keys.assign(feature=name, kind="number", label="", number=of) for name, of in numbers.items()]
    labels = {"hat": rng.integers(0, 2, SUBJECTS)[owner], "hour": rng.integers(0, 4, n), "pose": rng.integers(0, 3, n)}
    parts += [keys.assign(feature=k, kind="category", label=v.astype(str), number=np.nan) for k, v in labels.items()]
    members = keys.assign(attribute="ancestry", group=np.where(one, "one", "other"))
    found = dict(tests(scores))
    compared = [Compared(test, "ancestry", cohort(some, members)) for test, some in found.items()]
    made = reversals(compared, found, pd.concat(parts), resamples=300, min_subjects=10, seed=1)
    return made["claimed"].tolist()


if __name__ == "__main__":
    main()
