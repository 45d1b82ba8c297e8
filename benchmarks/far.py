"""Whether TAR at a FAR leans where few impostor pairs set the threshold, and small groups so look worse. Prints tables.

Pairs: scores of independent pairs, impostors N(0, 1), genuine ones of several normal distributions; TAR at FAR 0.001
with a threshold from so many impostors, less the true TAR: at the last score that FAR allows (as it was), at
`threshold_at`, and where scikit-learn's roc_curve is interpolated. Faces: embeddings of subjects with a few images
each, so that pairs share subjects, in two groups without any difference, a small and a large one: each with its own
threshold as it was and as it is, at equal numbers of impostor pairs, and at the threshold of both together; then how
often 95% intervals hold the truth. Intervals: the same for TAR of subjects who are more or less like themselves, and
for the share of impostor pairs that a fixed threshold accepts; beside them Wilson's, as if pairs were independent.
Run: python benchmarks/far.py [--trials 200]
"""

import argparse
from time import process_time
from typing import NamedTuple

import numpy as np
from scipy import stats

from accord.analyse.faces import evened, pairs, trials
from accord.analyse.faces.curves import given, own
from accord.analyse.faces.rates import position, threshold_at, thresholds_at, wilson
from accord.statistics.resampling import half_unseen

FAR, HEAD = 0.001, 60
COUNTS = {1000: 4000, 1500: 4000, 2000: 3000, 5000: 1500, 20_000: 400}
"""Impostor pairs -> samples of them."""
GENUINE = ((3.0, 1.0), (2.0, 1.0), (2.2, 1.5), (3.5, 1.2), (4.0, 1.5), (5.0, 1.0))
LENGTH, NOISE = 19, (0.48, 1.12)
SMALL, LARGE, IMAGES, LEAST = 28, 200, 2, 10
CASES = (
    (40, 4, 0.01, -0.5), (15, 4, 0.01, -0.5), (100, 3, 0.001, -0.5), (12, 3, 0.003, -0.5),
    (40, 4, 0.01, -1.0), (40, 2, 0.01, -1.0), (100, 3, 0.01, -1.8), (15, 4, 0.01, -1.8),
)  # fmt: skip
"""Subjects, images each, FAR, and the mean logarithm of how unlike a subject's faces are."""


class Group(NamedTuple):
    """Faces and whose they are."""

    vectors: np.ndarray
    owner: np.ndarray


def main() -> None:
    """Print three tables."""
    made = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    made.add_argument("--trials", type=int, default=200)
    made.add_argument("--draws", type=int, default=200)
    flags, start = made.parse_args(), process_time()
    independent(np.random.default_rng(1))
    faces(np.random.default_rng(2), flags.trials, flags.draws)
    intervals(np.random.default_rng(3), flags.trials, flags.draws)
    print(f"\n{process_time() - start:.0f} s of one core")


def independent(rng: np.random.Generator) -> None:
    """How far TAR leans, by the genuine distribution and the number of impostor pairs."""
    print("| genuine pairs | TAR | impostor pairs | as it was | as it is | scikit-learn |\n|---|---|---|---|---|---|")
    limits = {count: _limits(rng, count, times) for count, times in COUNTS.items()}
    for mean, deviation in GENUINE:
        truth = stats.norm.sf((stats.norm.isf(FAR) - mean) / deviation)
        for count, ways in limits.items():
            rates = stats.norm.sf((ways - mean) / deviation).mean(axis=0)
            told = " | ".join(f"{rate - truth:+.3f}" for rate in rates)
            print(f"| N({mean:g}, {deviation:g}) | {truth:.3f} | {count:,} | {told} |", flush=True)


def _limits(rng: np.random.Generator, count: int, times: int) -> np.ndarray:
    """(times, 3): thresholds of samples of impostor scores, in the three ways."""
    found = np.empty((times, 3))
    for row in found:
        falling = -np.sort(np.partition(-rng.normal(size=count), HEAD)[:HEAD])
        place = FAR * (count - 1)
        first = int(place)
        row[0] = falling[int(FAR * count + 1e-9) - 1]
        row[1] = thresholds_at(-falling, np.arange(1, HEAD + 1), np.array([position(count, FAR)]))[0]
        row[2] = falling[first] + (place - first) * (falling[first + 1] - falling[first])
    return found


def faces(rng: np.random.Generator, times: int, draws: int) -> None:
    """A small and a large group without any difference."""
    truth, ways = _truth(rng), ("as it was", "own threshold", "equal numbers", "shared threshold")
    rates, held = np.empty((times, 2, 4)), np.zeros((2, 3))
    for trial in range(times):
        made = [_group(rng, subjects) for subjects in (SMALL, LARGE)]
        both = _within(
            Group(np.vstack([g.vectors for g in made]), np.append(made[0].owner, made[1].owner + SMALL)), rng
        )
        limit, fewest = threshold_at(both.impostor, FAR), evened.negatives(made[0].owner)
        for side, (group, subjects) in enumerate(zip(made, (SMALL, LARGE), strict=True)):
            found, weights = _within(group, rng), half_unseen.weights(subjects, draws, rng)
            row = own(found, subjects, (FAR,), weights, LEAST)[0]
            row |= evened.equal(found, FAR, fewest, row, rng) | evened.shared(found, limit, weights)
            last = -np.sort(-found.impostor)[int(FAR * len(found.impostor) + 1e-9) - 1]
            rates[trial, side] = (found.genuine >= last).mean(), row["tar"], row["equal_tar"], row["shared_tar"]
            held[side] += [row[f"{k}low"] <= truth <= row[f"{k}high"] for k in ("", "equal_", "shared_")]
    print(f"\n| group (true TAR {truth:.3f}) | impostor pairs | " + " | ".join(ways) + " | intervals that hold it |")
    print("|---" * 7 + "|")
    for side, subjects in enumerate((SMALL, LARGE)):
        told = " | ".join(f"{rate:.3f}" for rate in rates[:, side].mean(axis=0))
        covered = ", ".join(f"{count / times:.0%}" for count in held[side])
        count = evened.negatives(np.repeat(np.arange(subjects), IMAGES))
        print(f"| {subjects} subjects with {IMAGES} images | {count:,} | {told} | {covered} |")
    small, large = rates.std(axis=0, ddof=1).max(axis=1) / np.sqrt(times)
    print(f"\n{times} pairs of groups; standard errors are at most {small:.3f} and {large:.3f}")


def intervals(rng: np.random.Generator, times: int, draws: int) -> None:
    """How often intervals hold TAR at a group's own threshold, and FAR at a fixed one; ours and Wilson's."""
    print("\n| subjects | images | FAR | FNMR | TAR: ours | Wilson | FAR: ours | Wilson |\n" + "|---" * 8 + "|")
    for subjects, images, far, unlike in CASES:
        many = _unlike(rng, 5000, images, unlike)
        limit = threshold_at(pairs.similarity(many.vectors, pairs.impostors(many.owner, 2_000_000, rng)), far)
        truth = float((pairs.similarity(many.vectors, pairs.genuine(many.owner)) >= limit).mean())
        held, resolved = np.zeros((times, 4)), np.ones(times, bool)
        for trial in range(times):
            found = _within(_unlike(rng, subjects, images, unlike), rng)
            weights = half_unseen.weights(subjects, draws, rng)
            [row], [fixed] = (make(found, subjects, fars, weights, LEAST) for make, fars in
                              ((own, (far,)), (given, {far: limit})))  # fmt: skip
            accepted = wilson(int((found.impostor >= limit).sum()), len(found.impostor))
            of_tar = [row[f"{kind}low"] <= truth <= row[f"{kind}high"] for kind in ("", "wilson_")]
            of_far = [low <= far <= high for low, high in ((fixed["reached_low"], fixed["reached_high"]), accepted)]
            held[trial], resolved[trial] = (*of_tar, *of_far), not row["note"]
        shares = (*held[resolved, :2].mean(axis=0), *held[:, 2:].mean(axis=0)) if resolved.any() else held[0] * np.nan
        told = " | ".join(f"{share:.1%}" for share in shares)
        print(f"| {subjects} | {images} | {far} | {1 - truth:.3f} | {told} |", flush=True)


def _unlike(rng: np.random.Generator, subjects: int, images: int, unlike: float) -> Group:
    """Faces of subjects that are more or less like themselves: so pairs of a subject are far from independent."""
    owner = np.repeat(np.arange(subjects), images)
    noise = rng.lognormal(unlike, 0.5, subjects)[owner][:, np.newaxis]
    vectors = rng.normal(size=(subjects, 8))[owner] + noise * rng.normal(size=(len(owner), 8))
    return Group((vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32), owner)


def _truth(rng: np.random.Generator) -> float:
    vectors, owner = _group(rng, 4000)
    some = pairs.impostors(owner, 2_000_000, rng)
    limit = threshold_at(pairs.similarity(vectors, some), FAR)
    many = _group(rng, 40_000)
    return float((pairs.similarity(many.vectors, pairs.genuine(many.owner)) >= limit).mean())


def _group(rng: np.random.Generator, subjects: int) -> Group:
    owner = np.repeat(np.arange(subjects), IMAGES)
    noise = rng.uniform(*NOISE, subjects)[owner, np.newaxis]
    vectors = rng.normal(size=(subjects, LENGTH))[owner] + noise * rng.normal(size=(len(owner), LENGTH))
    return Group((vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32), owner)


def _within(group: Group, rng: np.random.Generator) -> trials.Trials:
    return trials.within(group.vectors, group.owner, np.arange(len(group.owner)), rng)


if __name__ == "__main__":
    main()
