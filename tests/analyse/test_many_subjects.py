"""Error patterns of very many subjects: sums by bits, and few deals in place of many, against all deals."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import hypergeom, norm

from accord.statistics.conjunctions import conjunctions
from accord.statistics.itemsets import frequent, packed
from accord.statistics.permuting import max_statistic_limit, normal_sums
from accord.statistics.permuting.deviations import Scale, deviations, skewness
from accord.statistics.permuting.max_statistic import Dealing, associate, blocks, deal, moments
from accord.statistics.permuting.max_statistic_limit import WITHIN, associate_many, excess, many

SUBJECTS, DEALS = 1500, 2000


def made(rng, effect, subjects=SUBJECTS):
    """Sets of nine items, two of images; errors that cluster in subjects and go with the first two items together."""
    owner = np.repeat(np.arange(subjects), rng.integers(1, 5, subjects))
    n = len(owner)
    marks = np.hstack([rng.random((n, 4)) < 0.5, (rng.random((subjects, 5)) < 0.6)[owner]])
    errors = rng.random(n) < 0.05 + 0.2 * (rng.random(subjects) < 0.2)[owner] + effect * marks[:, :2].all(axis=1)
    sets = [tuple(some) for of, _ in frequent(marks, n // 10, 3) for some in of.tolist()]
    return conjunctions(packed(np.ascontiguousarray(marks.T)), sets, n), sets, errors.astype(np.float32), owner


@given(st.integers(0, 2**32 - 1))
def test_deviations_by_bits_are_those_by_numbers(seed):
    rng = np.random.default_rng(seed)
    columns, _, errors, owner = made(rng, 0.02, subjects=60)
    of = blocks(owner, rng.integers(0, 2, 60)[owner])
    held = [np.concatenate(list(columns()), axis=1).astype(float)]
    mean, spread = moments(lambda: held, errors.astype(float), of)
    plain = Scale(mean, spread, np.zeros(len(mean)))
    assert excess(columns, errors, of) == pytest.approx(deviations(lambda: held, errors[None], plain)[0], rel=1e-9)
    bent = Scale(mean, spread, skewness(lambda: held, errors.astype(float), spread))
    found, _ = max_statistic_limit._straightened(columns, errors, of)
    assert found == pytest.approx(deviations(lambda: held, errors[None], bent)[0], rel=1e-9)


@pytest.mark.parametrize("effect", [0.0, 0.02, 0.03, 0.05, 0.2])
@pytest.mark.parametrize("joint", [0, 2048])
def test_what_is_claimed_is_what_all_deals_say(rng, monkeypatch, effect, joint):
    """No set of many is on the other side of 5%, but for those that chance puts there: within what 2,000 deals vary."""
    monkeypatch.setattr(max_statistic_limit, "DEALT", 500)
    monkeypatch.setattr(max_statistic_limit, "JOINT", joint)
    columns, _, errors, owner = made(rng, effect)
    exact = associate(columns, errors, owner, DEALS, rng, even=True)
    limit = associate_many(columns, errors, owner, DEALS, rng, below=0.05)
    assert limit.z == pytest.approx(exact.z, rel=1e-4)
    apart = 4 * np.sqrt(0.05 * 0.95 / DEALS)
    assert (limit.p[exact.p < 0.05 - apart] < 0.05).all() and (limit.p[exact.p > 0.05 + apart] >= 0.05).all()
    clear = exact.z > 10
    assert np.array_equal(limit.p[clear], exact.p[clear]) and clear.any() == (effect == 0.2)


def test_what_is_asked_is_corrected_for_all(rng, monkeypatch):
    monkeypatch.setattr(max_statistic_limit, "DEALT", 500)
    columns, sets, errors, owner = made(rng, 0.1)
    asked = np.array([some in ((0, 1), (2, 3)) for some in sets])
    found = associate_many(columns, errors, owner, DEALS, rng, asked=asked, below=0.05)
    assert found.p[sets.index((0, 1))] == pytest.approx(1 / (DEALS + 1)) and found.p[sets.index((2, 3))] >= 0.05
    assert np.array_equal(np.isfinite(found.z), asked)


@pytest.mark.parametrize(("share", "wrong"), [(0.05, 0.1), (0.05, 0.03), (0.5, 0.1)])
def test_the_tail_is_that_of_draws_without_replacement(share, wrong):
    """Of 3,000 subjects, exchanged alone: hypergeometric, also far out; said to be likelier than it is, if anything."""
    n = 3000
    held, errors = int(share * n), int(wrong * n)
    exact = hypergeom(n, held, errors)
    mean, variance = exact.stats()
    for far in (3, 4, 5):
        count = int(np.ceil(mean + far * np.sqrt(variance)))
        marks = (np.arange(n) < held)[np.newaxis]
        wrongs = np.zeros(n, np.float32)
        wrongs[:count], wrongs[held : held + errors - count] = 1, 1
        _, between = max_statistic_limit._straightened(
            conjunctions(packed(marks), [(0,)], n), wrongs, blocks(np.arange(n))
        )
        assert 0.95 <= norm.sf(between[0]) / exact.sf(count - 1) <= 2.5


@pytest.mark.parametrize("each", [1, 3])
@pytest.mark.parametrize(("share", "wrong"), [(0.2, 0.1), (0.5, 0.2), (0.7, 0.4)])
def test_the_tail_within_a_part_is_hardly_thinner_than_it_is(share, wrong, each):
    """Of 150 subjects, also where all rows of one are alike: then sums are three apart, and half an error is little."""
    n, held, errors = WITHIN, int(share * WITHIN), int(wrong * WITHIN)
    exact = hypergeom(n, held, errors)
    mean, variance = exact.stats()
    for far in (4, 4.5, 5):
        count = int(np.ceil(mean + far * np.sqrt(variance)))
        if count <= min(held, errors):
            wrongs = np.zeros(n, np.float32)
            wrongs[:count], wrongs[held : held + errors - count] = 1, 1
            marks = np.repeat(np.arange(n) < held, each)[np.newaxis]
            of = blocks(np.repeat(np.arange(n), each))
            columns = conjunctions(packed(marks), [(0,)], n * each)
            _, between = max_statistic_limit._straightened(columns, np.repeat(wrongs, each), of)
            assert 0.7 <= norm.sf(between[0]) / exact.sf(count - 1) <= 15


@pytest.mark.parametrize("effect", [0.0, 0.2, 0.25, 0.4])
def test_within_a_part_what_is_claimed_is_what_all_deals_say(rng, effect):
    """Of 200 subjects, and p-values of which one in thousands counts: nothing more, and less only near the limit."""
    columns, _, errors, owner = made(rng, effect, subjects=200)
    deals, below = 20_000, 0.002
    exact = associate(columns, errors, owner, deals, rng, even=True, below=below)
    limit = associate_many(columns, errors, owner, deals, rng, below=below)
    assert (limit.p[exact.p < below / 5] < below).all() and (limit.p[exact.p > below * 1.2] >= below).all()
    assert (exact.p < below).any() == (effect > 0)


@pytest.mark.parametrize("effect", [0.0, 0.13, 0.16, 0.4])
def test_of_a_thousand_subjects_the_bound_claims_what_all_deals_do(rng, monkeypatch, effect):
    """p-values of which less than one in a thousand counts, without any draw."""
    columns, _, errors, owner = made(rng, effect)
    deals, below = 20_000, 0.0009
    exact = associate(columns, errors, owner, deals, rng, even=True, below=below)
    for drawn in ("by_deals", "_by_limit"):
        monkeypatch.delattr(max_statistic_limit, drawn)
    limit = associate_many(columns, errors, owner, deals, rng, below=below)
    assert (limit.p[exact.p < below / 3] < below).all() and (limit.p[exact.p > below * 1.3] >= below).all()
    assert (exact.p < below).any() == (effect > 0)


def test_sums_go_together_as_over_many_deals(rng):
    columns, _, errors, owner = made(rng, 0.05, subjects=80)
    of = blocks(owner)
    dealt = deal(errors, of, 20_000, rng) @ np.concatenate(list(columns()), axis=1)
    scale = Scale(*moments(columns, errors, of), np.zeros(len(columns.items)))
    found = normal_sums.covariance(Dealing(columns, errors, of, scale, True))
    assert np.sqrt(np.diag(found)) == pytest.approx(scale.spread, rel=1e-5)
    assert found == pytest.approx(np.cov(dealt.T), abs=0.05 * np.diag(found).max())


@pytest.mark.parametrize("alike", [0.0, 0.5, 0.9, 1.0])
def test_the_chance_of_any_is_that_of_draws_or_a_little_more(rng, alike):
    """Of sixteen numbers that go together two by two, as sets of items do; of two it is exact."""
    blocks_of = np.kron(np.eye(8), np.full((2, 2), alike)) * 0.8 + 0.2 * alike
    np.fill_diagonal(blocks_of, 1)
    z = np.array([2.0, 2.5, 3.0])
    drawn = rng.multivariate_normal(np.zeros(16), blocks_of, 400_000, check_valid="ignore")
    seen = (drawn.max(axis=1)[:, np.newaxis] >= z).mean(axis=0)
    told = normal_sums.reached_by_any(z, blocks_of)
    noise = 4 * np.sqrt(seen / len(drawn))
    assert (told >= seen - noise).all() and (told <= 16 * norm.sf(z) + 1e-12).all()
    assert (told <= 1.35 * seen + noise).all()
    two = normal_sums.reached_by_any(z, blocks_of[:2, :2])
    assert two == pytest.approx((drawn[:, :2].max(axis=1)[:, np.newaxis] >= z).mean(axis=0), abs=noise.max())


def test_many_are_subjects_not_rows(monkeypatch):
    monkeypatch.setattr(max_statistic_limit, "LARGE", 10)
    assert many(np.arange(10)) and not many(np.repeat(np.arange(9), 3)) and not many(np.arange(9))
    assert many(np.arange(WITHIN), part=True) and not many(np.arange(WITHIN - 1), part=True)
