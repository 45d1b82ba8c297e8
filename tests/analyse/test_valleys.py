"""Valleys: where numbers fall apart into peaks, and that one peak stays whole."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.analyse.explaining.strata import cuts
from accord.statistics.describing.valleys import valleys


@pytest.mark.parametrize("share", [0.5, 0.25])
def test_two_peaks_are_parted_between_them(rng, share):
    dark = rng.random(400) < share
    values = np.where(dark, rng.normal(60, 12, 400), rng.normal(180, 15, 400))
    (cut,) = valleys(values)
    assert 90 < cut < 140
    assert np.mean((values <= cut) == dark) > 0.99


def test_three_peaks_are_parted_twice(rng):
    values = np.concatenate([rng.normal(at, 1, 150) for at in (0, 10, 20)])
    first, second = valleys(values)
    assert 3 < first < 7 and 13 < second < 17


def test_one_peak_is_hardly_ever_parted(rng):
    draws = [rng.normal(size=240) for _ in range(100)] + [rng.exponential(size=240) for _ in range(100)]
    assert sum(len(valleys(values)) > 0 for values in draws) <= 10


def test_a_few_that_lie_far_out_are_no_peak(rng):
    assert len(valleys(np.append(rng.normal(size=200), [50.0] * 10))) == 0


@pytest.mark.parametrize("values", [[], [3.0], [2.0] * 30])
def test_where_nothing_differs_there_is_no_valley(values):
    assert len(valleys(np.array(values))) == 0


@given(st.floats(0.01, 1000), st.floats(-1000, 1000))
def test_valleys_move_with_the_unit(scale, shift):
    rng = np.random.default_rng(3)
    values = np.concatenate([rng.normal(0, 1, 80), rng.normal(9, 1, 120)])
    assert valleys(scale * values + shift) == pytest.approx(scale * valleys(values) + shift, rel=0.05, abs=0.2 * scale)


def test_no_part_of_a_number_reaches_over_a_valley(rng):
    values = np.concatenate([rng.normal(60, 12, 200), rng.normal(180, 15, 200)])
    part = np.searchsorted(cuts(values), values, side="left")
    assert part.max() == 5
    assert all((values[part == number] > 120).mean() in (0, 1) for number in range(6))
