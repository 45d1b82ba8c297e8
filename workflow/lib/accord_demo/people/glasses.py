"""Glasses: rims, bridge and temples as tubes, fitted to eyes and ears."""

import numpy as np

from accord_demo import labels as L
from accord_demo.people.figure import Figure
from accord_demo.people.palette import FRAMES, linear
from accord_demo.people.person import Person
from accord_demo.scene.part import Part, flat_material

WIRE = 0.020  # radius, decimetres
SIDES = 6  # corners of a tube's section


def glasses_part(figure: Figure, person: Person) -> Part:
    """The person's glasses: the same pair in every picture."""
    rng = np.random.default_rng([person.seed, 8])
    half = 0.235 * rng.uniform(0.95, 1.1), 0.175 * rng.uniform(0.85, 1.15)
    squareness, colour = rng.uniform(2, 4), linear(str(rng.choice(FRAMES)))
    meshes, offset = [], 0
    for path, closed in _paths(figure, half, squareness):
        points, T = _tube(path, closed)
        meshes.append((points, T + offset))
        offset += len(points)
    P, T = (np.concatenate(arrays) for arrays in zip(*meshes, strict=True))
    material = flat_material(colour, roughness=0.25, specular=0.06)
    return Part("glasses", figure.on_head(P), T, material, L.EYEWEAR)


def _paths(figure: Figure, half, squareness):
    """Centre lines: per eye a superelliptic rim and a temple, then the bridge."""
    at, (rx, ry) = {n: figure.V[i] for n, i in figure.t.landmark.items()}, half
    front = at["nose"][2] - 0.12
    angle = np.linspace(0, 2 * np.pi, 28, endpoint=False)
    c, s = (np.sign(f) * np.abs(f) ** (2 / squareness) for f in (np.cos(angle), np.sin(angle)))
    centre = {q: (at[f"{q}_eye_inner"] + at[f"{q}_eye_outer"]) / 2 for q in ("left", "right")}
    for side, eye in centre.items():
        out, ear = np.sign(eye[0]), at[f"{side}_ear"]
        bend = 0.35 * (c * rx * out).clip(0)
        yield np.stack([eye[0] + rx * c, eye[1] - 0.03 + ry * s, front - bend], 1), True
        hinge = [eye[0] + out * rx, eye[1] + 0.03, front - 0.09]
        middle = [ear[0] + out * 0.05, eye[1] + 0.03, front - 0.5]
        yield np.array([hinge, middle, [ear[0] + out * 0.04, ear[1] + 0.17, ear[2] - 0.05]]), False
    left, right = centre["left"], centre["right"]
    ends = [left[0] - rx, left[1] + 0.02, front], [right[0] + rx, right[1] + 0.02, front]
    yield np.array([ends[0], [0, left[1] + 0.05, front + 0.03], ends[1]]), False


def _tube(path, closed: bool):
    """Vertices and triangles of a tube around a path (n, 3)."""
    n = len(path)
    tangent = np.roll(path, -1, 0) - np.roll(path, 1, 0) if closed else np.gradient(path, axis=0)
    tangent = tangent / np.linalg.norm(tangent, axis=1, keepdims=True)
    a = np.cross(tangent, [0.0, 0.3, 1.0])
    a /= np.maximum(np.linalg.norm(a, axis=1, keepdims=True), 1e-6)
    b = np.cross(tangent, a)
    angle = (np.arange(SIDES) * 2 * np.pi / SIDES)[:, None]
    points = path[:, None] + WIRE * (np.cos(angle) * a[:, None] + np.sin(angle) * b[:, None])
    ring, k = np.divmod(np.arange((n if closed else n - 1) * SIDES), SIDES)
    after, turn = (ring + 1) % n, (k + 1) % SIDES
    corner = ring * SIDES + k, after * SIDES + k, after * SIDES + turn, ring * SIDES + turn
    T = np.concatenate([np.stack(corner[:3], 1), np.stack([corner[0], corner[2], corner[3]], 1)])
    return points.reshape(-1, 3), T
