"""TAR of groups that can be compared: at equal numbers of impostor pairs, and at one threshold for all."""

from math import ceil

import numpy as np

from accord.analyse.faces.pairs import possible
from accord.analyse.faces.rates import position, threshold_at, thresholds_at
from accord.analyse.faces.trials import MOST_NEGATIVES, Trials
from accord.statistics.resampling import half_unseen

REPEATS = 200
SPARE = 20
EQUAL_FIGURES = ("equal_tar", "equal_low", "equal_high")
SHARED_FIGURES = ("shared_tar", "shared_low", "shared_high")


def negatives(subjects: np.ndarray) -> int:
    """How many impostor pairs a group of faces of these subjects, (n,) int, is told by."""
    return min(MOST_NEGATIVES, possible(subjects))


def equal(trials: Trials, far: float, count: int, own: dict[str, float], rng: np.random.Generator) -> dict[str, float]:
    """TAR at `far` with `count` of the impostor pairs: its mean over 200 random samples of them, with its interval.

    Groups with fewer pairs than others have a threshold that is known less well, and TAR leans with that. own: tar, low
    and high with all pairs (`curves.own`); the interval lies about TAR as that one does.
    """
    limits = _samples(trials.impostor, far, count, rng)
    genuine = np.sort(trials.genuine)
    tar = float(1 - np.searchsorted(genuine, limits).mean() / len(genuine))
    bounds = (float(np.clip(tar + own[name] - own["tar"], 0, 1)) for name in ("low", "high"))
    return dict(zip(EQUAL_FIGURES, (tar, *bounds), strict=True))


def shared(trials: Trials, threshold: float, weights: np.ndarray) -> dict[str, float]:
    """TAR at a given threshold with its interval, and the share of the group's impostor pairs that it accepts."""
    if np.isnan(threshold) or not len(trials.genuine):
        return {}
    is_hit = trials.genuine >= threshold
    bounds = half_unseen.of_pairs(trials.owner, is_hit, weights)
    told = dict(zip(SHARED_FIGURES, (float(is_hit.mean()), *bounds), strict=True))
    return told | ({"shared_far": float((trials.impostor >= threshold).mean())} if len(trials.impostor) else {})


def _samples(impostor: np.ndarray, far: float, count: int, rng: np.random.Generator) -> np.ndarray:
    """`threshold_at` of random samples of `count` impostor scores, without replacement; (1,) of all of them."""
    if count >= len(impostor):
        return np.array([threshold_at(impostor, far)])
    rising, place = np.sort(-impostor), position(count, far)
    made = []
    for _ in range(REPEATS):
        head = rising[_ranks(len(rising), count, ceil(place) + 1, rng)]
        made.append(thresholds_at(head, np.arange(1, len(head) + 1), np.array([place]))[0])
    return np.array(made)


def _ranks(whole: int, count: int, least: int, rng: np.random.Generator) -> np.ndarray:
    """The lowest of `count` different numbers of 0 ... whole - 1, drawn at random, rising: `least` of them or more."""
    found, start, left = [], 0, count
    size = (least + SPARE) * ceil(whole / count)
    while sum(map(len, found)) < least and start < whole:
        block = min(size, whole - start)
        inside = rng.hypergeometric(left, whole - start - left, block)
        found.append(start + np.sort(rng.choice(block, inside, replace=False)))
        start, left = start + block, left - inside
    return np.concatenate(found)
