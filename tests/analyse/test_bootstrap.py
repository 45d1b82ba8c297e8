"""Draws of subjects, medians in them and intervals of D: by brute force."""

import numpy as np
import pytest
from analyse_cases import cohort_of
from scipy import stats

from accord.statistics.resampling import bootstrap


def made(rng, subjects=30, images=3):
    owner = np.repeat(np.arange(subjects), images)
    values = np.clip(rng.normal(0.6, 0.1, subjects)[owner] + rng.normal(0, 0.05, len(owner)), 0, 1)
    return cohort_of(values, owner, np.where(owner % 3 == 0, "a", "b"))


def test_each_draw_has_as_many_subjects_as_there_are(rng):
    drawn = bootstrap.weights(12, 50, rng)
    assert drawn.shape == (50, 12) and set(drawn.sum(axis=1)) == {12}


def test_disparity_intervals_equal_those_of_medians_over_copied_rows(rng):
    cohort = made(rng)
    drawn = bootstrap.weights(30, 200, rng)
    d = []
    for times in drawn:
        low, high = (
            np.median(np.repeat(cohort.values[r], times[cohort.subjects[r]])) for r in map(cohort.rows, (0, 1))
        )
        d.append(np.clip(1 - low / high, 0, 1))
    expected = np.quantile(d, bootstrap.quantile_levels(10))
    assert bootstrap.disparity_interval(cohort, 0, 1, drawn) == pytest.approx(tuple(expected), abs=1e-12)


def test_means_of_draws_equal_those_over_copied_rows(rng):
    cohort, drawn = made(rng), bootstrap.weights(30, 50, rng)
    expected = [
        [np.repeat(cohort.values[r], times[cohort.subjects[r]]).mean() for times in drawn]
        for r in map(cohort.rows, (0, 1))
    ]
    np.testing.assert_allclose(bootstrap.means(cohort, drawn), expected, rtol=1e-12)


def test_medians_of_repeated_values_by_hand():
    values = np.array([3.0, 1.0, 2.0])
    times = np.array([[1, 1, 1], [0, 1, 1], [2, 0, 0], [0, 0, 0], [1, 3, 0]])
    assert bootstrap.medians(values, times).tolist()[:3] == [2, 1.5, 3]
    assert np.isnan(bootstrap.medians(values, times)[3]) and bootstrap.medians(values, times)[4] == 1


@pytest.mark.parametrize("far", [bootstrap.FAR, 0.1])
def test_medians_of_draws_are_those_of_all_rows_wherever_they_lie(rng, monkeypatch, far):
    monkeypatch.setattr(bootstrap, "AT_ONCE", 2000)
    monkeypatch.setattr(bootstrap, "FAR", far)
    for rows, levels in ((1500, 7), (1501, 10_000), (40, 3)):
        values, owner = rng.integers(0, levels, rows) / levels, rng.integers(0, 90, rows)
        drawn = bootstrap.weights(90, 120, rng)
        drawn[:2] = 0
        drawn[3, :80] = 0
        found = bootstrap.medians_of(values, owner, drawn.astype(np.uint8))
        assert np.array_equal(found, bootstrap.medians(values, drawn[:, owner]), equal_nan=True)


def test_large_tables_of_draws_have_the_same_numbers_in_single_bytes(monkeypatch):
    plain = bootstrap.weights(70, 31, np.random.default_rng(5))
    monkeypatch.setattr(bootstrap, "LARGEST", 100)
    monkeypatch.setattr(bootstrap, "AT_ONCE", 300)
    monkeypatch.setattr(bootstrap.bootstrap_limit, "AT_ONCE", 200)
    small = bootstrap.compact(70, 31, np.random.default_rng(5))
    assert small.dtype == np.uint8 and (small == plain).all()
    assert [len(part) for part in bootstrap.blocks(small)] == [4] * 7 + [3]
    drawn = bootstrap.resampled(70, 31, np.random.default_rng(6))
    assert (bootstrap.held(drawn) == np.vstack(list(drawn.blocks()))).all() and bootstrap.held(plain) is plain


def test_sums_over_draws_are_the_same_however_many_are_made_at_once(rng, monkeypatch):
    cohort, drawn = made(rng), bootstrap.weights(30, 200, rng)
    plain = bootstrap.sums(cohort, drawn)
    monkeypatch.setattr(bootstrap, "AT_ONCE", 500)
    assert all((a == b).all() for a, b in zip(plain, bootstrap.sums(cohort, drawn.astype(np.uint8)), strict=True))


def test_disparity_is_0_where_both_medians_are_0_and_1_where_only_the_worst_is():
    both = cohort_of([0.0] * 6, range(6), list("aaabbb"))
    one = cohort_of([0.0] * 3 + [0.5] * 3, range(6), list("aaabbb"))
    whole = np.ones((5, 6), int)
    assert bootstrap.disparity_interval(both, 0, 1, whole) == (0, 0)
    assert bootstrap.disparity_interval(one, 0, 1, whole) == (1, 1)


def test_levels_widen_with_few_subjects_and_come_to_2_5_percent_with_many():
    assert bootstrap.quantile_levels(10)[0] == pytest.approx(stats.norm.cdf(np.sqrt(10 / 9) * stats.t.ppf(0.025, 9)))
    assert bootstrap.quantile_levels(100_000)[0] == pytest.approx(0.025, abs=1e-4)
