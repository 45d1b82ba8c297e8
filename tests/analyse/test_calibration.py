"""A small form of benchmarks/calibration.py: it runs, and what it measures keeps its promise."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

FILE = Path(__file__).parents[2] / "benchmarks/calibration.py"


@pytest.fixture(scope="module")
def calibration():
    spec = importlib.util.spec_from_file_location("calibration", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def enough(counted, promised):
    """Not fewer than promised by more than chance (three standard errors)."""
    return counted.hits / counted.trials >= promised - 3 * np.sqrt(promised * (1 - promised) / counted.trials)


def test_intervals_cover(calibration, rng):
    assert enough(calibration.means_covered(rng, 100, 25), 0.95)
    assert enough(calibration.disparities_covered(rng, 60, tenths=True), 0.95)


def test_a_planted_bias_is_claimed_of_its_region_and_nothing_without_one(calibration):
    right, wrong = calibration.planted_found(0.3, 2, models=2)
    assert (right.hits, right.trials, wrong.hits) == (4, 4, 0)
    assert calibration.false_disparities(3, models=2).hits == 0


def test_what_is_printed_is_a_row_of_a_table(calibration):
    told = str(calibration.Counted("claims", 1, 20, "at most 5%"))
    assert told == "| claims | 1 of 20 | 5.0% [0.9%, 23.6%] | at most 5% |"
