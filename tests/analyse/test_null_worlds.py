"""A small form of benchmarks/null_worlds.py: numbers of images that differ between groups are no gap."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from accord.analyse import disparities

FILE = Path(__file__).parents[2] / "benchmarks/null_worlds.py"


@pytest.fixture(scope="module")
def worlds():
    spec = importlib.util.spec_from_file_location("null_worlds", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_one_image_against_eight_is_no_difference(worlds):
    """30 tables of right and wrong answers and two vendors who differ in numbers of images alone. Dealt among all
    subjects, two thirds of such tables and more have a p under 5%."""
    p = []
    for seed in range(30):
        rng = np.random.default_rng(seed)
        scores, members = worlds.report(worlds.nearly_one_against_eight(rng), rng)
        one = scores[(scores["model"] == "m0") & (scores["metric"] == "right")]
        p.append(disparities.run(one, members[members["attribute"] == "vendor"])["p_between_subjects"].item())
    print(f"p < 0.05 in {np.sum(np.array(p) < 0.05)} of 30 tables")
    assert np.sum(np.array(p) < 0.05) <= 6


@pytest.mark.slow
def test_reports_without_bias_claim_nothing(worlds):
    """4 reports of each of seven worlds: of 28 that each claim something in 5%, 5 or more do in 1.3%."""
    told = [worlds.claimed(world, seed) for world in worlds.WORLDS.values() for seed in range(4)]
    assert sum(bool(one.metrics) or bool(one.named) for one in told) <= 4


def test_a_planted_gap_is_claimed_and_what_can_t_be_compared_is_not(worlds):
    told = worlds.claimed(worlds.by_ancestry, 1, 0.4)
    assert told.planted >= 6


def test_the_bound_is_the_exact_one(worlds):
    """No hit of 200: the upper end is 1 - 0.025^(1 / 200)."""
    assert worlds.clopper_pearson(0, 200) == pytest.approx((0, 1 - 0.025 ** (1 / 200)))
    assert worlds.clopper_pearson(200, 200) == pytest.approx((0.025 ** (1 / 200), 1))


def test_what_is_printed_is_a_row_of_a_table(worlds):
    told = [worlds.Told(("right",), 0, 3), *[worlds.Told((), 0, 0)] * 19]
    assert worlds.row("w", told, 0.0) == ("| w | 1 of 20 (0.1% to 24.9%) | 1, 0, 0 | 0 of 20 (0.0% to 16.8%) |")
    assert worlds.row("w", told, 0.1) == "| w | 3 of 180 (2%) |"
