"""Medoids: everyone is near to their own, no two are near, and the order of rows plays no part."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.statistics.describing import medoids as module
from accord.statistics.describing.medoids import close_cosines, medoids


def at(*degrees):
    """Unit vectors in the plane: their cosines are those of the differences of their angles."""
    angles = np.radians(degrees)
    return np.column_stack([np.cos(angles), np.sin(angles)]).astype(np.float32)


def unit(seed, count, size=3):
    vectors = np.random.default_rng(seed).normal(size=(count, size))
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def test_the_middle_one_stays():
    assert medoids(at(0, 20, 40, 180), 0.9).tolist() == [1, 1, 1, 3]


def test_a_chain_is_not_followed():
    """Steps of 20 degrees (cosine 0.94): each is near to its neighbours alone, and the two ends are not one."""
    found = medoids(at(0, 20, 40, 60, 80, 100), 0.93)
    cosines = at(0, 20, 40, 60, 80, 100) @ at(0, 20, 40, 60, 80, 100).T
    assert len(set(found)) > 1
    assert all(cosines[i, medoid] >= 0.93 for i, medoid in enumerate(found))


def test_of_two_alike_the_first_stays():
    assert medoids(at(0, 10), 0.9).tolist() == [0, 0]


@pytest.mark.parametrize("count", [0, 1])
def test_few_vectors_are_their_own(count):
    assert medoids(unit(1, count), 0.9).tolist() == list(range(count))


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 999), count=st.integers(1, 30), least=st.sampled_from([0.5, 0.9, 0.99]))
def test_the_definition_holds(seed, count, least):
    vectors = unit(seed, count)
    found = medoids(vectors, least)
    cosines = vectors @ vectors.T
    kept = np.unique(found)
    assert (found[kept] == kept).all()
    assert not (np.triu(cosines[np.ix_(kept, kept)], 1) >= least).any(), "two medoids are near"
    for i in np.setdiff1d(np.arange(count), kept):
        assert cosines[i, found[i]] >= least
        assert cosines[i, found[i]] >= cosines[i, kept].max() - 1e-6, "not the nearest medoid"


def test_blocks_find_all_pairs(monkeypatch):
    vectors = unit(4, 50)
    monkeypatch.setattr(module, "BLOCK", 7)
    found = {(i, j): c for part in close_cosines(vectors, 0.3) for i, j, c in zip(*part, strict=True)}
    truth = {(i, j): vectors[i] @ vectors[j] for i in range(50) for j in range(i + 1, 50)}
    assert set(found) == {pair for pair, cosine in truth.items() if cosine >= 0.3}
    assert found == pytest.approx({pair: truth[pair] for pair in found}, abs=1e-6)
