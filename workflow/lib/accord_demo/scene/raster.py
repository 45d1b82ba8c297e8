"""A z-buffer rasteriser in NumPy: the same bytes on every machine with the same arrays, without threads."""

from collections.abc import Callable

import numpy as np

BATCH = 200_000  # candidate samples held at once: what a cache holds
SLACK = np.float32(-2e-5)  # neighbours overlap by a hair, so that no seam shows


class Buffers:
    """Nearest surface per pixel: inverse depth (0 = nothing) and triangle id (-1 = nothing)."""

    def __init__(self, width: int, height: int):
        self.width, self.height = width, height
        self.inverse_depth = np.zeros(width * height, np.float32)
        self.triangle = np.full(width * height, -1, np.int32)


def signed_area(X, Y):
    """Twice the signed areas of triangles with corners X, Y (n, 3)."""
    return (X[:, 1] - X[:, 0]) * (Y[:, 2] - Y[:, 0]) - (Y[:, 1] - Y[:, 0]) * (X[:, 2] - X[:, 0])


def corner_min(A):
    """Row minimum of (n, 3), faster than the reduction over a short axis."""
    return np.minimum(np.minimum(A[:, 0], A[:, 1]), A[:, 2])


def corner_max(A):
    """Row maximum of (n, 3)."""
    return np.maximum(np.maximum(A[:, 0], A[:, 1]), A[:, 2])


def raster(buffers: Buffers, x, y, inverse_depth, T, first_id: int, alpha: Callable | None = None) -> None:
    """Draw triangles T (n, 3) over vertices at pixels x, y with inverse depths (0 = behind the camera).

    A pixel belongs to a triangle that holds its centre. `alpha(triangle, w0, w1, w2)` keeps samples by
    their perspective-correct weights. Ids written are `first_id` + row of T.
    """
    X, Y, Z = x.astype(np.float32)[T], y.astype(np.float32)[T], inverse_depth.astype(np.float32)[T]
    area = signed_area(X, Y)
    x0, x1 = np.ceil(corner_min(X) - 0.5), np.floor(corner_max(X) - 0.5)
    y0, y1 = np.ceil(corner_min(Y) - 0.5), np.floor(corner_max(Y) - 0.5)
    x0, x1 = np.maximum(x0, 0), np.minimum(x1, buffers.width - 1)
    y0, y1 = np.maximum(y0, 0), np.minimum(y1, buffers.height - 1)
    keep = np.flatnonzero((corner_min(Z) > 0) & (np.abs(area) > 1e-6) & (x1 >= x0) & (y1 >= y0))
    X, Y, Z, area = X[keep], Y[keep], Z[keep], area[keep]
    x0, x1, y0, y1 = (a[keep].astype(np.int64) for a in (x0, x1, y0, y1))
    for rows, top, bottom in _batches(x0, x1, y0, y1):
        box = (x0[rows], top, x1[rows] - x0[rows] + 1, bottom - top + 1)
        _draw(buffers, (X[rows], Y[rows], Z[rows], area[rows]), keep[rows], box, first_id, alpha)


def _batches(x0, x1, y0, y1):
    """Slices of triangles with at most BATCH candidates; a larger triangle comes in bands of rows."""
    width = x1 - x0 + 1
    count = width * (y1 - y0 + 1)
    total = np.cumsum(count)
    start = 0
    while start < len(count):
        drawn = total[start - 1] if start else 0
        stop = max(start + 1, int(np.searchsorted(total, drawn + BATCH, "right")))
        rows = slice(start, stop)
        if count[start] > BATCH:
            step, last = max(1, BATCH // int(width[start])), int(y1[start])
            for top in range(int(y0[start]), last + 1, step):
                yield slice(start, start + 1), np.array([top]), np.array([min(top + step - 1, last)])
            stop = start + 1
        else:
            yield rows, y0[rows], y1[rows]
        start = stop


def _draw(buffers, corners, ids, box, first_id, alpha):
    X, Y, Z, area = corners
    owner, px, py = _candidates(*box)
    w0, w1, w2 = _weights(X, Y, area, owner, px, py)
    inside = np.flatnonzero((w0 >= SLACK) & (w1 >= SLACK) & (w2 >= SLACK))
    owner, px, py, w0, w1, w2 = (a[inside] for a in (owner, px, py, w0, w1, w2))
    z = w0 * Z[owner, 0] + w1 * Z[owner, 1] + w2 * Z[owner, 2]
    pixel = py * buffers.width + px
    front = np.flatnonzero(z > buffers.inverse_depth[pixel])
    owner, pixel, z = owner[front], pixel[front], z[front]
    if alpha is not None and len(front):
        q0, q1, q2 = w0[front] * Z[owner, 0] / z, w1[front] * Z[owner, 1] / z, w2[front] * Z[owner, 2] / z
        opaque = np.flatnonzero(alpha(ids[owner], q0, q1, q2))
        owner, pixel, z = owner[opaque], pixel[opaque], z[opaque]
    np.maximum.at(buffers.inverse_depth, pixel, z)
    nearest = z == buffers.inverse_depth[pixel]
    buffers.triangle[pixel[nearest]] = first_id + ids[owner[nearest]]


def _candidates(x0, y0, width, height):
    """Every pixel of every box: the box it belongs to, its column, its row."""
    count = width * height
    owner = np.repeat(np.arange(len(count), dtype=np.int32), count)
    start = (np.cumsum(count) - count).astype(np.int32)
    offset = np.arange(len(owner), dtype=np.int32) - np.repeat(start, count)
    across = width.astype(np.int32)[owner]
    row = offset // across
    column = offset - row * across
    return owner, column + x0.astype(np.int32)[owner], row + y0.astype(np.int32)[owner]


def _weights(X, Y, area, owner, px, py):
    """Barycentric weights of pixel centres, from edge functions as affine forms."""
    fx, fy = px.astype(np.float32) + np.float32(0.5), py.astype(np.float32) + np.float32(0.5)
    scale = (1 / area).astype(np.float32)

    def edge(i, j):
        a = (Y[:, i] - Y[:, j]) * scale
        b = (X[:, j] - X[:, i]) * scale
        c = (X[:, i] * Y[:, j] - X[:, j] * Y[:, i]) * scale
        return a[owner] * fx + b[owner] * fy + c[owner]

    w0, w1 = edge(1, 2), edge(2, 0)
    return w0, w1, 1 - w0 - w1


def sample_weights(x, y, T, px, py):
    """Barycentric weights (k, 3) of points px, py in triangles T (k, 3) over vertices at x, y."""
    X, Y = x[T], y[T]
    area = signed_area(X, Y)
    w0 = ((X[:, 1] - px) * (Y[:, 2] - py) - (Y[:, 1] - py) * (X[:, 2] - px)) / area
    w1 = ((X[:, 2] - px) * (Y[:, 0] - py) - (Y[:, 2] - py) * (X[:, 0] - px)) / area
    return np.stack([w0, w1, 1 - w0 - w1], 1)
