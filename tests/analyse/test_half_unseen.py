"""Intervals of resamples with half a subject more: against random weights, hand cases, Beta quantiles, known rates."""

import numpy as np
import pytest
from scipy.stats import beta, norm, t

from accord.statistics.resampling import bootstrap, half_unseen
from accord.statistics.resampling.half_unseen import interval, kish, of_pairs, unseen


def found(hits, sizes, seed=1, draws=60_000):
    """The interval of shares of subjects with so many hits among so many pairs."""
    hits, sizes = np.asarray(hits, float), np.asarray(sizes, float)
    weights = half_unseen.weights(len(sizes), draws, np.random.default_rng(seed))
    whole = weights @ sizes
    return interval(hits.sum() / sizes.sum(), (weights @ hits) / whole, whole, hits, sizes)


def outside(subjects):
    """The share below an expanded percentile interval of so many equal subjects with random weights."""
    return norm.cdf(np.sqrt((subjects + 1) / (subjects - 1)) * t.ppf(0.025, subjects - 1))


@pytest.mark.parametrize("subjects", [10, 60])
def test_without_a_hit_the_bound_is_a_quantile_of_a_beta_distribution(subjects):
    low, high = found(np.zeros(subjects), np.ones(subjects))
    assert low == 0 and high == pytest.approx(beta.ppf(1 - outside(subjects), 0.5, subjects), rel=0.1)


def test_what_half_a_subject_adds_by_hand():
    ones = np.ones(20)
    assert unseen(0, np.zeros(20), ones) == 1 and unseen(1, ones, ones) == 1
    # All alike: their skewness is 0, their number 20; the fear of one with nothing but hits counts as 4.
    assert unseen(0.25, np.full(20, 0.25), ones) == pytest.approx(0.25 + 4 * 0.75 / 24)
    # Two of 20 have hits alone: 18 of -0.1 and 2 of 0.9, whose skewness is 1 - 2 x 0.1.
    assert unseen(0.1, np.arange(20) < 2, ones) == pytest.approx(0.1 + (2 * 0.8 + 4 * 0.9) / 6)
    # Subjects of unequal sizes: half a subject has sum(n^3) / sum(n^2) pairs, 29 / 9 of 1, 1, 1, 2 and 2 ... here 4.6.
    hits, sizes = np.array([5, 0, 0]), np.array([5, 2, 1])
    excess, size = hits - 0.625 * sizes, (125 + 8 + 1) / 30
    skewed = (excess**3).sum() / (excess**2).sum() / size
    assert unseen(0.625, hits, sizes) == pytest.approx(0.625 + (skewed + 4 * 0.375) / 5)


def test_kish_counts_unequal_parts_as_fewer_equal_ones():
    assert kish(np.full(7, 3)) == pytest.approx(7) and kish(np.array([1, 1, 2])) == pytest.approx(16 / 6)
    assert kish(np.array([4, 0, 0])) == 1 and kish(np.zeros(3)) == 0


def test_half_a_subject_is_drawn_as_a_gamma_variable_of_shape_one_half():
    """Quantiles in place of random weights say the same as 400,000 of these."""
    rng, sizes = np.random.default_rng(2), np.tile([10, 45, 45, 190, 66, 28, 15], 4)
    hits = np.tile([0, 3, 0, 60, 2, 0, 1], 4)
    share, weights = hits.sum() / sizes.sum(), rng.standard_exponential((400_000, len(sizes)))
    whole, some = weights @ sizes, weights @ hits
    more = rng.gamma(0.5, size=len(weights)) * (sizes**3).sum() / (sizes**2).sum()
    m = sizes.sum() ** 2 / (sizes**2).sum()
    expected = (
        np.quantile((some + more * (1 - unseen(1 - share, sizes - hits, sizes))) / (whole + more), outside(m)),
        np.quantile((some + more * unseen(share, hits, sizes)) / (whole + more), 1 - outside(m)),
    )
    assert found(hits, sizes) == pytest.approx(expected, rel=0.05)


def test_refused_and_accepted_pairs_mirror_each_other():
    sizes, hits = np.array([10, 45, 45, 3, 8]), np.array([1, 0, 45, 3, 2])
    (low, high), (other_low, other_high) = found(hits, sizes), found(sizes - hits, sizes)
    assert (low, high) == pytest.approx((1 - other_high, 1 - other_low))


def test_fewer_than_two_subjects_or_no_share_have_none():
    assert np.isnan(found([1], [4])).all()
    ones = np.ones(5)
    assert np.isnan(interval(float("nan"), np.full(9, np.nan), np.ones(9), ones, ones)).all()
    weights = half_unseen.weights(3, 9, np.random.default_rng(1))
    assert np.isnan(of_pairs(np.empty(0, int), np.empty(0, bool), weights)).all()


def test_pairs_are_counted_by_their_subjects():
    owner, is_hit = np.array([0, 0, 0, 2, 2, 3]), np.array([1, 0, 0, 1, 1, 0], bool)
    weights = half_unseen.weights(4, 500, np.random.default_rng(1))
    hits, sizes = np.array([1, 0, 2, 0]), np.array([3, 0, 2, 1])
    whole = weights @ sizes
    assert of_pairs(owner, is_hit, weights) == interval(0.5, (weights @ hits) / whole, whole, hits, sizes)


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


@pytest.mark.parametrize("alike", [3, 60])
def test_it_is_neither_too_wide_nor_too_narrow_where_many_subjects_have_hits(alike):
    """40 subjects whose rates vary much or little about 0.2: 400 data sets, of which 95% are 380.

    Fewer than 366 or more than 393 would hold it once in 500 times each.
    """
    rng, held = np.random.default_rng(4), 0
    for seed in range(400):
        hits = rng.binomial(45, rng.beta(0.2 * alike, 0.8 * alike, 40))
        low, high = found(hits, np.full(40, 45), seed, 200)
        held += low <= 0.2 <= high
    assert 366 <= held <= 393
