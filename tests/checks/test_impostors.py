"""Rates of false matches, against scipy's own interval and the rule of three."""

import numpy as np
import pytest
from scipy.stats import binomtest

from accord.checks.matching.impostors import histogram, rate_of, upper_bound


@pytest.mark.parametrize(("accepted", "comparisons"), [(0, 100), (3, 1000), (50, 60)])
def test_the_bound_is_that_of_clopper_and_pearson(accepted, comparisons):
    two_sided = binomtest(accepted, comparisons).proportion_ci(confidence_level=0.9, method="exact")
    assert upper_bound(accepted, comparisons) == pytest.approx(two_sided.high)


def test_without_comparisons_anything_can_be():
    assert upper_bound(0, 0) == upper_bound(5, 5) == 1.0


def test_the_rule_of_three():
    assert upper_bound(0, 10_000) == pytest.approx(3 / 10_000, rel=0.01)


def test_counts_lie_where_the_cosines_do():
    counts = histogram(np.array([-1.0, -0.9995, 0.0, 0.7, 0.7004, 1.0, 1.0000001]))
    assert counts.sum() == 7
    assert (counts[0], counts[1000], counts[1700], counts[1999]) == (2, 1, 2, 2)


def test_the_threshold_is_the_lowest_that_keeps_the_rate():
    cosines = np.linspace(0, 0.9, 100_001)
    made = rate_of(histogram(cosines), 1e-2)
    share_above = (cosines >= made.threshold).sum()
    assert made.accepted == share_above
    assert made.upper == upper_bound(share_above, len(cosines)) <= 1e-2
    assert upper_bound((cosines >= made.threshold - 0.001).sum(), len(cosines)) > 1e-2


@pytest.mark.parametrize(("comparisons", "resolved"), [(2995, True), (2994, False)])
def test_a_rate_of_a_thousandth_takes_three_thousand_comparisons(comparisons, resolved):
    made = rate_of(histogram(np.zeros(comparisons)), 1e-3)
    assert made.resolved == resolved
    assert np.isnan(made.threshold) != resolved
    if resolved:
        assert made.threshold == 0.001
