"""The head's texture: where on the head each texel is, so that paint follows every face."""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from accord_demo.people.noise import smoothstep
from accord_demo.people.template import HEAD_UV, Template, inside_head_island, template
from accord_demo.scene.raster import Buffers, raster, sample_weights

MARGIN = 4  # texels around the island that are painted too, for interpolation across its border
# The hair line seen from the side: height y over depth z, decimetres.
HAIRLINE_Z = (-0.5, 0.1, 0.3, 0.42, 0.52, 0.62, 0.70, 0.80, 0.95, 1.1, 1.25, 1.4, 1.7)
HAIRLINE_Y = (6.7, 6.72, 6.92, 7.42, 7.46, 7.2, 7.22, 7.55, 7.72, 7.86, 7.95, 8.0, 8.02)


@dataclass(frozen=True)
class HeadAtlas:
    """The painted texels of the head: their indices (k,) in the texture and canonical positions (k, 3)."""

    density: int  # texels per unit of texture coordinates
    shape: tuple[int, int]
    texels: np.ndarray
    at: np.ndarray
    lips: np.ndarray  # (k,) 0..1

    def image(self, values: np.ndarray) -> np.ndarray:
        """Values of the texels as a texture of the atlas's shape."""
        image = np.zeros((self.shape[0] * self.shape[1], *values.shape[1:]), values.dtype)
        image[self.texels] = values
        return image.reshape(*self.shape, *values.shape[1:])

    def locate(self, uv: np.ndarray):
        """Columns and rows in the texture of texture coordinates (n, 2)."""
        return (uv[..., 0] - HEAD_UV[0]) * self.density, (uv[..., 1] - HEAD_UV[2]) * self.density


@cache
def head_atlas(density: int) -> HeadAtlas:
    """The atlas at a density: 1500 shows pores in a close-up, half of it serves a bust."""
    from scipy import ndimage

    t = template()
    width, height = int((HEAD_UV[1] - HEAD_UV[0]) * density), int((HEAD_UV[3] - HEAD_UV[2]) * density)
    position, covered = _positions(t, density, width, height)
    found: Any = ndimage.distance_transform_edt(~covered, return_indices=True)
    distance, nearest = found
    texels = np.flatnonzero(distance.ravel() <= MARGIN)
    at = position[nearest[0], nearest[1]].reshape(-1, 3)[texels]
    mask = t.body.masks["lips"]
    row = ((texels // width + 0.5) / density + HEAD_UV[2]) * len(mask) - 0.5
    column = ((texels % width + 0.5) / density + HEAD_UV[0]) * len(mask) - 0.5
    lips = ndimage.map_coordinates(mask, [row, column], order=1, mode="nearest")
    return HeadAtlas(density, (height, width), texels, at, lips)


def _positions(t: Template, density, width, height):
    """Canonical positions (height, width, 3) inside the island, and where they are known."""
    uv, triangles = t.corner_uv, t.triangles
    inside = inside_head_island(uv) & (t.canonical[triangles][..., 1].mean(1) > 5.3)
    corners, uv = triangles[inside], uv[inside]
    x = ((uv[..., 0] - HEAD_UV[0]) * density).ravel()
    y = ((uv[..., 1] - HEAD_UV[2]) * density).ravel()
    flat = np.arange(len(x)).reshape(-1, 3)
    buffers = Buffers(width, height)
    raster(buffers, x, y, np.ones(len(x)), flat, 0)
    k = np.flatnonzero(buffers.triangle >= 0)
    owner = buffers.triangle[k]
    w = sample_weights(x, y, flat[owner], k % width + 0.5, k // width + 0.5)
    position = np.zeros((height * width, 3), np.float32)
    position[k] = np.einsum("nk,nkj->nj", w, t.canonical[corners][owner])
    return position.reshape(height, width, 3), (buffers.triangle >= 0).reshape(height, width)


def hair_field(at, receding: float = 0.0) -> np.ndarray:
    """Positive on the scalp, roughly in decimetres from the hair line; over canonical positions."""
    x, y, z = at[..., 0], at[..., 1], at[..., 2]
    temples = 1 + 0.8 * np.exp(-(((np.abs(x) - 0.42) / 0.2) ** 2))
    line = np.interp(z, HAIRLINE_Z, HAIRLINE_Y) + receding * smoothstep(0.6, 1.3, z) * temples
    ear = (np.abs(x) > 0.69) & (z > 0.3) & (z < 0.70) & (y > 6.75) & (y < 7.42)
    return np.where(ear, -1, (y - line) * 0.8)


def beard_field(at) -> np.ndarray:
    """Positive where a beard grows, roughly in decimetres; over canonical positions."""
    x, y, z = np.abs(at[..., 0]), at[..., 1], at[..., 2]
    top = np.interp(x, [0, 0.1, 0.2, 0.32, 0.5, 0.62, 0.72], [6.8, 6.8, 6.78, 6.68, 6.74, 6.95, 7.15])
    field = np.minimum.reduce([top - y, (y - 5.98) * 0.7, (z - 0.58) * 0.8])
    lips = 1 - ((x / 0.29) ** 2 + ((y - 6.6) / 0.10) ** 2)
    return np.minimum(field, -lips * 0.1)


def bilinear(texture: np.ndarray, u, v) -> np.ndarray:
    """Texture values at columns u and rows v, pixel centres at halves."""
    height, width = texture.shape[:2]
    u, v = np.clip(u - 0.5, 0, width - 1.001), np.clip(v - 0.5, 0, height - 1.001)
    i, j = v.astype(np.int32), u.astype(np.int32)
    fy, fx = v - i, u - j
    if texture.ndim == 3:
        fy, fx = fy[:, None], fx[:, None]
    above = texture[i, j] * (1 - fx) + texture[i, j + 1] * fx
    below = texture[i + 1, j] * (1 - fx) + texture[i + 1, j + 1] * fx
    return above * (1 - fy) + below * fy
