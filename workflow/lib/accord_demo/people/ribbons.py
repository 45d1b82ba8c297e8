"""Strands as flat ribbons with a painted texture of finer hairs."""

import numpy as np

from accord_demo import labels as L
from accord_demo.people.figure import Figure
from accord_demo.people.person import Person
from accord_demo.scene.part import Fragments, Part, Surface, interpolate

HAIRS = 24  # across one ribbon's texture
KINDS = 64  # textures


def ribbon_part(figure: Figure, person: Person, path, skull, rng: np.random.Generator) -> Part:
    """Ribbons along paths (n, knots, 3), flat against the skull."""
    n, knots, _ = path.shape
    tangent = _unit(np.gradient(path, axis=1))
    outward = _unit((path - skull.centre) / skull.radii**2)
    across = _unit(np.cross(tangent, outward))
    half = rng.uniform(0.05, 0.10, n) * skull.scale * (1.25 if knots > 8 else 0.85)
    half = half[:, None, None] * np.linspace(1, 0.75, knots)[None, :, None]
    points = np.stack([path - across * half, path + across * half], 2).reshape(-1, 3)
    i = ((np.arange(n)[:, None] * knots + np.arange(knots - 1)) * 2).ravel()
    T = np.concatenate([np.stack([i, i + 2, i + 3], 1), np.stack([i, i + 3, i + 1], 1)])
    hairs = Hairs(n, knots, rng)
    both = [np.repeat(a, 2, axis=1).reshape(-1, 3) for a in (outward, tangent)]
    normal, tangent = (figure.head_direction(a) for a in both)
    return Part(
        "strands", figure.on_head(points), T, hairs.material(person, T), L.HEAD_HAIR, N=normal,
        alpha=hairs.alpha(T), attributes={"tangent": tangent}, occludes=False,
    )  # fmt: skip


class Hairs:
    """The texture of n ribbons: which hairs there are, how far they reach, how bright they are."""

    def __init__(self, n: int, knots: int, rng: np.random.Generator):
        raw = rng.random((KINDS, HAIRS)).astype(np.float32)
        self.strength = 0.5 * raw + 0.25 * (np.roll(raw, 1, 1) + np.roll(raw, -1, 1))
        self.brightness = rng.normal(1, 0.13, n).astype(np.float32)
        self.u = np.tile([0.0, 1.0], n * knots).astype(np.float32)
        self.v = np.repeat(np.tile(np.linspace(0, 1, knots), n), 2).astype(np.float32)
        self.ribbon = np.repeat(np.arange(n), 2 * knots)

    def _look_up(self, T, tri, a, b, c):
        corner = T[tri]
        u, v = interpolate(self.u, corner, a, b, c), interpolate(self.v, corner, a, b, c)
        ribbon = self.ribbon[corner[:, 0]]
        column = np.clip((u * (HAIRS - 0.01)).astype(int), 0, HAIRS - 1)
        return u, v, self.strength[ribbon % KINDS, column], ribbon

    def alpha(self, T):
        """Ribbons thin out towards their tips and borders."""

        def keep(tri, a, b, c):
            u, v, strength, _ = self._look_up(T, tri, a, b, c)
            return strength > 0.18 + 0.45 * v**4 + 0.5 * (np.abs(u - 0.5) * 2) ** 5

        return keep

    def material(self, person: Person, T):
        """Darker at the roots and between hairs."""
        colour = np.array(person.hair_rgb)

        def shade(fragments: Fragments) -> Surface:
            _, v, strength, ribbon = self._look_up(T, fragments.triangle, *fragments.weights.T)
            light = (0.45 + 0.75 * strength) * self.brightness[ribbon] * (0.7 + 0.6 * v.clip(0, 0.5))
            albedo = np.clip(colour * light[:, None], 0.004, 0.9)
            return Surface(albedo, roughness=0.4, specular=0.05, tangent=fragments.attributes["tangent"])

        return shade


def _unit(a):
    return a / np.maximum(np.linalg.norm(a, axis=-1, keepdims=True), 1e-6)
