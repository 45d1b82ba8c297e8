"""The permutation distribution of a rank sum, against all that is known exactly."""

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import stats

from accord.statistics.permuting.exchangeable import standardised
from accord.statistics.ranking import rank_sum
from accord.statistics.ranking.rank_sum import lower_p


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


def exact_within(values, inside, strata, deviation):
    """The share of all choices of as many in each stratum whose weighed ranks add up to no more.

    Weights are whole to the largest deviation of strata that have both sides: others say nothing.
    """
    both = [s for s in np.unique(strata) if len(set(inside[strata == s])) == 2]
    largest = deviation[np.isin(strata, both)].max(initial=0)
    scores = np.round(2 * standardised(values, deviation) * largest / deviation)
    parts = [np.flatnonzero(strata == s) for s in np.unique(strata)]
    ways = product(*(combinations(some, int(inside[some].sum())) for some in parts))
    sums = [scores[[i for some in chosen for i in some]].sum() for chosen in ways]
    return np.mean(np.array(sums) <= scores[inside].sum() + 1e-9)


@given(st.lists(st.integers(0, 4), min_size=11, max_size=11), st.lists(st.booleans(), min_size=11, max_size=11))
@example([0, 0, 0, 0, 0, 1, 2, 2, 3, 3, 0], [False] * 6 + [True, True] + [False] * 3)
@settings(max_examples=40)
def test_within_strata_it_is_the_share_of_all_choices_within_them(drawn, chosen):
    values, inside = np.array(drawn) / 4, np.array(chosen)
    strata = np.repeat([1, 3, 8], [5, 4, 2])
    deviation = np.array([1, 0.7, 0.5])[np.repeat([0, 1, 2], [5, 4, 2])]
    assert lower_p(values, inside, strata, deviation) == pytest.approx(exact_within(values, inside, strata, deviation))


@pytest.mark.parametrize("sizes", [[10] * 4, [20, 20], [3, 5, 12, 20], [4] * 10])
@pytest.mark.parametrize("shift", [0, 0.7, 1.4])
def test_the_approximation_within_strata_is_near_what_is_counted(rng, monkeypatch, sizes, shift):
    strata, inside = np.repeat(np.arange(len(sizes)), sizes), rng.random(40) < 0.4
    values = np.round(rng.normal(0, 1, 40) - shift * inside, 1)
    counted = lower_p(values, inside, strata)
    monkeypatch.setattr(rank_sum, "FEW", 0)
    assert lower_p(values, inside, strata) == pytest.approx(counted, rel=0.35 if max(sizes) < 5 else 0.12)


def test_large_and_small_strata_together_are_near_what_deals_say(rng):
    """120, 60 and 20 subjects: 200,000 deals have p to about 3%."""
    strata, inside = np.repeat([0, 1, 2], [120, 60, 20]), rng.random(200) < 0.3
    values = np.minimum(1, np.round(rng.beta(6, 2, 200) - 0.04 * inside, 1))
    deviation = np.array([1, 0.8, 0.5])[strata]
    scores = np.round(2 * standardised(values, deviation) / deviation)
    dealt = np.hstack([rng.permuted(np.tile(inside[strata == s], (200_000, 1)), axis=1) for s in range(3)])
    share = np.mean(dealt @ scores <= scores[inside].sum() + 1e-9)
    assert 0.001 < share < 0.2 and lower_p(values, inside, strata, deviation) == pytest.approx(share, rel=0.12)


def test_the_most_extreme_deal_within_strata_has_no_less_than_its_share():
    """25 pairs, and in each the one that is asked about lower: 1 of 2^25 deals."""
    values, inside = np.arange(50.0), np.tile([True, False], 25)
    assert 2.0**-25 <= lower_p(values, inside, np.repeat(np.arange(25), 2)) < 2.0**-23


def test_strata_of_one_side_say_nothing():
    values, inside = np.arange(12.0), np.arange(12) < 6
    assert lower_p(values, inside, inside.astype(int)) == 1
    strata = np.array([0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2])
    assert lower_p(values, inside, strata) == pytest.approx(1 / 6)


def test_the_level_is_kept_with_one_and_with_eight_images(rng):
    """Right in 90%: of 45 subjects with one image a third, of 25 with eight most are asked about."""
    counts, p = np.repeat([1, 8], [45, 25]), []
    inside = np.append(np.arange(45) < 15, np.arange(25) < 20)
    for _ in range(400):
        values = rng.binomial(counts, 0.9) / counts
        p.append(lower_p(values, inside, counts, np.where(counts == 8, 0.4, 1)))
    assert np.mean(np.array(p) < 0.05) <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / 400)
