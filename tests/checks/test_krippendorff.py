"""Krippendorff's alpha, against published figures and against its definition by pairs."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.statistics.describing.krippendorff import NOMINAL, ORDINAL, alpha, coincidences
from accord.statistics.resampling import bootstrap

PUBLISHED = (
    (1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None),
    (1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3),
    (None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None),
    (1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None),
)
"""Krippendorff, Computing Krippendorff's Alpha-Reliability, 2011, C: four observers, twelve units, missing values."""


def units_of(rows):
    return [[value - 1 for value in unit if value is not None] for unit in zip(*rows, strict=True)]


def by_pairs(units, values, level):
    """The definition, without coincidences: pairs within units against pairs of everything that is paired."""
    paired = [unit for unit in units if len(unit) > 1]
    flat = [value for unit in paired for value in unit]
    counts = [flat.count(value) for value in range(values)]

    def apart(a, b):
        if level == NOMINAL:
            return float(a != b)
        low, high = sorted((a, b))
        return (sum(counts[low : high + 1]) - (counts[a] + counts[b]) / 2) ** 2

    observed = sum(2 * apart(a, b) / (len(unit) - 1) for unit in paired for a, b in combinations(unit, 2)) / len(flat)
    expected = sum(2 * apart(a, b) for a, b in combinations(flat, 2)) / (len(flat) * (len(flat) - 1))
    return 1 - observed / expected if expected else np.nan


@pytest.mark.parametrize(("level", "printed"), [(NOMINAL, 0.743), (ORDINAL, 0.815)])
def test_the_published_example(level, printed):
    assert float(alpha(coincidences(units_of(PUBLISHED), 5).sum(axis=0), level)) == pytest.approx(printed, abs=5e-4)


@given(st.lists(st.lists(st.integers(0, 3), max_size=5), min_size=1, max_size=12), st.sampled_from([NOMINAL, ORDINAL]))
def test_it_is_its_definition(units, level):
    if sum(len(unit) for unit in units if len(unit) > 1) < 2:
        assert np.isnan(alpha(coincidences(units, 4).sum(axis=0), level))
        return
    found = float(alpha(coincidences(units, 4).sum(axis=0), level))
    assert found == pytest.approx(by_pairs(units, 4, level), nan_ok=True)


def test_many_at_once():
    met = np.stack([coincidences(units_of(PUBLISHED), 5).sum(axis=0), np.zeros((5, 5))])
    found = alpha(met, ORDINAL)
    assert found.shape == (2,)
    assert np.isnan(found[1])


def test_by_chance_it_is_nothing_and_agreed_it_is_one():
    rng = np.random.default_rng(1)
    chance = coincidences(rng.integers(3, size=(4000, 3)).tolist(), 3).sum(axis=0)
    assert abs(float(alpha(chance))) < 0.03
    agreed = coincidences([[value] * 3 for value in (0, 1, 2, 2)], 3).sum(axis=0)
    assert float(alpha(agreed, ORDINAL)) == 1


def test_intervals_over_subjects_cover_alpha():
    """250 samples of 30 people with two units each, which are alike: nominal 95%, the simulation's error is 1.4%."""
    rng = np.random.default_rng(2)

    def sample(subjects):
        skill = rng.uniform(0.4, 1, subjects)
        truth = rng.integers(3, size=(subjects, 2, 1))
        right = rng.random((subjects, 2, 3)) < skill[:, None, None]
        said = np.where(right, truth, rng.integers(3, size=(subjects, 2, 3)))
        return coincidences(said.reshape(-1, 3).tolist(), 3).reshape(subjects, 2, 3, 3).sum(axis=1)

    real, covered = float(alpha(sample(20_000).sum(axis=0))), 0
    for _ in range(250):
        drawn = bootstrap.weights(30, 300, rng).astype(float)
        low, high = bootstrap.interval(alpha(np.einsum("ds,sij->dij", drawn, sample(30))), 30)
        covered += low <= real <= high
    assert 0.91 * 250 <= covered <= 0.99 * 250
