"""What is drawn from limits where subjects are many: against the draws and deals themselves."""

import numpy as np
import pytest
from analyse_cases import cohort_of, plain_cohort
from scipy import sparse
from scipy.stats import rankdata

from accord.analyse.explaining import fixed
from accord.statistics.permuting import dealing, permutation, permutation_limit
from accord.statistics.permuting.equal_rows import kinds
from accord.statistics.permuting.permutation import max_difference_p
from accord.statistics.resampling import bootstrap, bootstrap_limit
from accord.statistics.resampling.bootstrap_limit import Draws

SUBJECTS, DRAWS = 600, 4000


@pytest.fixture
def cohort(rng):
    """Three groups, one of them of 20 subjects; one to three images each, some subjects in two groups."""
    owner = np.repeat(np.arange(SUBJECTS), rng.integers(1, 4, SUBJECTS))
    labels = np.where(owner < 20, 2, owner % 2).tolist()
    both = [[0, 1] if n % 17 == 0 else [label] for n, label in enumerate(labels)]
    values = np.round(rng.random(len(owner)) + rng.normal(0, 0.3, SUBJECTS)[owner], 1)
    return cohort_of(values, owner, both)


def test_equal_rows_share_a_number(rng):
    rows = rng.integers(0, 3, size=(500, 4))
    found = kinds(sparse.csr_array(rows.astype(float)))
    assert (found.patterns[found.of] == rows).all() and len(found.patterns) == len(np.unique(rows, axis=0))
    assert np.unique(found.of, return_index=True)[1].tolist() == sorted(np.unique(found.of, return_index=True)[1])


def test_many_subjects_get_draws_that_are_not_made(rng, monkeypatch):
    assert isinstance(bootstrap.resampled(100, 50, rng), np.ndarray)
    monkeypatch.setattr(bootstrap, "LARGEST", 4999)
    drawn = bootstrap.resampled(100, 50, rng)
    assert isinstance(drawn, Draws) and drawn.shape == (50, 100)
    monkeypatch.setattr(bootstrap_limit, "AT_ONCE", 700)
    parts = list(drawn.blocks())
    assert [len(part) for part in parts] == [7] * 7 + [1] and (np.vstack(parts).sum(axis=1) == 100).all()
    assert all((a == b).all() for a, b in zip(parts, drawn.blocks(), strict=True))


def test_means_are_distributed_as_those_of_the_draws(cohort, rng):
    plain = bootstrap.means(cohort, bootstrap.weights(SUBJECTS, DRAWS, rng))
    limit = bootstrap.means(cohort, Draws(DRAWS, SUBJECTS, 5))
    assert limit.shape == plain.shape
    assert limit.mean(axis=1) == pytest.approx(plain.mean(axis=1), abs=4 * plain.std(axis=1).max() / DRAWS**0.5)
    assert np.cov(limit) == pytest.approx(np.cov(plain), abs=0.08 * np.cov(plain).max())
    assert np.quantile(limit, (0.025, 0.975), axis=1) == pytest.approx(
        np.quantile(plain, (0.025, 0.975), axis=1), abs=0.25 * plain.std(axis=1).max()
    )


def test_few_subjects_of_a_kind_are_drawn_one_by_one(rng, monkeypatch):
    monkeypatch.setattr(bootstrap_limit, "CACHED", 700)
    times = rng.integers(0, 40, 30_000)
    counts = bootstrap_limit.drawn_sums(np.eye(9), times, rng)
    assert (counts.sum(axis=1) == times).all() and (counts == counts.round()).all() and counts.min() >= 0
    some = counts[times == 20]  # 20 of 9: multinomial
    assert some.mean(axis=0) == pytest.approx(np.full(9, 20 / 9), abs=5 * (20 / 9 / len(some)) ** 0.5)
    assert np.cov(some.T) == pytest.approx(20 * (np.eye(9) / 9 - 1 / 81), abs=0.45)
    values = rng.random((9, 2))
    made = [bootstrap_limit.drawn_sums(of, times, np.random.default_rng(4)) for of in (values, np.eye(9))]
    assert made[0] == pytest.approx(made[1] @ values)


def test_medians_are_distributed_as_those_of_the_draws(rng):
    owner = np.repeat(np.arange(SUBJECTS), 3)
    values = rng.normal(0.6, 0.1, len(owner)) + rng.normal(0, 0.1, SUBJECTS)[owner]
    cohort = plain_cohort(values, owner, owner % 2)
    table = bootstrap.weights(SUBJECTS, DRAWS, rng)
    plain = np.array([bootstrap.medians(values[owner % 2 == g], table[:, owner[owner % 2 == g]]) for g in (0, 1)])
    limit = bootstrap_limit.medians(cohort, [0, 1], Draws(DRAWS, SUBJECTS, 5))
    assert limit.mean(axis=1) == pytest.approx(plain.mean(axis=1), abs=0.15 * plain.std(axis=1).max())
    assert limit.std(axis=1) == pytest.approx(plain.std(axis=1), rel=0.15)
    both = [bootstrap.disparity_interval(cohort, 0, 1, drawn) for drawn in (table, Draws(DRAWS, SUBJECTS, 5))]
    assert both[0] == pytest.approx(both[1], abs=0.01)


def test_what_needs_the_draws_themselves_gets_them_in_blocks(rng, monkeypatch):
    monkeypatch.setattr(bootstrap_limit, "AT_ONCE", 500)
    drawn = Draws(30, 60, 2)
    table = np.vstack(list(drawn.blocks()))
    owner, values = np.repeat(np.arange(60), 2), rng.random(120)
    plain = bootstrap.row_means(values[:, np.newaxis], owner, table)
    assert bootstrap.row_means(values[:, np.newaxis], owner, drawn) == pytest.approx(plain)
    gaps = [fixed.gap(fixed.Pair(values, owner, owner < 30, owner >= 30, some))[1] for some in (table, drawn)]
    assert gaps[0] == pytest.approx(gaps[1])


@pytest.mark.parametrize("strata", [1, 4])
def test_sums_of_ranks_are_distributed_as_those_of_deals(rng, monkeypatch, strata):
    """Groups of 5 and of hundreds, some subjects in two; strata on either side of what is dealt exactly."""
    m = 2000
    member = rng.random((m, 4)) < (0.0025, 0.1, 0.5, 0.4)
    of = np.sort(rng.choice(strata, m, p=np.array([8, 4, 2, 1])[:strata] / sum([8, 4, 2, 1][:strata])))
    ranks = rankdata(rng.integers(0, 4, m) ** 2)
    ranks -= (np.bincount(of, ranks) / np.bincount(of))[of]
    groups = sparse.csr_array(member.astype(float))
    plain = groups.T @ dealing.deal(ranks, of, 5000, rng).T
    monkeypatch.setattr(permutation_limit, "SMALL_STRATUM", 200)
    limit = permutation_limit.dealer(ranks, groups, of, rng)(5000)
    spread = plain.std(axis=1)
    assert limit.mean(axis=1) / spread == pytest.approx(np.zeros(4), abs=0.05)
    assert np.corrcoef(limit) == pytest.approx(np.corrcoef(plain), abs=0.05)
    assert limit.std(axis=1) == pytest.approx(spread, rel=0.05)
    for level in (0.9, 0.99):
        assert np.quantile(limit, level, axis=1) / spread == pytest.approx(
            np.quantile(plain, level, axis=1) / spread, abs=0.2
        )


def test_p_values_of_many_subjects_are_those_of_deals(rng, monkeypatch):
    values, labels = rng.normal(size=3000), rng.integers(0, 3, 3000)
    values[labels == 0] += 0.1
    member = sparse.csr_array(labels[:, np.newaxis] == np.arange(3)).astype(float)
    exact = [max_difference_p(values, member, np.zeros(3000, int), 20_000, rng) for _ in range(3)]
    monkeypatch.setattr(permutation, "LARGE", 1000)
    limit = [max_difference_p(values, member, np.zeros(3000, int), 20_000, rng) for _ in range(20)]
    assert np.mean(limit) == pytest.approx(np.mean(exact), rel=0.4) and np.mean(exact) > 0
