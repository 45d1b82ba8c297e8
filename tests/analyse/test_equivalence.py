import numpy as np
import pytest
from scipy import stats

from accord.statistics.testing.equivalence import paired

SUBJECTS = np.arange(10)


def test_against_scipys_exact_permutation_test():
    rng = np.random.default_rng(3)
    before, after = rng.normal(size=(2, 10))
    ours = paired(before, after, SUBJECTS, margin=0.5)
    theirs = stats.permutation_test((after - before,), np.mean, permutation_type="samples", n_resamples=np.inf)
    assert ours.p_changed == pytest.approx(theirs.pvalue)
    low, high = stats.ttest_1samp(after - before, 0).confidence_interval(0.9)
    assert (ours.low, ours.high) == pytest.approx((low, high))


def test_what_all_lose_is_a_loss():
    ours = paired(np.ones(5), np.full(5, 0.8), SUBJECTS[:5], margin=0.05)
    # of 32 ways to choose signs two are as far from zero, and only one is as low
    assert ours.p_changed == pytest.approx(2 / 32)
    assert ours.mean == pytest.approx(-0.2) and ours.p_same == pytest.approx(1)


def test_no_difference_at_all_is_shown_to_be_none():
    ours = paired(np.ones(8), np.ones(8), SUBJECTS[:8], margin=0.05)
    assert (ours.mean, ours.p_changed) == (0, 1)
    assert ours.p_same == pytest.approx(1 / 2**8)


def test_images_of_one_subject_count_once():
    before, after = np.zeros(30), np.r_[np.ones(28), 0.0, 0.0]
    subjects = np.r_[np.zeros(28), 1, 2]
    ours = paired(before, after, subjects, margin=0.1)
    assert (ours.n, ours.subjects, ours.mean) == (30, 3, pytest.approx(1 / 3))
    # one of three subjects differs: half of all signs reach it
    assert ours.p_changed == 1


def test_rows_without_a_score_take_no_part_and_few_subjects_give_nothing():
    ours = paired(np.array([1.0, np.nan, 1.0]), np.array([1.0, 1.0, np.nan]), np.array([1, 2, 3]), 0.1)
    assert (ours.n, ours.subjects) == (1, 1) and np.isnan(ours.p_changed) and np.isnan(ours.mean)


def test_many_subjects_are_sampled_and_agree_with_the_t_test():
    rng = np.random.default_rng(0)
    before = rng.normal(size=60)
    after = before + rng.normal(0.12, 0.5, 60)
    ours = paired(before, after, np.arange(60), margin=0.4)
    assert ours.p_changed == pytest.approx(stats.ttest_rel(after, before).pvalue, abs=0.02)
    lower = stats.ttest_1samp(after - before + 0.4, 0, alternative="greater").pvalue
    upper = stats.ttest_1samp(after - before - 0.4, 0, alternative="less").pvalue
    assert ours.p_same == pytest.approx(max(lower, upper), abs=0.01)
