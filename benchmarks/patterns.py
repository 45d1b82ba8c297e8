"""Error patterns: how often does a report name noise, and how often the cause that is there? Prints a table.

Made people with several images each, whose scores depend on what each world says and on nothing else; ten measures of
images and of subjects are noise. Run: python benchmarks/patterns.py [reports of each world] [part of a world's name]
[deals] (200: seven minutes of one core, less worlds of 400 people). deals: parts of patterns by all deals, as of fewer
than 150 people
"""

import re
import sys
from collections.abc import Callable
from time import process_time
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.stats import binomtest

from accord.analyse.patterns import AND, run
from accord.analyse.tables.scores import Members
from accord.engine.table import empty
from accord.statistics.permuting import max_statistic_limit

REPORTS, NOISE = 200, 10
SUBJECT, IMAGE = 0.08, 0.13
"""Standard deviations of scores: between subjects, and between the images of one."""

NAME = re.compile(r"[a-z]{3,}[0-9]*")
"""The name of the feature that an item tells of."""

Features = dict[str, np.ndarray]


class World(NamedTuple):
    """What scores depend on.

    lowered: features -> (n,) by how much scores are lower; causes: the features of each pattern that is true; owners:
    whose each image is; labels: noise is labels, or else numbers; step: scores are rounded to it; clustered: how far
    subjects differ; vendors: who has one image and who has several come from two of them.
    """

    lowered: Callable[[Features], np.ndarray]
    causes: tuple[frozenset[str], ...] = ()
    owners: Callable[[np.random.Generator], np.ndarray] = lambda rng: np.repeat(np.arange(80), 3)
    labels: bool = False
    step: float = 0.0
    clustered: float = SUBJECT
    vendors: bool = False


class Counted(NamedTuple):
    """Of so many reports: those that name noise, and those that name each cause in its own words alone."""

    reports: int
    noise: int
    bare: tuple[int, ...]


def one_to_six(rng: np.random.Generator) -> np.ndarray:
    return np.repeat(np.arange(80), rng.integers(1, 7, 80))


def four_hundred(rng: np.random.Generator) -> np.ndarray:
    return np.repeat(np.arange(400), rng.integers(1, 5, 400))


def one_or_eight(rng: np.random.Generator) -> np.ndarray:
    return np.repeat(np.arange(130), np.where(np.arange(130) < 100, 1, 8))


def dark(by: float) -> Callable[[Features], np.ndarray]:
    return lambda of: by * (of["light"] == "dark")


def together(of: Features) -> np.ndarray:
    return 0.3 * ((of["light"] == "dark") & (of["hat"] == "hat"))


LIGHT, HAT, BLUR = frozenset({"light"}), frozenset({"hat"}), frozenset({"blur"})
MODERATE, STRONG = 0.15, 0.3
WORLDS = {
    "no cause": World(dark(0)),
    "no cause, labels": World(dark(0), labels=True),
    "no cause, 1 to 6 images, people differ": World(dark(0), owners=one_to_six, clustered=0.2),
    "no cause, 100 x 1 and 30 x 8 by vendor": World(dark(0), owners=one_or_eight, clustered=0.2, vendors=True),
    "moderate cause": World(dark(MODERATE), (LIGHT,)),
    "moderate cause, labels": World(dark(MODERATE), (LIGHT,), labels=True),
    "moderate cause, 1 to 6 images, people differ": World(dark(0.2), (LIGHT,), owners=one_to_six, clustered=0.15),
    "moderate cause, 100 x 1 and 30 x 8 by vendor": World(
        dark(MODERATE), (LIGHT,), owners=one_or_eight, clustered=0.12, vendors=True
    ),
    "moderate cause, scores in tenths": World(dark(MODERATE), (LIGHT,), step=0.1),
    "moderate cause that is a number": World(lambda of: MODERATE * (of["blur"] > 0.5), (BLUR,)),
    "moderate cause of subjects": World(lambda of: 0.2 * (of["hat"] == "hat"), (HAT,), owners=one_to_six),
    "strong cause": World(dark(STRONG), (LIGHT,)),
    "strong cause, right or wrong": World(dark(STRONG), (LIGHT,), step=0.5),
    "two causes": World(lambda of: dark(0.2)(of) + 0.2 * (of["hat"] == "hat"), (LIGHT, HAT)),
    "two causes only together": World(together, (LIGHT | HAT,)),
    "400 people, no cause": World(dark(0), owners=four_hundred, labels=True),
    "400 people, moderate cause": World(dark(0.1), (LIGHT,), owners=four_hundred, labels=True),
    "400 people, strong cause": World(dark(MODERATE), (LIGHT,), owners=four_hundred, labels=True),
    "400 people, two causes only together": World(
        lambda of: together(of) / 2, (LIGHT | HAT,), owners=four_hundred, labels=True
    ),
}  # fmt: skip


def main() -> None:
    """Print the table."""
    reports = int(sys.argv[1]) if len(sys.argv) > 1 else REPORTS
    chosen = [name for name in WORLDS if len(sys.argv) < 3 or sys.argv[2] in name]
    if sys.argv[3:] == ["deals"]:
        max_statistic_limit.WITHIN = sys.maxsize
    print("| world | reports that name noise | at most (95%) | that name the cause alone | seconds a report |")
    print("|---|---|---|---|---|")
    for name in chosen:
        start = process_time()
        found = counted(WORLDS[name], reports)
        bound = binomtest(found.noise, reports).proportion_ci(0.9, method="exact").high
        causes = ", ".join(f"{bare / reports:.0%}" for bare in found.bare) or "-"
        each = (process_time() - start) / reports
        print(f"| {name} | {found.noise} of {reports} ({found.noise / reports:.1%}) | {bound:.1%} | {causes} |"
              f" {each:.2f} |", flush=True)  # fmt: skip


def counted(world: World, reports: int) -> Counted:
    """What so many reports of a world name; the seeds are 0, 1, 2 ..."""
    noise, bare = 0, np.zeros(len(world.causes), int)
    for seed in range(reports):
        named = patterns(*made(world, np.random.default_rng(seed)), seed)
        noise += any(not some <= frozenset().union(*world.causes) for some in named)
        bare += np.array([cause in named for cause in world.causes], int)
    return Counted(reports, noise, tuple(bare.tolist()))


def patterns(scores: pd.DataFrame, features: pd.DataFrame, seed: int) -> set[frozenset[str]]:
    """The features of each pattern that is told."""
    told = run(scores, features, empty(Members), bootstraps=20, seed=seed).patterns["pattern"]
    return {frozenset(NAME.search(item)[0] for item in text.split(AND)) for text in told if text}


def made(world: World, rng: np.random.Generator) -> tuple[pd.DataFrame, pd.DataFrame]:
    """A Scores and a Features table."""
    owner = world.owners(rng)
    many, n = owner.max() + 1, len(owner)
    light = rng.choice(["dark", "dim", "bright"], n)
    features = {"light": light, "hat": rng.choice(["hat", "none"], many)[owner], "blur": rng.random(n)}
    if world.vendors:
        features["vendor"] = np.where(np.bincount(owner)[owner] > 1, "a", "b")
    for index in range(NOISE):
        of_subject, of_image = rng.normal(size=many)[owner], rng.normal(size=n)
        values = of_subject if index % 3 == 0 else of_image if index % 3 == 1 else of_subject + of_image
        features[f"noise{index}"] = _labels(values, 2 + index % 4) if world.labels else values
    values = 0.8 + rng.normal(0, world.clustered, many)[owner] + rng.normal(0, IMAGE, n) - world.lowered(features)
    if world.step:
        values = np.clip(np.round(values / world.step) * world.step, 0, 1)
    keys = pd.DataFrame({"image": [f"i{i:04d}" for i in range(n)], "subject": [f"s{s:03d}" for s in owner]})
    scores = keys.assign(task="faces", model="m", metric="ar_iou", value=values, note="")
    return scores, pd.concat([_feature(keys, *one) for one in features.items()], ignore_index=True)


def _labels(values: np.ndarray, count: int) -> np.ndarray:
    """So many labels of unequal frequency."""
    cuts = np.quantile(values, np.cumsum(np.arange(1, count))[: count - 1] / np.arange(1, count + 1).sum())
    return np.array([f"label{i}" for i in range(count)])[np.searchsorted(cuts, values)]


def _feature(keys: pd.DataFrame, name: str, values: np.ndarray) -> pd.DataFrame:
    if values.dtype.kind == "f":
        return keys.assign(feature=name, kind="number", label="", number=values)
    return keys.assign(feature=name, kind="category", label=values, number=np.nan)


if __name__ == "__main__":
    main()
