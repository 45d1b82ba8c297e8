"""Productive patterns: a word that adds nothing is left out, however it was picked; one that adds stays."""

import numpy as np

from accord.analyse.explaining.binary_features import Items
from accord.analyse.explaining.mined import candidates
from accord.analyse.explaining.productive import productive

IMAGES = 3
CAUSE, OTHER = 0, 1


def searched(rng, rate, subjects=80, noise=10, images=None):
    """Ten items that errors have nothing to do with, and two that `rate` (cause, other) -> (n,) knows."""
    owner = np.repeat(np.arange(subjects), images if images is not None else IMAGES)
    n = len(owner)
    marks = np.column_stack([rng.random((n, 2 + noise // 2)) < 0.4, rng.random((subjects, noise // 2))[owner] < 0.4])
    errors = rng.random(n) < rate(marks[:, CAUSE], marks[:, OTHER])
    found = candidates(Items(marks, tuple(map(str, range(marks.shape[1])))), owner, 0.05, 3, 10)
    return found, errors, owner


def kept(rng, found, errors, owner):
    """The sets of several that stay, where all go with errors."""
    chosen, p = productive(found, np.zeros(len(found.sets)), errors, owner, 1, rng)
    assert (p < 0.05).all() and all(p[i] == 0 for i, one in enumerate(chosen) if len(found.sets[one]) == 1)
    return {found.sets[one] for one in chosen if len(found.sets[one]) > 1}


def of_cause(cause, other):
    return np.where(cause, 0.35, 0.05)


def test_the_largest_of_many_excesses_beside_a_cause_is_left_out(rng):
    named = [kept(rng, *searched(rng, of_cause)) for _ in range(10)]
    assert sum(any(CAUSE in some for some in sets) for sets in named) <= 1


def test_so_it_is_where_subjects_have_unequal_numbers_of_images(rng):
    """Errors cluster in subjects, half the noise is of subjects, and so each set beside the cause."""
    false = 0
    for _ in range(10):
        images = rng.choice([1, 2, 6], 80)
        bad = np.repeat(rng.random(80) < 0.3, images)
        found = searched(rng, lambda cause, other, bad=bad: np.where(bad, 0.4, 0.02) + 0.3 * cause, images=images)
        false += any(CAUSE in some for some in kept(rng, *found))
    assert false <= 1


def test_two_that_only_matter_together_stay_and_nothing_beside_them(rng):
    found = searched(rng, lambda cause, other: np.where(cause & other, 0.8, 0.05))
    assert kept(rng, *found) == {(CAUSE, OTHER)}


def only(found, chosen):
    """p of a search in which one set alone goes with errors."""
    return np.where(np.arange(len(found.sets)) == found.sets.index(chosen), 0.01, 1.0)


def test_of_a_set_that_a_part_explains_the_part_is_told(rng):
    found, errors, owner = searched(rng, lambda cause, other: np.where(cause, 0.8, 0.05))
    chosen, p = productive(found, only(found, (CAUSE, OTHER)), errors, owner, 1, rng)
    assert [found.sets[one] for one in chosen] == [(CAUSE,)] and 0.01 <= p[0] < 0.05


def test_of_a_set_that_either_part_explains_neither_is_told(rng):
    found, errors, owner = searched(rng, lambda cause, other: np.full(len(cause), 0.2))
    assert len(productive(found, only(found, (CAUSE, OTHER)), errors, owner, 1, rng)[0]) == 0


def test_what_goes_with_no_errors_is_not_told(rng):
    found, errors, owner = searched(rng, of_cause)
    assert [len(made) for made in productive(found, np.ones(len(found.sets)), errors, owner, 1, rng)] == [0, 0]
