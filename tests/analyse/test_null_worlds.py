"""A small form of benchmarks/null_worlds.py: numbers of images that differ between groups are no gap."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from accord.analyse import disparities
from accord.analyse.comparing.family import family

FILE = Path(__file__).parents[2] / "benchmarks/null_worlds.py"


@pytest.fixture(scope="module")
def worlds():
    spec = importlib.util.spec_from_file_location("null_worlds", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def between(worlds, mixed: float, tables: int = 30) -> np.ndarray:
    """p between subjects of two vendors, right and wrong answers of one model; NaN where it says why there is none."""
    found = []
    for seed in range(tables):
        rng = np.random.default_rng(seed)
        release = worlds.made(worlds.one_against_eight(rng, mixed), rng)
        values, marks = release.scores["m0", "right"], worlds.marks_of("vendor", release.labels["vendor"])
        vendors = family(("people", "m0", "right"), "vendor", worlds.cohort_of(release, values, marks), 10)
        row = disparities.tested_families([vendors], 10, 100, seed)[0][1]
        assert np.isnan(row["p_between_subjects"]) == ("not tested between subjects" in row["note"])
        found.append(row["p_between_subjects"])
    return np.array(found)


@pytest.mark.slow
def test_one_image_against_eight_is_no_difference(worlds):
    """Two vendors who differ in numbers of images alone, but for a fifth of their people. Dealt among all subjects, 11
    of these 30 tables had p < 0.05; 6 or more are less than 0.4% likely."""
    assert (between(worlds, 0.2) < 0.05).sum() <= 5


@pytest.mark.slow
def test_vendors_without_people_of_as_many_images_are_not_tested(worlds):
    """Dealt among all subjects, 22 of these 30 tables had p < 0.05."""
    assert np.isnan(between(worlds, 0.0)).all()


@pytest.mark.slow
def test_reports_without_bias_claim_nothing(worlds):
    """2 reports of each of 13 worlds: of 26 that each claim something in 5%, 5 or more do in 0.9%."""
    told = [worlds.claimed(world, seed) for world in worlds.WORLDS.values() for seed in range(2)]
    assert sum(bool(one.metrics) or bool(one.named) for one in told) <= 4


@pytest.mark.parametrize("name", ["correlation 0.75 and 0, vendor only", "correlation 0.7 and 0.2, vendor only"])
def test_images_that_are_more_alike_in_one_group_are_no_difference(worlds, name):
    """Of 20 reports 13 claimed something by ranks of subjects' means; at 5%, 5 or more do in 0.3%."""
    assert sum(bool(worlds.claimed(worlds.WORLDS[name], seed).metrics) for seed in range(20)) <= 4


@pytest.mark.slow
def test_the_benchmark_claims_what_the_workflow_claims(worlds):
    for world, gap in ((worlds.by_vendor, 0.0), (worlds.by_ancestry, 0.3)):
        assert worlds.claimed(world, 1, gap) == worlds.whole(world, 1, gap)


def test_a_planted_gap_is_claimed_though_numbers_of_images_go_with_it(worlds):
    assert worlds.claimed(worlds.by_ancestry, 1, 0.4).planted >= 6


def test_the_bound_is_the_exact_one(worlds):
    """No hit of 200: the upper end is 1 - 0.025^(1 / 200)."""
    assert worlds.clopper_pearson(0, 200) == pytest.approx((0, 1 - 0.025 ** (1 / 200)))
    assert worlds.clopper_pearson(200, 200) == pytest.approx((0.025 ** (1 / 200), 1))


def test_what_is_printed_is_a_row_of_a_table(worlds):
    told = [worlds.Told(("right",), False, 3), *[worlds.Told((), False, 0)] * 19]
    assert worlds.row("w", told, 0.0) == ("| w | 1 of 20 (0.1% to 24.9%) | 1, 0, 0 | 0 of 20 (0.0% to 16.8%) |")
    assert worlds.row("w", told, 0.1) == "| w | 3 of 180 (2%) |"
