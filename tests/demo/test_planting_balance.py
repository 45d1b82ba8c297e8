"""Balanced draws, and masks as polygons."""

from collections import Counter

import cv2
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from accord_demo.balance import balanced
from accord_demo.polygons import fill, outline, polygons


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**31), st.integers(10, 150), st.integers(2, 6), st.integers(2, 6))
def test_levels_meet_about_equally_often(seed, count, first, second):
    units = balanced(np.random.default_rng(seed), count, {"a": range(first), "b": range(second)})
    for name, levels in (("a", first), ("b", second)):
        counts = Counter(unit[name] for unit in units)
        assert max(abs(counts[level] - count / levels) for level in range(levels)) <= 2
    pairs = Counter((unit["a"], unit["b"]) for unit in units)
    assert max(abs(pairs[(i, j)] - count / first / second) for i in range(first) for j in range(second)) <= 2


def test_shares_are_kept():
    units = balanced(np.random.default_rng(0), 200, {"a": {"x": 0.45, "y": 0.45, "z": 0.1}})
    assert Counter(unit["a"] for unit in units) == {"x": 90, "y": 90, "z": 20}


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**31))
def test_polygons_fill_to_the_mask_that_they_were_made_of(seed):
    rng = np.random.default_rng(seed)
    mask = np.zeros((160, 200), np.uint8)
    for value in (1, 1, 1, 0, 0):
        centre, axes = rng.integers(30, 130, 2).tolist(), rng.integers(8, 45, 2).tolist()
        cv2.ellipse(mask, centre, axes, float(rng.uniform(0, 180)), 0, 360, value, -1)
    found = polygons(mask.astype(bool))
    drawn = fill(found, mask.shape)
    edge = cv2.dilate(cv2.Canny(mask * 255, 50, 100), np.ones((5, 5), np.uint8)) > 0
    small = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8)).astype(bool)
    wrong = (drawn & ~mask.astype(bool)) | (small & ~drawn)
    # A cut to a hole is drawn as a line of one pixel: it alone may lie off the edges.
    assert (wrong & ~edge).sum() <= 100
    assert all(len(polygon) >= 3 for polygon in found)


def test_a_hole_stays_open_and_an_outline_fills_it():
    mask = np.zeros((100, 100), bool)
    mask[10:90, 10:90] = True
    mask[40:60, 40:60] = False
    (ring,) = polygons(mask)
    assert not fill([ring], mask.shape)[45:56, 45:56].any()
    assert fill([ring], mask.shape)[12:35, 12:88].all()
    assert fill(outline(mask), mask.shape)[10:90, 10:90].all()
    assert outline(mask) == [[[10, 10], [10, 89], [89, 89], [89, 10]]]


def test_specks_are_left_out():
    mask = np.zeros((50, 50), bool)
    mask[5:7, 5:7] = True
    assert polygons(mask) == []
    assert len(polygons(mask, scale=0.1)) == 1
