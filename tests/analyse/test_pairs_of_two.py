"""Shares of pairs of two subjects: variances against double sums and other samples, draws, intervals."""

from itertools import combinations

import numpy as np
import pytest
from scipy.stats import norm, t

from accord.statistics.describing.proportions import wilson
from accord.statistics.resampling import half_unseen
from accord.statistics.resampling.pairs_of_two import PairsOfTwo, errors


def wider(hits, left, right):
    """By how much Student's t of Kish's number of subjects with hits is wider than the normal distribution."""
    each = np.bincount(np.concatenate([left, right]), np.tile(hits, 2))
    return t.ppf(0.975, each.sum() ** 2 / (each**2).sum()) / norm.ppf(0.975)


def some_pairs(rng, subjects, count):
    two = np.array(list(combinations(range(subjects), 2)))
    left, right = two[rng.integers(0, len(two), count)].T
    swapped = rng.random(count) < 0.5
    return np.where(swapped, right, left), np.where(swapped, left, right)


def test_the_variance_is_a_sum_over_all_two_pairs_that_share_a_subject():
    rng = np.random.default_rng(1)
    left, right = some_pairs(rng, 8, 60)
    hits = (rng.random(60) < np.where((left < 2) | (right < 2), 0.8, 0.1)).astype(float)
    off = hits - hits.mean()
    shared = [
        [bool({a, b} & {c, d}) for c, d in zip(left, right, strict=True)] for a, b in zip(left, right, strict=True)
    ]
    expected = float(off @ np.array(shared) @ off) / 60**2 * 8 / 5 * wider(hits, left, right) ** 2
    sway = PairsOfTwo(left, right, 11).sway(hits)
    assert (sway**2).sum() == pytest.approx(expected) and (sway[8:] == 0).all()
    assert np.sign(sway[:8]).tolist() == np.sign([off[(left == s) | (right == s)].sum() for s in range(8)]).tolist()


def test_evenly_spread_hits_vary_as_independent_couples():
    """A ring of hits: every subject has two of five, so that none sways the share more than others."""
    left, right = np.array(list(combinations(range(6), 2))).T
    hits = np.isin(right - left, (1, 5)).astype(float)
    sway = PairsOfTwo(left, right, 6).sway(hits)
    independent = ((hits - 0.4) ** 2).sum() / 15**2
    assert (sway**2).sum() == pytest.approx(independent * wider(hits, left, right) ** 2)
    assert not PairsOfTwo(left, right, 6).sway(np.ones(15)).any()


def test_errors_spread_as_they_should_and_go_with_weights():
    weights = half_unseen.weights(30, 40_000, np.random.default_rng(2))
    sway = np.r_[np.linspace(-1, 2, 28), 0, 0]
    made = errors(weights, sway)
    assert made.std() == pytest.approx(np.sqrt((sway**2).sum()), rel=0.02)
    assert made.mean() == pytest.approx(0, abs=0.05)
    one = errors(weights, np.eye(30)[3])
    assert one == pytest.approx(norm.isf(np.exp(-weights[:, 3]))) and np.corrcoef(one, weights[:, 3])[0, 1] > 0.85


@pytest.mark.parametrize(("alike", "product"), [(0.0, 2.0), (0.3, 1.3)])
def test_variances_are_those_of_other_samples(alike, product):
    """600 samples of 40 subjects that are more or less like others; weights whose product a pair has say more."""
    rng, shares, told, products = np.random.default_rng(3), [], [], []
    for _ in range(600):
        left, right = some_pairs(rng, 40, 1500)
        like = rng.normal(0, alike, 40)
        hits = (rng.normal(size=1500) + like[left] + like[right] > 1.8).astype(float)
        told.append((PairsOfTwo(left, right, 40).sway(hits) ** 2).sum() / wider(hits, left, right) ** 2)
        shares.append(hits.mean())
        if len(products) < 60:
            weights = half_unseen.weights(40, 100, rng)
            weighed = weights[:, left] * weights[:, right]
            products.append((weighed @ hits / weighed.sum(axis=1)).var())
    true = np.var(shares)
    assert true == pytest.approx(np.mean(told), rel=0.2)
    assert np.mean(products) > product * true


def test_without_a_hit_as_many_pairs_count_as_there_are_couples():
    left, right = np.repeat(np.array(list(combinations(range(12), 2))), 9, axis=0).T
    weights = half_unseen.weights(12, 50, np.random.default_rng(4))
    of, nothing = PairsOfTwo(left, right, 12), np.zeros(len(left), bool)
    assert of.interval(nothing, weights) == pytest.approx(wilson(0, 66))
    assert of.interval(~nothing, weights) == pytest.approx(wilson(1, 66))
    none = PairsOfTwo(left[:0], right[:0], 12)
    assert np.isnan(none.interval(nothing[:0], weights)).all()
