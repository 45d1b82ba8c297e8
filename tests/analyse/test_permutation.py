"""Tests between subjects: p-values against all permutations, and how often they err."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse, stats
from statsmodels.stats.multitest import multipletests

from accord.analyse import permutation
from accord.analyse.holm import holm
from accord.analyse.permutation import max_difference_p, strata_of


def member(labels):
    return sparse.csr_array(np.asarray(labels)[:, np.newaxis] == np.unique(labels)).astype(float)


def every_deal(values, labels, strata):
    """The exact p-value: all permutations within strata, the largest weighed difference of aligned mean
    ranks, between two groups or a group and the rest."""
    values, labels, strata = map(np.asarray, (values, labels, strata))
    ranks = stats.rankdata(values)
    for s in set(strata):
        ranks[strata == s] -= ranks[strata == s].mean()

    def largest(dealt):
        parts = [labels == g for g in set(labels)]
        contrasts = [(a, b) for a in parts for b in parts if a is not b] + [(a, ~a) for a in parts]
        return max(abs(dealt[a].mean() - dealt[b].mean()) / np.sqrt(1 / a.sum() + 1 / b.sum()) for a, b in contrasts)

    count = len(values)
    deals = [ranks[list(o)] for o in permutations(range(count)) if (strata[list(o)] == strata).all()]
    return np.mean([largest(d) >= largest(ranks) - 1e-9 for d in deals])


@pytest.mark.parametrize("strata", [[0] * 7, [0, 1, 0, 1, 0, 1, 0]])
def test_p_is_the_share_of_deals_at_least_as_extreme(rng, strata):
    values, labels = [0.1, 0.2, 0.2, 0.5, 0.6, 0.9, 1.0], [0, 0, 0, 1, 1, 2, 2]
    exact = every_deal(values, labels, strata)
    p = [max_difference_p(np.array(values), member(labels), np.array(strata), 20_000, rng) for _ in range(30)]
    assert np.mean(p) == pytest.approx(exact, rel=0.15)


def test_a_clear_difference_gets_the_smallest_p_there_is(rng):
    values, labels = np.concatenate([rng.random(30), 2 + rng.random(30)]), np.repeat([0, 1], 30)
    assert max_difference_p(values, member(labels), np.zeros(60, int), 999, rng) == 1 / 1000


def test_nothing_to_compare_is_no_evidence(rng):
    values = np.arange(6.0)
    assert max_difference_p(values, member([0] * 6), np.zeros(6, int), 999, rng) == 1
    assert max_difference_p(np.ones(6), member([0, 1] * 3), np.zeros(6, int), 999, rng) == 1
    assert max_difference_p(values, member([0, 1] * 3), np.arange(6), 999, rng) == 1


def test_subjects_without_a_group_take_no_part(rng):
    values, labels = rng.random(40), np.repeat([0, 1], 20)
    outside = sparse.csr_array(np.vstack([member(labels).toarray(), np.zeros((50, 2))]))
    alone = max_difference_p(values, member(labels), np.zeros(40, int), 500, np.random.default_rng(1))
    more = np.concatenate([values, rng.normal(5, 3, 50)])
    assert max_difference_p(more, outside, np.zeros(90, int), 500, np.random.default_rng(1)) == alone


def test_p_values_are_uniform_at_most_when_nothing_differs(rng):
    """Heavy ties and a group of five: where normal approximations fail."""
    p = []
    for _ in range(400):
        values = (rng.random(45) < 0.06).astype(float)
        p.append(max_difference_p(values, member([0] * 20 + [1] * 20 + [2] * 5), np.zeros(45, int), 499, rng))
    for level in (0.05, 0.2):
        assert np.mean(np.array(p) <= level) <= level + 3 * np.sqrt(level * (1 - level) / 400)


def test_strata_are_sets_of_groups():
    given = strata_of(sparse.csr_array(np.array([[1, 0], [2, 0], [0, 1], [3, 1], [0, 0]])))
    assert given[0] == given[1] and len(set(given)) == 4


def test_holm_equals_statsmodels(rng):
    for count in (1, 5, 40):
        p = rng.random(count) ** 3
        assert holm(p) == pytest.approx(multipletests(p, method="holm")[1])
    assert len(holm(np.array([]))) == 0


@given(st.integers(0, 10_000), st.integers(2, 6), st.floats(0.3, 1.2))
@settings(max_examples=25, deadline=None)
def test_deals_that_cannot_reach_are_passed_over_and_no_others(seed, count, share):
    """The short cut finds the same deals as working out every difference, groups overlapping or not."""
    rng = np.random.default_rng(seed)
    groups = sparse.csr_array((rng.random((40, count)) < 0.4).astype(float) + np.eye(40, count))
    ranks = rng.permuted(np.tile(np.arange(40) - 19.5, (60, 1)), axis=1)
    sums, sizes = (groups > 0).T @ ranks.T, np.asarray((groups > 0).sum(axis=0), float)
    largest = permutation._largest(sums, sizes, 40)
    observed = share * largest.max()
    found = permutation._reaches(sums, sizes, 40, observed)
    assert np.array_equal(found, largest >= observed)


def test_strata_are_numbered_as_subjects_come():
    labels = np.array(["b", "a", "c", "a", "b"])
    assert strata_of(member(labels)).tolist() == [0, 1, 2, 1, 0]
    assert strata_of(member(np.array(["z", "q", "a", "q", "z"]))).tolist() == [0, 1, 2, 1, 0]


def test_several_sets_of_groups_share_their_deals(rng):
    """Each gets the p-value that it gets alone with the same random numbers."""
    values, strata = rng.random(60), np.repeat([0, 1, 2], 20)
    values[:15] += 1
    sets = [member(rng.integers(0, k, 60)) for k in (2, 3, 5)] + [member(np.arange(60) < 15), member(np.zeros(60))]
    together = permutation.max_difference_ps(values, sets, strata, 3000, np.random.default_rng(4))
    alone = [max_difference_p(values, some, strata, 3000, np.random.default_rng(4)) for some in sets]
    assert together == alone and together[-2:] == [1 / 3001, 1] and together[0] > 1 / 3001
