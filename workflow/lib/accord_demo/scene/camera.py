"""A pinhole camera and the parallel depth maps that tell what light reaches."""

import numpy as np

from accord_demo.scene.raster import Buffers, raster

NEAR = 0.3  # decimetres; nothing nearer is drawn


class Camera:
    """A pinhole camera at `eye` that looks at `target`; the field of view is the vertical one, degrees."""

    def __init__(self, eye, target, field_of_view: float, width: int, height: int, roll: float = 0.0):
        self.eye = np.asarray(eye, float)
        ahead = np.asarray(target, float) - self.eye
        ahead /= np.linalg.norm(ahead)
        right = np.cross(ahead, [0, 1, 0])
        right /= np.linalg.norm(right)
        up = np.cross(right, ahead)
        c, s = np.cos(np.deg2rad(roll)), np.sin(np.deg2rad(roll))
        right, up = c * right + s * up, -s * right + c * up
        self.axes = np.stack([right, -up, ahead])
        self.width, self.height = width, height
        self.focal = 0.5 * height / np.tan(np.deg2rad(field_of_view) / 2)

    def project(self, points, scale: int = 1):
        """Pixel columns, rows and inverse depths of points (n, 3); inverse depth 0 means behind."""
        q = (points - self.eye) @ self.axes.T
        ahead = q[:, 2] > NEAR
        inverse = np.where(ahead, 1 / np.where(ahead, q[:, 2], 1), 0)
        x = (self.focal * q[:, 0] * inverse + self.width / 2) * scale
        y = (self.focal * q[:, 1] * inverse + self.height / 2) * scale
        return x, y, inverse

    def rays(self, x, y) -> np.ndarray:
        """World directions (n, 3) of pixels, with unit depth."""
        x, y = np.asarray(x, float), np.asarray(y, float)
        local = [(x - self.width / 2) / self.focal, (y - self.height / 2) / self.focal, np.ones_like(x)]
        return np.stack(local, 1) @ self.axes


class DepthMap:
    """A parallel projection along a light's direction over a sphere: what is nearest to the light."""

    def __init__(self, towards_light, centre, radius: float, size: int):
        d = np.asarray(towards_light, float) / np.linalg.norm(towards_light)
        x = np.cross([0, 1, 0] if abs(d[1]) < 0.95 else [1, 0, 0], d)
        x /= np.linalg.norm(x)
        self.axes = np.stack([x, np.cross(d, x), d]).astype(np.float32)
        self.centre, self.radius, self.size = np.asarray(centre, np.float32), float(radius), size

    def project(self, points):
        """Columns, rows and nearness to the light, always above 0 within the sphere."""
        q = (points - self.centre) @ self.axes.T / self.radius
        return (q[:, 0] + 1) * 0.5 * self.size, (q[:, 1] + 1) * 0.5 * self.size, q[:, 2] + 2

    def build(self, meshes):
        """Draw (vertices, triangles, alpha) into the map; returns the map itself."""
        buffers = Buffers(self.size, self.size)
        for points, T, alpha in meshes:
            raster(buffers, *self.project(points), T, 0, alpha)
        self.nearest = buffers.inverse_depth.reshape(self.size, self.size)
        return self

    def lit(self, points, bias: float, taps: int = 0, spread: float = 1.0) -> np.ndarray:
        """Fraction of light (0..1) at points, filtered over (2 taps + 1)^2 neighbours (PCF)."""
        x, y, z = self.project(points)
        z = z + bias / self.radius
        total = np.zeros(len(points), np.float32)
        steps = range(-taps, taps + 1)
        rows = [np.clip((y + d * spread).astype(np.int32), 0, self.size - 1) for d in steps]
        for dx in steps:
            column = np.clip((x + dx * spread).astype(np.int32), 0, self.size - 1)
            for row in rows:
                total += self.nearest[row, column] <= z
        return total / len(rows) ** 2
