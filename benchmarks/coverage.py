"""How often 95% intervals hold the truth, and how wide they are. Prints tables.

Percentiles: of draws of subjects, widened by Student's t.

Subjects differ, and have one image, eight, or one to eight. Scores are right or wrong (a subject's own rates vary by
a beta distribution, intraclass correlation 0.3), such rare errors in little noise, average recalls in tenths with a
ceiling, f1 with a tail towards 0, beta, normal, exponential, or log-normal; of these 70% of the variance (of the normal
score behind them) is between subjects. All but the last four can't leave [0, 1].

    python benchmarks/coverage.py [--trials 1000] [--draws 400] [--figures means gaps disparities] [--subjects 10 20]
"""

import argparse
from collections.abc import Callable, Iterator
from time import process_time
from typing import NamedTuple

import numpy as np
from scipy import sparse, stats

from accord.analyse.comparing.family import disparity
from accord.analyse.comparing.unpaired import exchanged
from accord.analyse.explaining.fixed import Pair, gap
from accord.analyse.explaining.fixed import interval as gap_of
from accord.statistics.cohort import Cohort
from accord.statistics.describing.mean_intervals import gap_interval, mean_intervals
from accord.statistics.resampling import bootstrap

MOST = 8
BETWEEN, ALIKE = 0.7, 0.3
MANY = 400_000
DUST = 1e-9

Interval = tuple[float, float]


class World(NamedTuple):
    """A kind of scores: of images (n,) int, whose each is, (rng, owner) -> (n,) float64; whether in [0, 1]."""

    name: str
    scores: Callable[[np.random.Generator, np.ndarray], np.ndarray]
    bounded: bool = True


class Counted(NamedTuple):
    """How often intervals held the truth, and their mean width."""

    held: float
    width: float

    def __str__(self) -> str:
        return f"{self.held:.1%} | {self.width:.3f}"


def right(rate: float) -> World:
    """Right or wrong."""

    def scores(rng: np.random.Generator, owner: np.ndarray) -> np.ndarray:
        own = rng.beta(rate * (1 / ALIKE - 1), (1 - rate) * (1 / ALIKE - 1), owner.max() + 1)
        return (rng.random(len(owner)) < own[owner]).astype(float)

    return World(f"right or wrong, {rate}", scores)


def normal(rng: np.random.Generator, owner: np.ndarray) -> np.ndarray:
    """Standard normal, with BETWEEN of the variance between subjects."""
    own, image = rng.normal(size=owner.max() + 1)[owner], rng.normal(size=len(owner))
    return np.sqrt(BETWEEN) * own + np.sqrt(1 - BETWEEN) * image


def rare(rng: np.random.Generator, owner: np.ndarray) -> np.ndarray:
    """1 for one subject in a hundred, else up to 0.001."""
    return np.where((rng.random(owner.max() + 1) < 0.01)[owner], 1, rng.uniform(0, 0.001, len(owner)))


WORLDS = (
    right(0.5), right(0.9), right(0.97),
    World("1% wrong, noise", lambda rng, owner: 1 - rare(rng, owner)),
    World("beta", lambda rng, owner: stats.beta.ppf(stats.norm.cdf(normal(rng, owner)), 8, 2)),
    World("tenths, ceiling", lambda rng, owner: np.clip(np.round(0.85 + 0.16 * normal(rng, owner), 1), 0, 1)),
    World("tail towards 0", lambda rng, owner: np.clip(1 - 0.03 * np.exp(normal(rng, owner)), 0, 1)),
    World("normal", lambda rng, owner: 5 + normal(rng, owner), bounded=False),
    World("exponential", lambda rng, owner: -stats.norm.logcdf(normal(rng, owner)), bounded=False),
    World("log-normal", lambda rng, owner: np.exp(normal(rng, owner)), bounded=False),
    World("log-normal, 1.5", lambda rng, owner: np.exp(1.5 * normal(rng, owner)), bounded=False),
)  # fmt: skip


def owners(rng: np.random.Generator, subjects: int, images: str) -> np.ndarray:
    """Whose each image is."""
    counts = rng.integers(1, MOST + 1, subjects) if images == "1-8" else np.full(subjects, int(images))
    return np.repeat(np.arange(subjects), counts)


def cohort(values: np.ndarray, owner: np.ndarray, group: np.ndarray) -> Cohort:
    """Two groups, or one, of rows with a group each."""
    member = sparse.csc_array((np.ones(len(group)), (np.arange(len(group)), group)))
    return Cohort(values, owner, member, tuple(map(str, range(member.shape[1]))))


def percentiles(some: Cohort, drawn: np.ndarray, _: bool) -> Interval:
    """The interval of a mean, of draws alone."""
    return bootstrap.interval(bootstrap.means(some, drawn)[0], int(some.subject_counts[0]))


def of_mean(some: Cohort, _: np.ndarray, bounded: bool) -> Interval:
    """The interval of a mean."""
    return tuple(mean_intervals(some, bounded)[0])


def apart(first: np.ndarray, second: np.ndarray) -> float:
    """The difference of means."""
    return second.mean() - first.mean()


def percentiles_of_gap(some: Cohort, drawn: np.ndarray, _: bool) -> Interval:
    """The interval of a difference of means, of draws alone."""
    return bootstrap.interval(np.subtract(*bootstrap.means(some, drawn)[::-1]), int(some.subject_counts.min()))


def of_gap(some: Cohort, _: np.ndarray, bounded: bool) -> Interval:
    """The interval of a difference of means."""
    return gap_interval(some, bounded)


def within(some: Cohort, drawn: np.ndarray, _: bool) -> Interval:
    """The gap of conditioning and of reversals."""
    sides = [some.member[:, [g]].toarray().ravel() > 0 for g in (0, 1)]
    pair = Pair(some.values, some.subjects, *sides, drawn)
    return gap_of(gap(pair)[1], int(some.subject_counts.min()))[1:]


def replaced(some: Cohort, _: np.ndarray, __: bool) -> Interval:
    """The 90% interval of `accord compare` between images of different subjects."""
    means = some.subject_means
    first = np.bincount(some.subjects, some.member[:, [0]].toarray().ravel()) > 0
    found = exchanged(means[first], means[~first], 0.05, np.random.default_rng(1))
    return found.low, found.high


def of_d(some: Cohort, drawn: np.ndarray, _: bool) -> Interval:
    """The interval of D."""
    return bootstrap.disparity_interval(some, 0, 1, drawn)


class Figure(NamedTuple):
    """A figure of one or two groups, the first's scores `scaled`: its truth, of scores of many subjects each, and the
    ways to its interval."""

    groups: int
    scaled: float
    truth: Callable[[np.ndarray, np.ndarray], float]
    ways: dict[str, Callable[[Cohort, np.ndarray, bool], Interval]]


FIGURES = {
    "means": Figure(1, 1.0, lambda a, _: a.mean(), {"percentiles": percentiles, "ours": of_mean}),
    "gaps": Figure(2, 1.0, apart, {"percentiles": percentiles_of_gap, "of intersections": of_gap, "within": within}),
    "changes": Figure(2, 1.0, apart, {"replaced images, 90%": replaced}),
    "disparities": Figure(2, 0.8, lambda a, b: disparity(np.median(a), np.median(b)), {"of D": of_d}),
}  # fmt: skip


def covered(
    figure: Figure, world: World, subjects: int, images: str, trials: int, draws: int, rng: np.random.Generator
) -> Iterator[Counted]:
    """How often each way holds the truth. Of two groups the first has `subjects`, the other twice as many."""
    many = owners(rng, MANY, images)
    known = world.scores(rng, many)
    truth, found = figure.truth(figure.scaled * known, known), {name: np.empty((trials, 2)) for name in figure.ways}
    for trial in range(trials):
        owner = owners(rng, subjects * (3 if figure.groups > 1 else 1), images)
        second = owner >= subjects
        values = np.where(second, 1.0, figure.scaled) * world.scores(rng, owner)
        some = cohort(values, owner, second.astype(int))
        drawn = bootstrap.weights(owner.max() + 1, draws, rng)
        for name, way in figure.ways.items():
            found[name][trial] = way(some, drawn, world.bounded)
    for low, high in (bounds.T for bounds in found.values()):
        yield Counted(float(((low <= truth + DUST) & (high >= truth - DUST)).mean()), float((high - low).mean()))


def main() -> None:
    """Print a table for each figure."""
    made = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    made.add_argument("--trials", type=int, default=1000)
    made.add_argument("--draws", type=int, default=400)
    made.add_argument("--figures", nargs="+", default=list(FIGURES), choices=FIGURES)
    made.add_argument("--subjects", nargs="+", type=int, default=[5, 10, 20, 50, 200])
    made.add_argument("--images", nargs="+", default=["1", "8", "1-8"])
    made.add_argument("--worlds", nargs="+", default=[""], help="words in the names of worlds")
    asked = made.parse_args()
    for name in asked.figures:
        told(name, asked)


def told(name: str, asked: argparse.Namespace) -> None:
    """Print the table of one figure."""
    figure, start = FIGURES[name], process_time()
    print(f"\n{name}\n\n| scores | subjects | images | " + " | ".join(f"{way} | width" for way in figure.ways) + " |")
    print("|---" * (3 + 2 * len(figure.ways)) + "|")
    for number, world in enumerate(WORLDS):
        if not any(word in world.name for word in asked.worlds):
            continue
        for subjects in asked.subjects:
            for images in asked.images:
                rng = np.random.default_rng([number, subjects, len(images)])
                cells = covered(figure, world, subjects, images, asked.trials, asked.draws, rng)
                print(f"| {world.name} | {subjects} | {images} | {' | '.join(map(str, cells))} |", flush=True)
    print(f"\n{process_time() - start:.0f} s of one core")


if __name__ == "__main__":
    main()
