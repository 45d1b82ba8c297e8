"""Shorter vectors keep as much as they can, and about as much of a few that vary in directions of their own."""

import numpy as np
import pytest

from accord.checks.matching.index.shorter import projection

SIZE, MANY, FEW = 60, 1900, 100


def drawn(rng, spread, backdrop=0.0):
    """Unit vectors with such standard deviations; backdrop: what all have in common."""
    made = rng.normal(size=(len(spread), SIZE)) * spread + backdrop * np.eye(SIZE)[31]
    return (made / np.linalg.norm(made, axis=1, keepdims=True)).astype(np.float32)


def lost(vectors, axes):
    return np.square(vectors).sum(axis=1) - np.square(vectors @ axes).sum(axis=1)


def principal(vectors, length):
    return np.linalg.svd(vectors, full_matrices=False)[2][:length].T


@pytest.mark.parametrize("own", [6, 12])
def test_a_few_in_directions_of_their_own_keep_something_of_them(own):
    spread = np.full((MANY + FEW, SIZE), 0.05)
    spread[:MANY, :30], spread[MANY:, SIZE - own :] = 1, 1
    vectors = drawn(np.random.default_rng(1), spread)
    axes = projection(vectors, 24, 16)[:, :16]
    many, few = (lost(part, axes).mean() for part in (vectors[:MANY], vectors[MANY:]))
    assert lost(vectors[MANY:], principal(vectors, 16)).mean() > 0.9
    assert few < 0.8 and many < 0.7


def test_of_vectors_that_vary_alike_it_keeps_what_principal_components_keep():
    spread = np.broadcast_to(0.8 ** np.arange(SIZE), (2000, SIZE))
    vectors = drawn(np.random.default_rng(2), spread)
    assert lost(vectors, projection(vectors, 12, 12)).mean() < lost(vectors, principal(vectors, 12)).mean() + 0.01


def test_a_few_before_one_backdrop_keep_what_they_differ_in():
    spread = np.full((MANY + FEW, SIZE), 0.01)
    spread[:MANY, :30], spread[MANY:, SIZE - 6 :] = 1, 0.2
    vectors = drawn(np.random.default_rng(5), spread, backdrop=4)
    own = np.eye(SIZE, dtype=np.float32)[SIZE - 6 :]
    assert lost(own, principal(vectors, 16)).mean() > 0.9
    assert lost(own, projection(vectors, 24, 16)[:, :16]).mean() < 0.5


def test_the_axes_are_orthonormal_and_the_first_keep_most():
    vectors = drawn(np.random.default_rng(3), np.broadcast_to(0.9 ** np.arange(SIZE), (500, SIZE)))
    axes = projection(vectors, 20, 8)
    assert axes.dtype == np.float32
    assert axes.T @ axes == pytest.approx(np.eye(20), abs=1e-5)
    kept = np.square(vectors @ axes).mean(axis=0)
    assert kept[:8].min() > kept[12:].max()
    assert np.array_equal(axes, projection(vectors, 20, 8))


@pytest.mark.parametrize("vectors", [np.zeros((3, SIZE)), np.eye(SIZE)[:2], np.eye(SIZE)[:1]])
def test_hardly_anything_is_kept_whole(vectors):
    axes = projection(vectors.astype(np.float32), 30, 16)
    assert np.isfinite(axes).all()
    assert lost(vectors, axes) == pytest.approx(0, abs=1e-5)
    whole = projection(drawn(np.random.default_rng(4), np.ones((40, SIZE))), SIZE, 96)
    assert whole.shape == (SIZE, SIZE)
