"""Masks of polygons against the winding number of each pixel, edge by edge, and against OpenCV for simple outlines."""

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.imaging import masks
from accord.imaging.masks import covers_any, rasterise
from accord.privacy.proof import declared

SHAPE = (50, 60)
SQUARE = [10.0, 10.0, 40.0, 10.0, 40.0, 30.0, 10.0, 30.0]


def winding(polygon, shape=SHAPE):
    """Sunday's winding number of every pixel, from the side of each edge on which it lies."""
    rows, columns = np.mgrid[: shape[0], : shape[1]]
    corners = np.round(np.reshape(polygon, (-1, 2)))
    found = np.zeros(shape, int)
    for (x, y), (next_x, next_y) in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        side = (next_x - x) * (rows - y) - (columns - x) * (next_y - y)
        found += ((y <= rows) & (next_y > rows) & (side > 0)).astype(int)
        found -= ((y > rows) & (next_y <= rows) & (side < 0)).astype(int)
    return found


def outline(polygon, shape=SHAPE):
    drawn = np.zeros(shape, np.uint8)
    cv2.polylines(drawn, [np.round(np.reshape(polygon, (-1, 2))).astype(np.int32)], True, 1)
    return drawn > 0


polygons = st.lists(st.tuples(st.integers(-20, 80), st.integers(-20, 70)), min_size=3, max_size=12).map(np.ravel)


@settings(max_examples=200, deadline=None)
@given(polygons)
def test_what_is_wound_around_is_inside(polygon):
    expected = winding(polygon) != 0
    assert (rasterise([polygon], SHAPE) == expected | outline(polygon)).all()
    assert covers_any(polygon, SHAPE) == expected.any()


@settings(max_examples=100, deadline=None)
@given(polygons)
def test_the_proof_has_the_same_masks_by_other_means(polygon):
    """But for their outlines, of which no pixel's centre is inside for certain."""
    expected, border = winding(polygon) != 0, cv2.dilate(outline(polygon).astype(np.uint8), np.ones((3, 3))) > 0
    mask = declared.filled(polygon, SHAPE)
    assert (mask[~border] == expected[~border]).all()
    assert not (mask & ~rasterise([polygon], SHAPE)).any()


@pytest.mark.parametrize("fill", [lambda polygon: rasterise([polygon], SHAPE), lambda p: declared.filled(p, SHAPE)])
@pytest.mark.parametrize(
    "polygon",
    [
        SQUARE * 2,
        SQUARE * 3,
        [*SQUARE, 10, 10, 40, 10, 40, 30, 10, 30, 10, 10],
        [10, 10, 40, 10, 40, 30, 10, 30, 10, 10, 5, 5, 45, 5, 45, 40, 5, 40, 5, 5],
    ],
)
def test_an_outline_that_is_wound_twice_is_filled(fill, polygon):
    assert fill(polygon)[12:29, 12:39].all()


def test_where_an_outline_crosses_itself_is_inside():
    star = np.array([[30 + 24 * np.cos(a), 25 + 24 * np.sin(a)] for a in np.arange(5) * 4 * np.pi / 5])
    assert rasterise([star.ravel()], SHAPE)[25, 30] and declared.filled(star.ravel(), SHAPE)[25, 30]


def test_a_hole_that_is_cut_into_an_outline_stays():
    keyhole = [5, 5, 45, 5, 45, 40, 5, 40, 5, 5, 15, 15, 15, 30, 35, 30, 35, 15, 15, 15]
    assert not rasterise([keyhole], SHAPE)[20, 25] and not declared.filled(keyhole, SHAPE)[20, 25]


def test_an_outline_there_and_back_has_no_inside():
    there = np.reshape(SQUARE, (-1, 2))
    assert not covers_any(np.concatenate([there, there[:1], there[::-1]]).ravel(), SHAPE)


@settings(max_examples=50, deadline=None)
@given(st.integers(3, 40), st.floats(5, 24), st.floats(0, 3))
def test_simple_outlines_are_filled_as_opencv_fills_them(corners, radius, turn):
    # Inside the picture: where it cuts an outline, OpenCV draws the rest of the line by a pixel aside.
    around = turn + np.arange(corners) * 2 * np.pi / corners
    polygon = np.stack([30 + radius * np.cos(around), 25 + radius * np.sin(around)], 1)
    expected = np.zeros(SHAPE, np.uint8)
    cv2.fillPoly(expected, [np.round(polygon).astype(np.int32)], 1)
    assert (rasterise([polygon.ravel()], SHAPE) == (expected > 0)).all()


def test_large_pictures_are_filled_in_bands(monkeypatch):
    whole = rasterise([SQUARE * 2], SHAPE)
    monkeypatch.setattr(masks, "CELLS", 64)
    assert (rasterise([SQUARE * 2], SHAPE) == whole).all()
    far = [-1e6, 20, 1e6, 20, 1e6, 30, -1e6, 30]
    assert rasterise([far], SHAPE)[20:31].all() and rasterise([far], SHAPE).sum() == 11 * SHAPE[1]
