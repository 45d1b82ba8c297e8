"""Rare p-values of the largest difference between groups: told by their tail, as multiples of what deals say.

Worlds of continuous scores, tenths with a ceiling, and right or wrong ones, with one to eight images a subject and
small groups. A multiple above 1 is careful; nan where so many differences are equal that none has such a share.
Run: python benchmarks/rare_differences.py [--deals 100000]
"""

import argparse
from collections.abc import Iterator

import numpy as np
from scipy import sparse

from accord.statistics.permuting.dealing import ENOUGH, LARGEST, deal, movable
from accord.statistics.permuting.difference_tail import difference_p, farther
from accord.statistics.permuting.exchangeable import Means, means_of, ranked
from accord.statistics.permuting.weighing import largest, weighing

SIZES = (30, 30, 20, 10, 4)
FEWEST = 10
SCORES = ("continuous", "tenths", "90% right", "98% right")
LEVELS = (1e-2, 1e-3, 1e-4)


def main() -> None:
    """Print a line for each kind of scores and numbers of images."""
    made = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    made.add_argument("--deals", type=int, default=100_000)
    made.add_argument("--subjects", type=int, nargs="+", default=[60, 200, 1000])
    flags = made.parse_args()
    print("| subjects | scores | images each | groups of | " + " | ".join(f"p {level:g}" for level in LEVELS) + " |")
    print("|---|---|---|---|" + "---|" * len(LEVELS), flush=True)
    for subjects in flags.subjects:
        for kind in SCORES:
            for images in ("3", "1 to 6", "1 or 8"):
                sizes, found = compared(subjects, kind, images, flags.deals)
                told = " | ".join(f"{one:.2f}" for one in found)
                print(f"| {subjects:,} | {kind} | {images} | {min(sizes)} to {max(sizes)} | {told} |", flush=True)


def compared(subjects: int, kind: str, images: str, deals: int) -> tuple[list[int], list[float]]:
    """How large groups are; and p as a multiple of the share of deals that reach as much, at each level."""
    rng = np.random.default_rng(1)
    means, member = world(subjects, kind, images, rng)
    moved, scores, strata = movable(means.values, means.counts, means.deviation, np.arange(subjects))
    groups = sparse.csr_array(member[moved].T)
    weighed = weighing(groups, strata, scores, means.deviation[moved])
    times = farther(groups, weighed, dealt(scores, strata, LARGEST, rng), ENOUGH / LARGEST)
    found = np.sort(np.concatenate([largest(groups @ o, weighed, o) for o in dealt(scores, strata, deals, rng)]))[::-1]
    told = []
    for level in LEVELS:
        top = found[int(level * deals) - 1] * (1 - 1e-9)
        share = float((found >= top).mean())
        same = share < 2 * level
        told.append(difference_p(scores, strata, groups, weighed, times * top, 1e-9) / share if same else np.nan)
    return member.sum(axis=0).astype(int).tolist(), told


def world(subjects: int, kind: str, images: str, rng: np.random.Generator) -> tuple[Means, np.ndarray]:
    """Subjects' mean ranks, and who is in which group: (m, k) of 0 and 1; every tenth is in a second one."""
    counts = {"3": np.full(subjects, 3), "1 to 6": rng.integers(1, 7, subjects),
              "1 or 8": np.where(rng.random(subjects) < 0.25, 8, 1)}[images]  # fmt: skip
    owner = np.repeat(np.arange(subjects), counts)
    value = rng.normal(0, 0.75, subjects)[owner] + rng.normal(0, 0.65, len(owner))
    if kind == "tenths":
        value = np.clip(np.round(0.85 + 0.15 * value, 1), 0, 1)
    elif kind.endswith("right"):
        value = (value > np.quantile(value, 1 - int(kind[:2]) / 100)).astype(float)
    labels = rng.choice(len(SIZES), subjects, p=np.array(SIZES) / sum(SIZES))
    member = (labels[:, np.newaxis] == np.arange(len(SIZES))).astype(float)
    member[np.arange(0, subjects, 10), rng.integers(0, 2, len(range(0, subjects, 10)))] = 1
    return means_of(ranked(value), owner), member[:, member.sum(axis=0) >= FEWEST]


def dealt(scores: np.ndarray, strata: np.ndarray, deals: int, rng: np.random.Generator) -> Iterator[np.ndarray]:
    """(m, some) of deals."""
    for _ in range(0, deals, LARGEST):
        yield np.ascontiguousarray(deal(scores, strata, LARGEST, rng).T)


if __name__ == "__main__":
    main()
