"""Sizes, rectangles of faces, homographies."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.release.format import geometry
from accord.release.format.geometry import Size
from accord.release.format.scaled import person_boxes

point = st.tuples(st.floats(0, 2000), st.floats(0, 2000))
angle = st.floats(-3.1, 3.1)


def test_the_longest_side_is_2048_in_the_same_proportion():
    assert geometry.downsampled(Size(4000, 3000), 2048) == Size(2048, 1536)
    assert geometry.downsampled(Size(3000, 4000), 2048) == Size(1536, 2048)
    assert geometry.downsampled(Size(2048, 100), 2048) == Size(2048, 100)
    assert geometry.downsampled(Size(5000, 1), 50) == Size(50, 1)


def test_the_square_of_an_upright_face_by_hand():
    # Eyes 100 apart at y 100, mouth at y 200: eyes to mouth 100, so half the side is max(2 * 100, 1.8 * 100) = 200,
    # around (150, 100 + 0.1 * 100).
    square = geometry.ffhq_rectangle((100, 100), (200, 100), (120, 200), (180, 200))
    np.testing.assert_allclose(square, [[-50, -90], [-50, 310], [350, 310], [350, -90]])


def test_a_long_face_is_measured_from_eyes_to_mouth():
    square = geometry.ffhq_rectangle((140, 100), (160, 100), (145, 200), (155, 200))
    np.testing.assert_allclose(square[3] - square[0], [2 * 180, 0])


def test_no_square_where_the_points_coincide():
    assert geometry.ffhq_rectangle((5, 5), (5, 5), (5, 5), (5, 5)) is None


@given(st.tuples(*[point] * 4), angle, st.floats(0.2, 5))
def test_the_square_turns_and_grows_with_the_face(points, turn, factor):
    points = np.array(points)
    square = geometry.ffhq_rectangle(*points)
    if square is None or np.hypot(*(square[3] - square[0])) < 1:
        return
    across, down = square[3] - square[0], square[1] - square[0]
    assert np.hypot(*across) == pytest.approx(np.hypot(*down))
    assert across @ down == pytest.approx(0, abs=1e-6 * (across @ across))
    matrix = factor * np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    np.testing.assert_allclose(geometry.ffhq_rectangle(*(points @ matrix.T)), square @ matrix.T, atol=1e-6, rtol=1e-6)


@given(st.tuples(*[point] * 4), st.integers(16, 512))
def test_the_homography_takes_the_square_to_the_picture(points, side):
    square = geometry.ffhq_rectangle(*points)
    if square is None or np.hypot(*(square[3] - square[0])) < 1:
        return
    corners = geometry.moved(square, geometry.to_square(square, side))
    np.testing.assert_allclose(corners, [[0, 0], [0, side], [side, side], [side, 0]], atol=1e-6)


def test_a_crop_is_twice_the_box_about_its_centre():
    assert geometry.crop_window(np.array([100, 50, 40, 60]), Size(500, 500)) == (80, 20, 160, 140)
    assert geometry.crop_window(np.array([0, 0, 40, 60]), Size(500, 500)) == (-20, -30, 60, 90)


def test_a_box_counts_as_far_as_it_lies_in_the_picture():
    assert geometry.crop_window(np.array([90, 0, 1e9, 10]), Size(100, 100)) == (85, -5, 105, 15)
    assert geometry.crop_window(np.array([100, 0, 10, 10]), Size(100, 100)) is None


@given(st.floats(-50, 150), st.floats(-50, 150), st.floats(0.01, 200), st.floats(0.01, 200))
def test_a_crop_always_shows_some_of_the_picture(x, y, width, height):
    window = geometry.crop_window(np.array([x, y, width, height]), Size(90, 100))
    if window is not None:
        left, upper, right, lower = window
        assert left < right and upper < lower
        assert left <= 89 and upper <= 99 and right >= 1 and lower >= 1


def test_the_homography_of_a_crop_scales_to_its_pixels():
    homography = geometry.to_crop((10, 20, 30, 60), Size(40, 80))
    np.testing.assert_allclose(
        geometry.moved(np.array([[10, 20], [30, 60], [20, 40]]), homography), [[0, 0], [40, 80], [20, 40]]
    )


def test_the_person_box_is_the_smallest_around_all_segments():
    import pandas as pd

    polygons = [[1.0, 2, 5, 2, 5, 4], [3.0, 3, 9.5, 3, 4, 8]]
    rows = pd.DataFrame({"image": "i", "subject": "s", "polygon": polygons})
    np.testing.assert_allclose(person_boxes(rows)["i", "s"], [1, 2, 8.5, 6])
