"""TAR at equal numbers of impostor pairs and at one threshold for all, against samples and shares written out."""

from itertools import combinations
from math import comb

import numpy as np
import pytest

from accord.analyse.faces import curves, evened, pairs
from accord.analyse.faces.rates import threshold_at
from accord.analyse.faces.trials import Trials
from accord.statistics.resampling import half_unseen


def made(rng, genuine, impostor, subjects=30):
    left, right = np.array(list(combinations(range(subjects), 2))).T
    which, owner = rng.integers(0, len(left), len(impostor)), rng.integers(0, subjects, len(genuine))
    nothing = np.empty((0, 2), int)
    return Trials(genuine, owner, impostor, left[which], right[which], nothing, nothing)


def test_tar_of_samples_is_its_mean_over_all_samples():
    """All 210 samples of six of ten negatives, FAR 0.25: by going through them."""
    rng = np.random.default_rng(4)
    genuine, impostor = rng.normal(1, 1, 40), rng.normal(size=10)
    every = [(genuine >= threshold_at(np.array(some), 0.25)).mean() for some in combinations(impostor, 6)]
    assert len(every) == comb(10, 6)
    trials, whole = made(rng, genuine, impostor), {"tar": 0.5, "low": 0.4, "high": 0.7}
    told = [evened.equal(trials, 0.25, 6, whole, np.random.default_rng(n)) for n in range(20)]
    assert [row["equal_low"] - row["equal_tar"] for row in told] == pytest.approx([-0.1] * 20)
    told = [row["equal_tar"] for row in told]
    assert np.mean(told) == pytest.approx(np.mean(every), abs=4 * np.std(every) / np.sqrt(20 * evened.REPEATS))


def test_with_as_many_pairs_tar_is_the_groups_own():
    rng = np.random.default_rng(5)
    trials, weights = made(rng, rng.normal(2, 1, 60), rng.normal(size=1200)), half_unseen.weights(30, 50, rng)
    [whole] = curves.own(trials, 30, (0.01,), weights, 2)
    row = evened.equal(trials, 0.01, 1200, whole, rng)
    tar = (trials.genuine >= threshold_at(trials.impostor, 0.01)).mean()
    assert row["equal_tar"] == pytest.approx(tar) and row["equal_low"] < tar < row["equal_high"]


def test_the_lowest_ranks_of_a_sample_are_as_likely_as_in_samples_written_out():
    rng = np.random.default_rng(6)
    got = np.array([evened._ranks(60, 12, 2, rng)[:2] for _ in range(4000)])
    expected = np.array([np.sort(rng.choice(60, 12, replace=False))[:2] for _ in range(4000)])
    for one, other in zip(got.T, expected.T, strict=True):
        assert one.mean() == pytest.approx(other.mean(), abs=4 * other.std() * np.sqrt(2 / 4000))
        assert one.std() == pytest.approx(other.std(), rel=0.1)
    assert (np.diff(got) > 0).all() and set(evened._ranks(5, 5, 5, rng)) == set(range(5))


def test_at_a_shared_threshold_shares_are_counted():
    rng = np.random.default_rng(7)
    trials, weights = made(rng, rng.normal(2, 1, 60), rng.normal(size=1200)), half_unseen.weights(30, 50, rng)
    row = evened.shared(trials, 1.5, weights)
    assert row["shared_tar"] == (trials.genuine >= 1.5).mean() and row["shared_low"] < row["shared_tar"]
    assert row["shared_far"] == (trials.impostor >= 1.5).mean()
    assert evened.shared(trials, float("nan"), weights) == {}


@pytest.mark.parametrize("faces", [0, 1, 40])
def test_possible_pairs_are_those_of_two_subjects(rng, faces):
    subjects = rng.integers(0, 9, faces)
    assert pairs.possible(subjects) == sum(a != b for a, b in combinations(subjects, 2))
