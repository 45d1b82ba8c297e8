"""Columns kept as bits, against the same columns as numbers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.statistics.conjunctions import FEW, conjunctions, tallies
from accord.statistics.itemsets import packed
from accord.statistics.permuting.max_statistic import blocks

SETS = [(0,), (1,), (0, 1), (2, 4, 5), (3, 4), (1, 2, 3, 5)]


def made(seed, most=FEW + 4):
    """Marks, their columns, whose rows, and a response; some subjects have more rows than are counted in pairs."""
    rng = np.random.default_rng(seed)
    owner = rng.permutation(np.repeat(np.arange(70), rng.integers(1, most, 70)))
    marks = rng.random((len(owner), 6)) < rng.uniform(0.4, 0.9, 6)
    held = np.column_stack([marks[:, some].all(axis=1) for some in SETS])
    return (
        held,
        conjunctions(packed(np.ascontiguousarray(marks.T)), SETS, len(owner)),
        owner,
        rng.random(len(owner)) < 0.3,
    )


@given(st.integers(0, 2**32 - 1))
def test_columns_hold_where_all_items_do(seed):
    held, columns, _, _ = made(seed)
    (some,) = columns()
    assert some.dtype == np.float32 and np.array_equal(some, held)
    (some,) = columns.only(np.array([1, 3])).of(np.arange(0, len(held), 3))()
    assert np.array_equal(some, held[::3, [1, 3]])


@given(st.integers(0, 2**32 - 1), st.sampled_from([1, 1 << 16]))
def test_tallies_are_those_of_the_columns(seed, words):
    held, columns, owner, response = made(seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("accord.statistics.conjunctions.WORDS", words)
        of = blocks(owner)
        found = tallies(columns, of, response)
    for rows, tally in zip(of, found, strict=True):
        each = held[rows]
        assert np.array_equal(tally.sums, each.sum(axis=(0, 1)))
        assert np.array_equal(tally.squares, (each.sum(axis=1) ** 2).sum(axis=0))
        assert np.array_equal(tally.subjects, each.any(axis=1).sum(axis=0))
        assert np.array_equal(tally.responding, held[rows[response[rows]]].sum(axis=0))


def test_no_columns_have_no_tallies():
    columns = conjunctions(np.zeros((3, 1), np.uint64), [], 5)
    assert len(tallies(columns, blocks(np.arange(5)))[0].sums) == 0 and not list(columns())
