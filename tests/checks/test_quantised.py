"""Vectors of one byte a number: as near as half a step, and what is out of the scale is its end."""

import numpy as np
import pytest

from accord.checks.matching.index import quantised
from accord.checks.matching.index.quantised import Quantised, Scale


@pytest.fixture
def vectors():
    """(400, 12) of columns that differ in what they hold; one always holds the same."""
    made = np.random.default_rng(2).normal(size=(400, 12)) * np.linspace(0.01, 2, 12) + np.arange(12) / 4
    made[:, 5] = 0.25
    return made.astype(np.float32)


@pytest.fixture
def held(vectors):
    scale = Scale.of(vectors)
    return Quantised(scale.codes(vectors), scale)


def test_numbers_are_right_to_half_a_step_of_their_column(vectors, held):
    apart = np.abs(held[:] - vectors)
    assert (apart <= held.scale.step / 2 + 1e-6).all()
    assert (np.ptp(held.codes, axis=0)[np.arange(12) != 5] == 255).all()
    assert held[:,].dtype == np.float32 and held[np.array([7, 3])] == pytest.approx(held[:][[7, 3]])
    assert held[:][:, 5] == pytest.approx(vectors[:, 5])


def test_numbers_beyond_the_scale_are_its_ends(vectors, held):
    beyond = np.stack([vectors.max(axis=0) + 9, vectors.min(axis=0) - 9])
    differing = np.arange(12) != 5
    assert held.scale.codes(beyond)[:, differing].tolist() == [[255] * 11, [0] * 11]


def test_the_first_columns_lie_in_the_same_memory(vectors, held):
    few = held.first(4)
    assert len(few) == 400 and np.shares_memory(few.codes, held.codes)
    assert np.array_equal(few[:], held[:][:, :4])


@pytest.mark.parametrize("columns", [1, 5, 1000])
def test_rows_are_put_in_another_order_in_place(held, columns, monkeypatch):
    monkeypatch.setattr(quantised, "COLUMNS", columns)
    before, memory = held.codes.copy(), held.codes
    order = np.random.default_rng(0).permutation(400)
    held.reorder(order)
    assert held.codes is memory and np.array_equal(memory, before[order])


def test_products_of_codes_are_those_of_their_vectors(held):
    directions = np.random.default_rng(1).normal(size=(3, 12)).astype(np.float32)
    rows = np.array([[5, 0, 5, 399], [1, 2, 3, 4], [9, 9, 9, 9]])
    expected = np.stack([held[some] @ one for some, one in zip(rows, directions, strict=True)])
    assert held.along(rows, directions) == pytest.approx(expected, abs=1e-4)
    assert held.along(rows[None], directions[None]) == pytest.approx(expected[None], abs=1e-4)
