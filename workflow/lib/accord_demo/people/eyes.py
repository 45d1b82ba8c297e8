"""Eyeballs, teeth, tongue and lashes."""

import numpy as np

from accord_demo import labels as L
from accord_demo.people.body import aligning
from accord_demo.people.noise import smoothstep
from accord_demo.people.person import Person
from accord_demo.people.template import template
from accord_demo.scene.part import Fragments, Part, Surface, flat_material, interpolate

SCLERA = np.array([0.62, 0.58, 0.55])
MOUTH = (
    ("helper-upper-teeth", (0.55, 0.52, 0.46)),
    ("helper-lower-teeth", (0.5, 0.47, 0.41)),
    ("helper-tongue", (0.35, 0.1, 0.09)),
)


def eye_parts(person: Person, V, posed, rng: np.random.Generator) -> list[Part]:
    """Both eyeballs, mouth and lashes; the gaze strays a little from straight ahead."""
    gaze = np.array([rng.normal(0, 0.06), rng.normal(0, 0.04), 1])
    turn = aligning(gaze, np.array([0, 0, 1.0])).T
    parts = [_eyeball(person, V, posed, turn, "l", L.LEFT_EYE), _eyeball(person, V, posed, turn, "r", L.RIGHT_EYE)]
    body = template().body
    for group, colour in MOUTH:
        material = flat_material(colour, roughness=0.3, specular=0.03)
        parts.append(Part(group, posed, body.triangles(group)[0], material, L.INNER_MOUTH))
    lashes = [f"helper-{side}-eyelashes-{row}" for side in "lr" for row in "12"]
    return parts + [_lash(person, posed, group) for group in lashes if group in body.groups]


def _eyeball(person, V, posed, turn, side: str, label: int) -> Part:
    T, _ = template().body.triangles(f"helper-{side}-eye")
    ball = V[np.unique(T)]
    centre = ball.mean(0)
    centre[2] = (ball[:, 2].min() + ball[:, 2].max()) / 2
    direction = V - centre
    direction = direction / np.maximum(np.linalg.norm(direction, axis=1, keepdims=True), 1e-6)
    attributes = {"direction": (direction @ turn).astype(np.float32)}
    return Part(f"eye-{side}", posed, T, _iris(person), label, attributes=attributes)


def _iris(person: Person):
    """Iris, pupil and sclera as rings around the gaze, z in the eyeball's own frame."""

    def material(fragments: Fragments) -> Surface:
        d = fragments.attributes["direction"]
        d = d / np.linalg.norm(d, axis=1, keepdims=True)
        angle, around = np.arccos(np.clip(d[:, 2], -1, 1)), np.arctan2(d[:, 1], d[:, 0])
        rays = template().noise(np.stack([np.cos(around) * 3, np.sin(around) * 3, angle * 2], -1), 5)
        edge = person.iris
        white = SCLERA * (1 - 0.25 * smoothstep(0.5, 1.1, angle))[:, None]
        white = white * (1 - np.array([0.02, 0.10, 0.10]) * smoothstep(0.4, 0.9, angle)[:, None])
        iris = np.array(person.eye_rgb) * (1.1 + 0.5 * rays)[:, None]
        iris = iris * (1 - 0.55 * smoothstep(edge * 0.78, edge, angle))[:, None]
        outside = smoothstep(edge * 0.95, edge * 1.06, angle)[:, None]
        ring = iris * (1 - outside) + white * outside
        pupil = smoothstep(edge * 0.40, edge * 0.46, angle)[:, None]
        return Surface(ring * pupil + 0.004 * (1 - pupil), roughness=0.08, specular=0.05, eye=True)

    return material


def _lash(person: Person, posed, group: str) -> Part:
    t = template()
    T, _ = t.body.triangles(group)

    def alpha(tri, a, b, c):
        return t.noise(interpolate(t.canonical, T[tri], a, b, c), 70) > 0.55 - 0.7 * person.skin.lash

    material = flat_material([0.012, 0.01, 0.01], roughness=0.9)
    return Part("lash", posed, T, material, L.FACE_SKIN, alpha=alpha, casts=False)
