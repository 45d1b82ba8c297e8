import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.imaging.masks import rasterise
from accord.imaging.regions import region_mask, window_around

SQUARE = [10, 20, 30, 20, 30, 40, 10, 40]


def test_a_polygon_covers_its_pixels_corners_included():
    mask = rasterise([SQUARE], (60, 50))
    expected = np.zeros((60, 50), bool)
    expected[20:41, 10:31] = True
    assert (mask == expected).all()


def test_a_region_is_grown_by_two_pixels_and_three_percent():
    mask = region_mask(SQUARE, (60, 50))
    rows, columns = np.flatnonzero(mask.any(1)), np.flatnonzero(mask.any(0))
    assert (rows[0], rows[-1], columns[0], columns[-1]) == (17, 43, 7, 33)
    assert not mask[17, 7]


def test_the_gap_between_legs_is_closed_and_a_wide_one_is_not():
    legs = [20, 10, 80, 10, 80, 110, 54, 110, 54, 50, 46, 50, 46, 110, 20, 110]
    assert region_mask(legs, (130, 130))[80, 50]
    apart = [20, 10, 80, 10, 80, 110, 70, 110, 70, 50, 30, 50, 30, 110, 20, 110]
    assert not region_mask(apart, (130, 130))[80, 50]


def test_what_lies_between_a_region_and_the_picture_s_edge_is_no_bay():
    mask = region_mask([6, 20, 66, 20, 66, 70, 6, 70], (90, 130))
    rows, columns = np.flatnonzero(mask.any(1)), np.flatnonzero(mask.any(0))
    assert (rows[0], rows[-1], columns[0], columns[-1]) == (16, 74, 2, 70)


def test_the_gap_between_legs_is_closed_down_to_the_picture_s_edge():
    legs = [20, 10, 80, 10, 80, 110, 54, 110, 54, 50, 46, 50, 46, 110, 20, 110]
    assert region_mask(legs, (100, 130))[50:, 50].all()


def test_a_region_that_is_wound_twice_is_the_same_region():
    assert (region_mask(SQUARE * 2, (60, 50)) == region_mask(SQUARE, (60, 50))).all()


def test_a_polygon_outside_the_image_covers_nothing():
    assert not region_mask([900, 900, 950, 900, 950, 950], (60, 50)).any()
    assert not rasterise([], (4, 5)).any()


@settings(max_examples=60, deadline=None)
@given(
    st.tuples(st.integers(20, 300), st.integers(20, 300)),
    st.tuples(*[st.floats(0, 0.95)] * 4),
    st.integers(1, 200),
)
def test_a_window_lies_in_the_image_and_holds_the_mask(shape, box, smallest):
    mask = np.zeros(shape, bool)
    top, left = int(box[0] * shape[0]), int(box[1] * shape[1])
    mask[top : top + 1 + int(box[2] * shape[0]), left : left + 1 + int(box[3] * shape[1])] = True
    window = window_around(mask, smallest)
    assert window.top >= 0 and window.left >= 0
    assert window.of(mask).sum() == mask.sum()
    assert window.of(mask).shape[0] >= min(smallest, shape[0])
    assert window.of(mask).shape[1] >= min(smallest, shape[1])
