"""Images of two groups, however alike those of a subject are: against the definition, and in simulated worlds."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import beta, t

from accord.statistics.permuting.stochastic_order import order_p


def p_of(first, second):
    """Of images of as many subjects."""
    values, size = np.array([*first, *second], float), len(first)
    numbers = np.arange(len(values))
    return order_p(values, numbers, numbers < size, np.ones(len(values)))


@given(st.lists(st.integers(0, 5), min_size=2, max_size=30), st.lists(st.integers(0, 5), min_size=2, max_size=30))
def test_of_one_image_each_it_is_the_test_of_brunner_and_munzel_with_an_unseen_subject(first, second):
    """Their variance of the placements of each sample, and the squared distance of the one who speaks against it."""
    x, y = np.array(first), np.array(second)
    of_x, of_y = (y < x[:, np.newaxis]), (x < y[:, np.newaxis])
    of_x = of_x.mean(axis=1) + (y == x[:, np.newaxis]).mean(axis=1) / 2
    of_y = 1 - of_y.mean(axis=1) - (x == y[:, np.newaxis]).mean(axis=1) / 2
    top, bottom = max(*first, *second), min(*first, *second)
    ends = (y < top).mean() + (y == top).mean() / 2, 1 - (x == bottom).mean() / 2
    parts = [
        (some.var() * len(some) + (end - some.mean()) ** 2) / len(some) / (len(some) - 1)
        for some, end in zip((of_x, of_y), ends, strict=True)
    ]
    assume(of_x.mean() < 0.5 - 1e-9)
    freedom = sum(parts) ** 2 / sum(p**2 / (len(some) - 1) for p, some in zip(parts, (of_x, of_y), strict=True))
    expected = 2 * t.sf((0.5 - of_x.mean()) / np.sqrt(sum(parts)), freedom)
    np.testing.assert_allclose(p_of(first, second), expected, rtol=1e-9)


def test_who_all_score_alike_is_not_certain():
    """Three against two who share no score: a subject whom nobody saw could be on the other side. Of a hundred on
    each side hardly one is."""
    assert p_of([0, 0, 0], [1, 1]) > 0.05 > 1e-6 > p_of([0] * 100, [1] * 100)
    assert p_of([1, 1], [0, 0, 0]) == p_of([1, 1], [1, 1]) == 1


def test_the_order_of_images_and_the_numbers_of_subjects_change_nothing():
    rng = np.random.default_rng(3)
    values, units = rng.integers(0, 4, 40).astype(float), np.repeat(np.arange(10), 4)
    first, weights = np.arange(10) < 4, rng.uniform(0.5, 1, 10)
    shuffled = rng.permutation(40)
    one, other = order_p(values, units, first, weights), order_p(values[shuffled], units[shuffled], first, weights)
    assert one == pytest.approx(other, rel=1e-9)


def world(rng, likeness, gap=0.0, subjects=60, images=8, right=0.8):
    """Right or wrong of two groups: how alike a subject's images are in each, and by how much the first is worse."""
    first = np.arange(subjects) < subjects // 2
    alike = np.where(first, *likeness)[:, np.newaxis]
    latent = np.sqrt(alike) * rng.normal(size=(subjects, 1)) + np.sqrt(1 - alike) * rng.normal(size=(subjects, images))
    limits = np.where(first, *(np.quantile(rng.normal(size=100_000), right - by) for by in (gap, 0)))
    values = (latent < limits[:, np.newaxis]).astype(float)
    return values.ravel(), np.repeat(np.arange(subjects), images), first


@pytest.mark.parametrize("likeness", [(0.7, 0.2), (0.0, 0.75), (0.4, 0.4)])
def test_images_that_are_more_alike_in_one_group_are_no_difference(likeness):
    rng, worlds = np.random.default_rng(7), 400
    told = sum(order_p(*world(rng, likeness), np.ones(60)) < 0.05 for _ in range(worlds))
    # One-sided by what is asked: half of 5%, and no more than 400 worlds let be seen of 5%.
    assert beta.ppf(0.01, told, worlds - told + 1) < 0.05 if told else True


def test_a_difference_is_found_all_the_same():
    rng = np.random.default_rng(8)
    assert sum(order_p(*world(rng, (0.2, 0.7), gap=0.25), np.ones(60)) < 0.05 for _ in range(60)) >= 48
