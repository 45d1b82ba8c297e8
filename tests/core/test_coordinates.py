"""Units and conventions of coordinates: each mistake is named, whatever the box; right ones never are."""

import io

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from PIL import Image, ImageOps

from accord.imaging import coordinates
from accord.imaging.coordinates import PERCENT, PIXELS, SHARES, best_iou, corners_of, meaning, to_pixels, unit

WIDTH, HEIGHT = 900, 600
SIDES = np.array([WIDTH, HEIGHT, WIDTH, HEIGHT], float)


@st.composite
def boxes(draw):
    """A box of a face or a person in the picture, px, of 5% of its sides or more."""
    width, height = draw(st.integers(45, 700)), draw(st.integers(30, 500))
    x, y = draw(st.integers(0, WIDTH - width)), draw(st.integers(0, HEIGHT - height))
    return np.array([[x, y, width, height]], float)


MISTAKES = {
    "shares of the picture (0 to 1)": lambda box: box / SIDES,
    "percent of the picture (0 to 100)": lambda box: box / SIDES * 100,
    "corners (x_min, y_min, x_max, y_max)": lambda box: np.hstack([box[:, :2], box[:, :2] + box[:, 2:]]),
    "y, x, height, width": lambda box: box[:, [1, 0, 3, 2]],
    "px of a copy of the picture about 0.5 times its size": lambda box: box / 2,
    "px of a copy of the picture about 2 times its size": lambda box: box * 2,
}


@pytest.mark.parametrize("words", MISTAKES)
@given(box=boxes())
def test_each_mistake_has_a_reading_whatever_the_box(words, box):
    wrong = MISTAKES[words](box)
    assume(best_iou(wrong, box)[0] < coordinates.FITS)
    assert meaning(wrong, box, WIDTH, HEIGHT)
    assert meaning(box, box, WIDTH, HEIGHT) == ""


@pytest.mark.parametrize("words", MISTAKES)
def test_the_mistake_of_an_ordinary_box_is_named(words):
    box = np.array([[500.0, 250, 120, 160]])
    assert meaning(MISTAKES[words](box), box, WIDTH, HEIGHT) == words


@pytest.mark.parametrize("orientation", range(2, 9))
def test_boxes_of_the_picture_as_stored_are_turned_as_pillow_turns_it(orientation):
    stored = np.zeros((60, 90), np.uint8)
    stored[5:25, 50:85] = 255
    exif = Image.Exif()
    exif[0x0112] = orientation
    data = io.BytesIO()
    Image.fromarray(stored).save(data, "PNG", exif=exif)
    upright = np.asarray(ImageOps.exif_transpose(Image.open(data)))
    rows, columns = np.flatnonzero(upright.any(1)), np.flatnonzero(upright.any(0))
    seen = np.array([[columns[0], rows[0], len(columns), len(rows)]], float)
    height, width = upright.shape
    words = "px of the picture as stored, before its EXIF orientation is applied"
    assert meaning(np.array([[50.0, 5, 35, 20]]), seen, width, height, orientation) == words


def test_no_reading_that_fits_is_none():
    assert meaning(np.array([[10.0, 10, 80, 20]]), np.array([[700.0, 400, 20, 150]]), WIDTH, HEIGHT) == ""


@given(box=boxes())
def test_units_are_told_apart(box):
    points = corners_of(box)
    assert unit(points / SIDES[:2], WIDTH, HEIGHT) == SHARES
    percent = points / SIDES[:2] * 100
    assert unit(percent, WIDTH, HEIGHT) == PERCENT
    assert to_pixels(percent, PERCENT, WIDTH, HEIGHT) == pytest.approx(points)
    assert to_pixels(points / SIDES[:2], SHARES, WIDTH, HEIGHT) == pytest.approx(points)
    assert unit(points, WIDTH, HEIGHT) == (PERCENT if points.max() <= 105 else PIXELS)


def test_percent_must_show_in_three_pictures_and_shares_in_one():
    sizes = dict.fromkeys([*"abcd", *(f"p{n}" for n in range(19))], (WIDTH, HEIGHT))
    corner, middle = np.array([[10.0, 20], [60, 90]]), np.array([[400.0, 300], [500, 400]])
    for points, words in (
        (dict.fromkeys("abc", corner), "the points of 3 of 3 pictures lie within 0..100: they look like percent"),
        (dict.fromkeys("ab", corner), ""),
        (dict.fromkeys("abc", corner) | {"d": middle}, ""),
        (dict.fromkeys("abc", corner) | {"d": middle / 1000}, "look like percent"),
        ({"a": middle / 1000}, "the points of 1 of 1 pictures lie within 0..1: they look like shares"),
        ({f"p{n}": corner for n in range(19)} | {"d": middle}, "the points of 19 of 20 pictures"),
        ({f"p{n}": middle / 1000 for n in range(9)} | {"d": middle}, "the points of 9 of 10 pictures"),
        ({f"p{n}": middle / 1000 for n in range(8)} | {"d": middle}, ""),
        ({}, ""),
    ):
        told = coordinates.mistake(points, sizes)
        assert (words in told) if words else told == ""


def test_points_of_tables_are_corners_of_boxes_and_keypoints():
    nothing = dict.fromkeys(("face_x", "face_y", "face_width", "face_height"), np.nan)
    box = {"person_x": 10.0, "person_y": 20.0, "person_width": 30.0, "person_height": 40.0}
    found = coordinates.points_by_image(pd.DataFrame([{"image": "a", **nothing, **box}]))
    assert found["a"].tolist() == [[10, 20], [40, 60]]
    found = coordinates.points_by_image(pd.DataFrame({"image": ["b", "b"], "x": [1.0, 2], "y": [3.0, 4]}))
    assert found["b"].tolist() == [[1, 3], [2, 4]]


def test_without_points_and_in_small_pictures_nothing_is_guessed():
    assert unit(np.empty((0, 2)), WIDTH, HEIGHT) == PIXELS
    assert unit(np.array([[5.0, 5], [90, 90]]), 128, 96) == PIXELS
    assert unit(np.array([[np.nan, 5]]), WIDTH, HEIGHT) == PIXELS
