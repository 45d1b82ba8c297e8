"""Windows map back to the picture exactly; overlaps are counted as they should be."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.models.adapters.blaze import anchors
from accord.models.adapters.blazepeople import around_mask, put_back
from accord.models.adapters.declaring import geometry
from accord.models.adapters.declaring.area_means import AreaMeans
from accord.models.adapters.mtcnn import inside, moved, scales, squares


@pytest.mark.parametrize("shape", [(400, 400), (300, 640), (640, 200), (1000, 1500)])
@pytest.mark.parametrize("angle", [0.0, 0.7, -2.0])
def test_a_dot_seen_in_a_window_maps_back_to_where_it_was_drawn(shape, angle):
    height, width = shape
    picture = np.zeros((*shape, 3), np.uint8)
    x, y = width * 0.4, height * 0.6
    window = geometry.whole(picture)
    half = int(window.side / 20)
    picture[round(y) - half : round(y) + half, round(x) - half : round(x) + half] = 255
    window = geometry.Window(window.x, window.y, window.side, angle)
    seen = geometry.cut(picture, window, 200)[:, :, 0].astype(float)
    # A window's corners are where the centres of pixels are (MediaPipe's way).
    rows, columns = np.indices(seen.shape)
    place = np.array([(columns * seen).sum(), (rows * seen).sum()]) / seen.sum() / 200
    np.testing.assert_allclose(window.to_picture(place), [round(x) - 0.5, round(y) - 0.5], atol=window.side / 400)


def test_a_letterbox_pads_with_black_and_keeps_the_picture():
    picture = np.full((100, 200, 3), 90, np.uint8)
    seen = geometry.cut(picture, geometry.whole(picture), 200)
    assert not seen[:49].any()
    assert not seen[151:].any()
    np.testing.assert_array_equal(seen[51:149], 90)


def test_a_window_of_the_picture_s_own_size_is_the_picture():
    picture = np.random.default_rng(1).integers(0, 256, (64, 64, 3), np.uint8)
    np.testing.assert_array_equal(geometry.cut(picture, geometry.whole(picture), 64), picture)


def test_a_quarter_turn_shows_the_picture_turned():
    picture = np.random.default_rng(2).integers(0, 256, (64, 64, 3), np.uint8)
    turned = geometry.cut(picture, geometry.Window(32, 32, 64, np.pi / 2), 64)
    # The window is turned clockwise, so what it shows is turned anticlockwise; its first row lies beside the picture.
    rows, columns = np.mgrid[1:64, 0:64]
    difference = np.abs(turned[1:].astype(int) - picture[columns, 64 - rows].astype(int))
    assert difference.max() <= 2
    assert not turned[0].any()
    edge = geometry.cut(picture, geometry.Window(32, 32, 64, np.pi / 2), 64, "edge")
    np.testing.assert_array_equal(edge[0], picture[:, 63])


@given(st.floats(-50, 900), st.floats(-50, 900), st.floats(20, 800), st.floats(-3, 3), st.floats(0, 1), st.floats(0, 1))
def test_points_of_a_window_keep_their_distance_from_its_centre(x, y, side, angle, u, v):
    place = geometry.Window(x, y, side, angle).to_picture(np.array([u, v]))
    assert np.hypot(*(place - (x, y))) == pytest.approx(side * np.hypot(u - 0.5, v - 0.5), abs=1e-6)


def test_put_back_undoes_cut():
    picture = np.zeros((120, 200, 3), np.uint8)
    picture[40:90, 60:130] = 255
    window = geometry.Window(95, 60, 150, 0.4)
    back = put_back(geometry.cut(picture, window, 300)[:, :, 0].astype(np.float32) / 255, window, (120, 200)) > 0.5
    truth = picture[:, :, 0] > 0
    assert (back & truth).sum() / (back | truth).sum() > 0.98
    assert np.abs(np.subtract(around_mask(back), (60, 40, 130, 90))).max() <= 1


def test_overlap_by_hand():
    box, others = np.array([0.0, 0, 10, 10]), np.array([[5.0, 0, 15, 10], [2, 2, 4, 4], [10, 0, 20, 10]])
    np.testing.assert_allclose(geometry.overlaps(box, others), [50 / 150, 4 / 100, 0])
    np.testing.assert_allclose(geometry.overlaps(box, others, of_smaller=True), [0.5, 1, 0])


def test_suppression_keeps_the_best_of_what_overlaps():
    boxes = np.array([[0.0, 0, 10, 10], [1, 0, 11, 10], [30, 30, 40, 40], [0, 0, 9, 10]])
    assert geometry.suppress(boxes, np.array([0.5, 0.9, 0.4, 0.8]), 0.3).tolist() == [1, 2]
    assert geometry.suppress(np.zeros((0, 4)), np.zeros(0), 0.3).tolist() == []


def test_blending_weighs_by_score():
    rows = np.array([[0.0, 0, 10, 10, 4], [2, 0, 12, 10, 8], [50, 50, 60, 60, 1]])
    means, best = geometry.blend(rows, np.array([0.9, 0.3, 0.6]), 0.3)
    np.testing.assert_allclose(means, [[0.5, 0, 10.5, 10, 5], [50, 50, 60, 60, 1]])
    assert best.tolist() == [0.9, 0.6]


def test_anchors_are_cell_centres_row_by_row():
    np.testing.assert_allclose(anchors(4, [(2, 1)]), [[0.25, 0.25], [0.75, 0.25], [0.25, 0.75], [0.75, 0.75]])
    assert len(anchors(224, [(8, 2), (16, 2), (32, 6)])) == 2254  # the rows of the detector's output
    assert len(anchors(192, [(4, 1)])) == 2304


def test_mtcnn_boxes_by_hand():
    box = np.array([[10.0, 20, 30, 60]])
    np.testing.assert_allclose(squares(box), [[0, 20, 40, 60]])
    np.testing.assert_allclose(moved(box, np.array([[0.1, -0.1, 0.5, 0]])), [[12, 16, 40, 60]])
    np.testing.assert_allclose(moved(box, np.array([[0.1, -0.1, 0.5, 0]]), counted=1), [[12.1, 15.9, 40.5, 60]])
    assert scales((24, 100), 12) == pytest.approx([1, 0.709, 0.709**2])


def test_mtcnn_s_boxes_show_the_pixels_that_the_picture_has():
    boxes = np.array([[1.0, 1, 10, 20], [-3.5, 2.9, 99, 99], [41, 5, 60, 9], [-9, 1, 0, 5]])
    spans = inside(boxes, height=30, width=40)
    np.testing.assert_array_equal(spans[:2], [[0, 0, 10, 20], [0, 1, 40, 30]])
    assert ((spans[2:, 2:] - spans[2:, :2]).min(axis=1) <= 0).all()


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.data())
def test_means_of_areas_are_those_of_torch(seed, data):
    """Its `area` interpolation, which networks were trained with: the same bits, of any part at any size."""
    import torch

    picture = np.random.default_rng(seed).integers(0, 256, (37, 53, 3), np.uint8)
    x0, y0 = data.draw(st.integers(0, 52)), data.draw(st.integers(0, 36))
    x1, y1 = data.draw(st.integers(x0 + 1, 53)), data.draw(st.integers(y0 + 1, 37))
    size = data.draw(st.integers(1, 60)), data.draw(st.integers(1, 60))
    part = torch.from_numpy(picture[y0:y1, x0:x1].transpose(2, 0, 1).astype(np.float32))[None]
    theirs = torch.nn.functional.interpolate(part, size=size, mode="area")[0].permute(1, 2, 0).numpy()
    np.testing.assert_array_equal(AreaMeans(picture).of(x0, y0, x1, y1, size), theirs)


def test_sums_of_a_large_picture_don_t_overflow():
    """From 8.4 megapixels on they no longer fit into 32 bits."""
    white = np.full((2900, 2910, 3), 255, np.uint8)
    means = AreaMeans(white)
    np.testing.assert_allclose(means.of(0, 0, 2910, 2900, (3, 4)), 255, rtol=1e-6)
    np.testing.assert_allclose(means.of(2900, 2890, 2910, 2900, (2, 2)), 255, rtol=1e-6)
