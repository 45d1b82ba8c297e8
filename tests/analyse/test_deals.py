"""Deals of responses among subjects: their moments by listing every deal, their p-values in simulation."""

from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.statistics.permuting.deviations import Highest, Scale, deviations, skewness, straight
from accord.statistics.permuting.max_statistic import associate, blocks, deal, moments


def every_deal(response, subjects):
    """All deals of 2 rows per subject, listed: subjects exchanged, and each subject's two rows in both orders."""
    rows = [np.flatnonzero(subjects == s) for s in np.unique(subjects)]
    for taken in permutations(range(len(rows))):
        for turned in product([False, True], repeat=len(rows)):
            dealt = np.empty(len(response))
            for target, source, turn in zip(rows, taken, turned, strict=True):
                dealt[target] = response[rows[source]][:: -1 if turn else 1]
            yield dealt


def test_moments_are_those_of_all_deals(rng):
    subjects = np.array([0, 1, 2, 3, 0, 1, 2, 3])
    response, columns = rng.normal(size=8), rng.normal(size=(8, 3))
    listed = np.array([dealt @ columns for dealt in every_deal(response, subjects)])
    mean, spread = moments(lambda: [columns], response, blocks(subjects))
    assert mean == pytest.approx(listed.mean(axis=0))
    assert spread == pytest.approx(listed.std(axis=0))


def test_moments_with_unequal_numbers_of_rows_are_those_of_many_deals(rng):
    subjects = np.repeat(np.arange(40), rng.integers(1, 5, 40))
    response, columns = rng.random(len(subjects)), rng.random((len(subjects), 4))
    of = blocks(subjects)
    dealt = deal(response, of, 20_000, rng) @ columns
    mean, spread = moments(lambda: [columns], response, of)
    assert mean == pytest.approx(dealt.mean(axis=0), abs=5 * spread.max() / np.sqrt(20_000))
    assert spread == pytest.approx(dealt.std(axis=0), rel=0.03)


@pytest.mark.parametrize("each", [1, 3])
def test_skewness_is_that_of_many_deals(rng, each):
    """Of subjects whose rows are alike, and so count as one."""
    owner = np.repeat(np.arange(60), each)
    columns, response = rng.random((60, 3))[owner] < [0.1, 0.3, 0.5], (rng.random(60) < 0.15)[owner].astype(float)
    columns, of = columns.astype(float), blocks(owner)
    mean, spread = moments(lambda: [columns], response, of)
    z = (deal(response, of, 10_000, rng) @ columns - mean) / spread
    assert skewness(lambda: [columns], response, spread) == pytest.approx((z**3).mean(axis=0), abs=0.2)


def test_straightened_small_columns_reach_no_more_than_large_ones(rng):
    owner, response = np.arange(120), (np.arange(120) < 15).astype(float)
    columns = np.column_stack([np.arange(120) % 12 == 0, np.arange(120) % 2 == 0]).astype(float)
    of = blocks(owner)
    mean, spread = moments(lambda: [columns], response, of)
    z = (deal(response, of, 20_000, rng) @ columns - mean) / spread
    bent, even = (
        np.quantile(some, 0.999, axis=0) for some in (z, straight(z, skewness(lambda: [columns], response, spread)))
    )
    assert bent[0] - bent[1] > 0.5 and abs(even[0] - even[1]) < 0.4


@given(st.floats(-3, 3))
def test_straightening_keeps_the_order(skew):
    z = np.linspace(-8, 8, 200)[:, np.newaxis]
    assert (np.diff(straight(z, np.array([skew])), axis=0) > 0).all()


def test_a_deal_keeps_subjects_together(rng):
    subjects = np.array([0, 1, 2, 0, 1, 2, 3])
    response = np.array([1.0, 2, 3, 10, 20, 30, 7])
    for dealt in deal(response, blocks(subjects), 50, rng):
        assert dealt[6] == 7
        assert sorted(tuple(sorted(dealt[subjects == s])) for s in range(3)) == [(1, 10), (2, 20), (3, 30)]


def test_subjects_who_are_not_alike_exchange_nothing(rng):
    subjects, alike = np.array([0, 1, 2, 0, 1, 2, 3, 3]), np.array([5, 5, 7, 5, 5, 7, 5, 5])
    response = np.array([1.0, 2, 3, 10, 20, 30, 7, 70])
    of = blocks(subjects, alike)
    assert sorted(tuple(sorted(np.unique(subjects[rows]))) for rows in of) == [(0, 1, 3), (2,)]
    for dealt in deal(response, of, 20, rng):
        assert sorted(dealt[subjects == 2]) == [3, 30]
        assert sorted(tuple(sorted(dealt[subjects == s])) for s in (0, 1, 3)) == [(1, 10), (2, 20), (7, 70)]


def test_what_is_asked_is_corrected_for_all_columns(rng):
    columns, errors, owner = clustered(rng)
    columns[:, 0] = errors
    asked = np.zeros(columns.shape[1], bool)
    asked[3] = True
    one = associate(lambda: [columns], errors, owner, 2_000, rng, asked=asked)
    every = associate(lambda: [columns], errors, owner, 2_000, rng)
    alone = associate(lambda: [columns[:, [3]]], errors, owner, 2_000, rng)
    assert one.z == pytest.approx(every.z)
    assert one.p[3] == pytest.approx(every.p[3], abs=0.2) and one.p[3] > alone.p[0]


def clustered(rng, subjects=40, each=3):
    """Binary columns of subjects and of images, and errors that cluster in subjects, unrelated to any column."""
    owner = np.repeat(np.arange(subjects), each)
    of_subject = (rng.random((subjects, 12)) < 0.3)[owner]
    of_image = rng.random((len(owner), 12)) < 0.3
    errors = rng.random(len(owner)) < np.where(rng.random(subjects) < 0.2, 0.8, 0.05)[owner]
    return np.hstack([of_subject, of_image]).astype(np.float32), errors.astype(np.float32), owner


def test_without_any_association_one_in_twenty_finds_one(rng):
    trials = 200
    wrong = 0
    for _ in range(trials):
        columns, errors, owner = clustered(rng)
        wrong += associate(lambda some=columns: [some], errors, owner, 400, rng).p.min() <= 0.05
    print(f"false findings in {wrong} of {trials}")
    assert wrong / trials <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / trials)


def test_what_goes_with_errors_is_found_and_blocks_of_columns_change_nothing(rng):
    columns, _, owner = clustered(rng)
    errors = np.maximum(columns[:, 3], rng.random(len(owner)) < 0.05).astype(np.float32)
    whole = associate(lambda: [columns], errors, owner, 400, np.random.default_rng(1))
    parts = associate(lambda: [columns[:, :5], columns[:, 5:]], errors, owner, 400, np.random.default_rng(1))
    assert whole.p.argmin() == 3 and whole.p[3] == pytest.approx(1 / 401)
    assert np.array_equal(whole.p, parts.p) and np.allclose(whole.z, parts.z)


def test_two_sides_find_what_goes_with_small_responses(rng):
    columns, _, owner = clustered(rng)
    response = 1 - columns[:, 3]
    assert associate(lambda: [columns], response, owner, 400, rng, sides=2).p[3] < 0.05
    assert associate(lambda: [columns], response, owner, 400, rng).p[3] > 0.5


def test_a_column_that_never_changes_says_nothing(rng):
    found = associate(lambda: [np.ones((30, 1))], rng.random(30), np.arange(30), 100, rng)
    assert found.p.tolist() == [1.0]


@given(st.integers(0, 2**32 - 1), st.integers(1, 40), st.booleans(), st.sampled_from([-3.0, 0.0, 1.5, 3.0, 9.0]))
def test_the_highest_deviations_are_those_of_all_products(seed, responses, straightened, top):
    rng = np.random.default_rng(seed)
    columns = (rng.random((60, 70)) < rng.random(70) ** 2).astype(np.float32)
    columns[:, 5] = 1
    dealt = (rng.random((responses, 60)) < rng.choice([0.02, 0.1, 0.5])).astype(np.float32)
    mean, spread = columns.mean(axis=0) * dealt[0].sum(), columns.std(axis=0) * 2.0
    skew = rng.normal(size=70) * rng.choice([0, 1e-3, 0.3, 2], 70) if straightened else np.zeros(70)
    scale, many = Scale(mean, spread, skew), int(rng.integers(1, 12))
    parts = [columns[:, :7], columns[:, 7:64], columns[:, 64:]]
    every = deviations(lambda: parts, dealt, scale).max(axis=1)
    highest = Highest(lambda: parts, scale, top, many)
    found = np.concatenate([highest.of(some) for some in np.array_split(dealt, 3)])
    asked = every >= min(top, np.sort(every)[-many:][0])
    assert np.array_equal(found[asked], every[asked]) and (found <= every).all()


@given(st.integers(0, 2**32 - 1), st.sampled_from([0.004, 0.02, 0.3]))
def test_a_p_below_what_is_asked_is_the_same_as_if_all_were(seed, below):
    columns, errors, owner = clustered(np.random.default_rng(seed))
    columns[:, 2] = np.maximum(columns[:, 2], errors)
    asked = np.arange(columns.shape[1]) % 3 > 0
    whole, part = (
        associate(lambda: [columns], errors, owner, 300, np.random.default_rng(1), asked=asked, even=True, below=some)
        for some in (1.0, below)
    )
    exact = asked & ((whole.p < below) | (whole.z == whole.z[asked].max()))
    assert np.array_equal(whole.z, part.z) and np.array_equal(whole.p[exact], part.p[exact])
    assert (part.p[asked & ~exact] >= below).all() and exact.any()


@given(st.integers(0, 2**32 - 1), st.sampled_from([np.float32, float]))
def test_deals_are_those_of_subjects_by_number(seed, kind):
    """The same, bit for bit, as subjects' numbers in random order, then each subject's responses in random order."""
    made = np.random.default_rng(seed)
    response, of = made.normal(size=50).astype(kind), blocks(made.integers(0, 25, 50))
    rng, again = np.random.default_rng(1), np.random.default_rng(1)
    expected = np.empty((30, 50), kind)
    for rows in of:
        order = rng.permuted(np.tile(np.arange(len(rows)), (30, 1)), axis=1)
        expected[:, rows.ravel()] = rng.permuted(response[rows][order], axis=2).reshape(30, -1)
    found = deal(response, of, 30, again)
    assert found.dtype == kind and found.tobytes() == expected.tobytes() and rng.random() == again.random()
