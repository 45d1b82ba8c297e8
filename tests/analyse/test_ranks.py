"""Mann-Whitney on all pairs, and D, against scipy and by hand."""

from itertools import combinations

import numpy as np
import pytest
from analyse_cases import cohort_of
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from accord.analyse.comparing.family import disparity, family
from accord.statistics.ranking.ranks import mann_whitney

LABELS = [[], ["0"], ["1"], ["2"], ["0", "1"], ["1", "2"], ["0", "1", "2"]]


def same_as_scipy(values, labels):
    """Holds every pair of groups against one call of scipy, also its effect."""
    cohort = cohort_of(values, range(len(values)), labels)
    ours = mann_whitney(cohort)
    for a, b in combinations(range(len(cohort.groups)), 2):
        left, right = cohort.values[cohort.rows(a)], cohort.values[cohort.rows(b)]
        theirs = stats.mannwhitneyu(left, right)
        n1, n2 = len(left), len(right)
        assert ours.u[a, b] == theirs.statistic and ours.u[b, a] == n1 * n2 - theirs.statistic
        if np.ptp(np.concatenate([left, right])):
            assert ours.p[a, b] == ours.p[b, a] == pytest.approx(theirs.pvalue, rel=1e-9)
        else:
            assert ours.p[a, b] == 1
        effect = (theirs.statistic - n1 * n2 / 2) / np.sqrt(n1 * n2 * (n1 + n2 + 1) / 12)
        assert ours.effect[a, b] == pytest.approx(effect) == -ours.effect[b, a]


@pytest.mark.parametrize("decimals", [1, 2, 12])
@pytest.mark.parametrize("count", [30, 300])
def test_every_pair_equals_scipy(rng, count, decimals):
    values = np.round(rng.beta(4, 2, count), decimals)
    labels = [LABELS[k] for k in rng.integers(1, len(LABELS), count)]
    same_as_scipy(values, labels)


def test_small_groups_without_ties_are_exact_as_in_scipy(rng):
    same_as_scipy(rng.permutation(25) / 25, list("0001111222222222222222222"))


@given(st.lists(st.tuples(st.integers(0, 4), st.sampled_from("012")), min_size=1, max_size=40))
@settings(max_examples=40, deadline=None)
def test_any_scores_equal_scipy(drawn):
    values, labels = zip(*drawn, strict=True)
    same_as_scipy(np.array(values) / 4, list(labels))


def test_equal_scores_are_no_evidence():
    assert mann_whitney(cohort_of(np.full(60, 0.7), range(60), list("012") * 20)).p.min() == 1


@given(st.permutations(range(24)))
@settings(max_examples=15, deadline=None)
def test_the_order_of_rows_changes_nothing(order):
    values, labels = np.arange(24) % 7 / 7, np.array(list("001122" * 4))
    first = mann_whitney(cohort_of(values, range(24), labels))
    second = mann_whitney(cohort_of(values[order], range(24), labels[order]))
    assert np.array_equal(first.p, second.p) and np.array_equal(first.u, second.u)


@pytest.mark.parametrize(
    ("worst", "best", "d"), [(0, 0, 0), (0, 0.4, 1), (0.3, 0.4, 0.25), (0.4, 0.4, 0), (0.4, 0.3, 0.25)]
)
def test_disparity_by_hand(worst, best, d):
    assert disparity(worst, best) == pytest.approx(d)


def test_the_largest_significant_disparity_comes_first():
    """Medians 0.2, 0.5, 0.8: the pair of the outer groups, D = 0.75, before 0.375 and 0.6."""
    values = np.concatenate([np.linspace(c - 0.1, c + 0.1, 40) for c in (0.5, 0.2, 0.8)])
    found = family(("t", "m", "s"), "a", cohort_of(values, range(120), ["b"] * 40 + ["c"] * 40 + ["a"] * 40), 10)
    pairs = [(found.cohort.groups[p.worst], found.cohort.groups[p.best]) for p in found.significant()]
    assert pairs == [("c", "a"), ("c", "b"), ("b", "a")]
    assert [p.disparity for p in found.significant()] == pytest.approx([0.75, 0.6, 0.375])
    assert all(p.effect < 0 for p in found.significant())


def test_significance_is_bonferroni_over_the_pairs(rng):
    values, labels = rng.random(120), np.repeat(list("abcd"), 30)
    values[:30] -= 0.3
    found = family(("t", "m", "s"), "a", cohort_of(values, range(120), labels), 10)
    p = {
        (a, b): stats.mannwhitneyu(values[labels == a], values[labels == b], method="asymptotic").pvalue
        for a, b in combinations("abcd", 2)
    }
    expected = {pair for pair, value in p.items() if value < 0.05 / 6}
    got = {tuple(sorted((found.cohort.groups[x.worst], found.cohort.groups[x.best]))) for x in found.significant()}
    assert found.pairs == 6 and got == expected and expected
    assert found.smallest_p == pytest.approx(min(1, 6 * min(p.values())))


def test_groups_enter_with_enough_subjects_not_images():
    """Twelve images of four subjects are four; ten images of ten subjects are ten."""
    subjects = [*np.repeat(range(4), 3), *range(10, 20)]
    found = family(("t", "m", "s"), "a", cohort_of(np.full(22, 0.5), subjects, ["few"] * 12 + ["ten"] * 10), 10)
    assert found.cohort.groups == ("ten",) and found.pairs == 0
