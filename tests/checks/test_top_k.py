"""The k best of each row are the same, in whatever blocks their cosines come."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from accord.checks.matching.index.keys import Keys
from accord.checks.matching.index.top_k import TopK

COSINES = st.floats(-1, 1, width=32)


def equal(one, other):
    """Cosines are, as they are kept: in steps of 1e-9, and no finer than float32 has them near 1."""
    return np.allclose(one, other, rtol=0, atol=1e-7)


@st.composite
def blocks(draw):
    """(r, n) cosines, k, and their columns in blocks that are given in turn."""
    rows, columns = draw(st.integers(1, 6)), draw(st.integers(1, 40))
    cosines = draw(arrays(np.float32, (rows, columns), elements=COSINES))
    edges = sorted({0, columns, *draw(st.lists(st.integers(0, columns), max_size=5))})
    return cosines, draw(st.integers(1, 8)), [np.arange(*edge) for edge in pairwise(edges)]


@given(blocks())
def test_the_best_of_all_blocks_are_kept_best_first(given_blocks):
    cosines, most, parts = given_blocks
    best = TopK(len(cosines), most, cosines.shape[1])
    for columns in parts:
        best.add(np.arange(len(cosines)), columns.astype(np.int32), cosines[:, columns])
    ids, found = best.found()
    wanted = -np.sort(-cosines, axis=1)[:, :most]
    assert equal(found[:, : wanted.shape[1]], wanted)
    assert (ids[:, wanted.shape[1] :] == -1).all() and (found[:, wanted.shape[1] :] == -np.inf).all()
    for row, (mine, shown) in enumerate(zip(ids, found, strict=True)):
        held = mine[mine >= 0]
        assert len(set(held)) == len(held)
        assert equal(cosines[row, held], shown[: len(held)])


@pytest.mark.parametrize("most", [1, 3, 200])
def test_rows_may_meet_others_at_different_times(most):
    rng = np.random.default_rng(most)
    cosines = rng.uniform(-1, 1, (50, 300)).astype(np.float32)
    best, met = TopK(50, most, 300), np.full((50, 300), -np.inf, np.float32)
    for columns in np.array_split(rng.permutation(300), 7):
        rows = rng.permutation(50)[: rng.integers(1, 50)]
        met[np.ix_(rows, columns)] = cosines[np.ix_(rows, columns)]
        best.add(rows, columns.astype(np.int32), cosines[np.ix_(rows, columns)])
    _, found = best.found()
    assert equal(found, -np.sort(-met, axis=1)[:, :most])


@given(arrays(np.int64, (3, 40), elements=st.integers(0, 4)))
def test_each_other_is_kept_once_with_its_greatest_cosine(columns):
    rows, others, cosines = columns[0], columns[1], (columns[2] / 4).astype(np.float32)
    how = Keys.of(5, 5)
    keys = how.once(how.starts(rows), others, cosines)
    wanted = pd.DataFrame({"row": rows, "other": others, "cosine": cosines}).groupby(["row", "other"])["cosine"].max()
    assert list(zip(how.rows(keys), how.others(keys), strict=True)) == [
        (row, other) for row, _, other in sorted((row, -cosine, other) for (row, other), cosine in wanted.items())
    ]


def test_cosines_beyond_two_are_as_large_and_nothing_takes_the_place_of_nothing():
    how = Keys.of(2, 7)
    keys = how.nearest_first(how.starts(np.array([1, 1, 1])), np.array([6, 0, 3]), np.array([3, 2, -2.0], np.float32))
    assert np.allclose(how.cosines(keys), [2, 2, -2]) and how.others(keys).tolist() == [6, 0, 3]
    assert (keys < (how.starts(np.array([1])) | how.none())).all() and (keys[:2] < keys[2]).all()


@pytest.mark.parametrize("known", [0, 1])
def test_others_that_are_infinitely_far_are_none(known):
    cosines = np.array([[-np.inf, 0.5, -np.inf, -np.inf]] * 2, np.float32)
    best = TopK(2, 3, 5)
    best.add(np.arange(known), np.array([4]), np.full((known, 1), 0.9, np.float32))
    best.add(np.arange(2), np.arange(4), cosines)
    ids, found = best.found()
    assert ids.tolist() == [[4, 1, -1] if known else [1, -1, -1], [1, -1, -1]]
    assert (found[ids < 0] == -np.inf).all() and equal(found[ids == 1], 0.5)


def test_what_met_nothing_has_nothing():
    best = TopK(2, 3, 9)
    best.add(np.empty(0, int), np.arange(9), np.empty((0, 9), np.float32))
    ids, cosines = best.found()
    assert (ids == -1).all() and (cosines == -np.inf).all()
