"""Proof by pixels: what is left of a region, what shows of it, and what fills have in common with it by chance."""

import numpy as np
import pytest

from accord.privacy.proof import declared

SHAPE = (200, 240)


@pytest.fixture
def mask():
    inside = np.zeros(SHAPE, bool)
    inside[40:160, 60:180] = True
    return inside


@pytest.fixture
def filled(picture, mask):
    """The picture with a fill of its own: other grain, and none of what was there."""
    after = picture.copy()
    after[mask] = np.random.default_rng(1).normal(130, 4, (int(mask.sum()), 3)).clip(0, 255)
    return after


def test_of_a_fill_nothing_is_left_and_nothing_shows(picture, filled, mask):
    assert declared.left(picture, filled, mask) < 0.01
    assert declared.shows(picture, filled, mask) < 0.5


def test_the_original_is_left_and_shows(picture, mask):
    assert declared.left(picture, picture, mask) == 1.0
    assert declared.shows(picture, picture, mask) == 1.0


@pytest.mark.parametrize("share", [0.05, 0.15, 0.5])
def test_a_part_that_is_not_painted_is_found(picture, filled, mask, share):
    rows = 40 + round(120 * share)
    filled[40:rows] = picture[40:rows]
    assert declared.left(picture, filled, mask) == pytest.approx(share, abs=0.02)
    assert declared.shows(picture, filled, mask) == 1.0


@pytest.mark.parametrize("strength", [0.3, 0.5, 0.9])
def test_a_ghost_shows(picture, filled, mask, strength):
    ghost = (filled * (1 - strength) + picture * strength).round().astype(np.uint8)
    ghost[mask] = (picture[mask] * strength + 100 * (1 - strength)).round()
    assert declared.shows(picture, ghost, mask) > 0.8


def test_a_ghost_of_a_part_shows(picture, filled, mask):
    filled[60:120, 80:140] = picture[60:120, 80:140] // 2 + 60
    assert declared.shows(picture, filled, mask) > 0.8


def test_negative_and_brighter_copies_are_painted_yet_tell_all(picture, filled, mask):
    filled[mask] = picture[mask] + 1
    assert declared.left(picture, filled, mask) == 0.0
    assert declared.shows(picture, filled, mask) > 0.99


@pytest.mark.parametrize("level", [0, 128, 255])
def test_what_is_of_one_colour_tells_nothing(mask, level):
    flat = np.full((*SHAPE, 3), level, np.uint8)
    assert declared.left(flat, flat, mask) == declared.shows(flat, flat, mask) == 0.0


def test_a_flat_shape_tells_its_outline(mask):
    before = np.full((*SHAPE, 3), 90, np.uint8)
    before[80:120, 100:140] = 10
    assert declared.left(before, before, mask) == 1.0
    after = np.full_like(before, 90)
    assert declared.left(before, after, mask) == 0.0 and declared.shows(before, after, mask) < 0.01


def test_white_around_letters_is_no_letter(mask):
    before = np.full((*SHAPE, 3), 255, np.uint8)
    before[60:140:10, 80:160] = 0
    after = np.full_like(before, 255)
    assert declared.left(before, after, mask) == 0.0


def test_grain_of_the_dark_is_no_evidence(mask):
    noise = [np.random.default_rng(seed).integers(0, 3, (*SHAPE, 3), dtype=np.uint8) for seed in (1, 2)]
    assert declared.left(*noise, mask) == 0.0
    assert declared.shows(*noise, mask) < 0.5


@pytest.mark.parametrize("at", [(slice(0, 1), slice(0, 1)), (slice(0, 3), slice(None)), (slice(199, 200), slice(5, 9))])
def test_the_smallest_regions_are_judged(picture, at):
    mask = np.zeros(SHAPE, bool)
    mask[at] = True
    other = np.roll(picture, 7, axis=1)
    assert declared.left(picture, other, mask) <= 0.1
    assert 0 <= declared.shows(picture, picture, mask) <= 1


def test_large_regions_are_compared_at_a_bounded_size(monkeypatch, picture, filled, mask):
    monkeypatch.setattr(declared, "LARGEST", 60)
    assert declared.shows(picture, filled, mask) < 0.7
    filled[mask] = picture[mask] + 1
    assert declared.shows(picture, filled, mask) > 0.9


def test_polygons_off_the_picture_cover_nothing():
    for polygon in ([-9, -9, -2, -9, -2, 5], [300, 10, 340, 10, 340, 40], [10, 300, 40, 300, 40, 340], [5, 5] * 3):
        assert not declared.filled(polygon, SHAPE).any()
    assert declared.filled([-1e6, -1e6, 1e6, -1e6, 1e6, 1e6, -1e6, 1e6], SHAPE).all()
