"""Long hair as ribbons: roots on the scalp that grow, fall and slide off head, neck and shoulders."""

from dataclasses import dataclass

import numpy as np

from accord_demo.people.figure import Figure
from accord_demo.people.person import Person
from accord_demo.people.ribbons import ribbon_part

COUNT = {"short": 1500, "side": 1500, "slick": 1400}  # strands; 900 for what falls
KNOTS = {"short": 5, "side": 5, "slick": 6}  # points along a strand; 11 for what falls
TIED = ("ponytail", "bun")
X, Y, Z = np.eye(3)


@dataclass(frozen=True)
class Skull:
    """The ellipsoid that strands may not enter, in the rest pose, decimetres."""

    centre: np.ndarray
    radii: np.ndarray
    scale: float  # width of the scalp relative to the canonical one
    shoulder: float  # height


@dataclass
class Growth:
    """Strands that grow together: tips (n, 3), directions (n, 3), and per strand length and lift."""

    style: str
    tip: np.ndarray
    direction: np.ndarray
    length: np.ndarray
    lift: np.ndarray
    gravity: float
    phase: np.ndarray


def strand_part(figure: Figure, person: Person, field, rng: np.random.Generator, detail: float):
    """The ribbons of a style, with roots where the field is positive."""
    T = figure.t.head_triangles
    T = T[(field[T] > 0.02).all(1)]
    skull = _skull(figure, T)
    growth = _sprout(figure, person.hair, T, skull, rng, int(COUNT.get(person.hair, 900) * detail))
    knots = KNOTS.get(person.hair, 11)
    path = _grow(growth, skull, knots, rng)
    return ribbon_part(figure, person, path, skull, rng)


def _skull(figure: Figure, T) -> Skull:
    V, mark = figure.V, figure.t.landmark
    scalp = V[np.unique(T)]
    low, high = scalp.min(0), scalp.max(0)
    middle = scalp.mean(0)
    centre = np.array([middle[0], (high[1] + V[mark["left_ear"], 1]) / 2, middle[2] + 0.1])
    radii = np.array([(high[0] - low[0]) / 2, high[1] - centre[1], (high[2] - low[2]) / 2])
    return Skull(centre, radii, (high[0] - low[0]) / 1.46, float(V[mark["shoulder"], 1]))


def _sprout(figure, style, T, skull, rng, n: int) -> Growth:
    """Roots spread evenly over the scalp, each with its first direction."""
    V, at = figure.V, figure.t.canonical
    area = np.linalg.norm(np.cross(V[T[:, 1]] - V[T[:, 0]], V[T[:, 2]] - V[T[:, 0]]), axis=1)
    corner = T[rng.choice(len(T), n, p=area / area.sum())]
    w = rng.dirichlet([1, 1, 1], n)[..., None]
    root, normal, c = ((a[corner] * w).sum(1) for a in (V, figure.rest_normals, at))
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    parting = {"side": 0.35, "short": 0.25}.get(style, float(rng.choice([0, 0.18, -0.2])))
    side = np.where(c[:, 0] >= parting * rng.choice([-1, 1]), 1, -1)[:, None]
    direction, length, gravity = _comb(style, side, normal, c, rng)
    direction = _unit(direction + rng.normal(0, 0.10, (n, 3)))
    low, high = (0.02, 0.06) if style in (*TIED, "slick") else (0.03, 0.12)
    lift = rng.uniform(low, high, n)
    return Growth(style, root, direction, length * skull.scale, lift, gravity, rng.uniform(0, 6.28, n))


def _comb(style, side, normal, c, rng):
    """First directions, lengths (decimetres) and gravity of a style's strands; c: canonical roots."""
    n = len(c)
    top, front = np.clip((c[:, 1:2] - 7.9) / 0.5, 0, 1), np.clip((c[:, 2:] - 0.9) / 0.4, 0, 1)
    if style in ("short", "side"):
        direction = side * X * 0.8 + Z * (0.60 * top - 0.30) - Y * 0.45 + normal * 0.20
        return direction, rng.uniform(0.34, 0.62, n) * (1.2 if style == "side" else 1), 0.30
    if style == "slick":
        return -Z + X * side * 0.12 + normal * 0.10, rng.uniform(0.5, 0.8, n), 0.12
    if style in TIED:
        return -Z + normal * 0.12, rng.uniform(1.0, 1.5, n), 0.0
    direction = side * X * 0.95 - Z * 0.25 - Y * 0.2 + normal * 0.28 + Z * 0.15 * (1 - front)
    low, high = {"bob": (1.4, 1.75), "long": (2.8, 3.6), "wavy": (2.3, 3.2)}[style]
    return direction, rng.uniform(low, high, n), 0.62


def _grow(g: Growth, skull: Skull, knots: int, rng) -> np.ndarray:
    """Points along the strands (n, knots, 3)."""
    step = (g.length / (knots - 1))[:, None]
    tie = skull.centre + np.array([0, 0.15 if g.style == "ponytail" else 0.35, -skull.radii[2] - 0.02])
    path = [g.tip]
    for k in range(knots - 1):
        if g.style in TIED:
            _towards_tie(g, tie, rng)
        else:
            g.direction = g.direction - Y * g.gravity * (step / 0.25).clip(0.3, 1.6)
        if g.style == "wavy":
            turn = k * 1.5 + g.phase
            g.direction = g.direction + 0.40 * np.stack([np.sin(turn), 0 * turn, np.cos(turn)], 1)
        q = g.tip + _unit(g.direction) * step
        _slide_off_skull(q, g, skull)
        if g.gravity > 0.3:
            _slide_off_body(q, g, skull)
        g.direction, g.tip = _unit(q - g.tip), q
        path.append(q)
    return np.stack(path, 1)


def _towards_tie(g: Growth, tie, rng) -> None:
    """Pull strands to where they are tied; from there a ponytail falls and a bun curls."""
    to_tie = tie - g.tip
    distance = np.linalg.norm(to_tie, axis=1, keepdims=True)
    g.direction = 0.55 * g.direction + 0.45 * to_tie / np.maximum(distance, 1e-6)
    near = distance[:, 0] < 0.16
    if g.style == "ponytail":
        g.direction[near] = 0.5 * g.direction[near] + np.array([0, -0.5, -0.12])
    elif near.any():
        g.direction[near] = rng.normal(0, 1, (near.sum(), 3))


def _slide_off_skull(q, g: Growth, skull: Skull) -> None:
    radii = skull.radii + g.lift[:, None]
    e = (q - skull.centre) / radii
    distance = np.linalg.norm(e, axis=1)
    inside = (distance < 1) & (q[:, 1] > skull.centre[1] - 0.35)
    q[inside] = (skull.centre + e / np.maximum(distance, 1e-6)[:, None] * radii)[inside]


def _slide_off_body(q, g: Growth, skull: Skull) -> None:
    """Keep falling strands out of the face, behind the ears, off the neck and over the shoulders."""
    c, scale, side = skull.centre, skull.scale, np.where(q[:, 0] >= 0, 1, -1)
    low = q[:, 1] < c[1] + 0.05
    face = low & (q[:, 2] > c[2] + 0.20) & (np.abs(q[:, 0]) < 0.70 * scale)
    q[face, 0] = (side * 0.70 * scale)[face]
    ahead = low & (q[:, 2] > c[2] + 0.55)
    q[ahead, 2] = c[2] + 0.55
    ear = low & (np.abs(q[:, 0]) < skull.radii[0] + 0.04) & (q[:, 2] > c[2] - 0.25) & (q[:, 1] > 6.2 * scale)
    q[ear, 0] = (side * (skull.radii[0] + 0.05 + g.lift))[ear]
    neck = (q[:, 1] < c[1] - 0.5) & (np.hypot(q[:, 0], q[:, 2] - 0.15) < 0.56 * scale)
    outward = q[:, [0, 2]] - [0, 0.15]
    outward /= np.maximum(np.linalg.norm(outward, axis=1, keepdims=True), 1e-6)
    q[neck, 0] = (outward[:, 0] * 0.6 * scale)[neck]
    q[neck, 2] = (0.15 + outward[:, 1] * 0.6 * scale)[neck]
    shoulder = q[:, 1] < skull.shoulder + 0.1
    aside = np.where(q[:, 2] > 0.1, np.maximum(q[:, 2], 0.75), np.minimum(q[:, 2], -0.62))
    q[shoulder, 2] = aside[shoulder]


def _unit(d):
    return d / np.maximum(np.linalg.norm(d, axis=1, keepdims=True), 1e-6)
