"""A mesh with its material: what the rasteriser draws."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from accord_demo.labels import UNLABELLED


@dataclass
class Fragments:
    """The visible samples of one part: triangle index, barycentric weights, interpolated attributes."""

    triangle: np.ndarray
    weights: np.ndarray
    attributes: dict[str, np.ndarray]

    def __len__(self) -> int:
        return len(self.triangle)

    @property
    def at(self) -> np.ndarray:
        """Canonical (unposed) position of each sample, decimetres."""
        return self.attributes["at"]


@dataclass
class Surface:
    """What a material says of its samples; single values hold for all of them."""

    albedo: np.ndarray
    label: np.ndarray | None = None
    roughness: float = 0.8
    specular: float = 0.0
    skin: bool = False  # light wraps around, as under skin
    bump: np.ndarray | float = 0.0  # height, decimetres
    emission: float = 0.0
    eye: bool = False
    tangent: np.ndarray | None = None  # direction of a hair


@dataclass
class Part:
    """Vertices P (n, 3) in decimetres, triangles T (m, 3), a material, and how light and label treat it."""

    name: str
    P: np.ndarray
    T: np.ndarray
    material: Callable[[Fragments], Surface]
    label: int = UNLABELLED
    N: np.ndarray | None = None
    alpha: Callable | None = None  # (triangle, w0, w1, w2) -> kept
    attributes: dict[str, np.ndarray] = field(default_factory=dict)
    corner_uv: np.ndarray | None = None  # (m, 3, 2): texture coordinates have seams
    casts: bool = True  # a shadow of the sun or lamp
    occludes: bool = True  # ambient light
    two_sided: bool = False
    instance: int = 0
    ambient: np.ndarray | None = None

    def __post_init__(self):
        self.P = self.P.astype(np.float32)
        if self.N is None:
            self.N = vertex_normals(self.P, self.T)

    def normals(self) -> np.ndarray:
        """(n, 3): those that were given, or of the triangles."""
        assert self.N is not None
        return self.N


def vertex_normals(P: np.ndarray, T: np.ndarray) -> np.ndarray:
    """Unit normals (n, 3), each the mean of its triangles' normals weighted by area."""
    n = np.cross(P[T[:, 1]] - P[T[:, 0]], P[T[:, 2]] - P[T[:, 0]])
    total = np.zeros_like(P)
    for k in range(3):
        for axis in range(3):
            total[:, axis] += np.bincount(T[:, k], n[:, axis], len(P)).astype(P.dtype)
    return total / np.maximum(np.linalg.norm(total, axis=1, keepdims=True), 1e-12)


def interpolate(values: np.ndarray, T: np.ndarray, w0, w1, w2) -> np.ndarray:
    """Values at vertices, interpolated inside triangles T (k, 3) with weights (k,) each."""
    return (values[T[:, 0]].T * w0 + values[T[:, 1]].T * w1 + values[T[:, 2]].T * w2).T


def keep_positive(values: np.ndarray, T: np.ndarray) -> Callable:
    """An alpha function that keeps a mesh where a field over its vertices is positive."""
    return lambda tri, a, b, c: interpolate(values, T[tri], a, b, c) > 0


def flat_material(colour, **surface) -> Callable[[Fragments], Surface]:
    """One colour everywhere."""
    colour = np.asarray(colour, float)
    return lambda fragments: Surface(np.tile(colour, (len(fragments), 1)), **surface)
