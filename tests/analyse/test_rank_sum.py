"""The permutation distribution of a rank sum, against all that is known exactly."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from accord.analyse.rank_sum import lower_p


def exact(values, inside):
    """The share of all choices of as many subjects whose ranks add up to no more."""
    ranks = stats.rankdata(values)
    sums = [sum(ranks[list(some)]) for some in combinations(range(len(values)), int(inside.sum()))]
    return np.mean(np.array(sums) <= ranks[inside].sum() + 1e-9)


@pytest.mark.parametrize(("chosen", "count"), [(10, 40), (10, 41), (12, 150), (40, 90)])
@pytest.mark.parametrize("shift", [0, 0.5, 1, 2])
def test_without_ties_it_is_the_exact_mann_whitney(rng, chosen, count, shift):
    inside = np.arange(count) < chosen
    values = rng.normal(0, 1, count) - shift * inside
    theirs = stats.mannwhitneyu(values[inside], values[~inside], alternative="less", method="exact").pvalue
    assert lower_p(values, inside) == pytest.approx(theirs, rel=0.05)


@pytest.mark.parametrize(("chosen", "count", "low", "hit"), [(10, 400, 20, 3), (12, 100, 30, 9), (50, 1000, 100, 20)])
def test_of_two_levels_it_is_hypergeometric(chosen, count, low, hit):
    """Few of many score low: far from normal, and p is small."""
    values, inside = np.ones(count), np.arange(count) < chosen
    values[:hit] = values[chosen : chosen + low - hit] = 0
    assert lower_p(values, inside) == pytest.approx(stats.hypergeom.sf(hit - 1, count, low, chosen), rel=0.1)


@given(st.lists(st.integers(0, 4), min_size=10, max_size=12), st.integers(1, 6))
@settings(max_examples=40)
def test_of_few_it_is_the_share_of_all_choices(drawn, chosen):
    values, inside = np.array(drawn) / 4, np.arange(len(drawn)) < chosen
    if len(set(drawn)) > 1:
        assert lower_p(values, inside) == pytest.approx(exact(values, inside))


def test_the_most_extreme_choice_has_a_small_p_and_not_none(rng):
    values, inside = np.sort(rng.normal(size=40)), np.arange(40) < 10
    assert lower_p(values, inside) == pytest.approx(1 / 847_660_528)


def test_nothing_to_compare_is_no_evidence():
    assert lower_p(np.ones(20), np.arange(20) < 5) == 1
    assert lower_p(np.arange(20.0), np.zeros(20, bool)) == 1 == lower_p(np.arange(20.0), np.ones(20, bool))


def test_the_level_is_kept(rng):
    """2,000 tests of nothing, of scores most of which are equal: at most 5% are under 5%, about."""
    inside = np.arange(60) < 12
    p = [lower_p(np.minimum(1, np.round(rng.beta(6, 1, 60), 1)), inside) for _ in range(2000)]
    assert np.mean(np.array(p) < 0.05) <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / 2000)
