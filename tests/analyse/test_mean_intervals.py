"""Intervals of means: against means over copied rows, by hand, and how often they hold the truth."""

import numpy as np
import pytest
from analyse_cases import cohort_of, plain_cohort
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from accord.statistics.resampling import bootstrap
from accord.statistics.resampling.mean_intervals import (
    Unseen,
    gap_interval,
    mean_intervals,
    ratio_intervals,
    replicates,
    unseen,
)


def made(rng, subjects=30, images=3):
    owner = np.repeat(np.arange(subjects), images)
    values = np.clip(rng.normal(0.6, 0.1, subjects)[owner] + rng.normal(0, 0.05, len(owner)), 0, 1)
    return cohort_of(values, owner, np.where(owner % 3 == 0, "a", "b"))


def test_replicates_are_means_over_copied_rows_and_one_subject_more(rng):
    cohort = made(rng)
    drawn = bootstrap.weights(30, 200, rng)
    for group, (lows, highs) in enumerate(zip(*replicates(cohort, drawn), strict=True)):
        rows, end = cohort.rows(group), unseen(cohort, group)
        copied = [np.repeat(cohort.values[rows], times[cohort.subjects[rows]]) for times in drawn]
        # What the unseen subject weighs in a draw follows from the one bound, and must give the other.
        plain, many = np.array([some.mean() for some in copied]), np.array([len(some) for some in copied])
        times = many * (lows - plain) / (end.low - lows) / end.low_images
        weight = times * end.high_images
        assert highs == pytest.approx((plain * many + weight * end.high) / (many + weight), abs=1e-9)
        assert times.min() > 0 and stats.kstest(times, "expon").pvalue > 0.99


def test_unseen_subjects_by_hand():
    """Subjects' means 1.2, 1.4, 1.5, 1.6: 0.25 from the median down, 0.15 up, of a range of 0.4."""
    values, whose = np.array([1.2, 1.4, 1.5, 1.5, 1.7]), [0, 1, 2, 3, 3]
    low, high = 1.2 - 4 * 0.25**4 / 0.4**3, 1.6 + 4 * 0.15**4 / 0.4**3
    weight = np.sqrt(7 / 4) * np.sqrt(10 * 7 / 25)
    assert unseen(cohort_of(values, whose, ["a"] * 5), 0) == pytest.approx(Unseen(low, high, weight, weight))
    # Scores that all lie in [0, 1] stay there.
    assert unseen(cohort_of(values - 1, whose, ["a"] * 5), 0) == pytest.approx(Unseen(0, high - 1, weight, weight))


def test_where_nobody_differs_the_unseen_one_may_have_any_score():
    one = cohort_of([1.0, 1.0, 0.3, 0.4], range(4), list("aabb"))
    assert unseen(one, 0)[:2] == (0, 1)
    decibels = cohort_of([30.0, 30.0, 21.0, 40.0], range(4), list("aabb"))
    assert unseen(decibels, 0)[:2] == (21, 40)
    assert np.isnan(unseen(cohort_of([0.1, 0.2], [0, 0], list("aa")), 0)).all()


def test_ten_who_are_all_right_leave_doubt_as_clopper_and_pearson_say(rng):
    cohort = plain_cohort(np.ones(10), np.arange(10), ["a"] * 10)
    ((low, high),) = mean_intervals(cohort, bootstrap.weights(10, 2000, rng))
    expected = proportion_confint(10, 10, method="beta")
    assert high == 1 and low == pytest.approx(expected[0], abs=0.04)


def rates(subjects: int, most: int, rng) -> list[tuple[float, float]]:
    """Intervals of 0, 1, ... `most` right of so many subjects with an image each."""
    drawn, found = bootstrap.weights(subjects, 2000, rng), []
    for right in range(most + 1):
        cohort = plain_cohort((np.arange(subjects) < right).astype(float), np.arange(subjects), ["a"] * subjects)
        found.append(tuple(mean_intervals(cohort, drawn)[0]))
    return found


@pytest.mark.parametrize("subjects", [50, 300, 1000])
def test_rare_rates_have_the_upper_bounds_of_clopper_and_pearson(subjects, rng):
    for right, (low, high) in enumerate(rates(subjects, 3, rng)):
        expected = proportion_confint(right, subjects, method="beta")
        assert high == pytest.approx(expected[1], rel=0.12)
        # Two people are often not drawn again at all: the other bound is 0, and no less sure for that.
        assert 0 <= low <= 1.12 * expected[0]


@pytest.mark.parametrize("rate", [0.002, 0.005, 0.012, 0.03])
def test_intervals_of_rare_rates_hold_them(rate, rng):
    """By enumeration: the probability of each number of right ones, where its interval holds the rate."""
    chance = stats.binom.pmf(range(19), 200, rate)
    assert sum(p for p, (low, high) in zip(chance, rates(200, 18, rng), strict=True) if low <= rate <= high) > 0.94


def test_one_subject_has_no_interval(rng):
    cohort = cohort_of([0.1, 0.9, 0.5], [0, 0, 1], list("aab"))
    drawn = bootstrap.weights(2, 10, rng)
    assert np.isnan(mean_intervals(cohort, drawn)).all() and np.isnan(gap_interval(cohort, drawn)).all()


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(3, 12))
def test_intervals_stay_in_bounds_and_move_with_the_scores(seed, subjects):
    rng = np.random.default_rng(seed)
    owner = np.repeat(np.arange(subjects), rng.integers(1, 5, subjects))
    values, drawn = np.round(rng.beta(5, 1, len(owner)), 1), bootstrap.weights(subjects, 200, rng)
    ((low, high),) = mean_intervals(plain_cohort(values, owner, ["a"] * len(owner)), drawn)
    assert 0 <= low < high <= 1
    far = 100 * values - 700
    moved = mean_intervals(plain_cohort(far, owner, ["a"] * len(owner)), drawn)[0]
    turned = mean_intervals(plain_cohort(-far, owner, ["a"] * len(owner)), drawn)[0]
    assert moved == pytest.approx(-turned[::-1], rel=1e-9)


def test_a_gap_of_groups_that_share_subjects_takes_them_together(rng):
    """The second group is the first with 0.1 added to the scores of the same subjects."""
    owner, base = np.tile(np.arange(40), 2), rng.normal(5, 1, 40)
    cohort = plain_cohort(np.concatenate([base, base + 0.1]), owner, ["a"] * 40 + ["b"] * 40)
    apart = plain_cohort(np.concatenate([base, base + 0.1]), np.arange(80), ["a"] * 40 + ["b"] * 40)
    low, high = gap_interval(cohort, bootstrap.weights(40, 500, rng))
    wide = gap_interval(apart, bootstrap.weights(80, 500, rng))
    assert low < 0.1 < high and high - low < 0.7 * (wide[1] - wide[0])


def test_ratios_take_the_unseen_where_they_bring_them_farthest_out(rng):
    cohort, drawn = made(rng), bootstrap.weights(30, 300, rng)
    lows, highs = replicates(cohort, drawn)
    of_whole = [np.quantile(lows[0] / highs[1], 0.025), np.quantile(highs[0] / lows[1], 0.975)]
    of_itself = ratio_intervals(cohort, drawn, 0)[0]
    assert ratio_intervals(cohort, drawn, 1)[0] == pytest.approx(of_whole, rel=1e-12)
    assert of_itself[0] < 1 < of_itself[1]


WORLDS = {
    "right, 0.9": (
        0.9,
        lambda rng, subjects: rng.binomial(1, rng.beta(2.1, 0.7 / 3, subjects).repeat(8)).astype(float),
    ),
    "right, one image": (0.9, lambda rng, subjects: rng.binomial(1, 0.9, subjects).astype(float)),
    "log-normal": (np.exp(0.5), lambda rng, subjects: rng.lognormal(0, 1, subjects)),
    "normal": (0.5, lambda rng, subjects: rng.normal(0.5, 0.1, subjects)),
}


@pytest.mark.parametrize("name", WORLDS)
def test_intervals_of_ten_subjects_cover(rng, name):
    """At least 93%, less 2.6 standard errors of 500 trials. Percentiles of draws cover 88, 65, 85 and 94%."""
    truth, scores = WORLDS[name]
    hits, trials = 0, 500
    for _ in range(trials):
        values = scores(rng, 10)
        owner = np.arange(10).repeat(len(values) // 10)
        ((low, high),) = mean_intervals(
            plain_cohort(values, owner, ["a"] * len(owner)), bootstrap.weights(10, 200, rng)
        )
        hits += low <= truth <= high
    assert hits / trials > 0.93 - 2.6 * np.sqrt(0.93 * 0.07 / trials)
