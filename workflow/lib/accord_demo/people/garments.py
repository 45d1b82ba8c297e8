"""Clothes as offset copies of the body, cut out by fields over the canonical mesh."""

from dataclasses import dataclass

import numpy as np

from accord_demo import labels as L
from accord_demo.people.cloth import cloth
from accord_demo.people.cuts import bottom_cut, jacket_cut, shoe_cut, top_cut, under_cut
from accord_demo.people.figure import Figure
from accord_demo.people.outfit import Outfit
from accord_demo.scene.part import Part, keep_positive, vertex_normals


@dataclass(frozen=True)
class Cut:
    """How a garment lies on the body; lengths in decimetres."""

    name: str
    field: np.ndarray  # (n,) positive where the garment is
    thick: float
    smooth: int  # rounds of smoothing, which bridge folds of the body
    fold: float
    seed: int
    label: int
    grow: np.ndarray | float = 0.0  # extra width per vertex


def dress_figure(figure: Figure, outfit: Outfit, whole: bool) -> tuple[list[Part], np.ndarray]:
    """The garments, and which vertices they cover; without `whole`, only what a close-up shows."""
    noise, t = figure.t.noise, figure.t
    body_label = L.FULL_BODY_CLOTHES if outfit.dress else L.UPPER_CLOTHES
    parts, covered = [], np.zeros(len(figure.V), bool)

    def wear(cut: Cut, material):
        parts.append(_garment(figure, cut, material))
        covered[cut.field > 0.12] = True

    if whole:
        if outfit.bottom in ("skirt", "dress"):
            label = L.FULL_BODY_CLOTHES if outfit.dress else L.LOWER_CLOTHES
            cut = Cut("under", under_cut(t, outfit), 0.03, 2, 0, 5, label)
            wear(cut, cloth(noise, np.array(outfit.bottom_rgb) * 0.6, outfit.bottom_rgb))
            parts.append(_skirt(figure, outfit, label))
        else:
            field, grow = bottom_cut(t, outfit)
            cut = Cut("bottom", field, 0.05, 9, 0.045, 5, L.LOWER_CLOTHES, grow)
            wear(cut, cloth(noise, outfit.bottom_rgb, outfit.bottom_rgb, weave=34))
        parts.append(_shoes(figure, outfit))
        covered[shoe_cut(t) > 0.02] = True
    field, grow = top_cut(t, outfit)
    cut = Cut("top", field, 0.05 if outfit.top == "tank" else 0.08, 6, 0.035, 1, body_label, grow)
    wear(cut, cloth(noise, outfit.top_rgb, outfit.pattern_rgb, outfit.pattern))
    if outfit.jacket:
        cut = Cut("jacket", jacket_cut(t, outfit), 0.17, 9, 0.04, 2, L.UPPER_CLOTHES)
        wear(cut, cloth(noise, outfit.jacket_rgb, outfit.jacket_rgb, weave=20))
    return parts, covered


def _garment(figure: Figure, cut: Cut, material) -> Part:
    normals, field = figure.rest_normals, cut.field
    Q = _smoothed(figure, field > -0.35, cut.smooth)
    hug = np.clip(field * 3.5, 0.25, 1)
    folds = figure.t.noise.fbm(figure.t.canonical * np.array([1.6, 0.9, 1.6]) + cut.seed, 1.4, 2)
    Q = Q + normals * (cut.thick * hug + cut.grow + cut.fold * hug * folds)[:, None]
    above = ((Q - figure.V) * normals).sum(1)
    Q = Q + normals * np.maximum(0, cut.thick * 0.5 * hug - above)[:, None]
    return _cut_part(figure, cut.name, Q, field, material, cut.label)


def _shoes(figure: Figure, outfit: Outfit) -> Part:
    """Feet smoothed until no toe shows, on a flat sole."""
    t, field = figure.t, shoe_cut(figure.t)
    Q = _smoothed(figure, field > -0.35, 45)
    Q = Q + vertex_normals(Q, t.triangles) * 0.13
    above = ((Q - figure.V) * figure.rest_normals).sum(1)
    Q = Q + figure.rest_normals * np.maximum(0, -0.25 - above)[:, None]
    Q[:, 1] = np.maximum(Q[:, 1], figure.V[np.unique(t.triangles), 1].min() - 0.1)

    def side(at):
        return np.where(at[:, 0] > 0, L.LEFT_SHOE, L.RIGHT_SHOE)

    material = cloth(t.noise, outfit.shoe_rgb, outfit.shoe_rgb, weave=60, label_of=side)
    return _cut_part(figure, "shoes", Q, field, material, L.LEFT_SHOE)


def _smoothed(figure: Figure, where, rounds: int) -> np.ndarray:
    Q = figure.V.copy()
    for _ in range(rounds):
        Q[where] = (0.35 * Q + 0.65 * (figure.t.smoother @ Q))[where]
    return Q


def _cut_part(figure: Figure, name, Q, field, material, label) -> Part:
    t = figure.t
    T = t.triangles[(field[t.triangles] > 0).any(1)]
    world, field = figure.worn(Q), field.astype(np.float32)
    return Part(
        name, world, T, material, label,
        N=vertex_normals(world, t.triangles), alpha=keep_positive(field, T),
        attributes={"at": t.canonical, "field": field}, two_sided=True,
    )  # fmt: skip


def _skirt(figure: Figure, outfit: Outfit, label: int) -> Part:
    """The mesh's own skirt, waved and cut to length."""
    t = figure.t
    T, _ = t.body.triangles("helper-skirt")
    x, y, z = t.canonical.T
    wave = 1 + 0.05 * np.sin(np.arctan2(x, z - 0.1) * 11) * np.clip((1.2 - y) / 3, 0, 1)
    world = figure.worn(figure.V * np.stack([wave, np.ones_like(wave), wave], 1))
    field = (y - outfit.skirt_end).astype(np.float32)
    pattern = outfit.pattern if outfit.dress else "plain"
    return Part(
        "skirt", world, T, cloth(t.noise, outfit.bottom_rgb, outfit.pattern_rgb, pattern), label,
        alpha=keep_positive(field, T), attributes={"at": t.canonical, "field": field}, two_sided=True,
    )  # fmt: skip
