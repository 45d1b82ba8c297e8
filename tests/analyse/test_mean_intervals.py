"""Intervals of means: against exact ones and other programs, by hand, and how often they hold the truth."""

import numpy as np
import pytest
from analyse_cases import cohort_of, plain_cohort
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse, stats
from statsmodels.stats.proportion import proportion_confint

from accord.analyse.scoring.metrics import is_bounded
from accord.statistics.cohort import Cohort
from accord.statistics.describing.bounded_mean import Subjects
from accord.statistics.describing.mean_intervals import (
    gap_interval,
    mean_intervals,
    ratio_interval,
    ratio_intervals,
    undefined,
)
from accord.statistics.describing.proportions import newcombe
from accord.statistics.describing.unequal_subjects import errors


def trials_of(values: np.ndarray, images: int = 1) -> Cohort:
    """Each row of scores (trials, n) as a group of its own, whose subjects have `images` neighbouring scores each."""
    trials, n = values.shape
    member = sparse.csc_array((np.ones(values.size), np.arange(values.size), np.arange(0, values.size + 1, n)))
    return Cohort(values.ravel(), np.arange(values.size) // images, member, tuple(map(str, range(trials))))


def one(values, images: int = 1, *, bounded: bool = True) -> np.ndarray:
    return mean_intervals(trials_of(np.asarray(values, float)[np.newaxis], images), bounded)[0]


def rates(subjects: int, most: int) -> np.ndarray:
    """Intervals of 0, 1, ... `most` right of so many subjects with an image each: (most + 1, 2)."""
    return mean_intervals(trials_of((np.arange(subjects) < np.arange(most + 1)[:, np.newaxis]).astype(float)), True)


@pytest.mark.parametrize("subjects", [2, 10, 50, 300, 2000])
def test_intervals_of_rates_are_clopper_and_pearsons(subjects):
    """Never narrower by more than 0.03%; wider by 4% at most."""
    for right, (low, high) in enumerate(rates(subjects, min(subjects, 8))):
        expected = proportion_confint(right, subjects, method="beta")
        assert 0.9997 * expected[1] <= high <= 1.006 * expected[1]
        assert 0.96 * expected[0] <= low <= 1.0003 * expected[0]


@pytest.mark.parametrize("rate", [0.002, 0.005, 0.012, 0.03])
def test_intervals_of_rare_rates_hold_them(rate):
    """By enumeration: the probability of each number of right ones, where its interval holds the rate."""
    chance = stats.binom.pmf(range(19), 200, rate)
    assert sum(p for p, (low, high) in zip(chance, rates(200, 18), strict=True) if low <= rate <= high) > 0.95


def test_a_bound_is_the_quantile_of_exponential_weights(rng):
    """Against a million draws of them, of subjects with one to five images."""
    owner = np.repeat(np.arange(12), rng.integers(1, 6, 12))
    values = rng.beta(4, 1, len(owner))
    ((low, high),) = mean_intervals(plain_cohort(values, owner, ["a"] * len(owner)), bounded=True)
    sums, images = np.bincount(owner, values), np.bincount(owner)
    weights, more = rng.exponential(size=(1_000_000, 12)), rng.exponential(size=1_000_000) * np.sqrt((images**2).mean())
    least = (weights @ sums) / (weights @ images + more)
    most = (weights @ sums + more) / (weights @ images + more)
    assert (low, high) == pytest.approx((np.quantile(least, 0.025), np.quantile(most, 0.975)), abs=0.001)


def test_noise_and_a_single_tiny_score_leave_the_doubt_of_rates():
    """50 people of whom none fails: Clopper and Pearson's bound, 7.1%, whatever little they score instead of 0."""
    none = proportion_confint(0, 50, method="beta")[1]
    for values in (np.zeros(50), np.r_[1e-9, np.zeros(49)], np.linspace(0, 0.001, 50)):
        assert none <= one(values)[1] <= none + 0.002


NOISY = {
    "50 people, 1% of 1": (50, 0.01, lambda rng, shape: rng.uniform(0, 0.001, shape)),
    "100 people, noise 0.01": (100, 0.01, lambda rng, shape: np.abs(rng.normal(0, 0.01, shape))),
    "1,000 people, 0.1% of 1": (1000, 0.001, lambda rng, shape: rng.uniform(0, 0.001, shape)),
}


@pytest.mark.parametrize("name", NOISY)
def test_intervals_of_rare_errors_in_noise_hold_the_mean(name, rng):
    subjects, rate, noise = NOISY[name]
    values = np.where(rng.random((200, subjects)) < rate, 1, noise(rng, (200, subjects)))
    truth = rate + (1 - rate) * noise(rng, 200_000).mean()
    low, high = mean_intervals(trials_of(values), bounded=True).T
    assert ((low <= truth) & (truth <= high)).mean() > 0.95


def test_where_nobody_differs_scores_without_ends_may_be_any_that_occur():
    decibels = cohort_of([30.0, 30.0, 21.0, 40.0], range(4), list("aabb"))
    (low, high), _ = mean_intervals(decibels, bounded=False)
    assert 21 <= low < 24 and 38 < high <= 40
    alone = cohort_of([30.0, 30.0], range(2), list("aa"))
    assert np.isnan(mean_intervals(alone, bounded=False)).all()
    assert undefined(alone.values, alone.subjects) == (
        "no interval: all scores are equal, and nothing says between what ends they lie"
    )


@pytest.mark.parametrize("others", [1, 2, 13])
def test_one_person_with_nearly_all_images_says_nothing_of_people(others, rng):
    subjects = np.r_[np.zeros(1000, int), np.arange(1, 1 + others)]
    of = cohort_of(rng.normal(size=len(subjects)), subjects, ["a"] * len(subjects))
    assert np.isnan(mean_intervals(of, bounded=False)).all()
    assert undefined(of.values, of.subjects) == "no interval: nearly all images are of one person"
    assert np.isfinite(mean_intervals(cohort_of([1.0, 2.0], [0, 1], ["a", "a"]), bounded=False)).all()


def test_without_ends_or_skewness_it_is_students_interval():
    values = np.array([-2.0, -1, -0.5, 0, 0.5, 1, 2]) + 7
    expected = stats.t.interval(0.95, 6, values.mean(), stats.sem(values))
    assert one(values, bounded=False) == pytest.approx(expected)


@pytest.mark.parametrize("images", [[1] * 5 + [4], [2, 3], [1, 2, 3, 4, 5], [1, 1, 1, 30], [3] * 6])
def test_unequal_numbers_of_images_are_allowed_for_as_by_matrices(images, rng):
    """The standard error and its degrees of freedom, from the hat matrix of a weighted mean."""
    share, means = np.array(images) / sum(images), rng.normal(size=len(images))
    residual = np.eye(len(images)) - np.outer(np.ones(len(images)), share)
    weight = np.diag(share**2 / np.diag(residual @ residual.T))
    middle = weight @ residual @ residual.T
    expected = np.sqrt(np.sum(weight @ (residual @ means) ** 2)), np.trace(middle) ** 2 / np.trace(middle @ middle)
    many = np.array(images, float)
    of = Subjects(means * many, many, np.ones(len(many)), np.array([0]), np.zeros(len(many), int))
    found = errors(of, np.array([share @ means]))
    assert np.ravel(found) == pytest.approx(expected)
    if len(set(images)) == 1:
        assert np.ravel(found) == pytest.approx([stats.sem(means), len(images) - 1])


@pytest.mark.parametrize("images", [[1] * 90 + [20] * 10, [1] * 27 + [20] * 3, [1, 1, 2, 3, 4, 5, 6, 7, 8, 8]])
def test_intervals_cover_where_few_people_have_most_images(images, rng):
    """60% of the variance is between people. Kish's number of people less one as degrees covers 91, 83 and 92%."""
    trials, owner = 1500, np.repeat(np.arange(len(images)), images)
    person = rng.normal(size=(trials, len(images))) * 0.6**0.5
    values = person[:, owner] + rng.normal(size=(trials, len(owner))) * 0.4**0.5
    subjects = owner + len(images) * np.arange(trials)[:, np.newaxis]
    of = trials_of(values)
    low, high = mean_intervals(Cohort(of.values, subjects.ravel(), of.member, of.groups), bounded=False).T
    assert ((low <= 0) & (high >= 0)).mean() > 0.925 - 2.6 * np.sqrt(0.95 * 0.05 / trials)


def test_without_ends_it_is_near_a_studentised_bootstrap(rng):
    """Its quantiles, of 20,000 draws: within a third of a standard error."""
    values = rng.exponential(1, 60)
    drawn = rng.choice(values, (20_000, 60))
    studentised = (drawn.mean(axis=1) - values.mean()) / (drawn.std(axis=1, ddof=1) / np.sqrt(60))
    error = stats.sem(values)
    expected = values.mean() - error * np.quantile(studentised, [0.975, 0.025])
    assert one(values, bounded=False) == pytest.approx(expected, abs=0.33 * error)


def test_one_subject_has_no_interval():
    cohort = cohort_of([0.1, 0.9, 0.5], [0, 0, 1], list("aab"))
    for bounded in (True, False):
        assert np.isnan(mean_intervals(cohort, bounded)).all() and np.isnan(gap_interval(cohort, bounded)).all()
    nobody = Cohort(np.zeros(0), np.zeros(0, int), sparse.csc_array((0, 2)), ("a", "b"))
    assert np.isnan(mean_intervals(nobody, bounded=True)).all()


def test_bounded_scores_outside_their_bounds_are_refused():
    with pytest.raises(ValueError, match="scores from 0 to 7"):
        one([0, 7.0])


def test_metrics_say_whether_they_are_bounded_and_others_by_what_they_score():
    assert is_bounded("accuracy", np.array([2.0])) and not is_bounded("lpips", np.array([0.2]))
    assert is_bounded("mine", np.array([0, 1.0])) and not is_bounded("mine", np.array([0, 1.01]))


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(2, 12))
def test_intervals_stay_in_bounds_and_turn_with_the_scores(seed, subjects):
    rng = np.random.default_rng(seed)
    owner = np.repeat(np.arange(subjects), rng.integers(1, 5, subjects))
    values, groups = np.round(rng.beta(5, 1, len(owner)), 1), ["a"] * len(owner)
    ((low, high),) = mean_intervals(plain_cohort(values, owner, groups), bounded=True)
    assert 0 <= low < high <= 1 and low <= values.mean() <= high
    assert mean_intervals(plain_cohort(1 - values, owner, groups), bounded=True)[0] == pytest.approx(
        [1 - high, 1 - low]
    )
    far = 100 * values - 700
    moved = mean_intervals(plain_cohort(far, owner, groups), bounded=False)[0]
    turned = mean_intervals(plain_cohort(-far, owner, groups), bounded=False)[0]
    assert moved == pytest.approx(-turned[::-1], rel=1e-9, nan_ok=True)


def test_the_order_of_rows_and_other_groups_change_nothing(rng):
    values, owner, groups = rng.random(60), np.arange(60) // 3, np.array(list("ab" * 30))
    order = rng.permutation(60)
    for bounded in (True, False):
        found = mean_intervals(plain_cohort(values, owner, groups), bounded)
        shuffled = mean_intervals(plain_cohort(values[order], owner[order], groups[order]), bounded)
        alone = mean_intervals(plain_cohort(values[::2], owner[::2], groups[::2]), bounded)
        assert shuffled == pytest.approx(found, abs=1e-9) and alone[0] == pytest.approx(found[0], abs=1e-9)


def test_a_gap_of_rates_of_other_people_is_near_newcombes():
    values, groups = (np.arange(400) % 200 < np.repeat([40, 70], 200)).astype(float), ["a"] * 200 + ["b"] * 200
    low, high = gap_interval(plain_cohort(values, np.arange(400), groups), bounded=True)
    assert (low, high) == pytest.approx(newcombe(70, 200, 40, 200), abs=0.01)


def test_a_gap_of_groups_that_share_subjects_takes_them_together(rng):
    """The second group is the first with 0.1 added to the scores of the same subjects."""
    owner, base = np.tile(np.arange(40), 2), rng.normal(5, 1, 40)
    values, groups = np.concatenate([base, base + 0.1]), ["a"] * 40 + ["b"] * 40
    low, high = gap_interval(plain_cohort(values, owner, groups), bounded=False)
    wide = gap_interval(plain_cohort(values, np.arange(80), groups), bounded=False)
    assert low < 0.1 < high and high - low < 0.2 * (wide[1] - wide[0])


def test_a_ratio_is_near_the_delta_methods_and_that_to_itself_is_one():
    """40% of a group of 200 within 400 of whom 30% are right, so 20% of the others; log ratio by linearisation."""
    inside = np.arange(400) < 200
    values = np.where(inside, np.arange(400) % 5 < 2, np.arange(400) % 5 < 1).astype(float)
    member = sparse.csc_array(np.column_stack([inside, np.ones(400)]).astype(float))
    found = ratio_intervals(Cohort(values, np.arange(400), member, ("a", "all")), 1)
    influence = inside * (values - 0.4) / (200 * 0.4) - (values - 0.3) / (400 * 0.3)
    reach = 1.96 * np.sqrt((influence**2).sum())
    assert np.log(found[0]) == pytest.approx(np.log(0.4 / 0.3) + np.array([-reach, reach]), abs=0.04)
    assert found[1] == pytest.approx([1, 1], abs=0.03)


def test_a_ratio_to_what_may_be_nothing_has_no_upper_bound():
    low, high = ratio_interval(0.2, 0.1, np.array([0.1, 0.3]), np.array([0.0, 0.2]))
    assert 0 < low < 2 and np.isnan(high)


WORLDS = {
    "right, 0.9": (0.9, 8, True, lambda rng, shape: rng.binomial(1, rng.beta(2.1, 0.7 / 3, shape)[..., np.newaxis],
                                                                 (*shape, 8)).reshape(shape[0], -1)),
    "right, one image": (0.9, 1, True, lambda rng, shape: rng.binomial(1, 0.9, shape)),
    "exponential": (1.0, 1, False, lambda rng, shape: rng.exponential(1, shape)),
    "normal": (0.5, 1, False, lambda rng, shape: rng.normal(0.5, 0.1, shape)),
}  # fmt: skip


@pytest.mark.parametrize("name", WORLDS)
def test_intervals_of_ten_subjects_cover(rng, name):
    """95%, less 2.6 standard errors of 2,000 trials; docs/statistics-inference.md has more worlds."""
    truth, images, bounded, scores = WORLDS[name]
    low, high = mean_intervals(trials_of(scores(rng, (2000, 10)).astype(float), images), bounded).T
    assert ((low <= truth) & (truth <= high)).mean() > 0.95 - 2.6 * np.sqrt(0.95 * 0.05 / 2000)
