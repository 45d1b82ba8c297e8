"""Who may exchange scores with whom: by hand, and what follows from it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.statistics.permuting.exchangeable import (
    COARSE,
    comparable,
    intraclass,
    joined,
    levels,
    means_of,
    snapped,
    spread,
    standardised,
    thinned,
)


def test_intraclass_correlation_by_hand():
    """1, 3 and 5, 7: squares between subjects 16, within 2, so (16 - 2) / (16 + 2)."""
    assert intraclass(np.array([1.0, 3, 5, 7]), np.array([4, 4, 9, 9])) == pytest.approx(7 / 9)


def test_intraclass_correlation_with_unequal_numbers_by_hand():
    """2, 4 | 9: between (2 (3 - 5)^2 + (9 - 5)^2) / 1 = 24, within 2 / 1, typical number (3 - 5 / 3) / 1 = 4 / 3: the
    subjects' variance is (24 - 2) / (4 / 3) = 16.5, of 18.5 in all."""
    assert intraclass(np.array([2.0, 4, 9]), np.array([0, 0, 1])) == pytest.approx(16.5 / 18.5)


@pytest.mark.parametrize(
    ("values", "subjects", "expected"),
    [([0, 1, 0, 1], [0, 0, 1, 1], 0), ([0, 0, 1, 1], [0, 0, 1, 1], 1), ([0, 1, 2], [0, 1, 2], 1),
     ([3, 3, 3], [0, 0, 1], 1), ([3, 4], [0, 0], 1), ([], [], 1)],
)  # fmt: skip
def test_the_ends_of_the_intraclass_correlation(values, subjects, expected):
    assert intraclass(np.array(values, float), np.array(subjects, int)) == expected


def test_means_of_many_scores_vary_less():
    """With half of the variance a subject's own, a mean of four has 0.5 + 0.5 / 4 of that of a single score."""
    assert spread(np.array([1, 4, 1]), 0.5) == pytest.approx([1, np.sqrt(0.625), 1])
    assert spread(np.array([2, 8]), 0.0) == pytest.approx([1, 0.5])
    assert spread(np.array([7, 7, 7]), 0.3).tolist() == [1, 1, 1] == spread(np.array([1, 9, 3]), 1.0).tolist()


def test_only_who_has_another_group_beside_is_comparable():
    groups, strata = np.array([0, 1, 0, 0, 1, 2]), np.array([5, 5, 2, 2, 0, 5])
    assert comparable(groups, strata).tolist() == [True, True, False, False, False, True]
    assert comparable(np.zeros(0, int), np.zeros(0, int)).tolist() == []


def test_joined_strata_are_those_in_which_all_is_the_same():
    found = joined(np.array([0, 0, 1, 1, 0]), np.array([3, 1, 3, 3, 3]))
    assert found[0] == found[4] and found[2] == found[3] and len(set(found)) == 3


def test_the_order_of_a_sum_breaks_no_tie():
    assert 0.1 + 0.2 + 0.3 != 0.3 + 0.2 + 0.1
    assert len(set(snapped(np.array([0.1 + 0.2 + 0.3, 0.7, 0.3 + 0.2 + 0.1, -0.7])))) == 3
    assert snapped(np.array([1e-15, 3e-15, 2e15])).tolist() == [1e-15, 3e-15, 2e15]


def test_a_ceiling_of_single_scores_puts_nobody_first():
    """Mean 0.9: a single 1 is a third of a spread above, 8 of 8 nearly one; a single 0 lies lowest."""
    values, counts = np.array([1.0, 0.0, 1.0, 0.875, 1.0]), np.array([1, 1, 8, 8, 1])
    values = np.append(values, np.full(15, 0.9016667))
    ranks = standardised(values, spread(np.append(counts, np.full(15, 4)), 0.0))
    assert ranks[2] > ranks[0] == ranks[4] > ranks[3] > ranks[1]


@given(st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=1, max_size=12), st.floats(0.1, 100))
def test_ranks_of_as_many_scores_are_those_of_their_means(values, factor):
    from scipy.stats import rankdata

    alike = standardised(np.array(values) * factor, np.ones(len(values)))
    assert alike.tolist() == rankdata(values).tolist()


def test_up_to_ten_scores_every_number_is_its_own_level():
    counts = np.array([1, 2, 9, 10, 11, 12, 13, 15, 16, 18, 19, 21, 22, 101, 100])
    assert levels(counts).tolist() == [1, 2, 9, 10, 10, 12, 12, 15, 16, 16, 19, 19, 22, 100, 100]
    assert levels(np.zeros(0, int)).tolist() == []
    assert levels(np.full(3, 11)).tolist() == [11] * 3 == levels(np.full(3, 11), COARSE).tolist()
    assert levels(np.arange(1, 18), COARSE).tolist() == [1, 2, 2, 4, 4, 4, 4, *[8] * 8, 16, 16]


@given(st.lists(st.integers(1, 40), min_size=1, max_size=8), st.integers(0, 100))
def test_of_each_subject_as_many_scores_stay_as_its_level(counts, seed):
    units = np.random.default_rng(seed).permutation(np.repeat(np.arange(len(counts)), counts))
    kept = thinned(units)
    assert np.bincount(units[kept]).tolist() == levels(np.array(counts)).tolist()
    assert (kept == thinned(units)).all()


def test_means_are_of_the_scores_that_stay():
    """Eleven scores of unit 9 count as the ten of unit 4: the mean is that of all but one."""
    values, units = np.append(np.arange(11.0), np.full(10, 5.5)), np.repeat([9, 4], [11, 10])
    found = means_of(values, units)
    assert found.units.tolist() == [4, 9] and found.counts.tolist() == [10, 10] and found.values[0] == 5.5
    assert found.values[1] * 10 in (55 - np.arange(11)).tolist()


def test_which_scores_stay_has_nothing_to_do_with_them(rng):
    """Every place among 13 is as likely to be the one left out, give or take."""
    units = np.append(np.repeat(np.arange(1300), 13), np.full(12, 1300))
    left = np.bincount(np.flatnonzero(~thinned(units)) % 13, minlength=13)
    assert left.sum() == 1300 and left.min() > 60
