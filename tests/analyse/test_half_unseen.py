"""Intervals of resamples with half a subject more: against Beta quantiles, random weights, and known rates."""

import numpy as np
import pytest
from scipy.stats import beta

from accord.statistics.resampling import bootstrap, half_unseen
from accord.statistics.resampling.half_unseen import interval


def found(hits, sizes, seed=1, draws=60_000):
    """The interval of shares of subjects with so many hits among so many pairs."""
    hits, sizes = np.asarray(hits, float), np.asarray(sizes, float)
    weights = half_unseen.weights(len(sizes), draws, np.random.default_rng(seed))
    whole = weights @ sizes
    return interval(hits.sum() / sizes.sum(), (weights @ hits) / whole, whole, sizes)


@pytest.mark.parametrize(("hits", "subjects"), [(0, 10), (0, 60), (1, 20), (4, 10), (12, 60), (30, 60), (60, 60)])
def test_of_one_pair_each_it_has_quantiles_of_beta_distributions(hits, subjects):
    low, high = found(np.arange(subjects) < hits, np.ones(subjects))
    expected_low = beta.ppf(0.025, hits, subjects - hits + 0.5) if hits else 0
    expected_high = beta.ppf(0.975, hits + 0.5, subjects - hits) if hits < subjects else 1
    assert (low, 1 - high) == pytest.approx((expected_low, 1 - expected_high), rel=0.1, abs=1e-9)
    assert low <= hits / subjects <= high


def test_half_a_subject_is_drawn_as_a_gamma_variable_of_shape_one_half():
    """Quantiles in place of random weights say the same as 400,000 of these."""
    rng, sizes = np.random.default_rng(2), np.array([10, 45, 45, 190, 435, 66, 28, 15])
    hits = np.array([0, 3, 0, 60, 2, 0, 1, 15])
    weights = rng.standard_exponential((400_000, len(sizes)))
    whole, some = weights @ sizes, weights @ hits
    more = rng.gamma(0.5, size=len(weights)) * np.sqrt((sizes**2).mean())
    expected = np.quantile(some / (whole + more), 0.025), np.quantile((some + more) / (whole + more), 0.975)
    assert found(hits, sizes) == pytest.approx(expected, rel=0.03)


def test_refused_and_accepted_pairs_mirror_each_other():
    sizes, hits = np.array([10, 45, 45, 3, 8]), np.array([1, 0, 45, 3, 2])
    (low, high), (other_low, other_high) = found(hits, sizes), found(sizes - hits, sizes)
    assert (low, high) == pytest.approx((1 - other_high, 1 - other_low))


def test_fewer_than_two_subjects_or_no_share_have_none():
    assert np.isnan(found([1], [4])).all()
    assert np.isnan(interval(float("nan"), np.full(9, np.nan), np.ones(9), np.ones(5))).all()


def test_whole_numbers_stand_for_weights_on_average():
    weights = half_unseen.weights(50, 2000, np.random.default_rng(4))
    whole = half_unseen.rounded(weights, np.random.default_rng(5))
    assert whole.min() == 0 and whole.dtype == int and np.abs(whole - weights).max() < 1
    assert whole.mean() == pytest.approx(weights.mean(), abs=0.01)


@pytest.mark.parametrize("subjects", [10, 40])
def test_it_holds_where_few_subjects_have_all_the_hits(subjects):
    """A subject in 20 has nearly all of its pairs refused, and pairs are unequal: 200 data sets of a rate of 0.05.

    With a chance of 95% each, fewer than 180 of 200 would hold it once in 900 times. Percentiles of resamples hold it
    far less often.
    """
    rng, held, resampled = np.random.default_rng(3), 0, 0
    for seed in range(200):
        sizes = rng.integers(5, 31, subjects)
        sizes = sizes * (sizes - 1) // 2
        hits = rng.binomial(sizes, rng.beta(0.05, 0.95, subjects))
        low, high = found(hits, sizes, seed, 200)
        held += low <= 0.05 <= high
        drawn = bootstrap.weights(subjects, 200, rng)
        low, high = bootstrap.interval((drawn @ hits) / (drawn @ sizes), subjects)
        resampled += low <= 0.05 <= high
    assert held >= 180 > 170 > resampled
