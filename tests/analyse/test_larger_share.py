"""Whether a group has a larger share of hits than all others: against scipy's exact test, and deals written out."""

from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from accord.statistics.permuting import larger_share
from accord.statistics.permuting.larger_share import p_value


@pytest.fixture
def rng():
    return np.random.default_rng(1)


def test_of_equally_many_pairs_it_is_the_exact_test_of_means(rng):
    hits, inside = rng.integers(0, 46, 11), np.arange(11) < 4
    got = p_value(hits, np.full(11, 45), inside, rng)
    found = stats.permutation_test(
        (hits[inside], hits[~inside]), lambda x, y: np.mean(x) - np.mean(y), alternative="greater", n_resamples=np.inf
    )
    assert got == pytest.approx(found.pvalue, abs=1e-12)


def test_of_unequal_pairs_it_counts_the_deals(rng):
    sizes = rng.integers(1, 200, 9)
    hits, inside = rng.binomial(sizes, 0.3), np.arange(9) % 3 == 0

    def excess(some):
        others = [n for n in range(9) if n not in some]
        return hits[list(some)].sum() / sizes[list(some)].sum() - hits[others].sum() / sizes[others].sum()

    every = [excess(some) for some in combinations(range(9), 3)]
    expected = np.mean([one >= excess((0, 3, 6)) - 1e-12 for one in every])
    assert p_value(hits, sizes, inside, rng) == pytest.approx(expected, abs=1e-12)


def test_by_lot_it_is_near_the_exact_one_and_never_nothing(rng, monkeypatch):
    hits, sizes, inside = rng.integers(0, 46, 12), np.full(12, 45), np.arange(12) < 5
    exact = p_value(hits, sizes, inside, rng)
    apart = p_value(np.where(inside, 45, 0), sizes, inside, rng)
    monkeypatch.setattr(larger_share, "MOST", 700)
    assert p_value(hits, sizes, inside, rng) == pytest.approx(exact, abs=0.07)
    assert 1 / 701 <= p_value(np.where(inside, 45, 0), sizes, inside, rng) <= apart + 0.01


def test_whatever_the_group_few_deals_are_called_extreme(rng):
    """Of all groups of 3 of 9 no more than a share a has p <= a: that is all that the test promises."""
    sizes = rng.integers(1, 200, 9)
    hits = rng.binomial(sizes, rng.beta(0.3, 2, 9))
    every = np.array([p_value(hits, sizes, np.isin(np.arange(9), some), rng) for some in combinations(range(9), 3)])
    assert all((every <= a).mean() <= a + 1e-9 for a in (0.02, 0.05, 0.1, 0.5))


def test_subjects_without_pairs_count_nowhere_and_a_group_needs_others(rng):
    hits, sizes, inside = np.array([3, 0, 9, 0]), np.array([10, 0, 10, 10]), np.array([False, True, True, False])
    assert p_value(hits, sizes, inside, rng) == pytest.approx(1 / 3)
    assert np.isnan(p_value(hits, sizes, np.ones(4, bool), rng))
    assert np.isnan(p_value(hits, sizes, np.array([False, True, False, False]), rng))
