"""The rasteriser against a brute-force reference, and the camera against hand-computed projections."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord_demo.scene import raster as module
from accord_demo.scene.camera import Camera, DepthMap
from accord_demo.scene.raster import Buffers, raster

SIZE = 16
coordinate = st.floats(-6, 22, width=32)
corner = st.tuples(coordinate, coordinate, st.floats(0.125, 4, width=32))


def weights(triangle, x, y):
    """Exact barycentric weights in double precision, or None for a degenerate triangle."""
    (x0, y0, _), (x1, y1, _), (x2, y2, _) = triangle
    area = (x1 - x0) * (y2 - y0) - (y1 - y0) * (x2 - x0)
    if abs(area) < 1e-3:
        return None
    w1 = ((x - x0) * (y2 - y0) - (y - y0) * (x2 - x0)) / area
    w2 = ((x1 - x0) * (y - y0) - (y1 - y0) * (x - x0)) / area
    return 1 - w1 - w2, w1, w2


def brute(triangles, x, y):
    """Inverse depths of all triangles at a point, with how safely each is hit or missed."""
    hits, unsure = {}, False
    for i, triangle in enumerate(triangles):
        w = weights(triangle, x, y)
        if w is None or abs(min(w)) < 1e-3:
            unsure = True
        elif min(w) > 0:
            hits[i] = sum(a * c[2] for a, c in zip(w, triangle, strict=True))
    return hits, unsure


def draw(triangles, alpha=None, size=SIZE):
    flat = np.array(triangles, float).reshape(-1, 3)
    buffers = Buffers(size, size)
    raster(buffers, *flat.T, np.arange(len(flat)).reshape(-1, 3), 100, alpha)
    return buffers.triangle.reshape(size, size), buffers.inverse_depth.reshape(size, size)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(corner, corner, corner), min_size=1, max_size=5))
def test_nearest_triangle_at_every_pixel_centre(triangles):
    ids, inverse = draw(triangles)
    for row in range(SIZE):
        for column in range(SIZE):
            hits, unsure = brute(triangles, column + 0.5, row + 0.5)
            near = sorted(hits.values())[-2:]
            if unsure or (len(near) == 2 and near[1] - near[0] < 1e-3):
                continue
            if hits:
                best = max(hits, key=hits.get)
                assert ids[row, column] == 100 + best
                assert inverse[row, column] == pytest.approx(hits[best], rel=1e-3)
            else:
                assert ids[row, column] == -1
                assert inverse[row, column] == 0


def test_a_triangle_behind_the_camera_is_not_drawn():
    ids, _ = draw([[(0, 0, 1), (16, 0, 0), (0, 16, 1)]])
    assert (ids == -1).all()


def test_two_triangles_of_a_square_leave_no_seam():
    a, b, c, d = (1.3, 1.1, 1), (14.2, 2.3, 1), (13.1, 14.9, 1), (2.2, 12.4, 1)
    ids, _ = draw([[a, b, c], [a, c, d]])
    for row in (ids >= 0)[3:12]:
        covered = np.flatnonzero(row)
        assert len(covered) == covered[-1] - covered[0] + 1


def test_batches_do_not_change_the_picture(monkeypatch):
    rng = np.random.default_rng(4)
    triangles = np.concatenate([rng.uniform(-4, 20, (40, 3, 2)), rng.uniform(0.2, 3, (40, 3, 1))], 2)
    whole = draw(triangles)
    monkeypatch.setattr(module, "BATCH", 37)
    for one, other in zip(whole, draw(triangles), strict=True):
        assert np.array_equal(one, other)


def test_alpha_weights_are_perspective_correct():
    """Along an edge from depth 1 to depth 4, the middle on screen is a fifth of the way in space."""
    seen = {}

    def alpha(triangle, w0, w1, w2):
        on_edge = np.abs(w2) < 1e-5
        seen.update(zip(np.round(w1[on_edge].astype(float), 3), w0[on_edge], strict=True))
        return w0 > 2

    ids, _ = draw([[(0, 2.5, 1), (9, 2.5, 0.25), (0, 30, 1)]], alpha, 9)
    assert seen[0.2] == pytest.approx(0.8, abs=1e-4)
    assert (ids == -1).all()


def test_camera_projects_by_hand():
    camera = Camera((0, 10, 20), (0, 10, 0), 90, 200, 100)
    x, y, inverse = camera.project(np.array([[0, 10, 0.0], [5, 10, 10], [0, 12, 10], [0, 10, 30]]))
    assert x[:3] == pytest.approx([100, 125, 100])
    assert y[:3] == pytest.approx([50, 50, 40])
    assert inverse == pytest.approx([1 / 20, 1 / 10, 1 / 10, 0])


def test_rays_lead_back_to_the_pixels():
    camera = Camera((1, 10, 20), (-3, 12, 0), 30, 64, 48, roll=5)
    x, y = np.array([3.0, 40]), np.array([7.0, 21])
    px, py, _ = camera.project(camera.eye + 12 * camera.rays(x, y))
    assert px == pytest.approx(x)
    assert py == pytest.approx(y)


def test_a_plate_throws_its_shadow_straight_down():
    plate = np.array([[-1, 2, -1], [1, 2, -1], [1, 2, 1], [-1, 2, 1.0]])
    depth = DepthMap((0, 1, 0), (0, 0, 0), 4, 128).build([(plate, np.array([[0, 1, 2], [0, 2, 3]]), None)])
    lit = depth.lit(np.array([[0, 0, 0.0], [0.8, 0, 0.8], [1.4, 0, 0], [0, 3, 0]]), bias=0.05)
    assert lit.tolist() == [0, 0, 1, 1]
