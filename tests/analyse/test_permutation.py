"""Tests between subjects: p-values against all permutations, and how often they err."""

from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from statsmodels.stats.multitest import multipletests

from accord.statistics.permuting import dealing, permutation
from accord.statistics.permuting.dealing import movable
from accord.statistics.permuting.exchangeable import ranked, spread, strata_of
from accord.statistics.permuting.permutation import max_difference_p
from accord.statistics.permuting.weighing import largest, reaches, weighing
from accord.statistics.testing.holm import holm


def member(labels):
    return sparse.csr_array(np.asarray(labels)[:, np.newaxis] == np.unique(labels)).astype(float)


def every_deal(values, labels, strata, deviation=None):
    """The exact p-value: all permutations within strata. What is dealt are values, aligned and weighed; differences
    between two groups, or of a group to the rest, are weighed by their spread over all deals, or where it is larger by
    that of the groups' own subjects: see `own_variance`.
    """
    values, labels, strata = map(np.asarray, (values, labels, strata))
    deviation = np.ones(len(values)) if deviation is None else np.asarray(deviation)
    scores = values / deviation**2
    for s in set(strata):
        scores[strata == s] -= scores[strata == s].mean()
    deals = np.array([scores[list(o)] for o in permutations(range(len(values))) if (strata[list(o)] == strata).all()])
    told = []
    for group in sorted(set(labels)):
        mixed = [s for s in set(strata) if len(set(labels[strata == s] == group)) == 2]
        part = (labels == group) & np.isin(strata, mixed)
        if part.any() and deals[:, part].sum(axis=1).std() > 1e-9:
            share = 1 / (1 / deviation[part] ** 2).sum()
            told.append((deals[:, part].sum(axis=1), share, *own_variance(deals, labels == group, strata, deviation)))
    found = []
    for sums, _, ratio, own in told:
        others = (1 - (1 - own) * ratio) / own
        found.append(np.abs(sums) / sums.std() / np.sqrt(np.maximum(1, own * ratio + (1 - own) * others)))
    for (a, p, one, _), (b, q, other, _) in combinations(told, 2):
        apart, least = a * p - b * q, (a.std() * p + b.std() * q) / np.sqrt(2)
        wider = np.sqrt(np.maximum(1, (p * one + q * other) / (p + q)))
        found.append(np.abs(apart) / max(apart.std(), least) / wider)
    largest = np.max(found, axis=0)
    return np.mean(largest >= largest[0] - 1e-9)


def own_variance(deals, inside, strata, deviation):
    """How much a group's subjects vary in each deal, about what a group that scores higher would have, as a share of
    the average; and the share of the variance of its sum that is its own subjects'. By definition, over all deals."""
    of = {s: inside[strata == s].mean() for s in set(strata)}
    weight = np.array([1 - of[s] for s in strata])
    squares = (deals[:, inside] ** 2 * weight[inside] ** 2).sum(axis=1)
    higher = weight / deviation**2
    moved = (higher[inside] ** 2 * weight[inside] ** 2).sum() / higher[inside].sum() ** 2
    left = squares - moved * deals[:, inside].sum(axis=1) ** 2
    variance = deals.var(axis=0) * [(strata == s).sum() / max(1, (strata == s).sum() - 1) for s in strata]
    own, others = (
        variance[some] @ weights[some] for some, weights in ((inside, weight**2), (~inside, (1 - weight) ** 2))
    )
    ratio = left / left.mean() if left.mean() > 1e-9 else np.zeros(len(deals))
    return ratio, own / (own + others)


@pytest.mark.parametrize("strata", [[0] * 7, [0, 1, 0, 1, 0, 1, 0], [0, 0, 0, 1, 0, 1, 2]])
@pytest.mark.parametrize("deviation", [[1, 1, 1], [1, 0.4, 0.7]])
def test_p_is_the_share_of_deals_at_least_as_extreme(rng, strata, deviation):
    values, labels = [0.1, 0.2, 0.2, 0.5, 0.6, 0.9, 1.0], [0, 0, 1, 1, 0, 2, 2]
    apart = np.array(deviation)[strata]
    exact = every_deal(values, labels, strata, apart)
    p = [max_difference_p(np.array(values), member(labels), np.array(strata), 20_000, rng, apart) for _ in range(30)]
    assert np.mean(p) == pytest.approx(exact, rel=0.15)


def test_two_groups_in_pairs_have_the_p_of_signs(rng):
    """Five pairs, in each the first group lower: 2 of 32 deals are as extreme."""
    values, labels = np.arange(10.0), np.tile([0, 1], 5)
    p = [max_difference_p(values, member(labels), np.repeat(np.arange(5), 2), 20_000, rng) for _ in range(20)]
    assert np.mean(p) == pytest.approx(2 / 32, rel=0.15)


def test_who_is_alone_in_a_stratum_changes_nothing(rng):
    """Subjects whose stratum has their own group only, far below and above all others, leave p as it is."""
    values, labels, strata = rng.random(30), np.repeat([0, 1], 15), np.tile([0, 1, 2], 10)
    more = np.append(values, [-5.0, 6.0, -7.0, 8.0])
    one, other = (
        np.mean([max_difference_p(*some, 4000, rng) for _ in range(40)])
        for some in (
            (values, member(labels), strata),
            (more, member([*labels, 0, 0, 0, 0]), np.append(strata, [7, 7, 8, 9])),
        )
    )
    assert one == pytest.approx(other, rel=0.15)


@pytest.mark.parametrize("apart", [0.0, 0.2])
def test_unequal_numbers_of_images_are_no_difference(rng, apart):
    """100 subjects with one image and 30 with eight are right in 90%. Groups go with numbers, but for a share; of ranks
    of means, dealt among all, p is under 5% in many tables."""
    counts, p, former = np.repeat([1, 8], [100, 30]), [], []
    for _ in range(200):
        labels = (counts == 8) ^ (rng.random(130) < apart)
        values = rng.binomial(counts, 0.9) / counts
        p.append(max_difference_p(values, member(labels), counts, 400, rng, spread(counts, 0.0)))
        former.append(max_difference_p(ranked(values), member(labels), np.zeros(130, int), 400, rng))
    assert np.mean(np.array(p) <= 0.05) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 200)
    assert np.mean(np.array(former) <= 0.05) > 0.3


def test_what_is_dealt_by_hand():
    """0, 1 of spread 1 and 0, 1 of spread 0.5, which count four times; a third stratum is all alike, a fourth of one
    subject."""
    values, strata = np.array([0, 1, 0, 1, 0.5, 0.5, 0.5]), np.array([4, 4, 2, 2, 7, 7, 9])
    moved, scores, of = movable(values, strata, np.array([1, 1, 0.5, 0.5, 1, 1, 1]), np.arange(7))
    assert moved.tolist() == [2, 3, 0, 1] and of.tolist() == [0, 0, 1, 1]
    assert scores.tolist() == [-2, 2, -0.5, 0.5]


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


@pytest.mark.parametrize("sizes", [(30, 30), (20, 60)])
def test_how_alike_the_images_of_a_subject_are_is_no_difference(rng, sizes):
    """Tenths near the ceiling: the images of a subject of the first group are alike, of the second they aren't. By
    ranks of subjects' means, or by the spread over deals alone, 20% and more of the tables have p < 0.05."""
    labels, p = np.repeat([0, 1], sizes), []
    alike = np.where(labels == 0, 0.75, 0.0)[:, np.newaxis]
    for _ in range(200):
        latent = np.sqrt(alike) * rng.normal(size=alike.shape) + np.sqrt(1 - alike) * rng.normal(size=(len(labels), 8))
        images = np.clip(np.round(0.9 + 0.15 * latent, 1), 0, 1)
        means = ranked(images.ravel()).reshape(images.shape).mean(axis=1)
        p.append(max_difference_p(means, member(labels), np.zeros(len(labels), int), 400, rng))
    assert np.mean(np.array(p) <= 0.05) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 200)


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
    strata = np.repeat([0, 1], [30, 10])
    ranks = dealing.deal(np.append(np.arange(30) - 14.5, np.arange(10) - 4.5), strata, 60, rng)
    sums = (groups > 0).astype(float).T @ ranks.T
    weighed = weighing(sparse.csr_array((groups > 0).astype(float).T), strata, ranks[0], np.ones(40))
    every = largest(sums, weighed)
    observed = share * every.max()
    assert np.array_equal(reaches(sums, weighed, observed), every >= observed)
    every = largest(sums, weighed, ranks.T)
    observed = share * every.max()
    assert np.array_equal(reaches(sums, weighed, observed, ranks.T), every >= observed)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("accord.statistics.permuting.weighing.AT_ONCE", 3 * ranks.shape[1])
        assert np.array_equal(reaches(sums, weighed, observed, ranks.T), every >= observed)


def test_strata_are_numbered_as_subjects_come():
    labels = np.array(["b", "a", "c", "a", "b"])
    assert strata_of(member(labels)).tolist() == [0, 1, 2, 1, 0]
    assert strata_of(member(np.array(["z", "q", "a", "q", "z"]))).tolist() == [0, 1, 2, 1, 0]


def test_several_sets_of_groups_share_their_deals(rng):
    """Each gets the p-value that it gets alone with the same random numbers."""
    values, strata = rng.random(60), np.repeat([0, 1, 2], 20)
    values[:15] += 1
    sets = [member(rng.integers(0, k, 60)) for k in (2, 3, 5)] + [member(np.arange(60) < 15), member(np.zeros(60))]
    together = permutation.max_difference_ps(values, sets, strata, 3000, np.random.default_rng(5))
    alone = [max_difference_p(values, some, strata, 3000, np.random.default_rng(5)) for some in sets]
    assert together == alone and together[-2:] == [1 / 3001, 1] and together[0] > 1 / 3001
