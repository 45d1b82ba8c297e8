"""Caps and headscarves: smoothed copies of the head, cut out by fields."""

import numpy as np

from accord_demo import labels as L
from accord_demo.people.figure import Figure
from accord_demo.people.outfit import Outfit
from accord_demo.scene.part import Fragments, Part, Surface, keep_positive, vertex_normals

RIM = 0.06  # decimetres inside a scarf's border from which the head below is hidden


def cap_parts(figure: Figure, outfit: Outfit) -> list[Part]:
    """A cap and its brim."""
    t = figure.t
    y, z = t.canonical[:, 1], t.canonical[:, 2]
    field = y - (7.86 - 0.12 * np.clip(z, 0, 1.4) / 1.4)
    world = figure.on_head(_covering(figure, 5, 0.13, np.zeros(len(y), bool)))
    material = _felt(t.noise, outfit.head_rgb)
    return [_cut_out(figure, "cap", world, t.head_triangles, field, material), _brim(figure, material)]


def hijab_part(figure: Figure, outfit: Outfit) -> Part:
    """A headscarf down to the shoulders."""
    t = figure.t
    x, y, z = t.canonical.T
    ears = (np.abs(x) > 0.66) & (z > 0.24) & (z < 0.74) & (y > 6.7) & (y < 7.46)
    world = figure.worn(_covering(figure, 22, 0.14, ears))
    return _cut_out(figure, "hijab", world, t.triangles, scarf_field(t.canonical), _felt(t.noise, outfit.head_rgb))


def scarf_field(at) -> np.ndarray:
    """Positive under a headscarf: all but an oval of the face, down to the shoulders."""
    x, y, z = at.T
    oval = np.sqrt((x / 0.66) ** 2 + ((y - 7.08) / 0.95) ** 2)
    around = np.where(z > 0.45, (oval - 1) * 0.5, 1.0)
    shoulders = 1.25 - np.sqrt(x**2 + ((y - 6.4) / 1.15) ** 2 * (y < 6.4))
    return np.where(y > 6.6, around, np.minimum(around, shoulders))


def _covering(figure: Figure, rounds: int, thick: float, free) -> np.ndarray:
    """The body smoothed and lifted off the skin, except that `free` vertices may sink in."""
    Q = figure.V
    for _ in range(rounds):
        Q = 0.3 * Q + 0.7 * (figure.t.smoother @ Q)
    sunk = np.maximum(0, -((Q - figure.V) * figure.rest_normals).sum(1))
    lift = figure.rest_normals * np.where(free, 0, sunk)[:, None]
    return Q + lift + vertex_normals(Q, figure.t.triangles) * thick


def _cut_out(figure, name, world, T, field, material) -> Part:
    T, field = T[(field[T] > 0).any(1)], field.astype(np.float32)
    return Part(
        name, world, T, material, L.HEADWEAR,
        alpha=keep_positive(field, T), attributes={"at": figure.t.canonical}, two_sided=True,
    )  # fmt: skip


def _felt(noise, colour):
    def material(fragments: Fragments) -> Surface:
        at = fragments.at
        grain = noise(at, 30)
        bump = 0.01 * grain + 0.05 * noise.fbm(at * np.array([1, 0.5, 1]), 4, 2)
        albedo = np.clip(np.array(colour) * (1 + 0.08 * grain)[:, None], 0.01, 0.9)
        return Surface(albedo, roughness=0.85, specular=0.015, bump=bump)

    return material


def _brim(figure: Figure, material) -> Part:
    front = figure.V[figure.t.landmark["cap_front"]]
    u, v = np.meshgrid(np.linspace(-1, 1, 15), np.linspace(0, 1, 7))
    y = front[1] + 0.10 - 0.10 * v - 0.22 * u**2 * (1 - 0.3 * v)
    z = front[2] - 0.55 * u**2 - 0.02 + v * (0.85 - 0.30 * u**2)
    points = np.stack([u * 0.62, y, z], -1).reshape(-1, 3)
    i = np.arange(points.shape[0]).reshape(7, 15)
    a, b, c, d = (q.ravel() for q in (i[:-1, :-1], i[:-1, 1:], i[1:, 1:], i[1:, :-1]))
    T = np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])
    attributes = {"at": points.astype(np.float32)}
    return Part("brim", figure.on_head(points), T, material, L.HEADWEAR, attributes=attributes, two_sided=True)
