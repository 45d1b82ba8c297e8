"""What is seen in each sample of the picture: surface properties of the nearest part."""

from dataclasses import dataclass, field

import numpy as np

from accord_demo.labels import UNLABELLED
from accord_demo.scene.camera import Camera
from accord_demo.scene.part import Fragments, Part
from accord_demo.scene.raster import Buffers, raster, sample_weights


@dataclass
class Screen:
    """A picture being drawn at `scale` samples per pixel and axis; parts can be added until resolved."""

    camera: Camera
    scale: int
    parts: list[Part] = field(default_factory=list)

    def __post_init__(self):
        self.buffers = Buffers(self.camera.width * self.scale, self.camera.height * self.scale)
        self.projected, self.first = [], [0]

    def add(self, parts: list[Part]) -> "Screen":
        """Draw parts into the buffers."""
        for part in parts:
            x, y, inverse_depth = self.camera.project(part.P, self.scale)
            raster(self.buffers, x, y, inverse_depth, part.T, self.first[-1], part.alpha)
            self.projected.append((x.astype(np.float32), y.astype(np.float32), inverse_depth.astype(np.float32)))
            self.first.append(self.first[-1] + len(part.T))
            self.parts.append(part)
        return self

    def covered(self) -> np.ndarray:
        """Pixels (height, width) in which any sample shows a part."""
        width, height, s = self.camera.width, self.camera.height, self.scale
        return np.any((self.buffers.triangle >= 0).reshape(height, s, width, s), axis=(1, 3))

    def resolve(self) -> "Surfaces":
        """The properties of every sample that shows a part."""
        samples = np.flatnonzero(self.buffers.triangle >= 0)
        ids = self.buffers.triangle[samples]
        part_of = (np.searchsorted(self.first, ids, "right") - 1).astype(np.int16)
        surfaces = Surfaces(samples, part_of)
        order = np.argsort(part_of, kind="stable")
        start = np.searchsorted(part_of[order], np.arange(len(self.parts) + 1))
        for i, part in enumerate(self.parts):
            rows = order[start[i] : start[i + 1]]
            if len(rows):
                self._resolve_part(surfaces, part, i, rows, ids[rows] - self.first[i])
        return surfaces

    def _resolve_part(self, surfaces, part: Part, i: int, rows, triangle):
        x, y, inverse_depth = self.projected[i]
        T, width = part.T[triangle], self.camera.width * self.scale
        sample = surfaces.samples[rows]
        px, py = (sample % width).astype(np.float32) + 0.5, (sample // width).astype(np.float32) + 0.5
        w = sample_weights(x, y, T, px, py).clip(0, 1) * inverse_depth[T]
        w = (w / w.sum(1, keepdims=True)).astype(np.float32)
        corners = [np.ascontiguousarray(c) for c in T.T]

        def mean(values):
            first, second, third = ((values[c].T * w[:, k]).T for k, c in enumerate(corners))
            return first + second + third

        attributes = {name: mean(values) for name, values in part.attributes.items()}
        if part.corner_uv is not None:
            attributes["uv"] = (part.corner_uv[triangle] * w[:, :, None]).sum(1)
        position = mean(part.P)
        normal = mean(part.N)
        normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-6)
        if part.two_sided:
            away = np.einsum("ij,ij->i", normal, self.camera.eye.astype(np.float32) - position) < 0
            normal[away] *= -1
        surfaces.write(rows, part, part.material(Fragments(triangle, w, attributes)), position, normal)
        if part.ambient is not None:
            surfaces.ambient[rows] = mean(part.ambient)


class Surfaces:
    """Properties (k, ...) of the samples that show something, and which part each shows."""

    def __init__(self, samples: np.ndarray, part_of: np.ndarray):
        n = len(samples)
        self.samples, self.part_of = samples, part_of
        self.albedo, self.position, self.normal, self.ambient, self.tangent = (
            np.zeros((n, 3), np.float32) for _ in range(5)
        )
        self.roughness, self.specular, self.bump, self.emission = (np.zeros(n, np.float32) for _ in range(4))
        self.is_skin, self.is_eye, self.is_hair = (np.zeros(n, bool) for _ in range(3))
        self.label, self.instance = np.full(n, UNLABELLED, np.uint8), np.zeros(n, np.uint8)

    def write(self, rows, part: Part, surface, position, normal) -> None:
        """Fill the rows that show a part."""
        self.albedo[rows], self.position[rows], self.normal[rows] = surface.albedo, position, normal
        self.roughness[rows], self.specular[rows] = surface.roughness, surface.specular
        self.bump[rows], self.emission[rows] = surface.bump, surface.emission
        self.is_skin[rows], self.is_eye[rows] = surface.skin, surface.eye
        self.label[rows] = part.label if surface.label is None else surface.label
        self.instance[rows] = part.instance
        if surface.tangent is not None:
            self.tangent[rows], self.is_hair[rows] = surface.tangent, True
