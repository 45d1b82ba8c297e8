"""Frequent itemsets against all sets counted one by one."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.statistics.itemsets import covers, frequent, packed


def by_hand(marks, least, most):
    """{(columns): rows} of every set that is frequent, each counted alone."""
    sets = (some for size in range(1, most + 1) for some in combinations(range(marks.shape[1]), size))
    counted = {some: int(marks[:, list(some)].all(axis=1).sum()) for some in sets}
    return {some: count for some, count in counted.items() if count >= least}


def found(marks, least, most):
    return {
        tuple(map(int, some)): int(count)
        for sets, counts in frequent(marks, least, most)
        for some, count in zip(sets, counts, strict=True)
    }


@given(st.integers(0, 10**6), st.integers(1, 150), st.integers(1, 9), st.integers(1, 4), st.integers(1, 12))
def test_every_frequent_set_is_found_and_no_other(seed, rows, columns, most, least):
    rng = np.random.default_rng(seed)
    marks = rng.random((rows, columns)) < rng.random(columns)
    assert found(marks, least, most) == by_hand(marks, least, most)


def test_sets_are_in_order_and_sizes_apart(rng):
    marks = rng.random((90, 12)) < 0.6
    for size, (sets, counts) in enumerate(frequent(marks, 5, 4), start=1):
        assert sets.shape == (len(counts), size)
        assert list(map(tuple, sets)) == sorted(map(tuple, sets))


@pytest.mark.parametrize("marks", [np.zeros((0, 3), bool), np.zeros((5, 0), bool), np.zeros((70, 4), bool)])
def test_nothing_is_frequent_where_nothing_holds(marks):
    assert found(marks, 1, 3) == {}


def test_a_cover_is_the_rows_of_a_set(rng):
    marks = rng.random((130, 6)) < 0.5
    cover = covers(packed(marks.T), np.array([[0, 2, 5]]))
    held = marks[:, [0, 2, 5]].all(axis=1)
    assert np.array_equal(np.unpackbits(cover.view(np.uint8), axis=1, count=130)[0].astype(bool), held)


@pytest.mark.parametrize("kept", [1, 40])
def test_many_columns_are_compared_in_parts_and_few_rows_are_kept(rng, monkeypatch, kept):
    marks = rng.random((200, 10)) < 0.5
    whole = frequent(marks, 12, 4)
    monkeypatch.setattr("accord.statistics.itemsets.WORDS", 1)
    monkeypatch.setattr("accord.statistics.itemsets.KEPT", kept)
    assert found(marks, 12, 4) == by_hand(marks, 12, 4)
    for one, other in zip(whole, frequent(marks, 12, 4), strict=True):
        assert all(np.array_equal(*both) for both in zip(one, other, strict=True))
