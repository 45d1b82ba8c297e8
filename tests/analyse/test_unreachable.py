"""What no deal reaches, against the exact tail of deals of zeros and ones, and against deals."""

import numpy as np
import pytest
from scipy import sparse
from scipy.stats import hypergeom

from accord.statistics.permuting import dealing, permutation
from accord.statistics.permuting.unreachable import CHANCE, unreachable
from accord.statistics.permuting.weighing import weighing


@pytest.mark.parametrize(
    ("subjects", "ones", "group"), [(200, 30, 60), (2000, 40, 150), (2000, 900, 1000), (500, 5, 400)]
)
def test_nothing_that_deals_reach_is_out_of_reach(subjects, ones, group):
    """Of zeros and ones the sum of a group is hypergeometric: where a deal might reach it, nothing else is said."""
    scores = np.where(np.arange(subjects) < ones, 1.0, 0.0) - ones / subjects
    inside = sparse.csr_array((np.arange(subjects) < group).astype(float)[np.newaxis])
    alone = weighing(inside, np.zeros(subjects, int), scores, np.ones(subjects)).alone
    far = 0
    for reached in range(min(ones, group) + 1):
        least = (reached - group * ones / subjects) * alone[0]
        if unreachable(inside, scores, np.zeros(subjects, int), alone, least, 1000):
            far += 1
            assert 1000 * hypergeom.sf(reached - 1, subjects, ones, group) < CHANCE
    assert (far > 0) == (ones >= 40)


def test_strata_count_each_for_itself(rng):
    """What is far out among all is not where a stratum's subjects are nearly all in the group."""
    scores, strata = np.repeat([-1.0, 1.0], 400), np.tile([0, 1], 400)
    half = sparse.csr_array((np.arange(800) >= 400).astype(float)[np.newaxis])
    alone = weighing(half, strata, scores, np.ones(800)).alone
    least = float((half @ scores * alone)[0])
    assert least > 25 and unreachable(half, scores, strata, alone, least, 10**6)
    assert not unreachable(half, scores, strata, alone, 6.0, 10**6)


def test_p_is_that_of_all_deals(rng, monkeypatch):
    labels = rng.integers(0, 3, 2000)
    values, strata = rng.random(2000) - 0.3 * (labels == 1), rng.integers(0, 4, 2000)
    member = sparse.csr_array((labels[:, np.newaxis] == np.arange(3)).astype(float))
    told = permutation.max_difference_p(values, member, strata, 500, np.random.default_rng(1))
    asked = []
    monkeypatch.setattr(permutation, "unreachable", lambda *given: asked.append(unreachable(*given)))
    assert told == permutation.max_difference_p(values, member, strata, 500, np.random.default_rng(1)) == 1 / 501
    assert asked == [True]


def test_dealt_is_only_for_what_can_be_reached(rng, monkeypatch):
    labels = rng.integers(0, 3, 2000)
    values = rng.random(2000) - 0.5 * (labels == 1)
    member = sparse.csr_array((labels[:, np.newaxis] == np.arange(3)).astype(float))
    monkeypatch.setattr(dealing, "deal", lambda *_: pytest.fail("nothing is to be dealt"))
    assert permutation.max_difference_p(values, member, np.zeros(2000, int), 500, rng) == 1 / 501
