"""P-values that are told without deals, against exact distributions and against deals."""

import numpy as np
import pytest
from scipy import sparse
from scipy.stats import binom, hypergeom

from accord.analyse.comparing import unpaired
from accord.statistics.permuting import dealing, permutation
from accord.statistics.permuting.dealt_sums import Levels, Sums, largest, tails
from accord.statistics.permuting.difference_tail import difference_p, levels_of, sum_p
from accord.statistics.permuting.exchangeable import means_of, ranked
from accord.statistics.permuting.permutation import max_difference_p, max_difference_ps
from accord.statistics.permuting.sign_flips import flipped
from accord.statistics.permuting.weighing import largest as largest_difference
from accord.statistics.permuting.weighing import weighing
from accord.statistics.testing import equivalence
from accord.statistics.testing.equivalence import paired


def member(labels):
    return sparse.csr_array(labels[:, np.newaxis] == np.unique(labels)).astype(float)


@pytest.mark.parametrize("reached", [14, 17, 20, 25, 29])
def test_a_sum_of_zeros_and_ones_is_hypergeometric(reached):
    levels = Levels(np.array([1.0, 0.0]) - 30 / 200, np.array([30, 170]), np.array([0]))
    asked = Sums(np.array([[1.0, 0.0]]), np.array([[[60, 140]]]), np.array([reached - 0.5 - 9]))
    exact = hypergeom.sf(reached - 1, 200, 30, 60)
    assert exact * 0.95 < tails(levels, asked)[0] < exact * 2.2


def test_the_largest_sum_has_its_chance_and_nothing_lies_above():
    levels = Levels(np.array([1.0, 0.0]) - 0.25, np.array([3, 9]), np.array([0]))
    asked = Sums(np.array([[1.0, -1.0, 0.0]]), np.array([[[2, 4, 6]]]), np.array([2.6]))
    most, chance = largest(levels, asked)
    assert most[0] == pytest.approx(2 * 0.75 + 4 * 0.25)
    assert chance[0] == pytest.approx(3 / 66 * 6 / 10)
    assert tails(levels, asked)[0] == 0


def test_sums_of_three_kinds_in_two_strata_are_those_of_deals(rng):
    parts = [rng.random(60) ** 3, rng.random(40) ** 3]
    weights, counts = np.array([[1 / 12, -1 / 20, 0.0]]), np.array([[[8, 10, 42], [4, 10, 26]]])
    dealt = sum(
        rng.permuted(np.tile(x - x.mean(), (40_000, 1)), axis=1) @ np.repeat(weights[0], some)
        for x, some in zip(parts, counts[0], strict=True)
    )
    scores = np.concatenate([x - x.mean() for x in parts])
    levels, _ = levels_of(scores, np.repeat([0, 1], (60, 40)))
    for level in (0.2, 0.02, 0.004):
        reached = np.quantile(dealt, 1 - level)
        assert tails(levels, Sums(weights, counts, np.array([reached])))[0] == pytest.approx(level, rel=0.25)


@pytest.mark.parametrize("kind", ["even", "ceiling", "overlap"])
def test_the_largest_difference_is_that_of_deals(kind, rng):
    """Groups of 12 to 60 subjects of one to six images; what own subjects vary takes away is left out of both."""
    owner = np.repeat(np.arange(160), rng.integers(1, 7, 160))
    values = rng.normal(0.8, 0.1, len(owner)) + rng.normal(0, 0.1, 160)[owner]
    values = values if kind == "even" else np.clip(np.round(values + 0.1, 1), 0, 1)
    _, means, counts, deviation = means_of(ranked(values), owner)
    of = member(rng.choice(4, 160, p=(0.1, 0.2, 0.3, 0.4))).toarray()
    if kind == "overlap":
        of[::7] = 1
    moved, scores, strata = permutation.movable(means, counts, deviation, np.arange(160))
    groups = sparse.csr_array(of[moved].T)
    weighed = weighing(groups, strata, scores, deviation[moved])
    dealt = largest_difference(groups @ dealing.deal(scores, strata, 20_000, rng).T, weighed)
    for level in (0.01, 0.002):
        found = difference_p(scores, strata, groups, weighed, float(np.quantile(dealt, 1 - level)), 1e-9)
        assert 0.75 * level < found < 1.5 * level


def test_where_deals_are_many_p_is_what_they_would_tell(rng, monkeypatch):
    labels = rng.integers(0, 4, 300)
    values = rng.random(300) - 0.19 * (labels == 1)
    strata, of = rng.integers(0, 3, 300), [member(labels), member(np.minimum(labels, 2)), member(labels % 2)]
    monkeypatch.setattr(permutation, "FEW", 301)
    exact = max_difference_ps(values, of, strata, 30_000, np.random.default_rng(1))
    monkeypatch.setattr(permutation, "FEW", 0)
    told = max_difference_ps(values, of, strata, 30_000, np.random.default_rng(1))
    assert 1e-4 < min(exact) < 1e-2 and told == pytest.approx(exact, rel=0.5)
    assert max_difference_p(values - (labels == 1), of[0], strata, 30_000, rng) == 1 / 30_001


def test_sums_of_signs_are_binomial():
    for count, ahead in ((50, 30), (50, 35), (50, 45), (2000, 1100), (2000, 1010)):
        assert flipped(np.ones(count), 2 * ahead - count) == pytest.approx(binom.sf(ahead - 1, count, 0.5), rel=0.2)
    assert flipped(np.ones(10), 10) == 0.5**10
    assert flipped(np.ones(9), -3) > 0.5


def test_changes_of_many_subjects_are_those_of_flips(rng, monkeypatch):
    before = rng.random(1500)
    after = before + rng.normal(0.012, 0.2, 1500)
    exact = paired(before, after, np.arange(1500), 0.02)
    monkeypatch.setattr(equivalence, "LARGE", 100)
    told = paired(before, after, np.arange(1500), 0.02)
    assert told[:5] == exact[:5]
    assert told[5:] == pytest.approx(exact[5:], rel=0.15, abs=0.003)


def test_few_changes_among_many_subjects_are_all_tried(monkeypatch):
    monkeypatch.setattr(equivalence, "LARGE", 100)
    before, after = np.zeros(500), np.where(np.arange(500) < 6, 1.0, 0.0)
    assert paired(before, after, np.arange(500), 0.1).p_changed == 2 / 2**6


def test_exchanged_subjects_without_deals(rng, monkeypatch):
    sides = [(rng.random(900) ** 2 + shift, np.sort(rng.integers(0, 400, 900))) for shift in (0.0, 0.035)]
    exact, silent = unpaired.exchanged(*sides, 0.1, np.random.default_rng(1))
    monkeypatch.setattr(unpaired, "LARGE", 100)
    told, also = unpaired.exchanged(*sides, 0.1, np.random.default_rng(1))
    assert silent == also and told[:3] == exact[:3]
    assert told[3:] == pytest.approx(exact[3:], rel=0.2, abs=0.002)


def test_sums_below_the_mean_and_of_equal_scores():
    inside, strata = np.arange(6) < 3, np.zeros(6, int)
    assert sum_p(np.zeros(6), strata, inside, 0.0) == 1
    scores = np.arange(6) - 2.5
    assert sum_p(scores, strata, inside, float(scores[inside].sum())) > 0.9
