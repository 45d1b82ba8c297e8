"""Hair and beards: shells of noise for short and curly hair, strands for the rest, and headwear."""

import numpy as np

from accord_demo import labels as L
from accord_demo.people.atlas import beard_field, hair_field
from accord_demo.people.figure import Figure
from accord_demo.people.headwear import cap_parts, hijab_part
from accord_demo.people.outfit import Outfit
from accord_demo.people.person import Person
from accord_demo.people.strands import strand_part
from accord_demo.scene.part import Fragments, Part, Surface, interpolate


def hair_parts(figure: Figure, person: Person, outfit: Outfit, detail: float) -> list[Part]:
    """All hair of a person; `detail` scales the number of strands. The style is the person's own."""
    rng = np.random.default_rng([person.seed, 7])
    field = hair_field(figure.t.canonical, person.receding) + 0.03 * figure.t.noise(figure.t.canonical, 9)
    beard, style = _beard(figure, person), person.hair
    short, curly, wide = rng.uniform(0.35, 0.75), rng.uniform(0.28, 0.42), np.linspace(0.012, 0.05, 4)
    layers = {
        "buzz": (np.linspace(0.012, 0.035, 5), 60, (-0.5, 0.2), 0.6, 0.0),
        "crop": (np.linspace(0.012, 0.10, 5), 60, (-0.5, 0.2), 0.6, 0.0),
        "afro": (np.linspace(0.03, short, 20), 21, (-0.62, 0.22), 0.45, 0.10),
        "curly": (np.linspace(0.03, curly, 15), 14, (-0.6, 0.16), 0.42, 0.30),
    }
    if style == "bald":
        return beard
    if style in layers:
        return beard + hair_shells(figure, person, field, *layers[style])
    if style == "hijab":
        return [*beard, hijab_part(figure, outfit)]
    if style == "cap":
        below = np.minimum(field, 7.95 - figure.t.canonical[:, 1])
        fringe = hair_shells(figure, person, below, wide, 60, (-0.5, 0.2), 0.6, 0.0)
        return beard + fringe + cap_parts(figure, outfit)
    roots = hair_shells(figure, person, field, np.array([0.02, 0.045, 0.07]), 40, (-0.6, -0.1), 0.5, 0.0)
    return [*beard, *roots, strand_part(figure, person, field, rng, detail)]


def _beard(figure: Figure, person: Person) -> list[Part]:
    if person.beard not in ("short", "full"):
        return []
    offsets = np.linspace(0.006, 0.06, 6) if person.beard == "short" else np.linspace(0.006, 0.22, 9)
    field = beard_field(figure.t.canonical)
    parts = hair_shells(figure, person, field, offsets, 42, (-0.5, 0.35), 0.5, 0.25, stretch=(1, 0.4, 1))
    for part in parts:
        part.name, part.label = "beard", L.FACE_SKIN
    return parts


def hair_shells(figure, person, field, offsets, frequency, threshold, dark, vary, stretch=(1, 1, 1)):
    """Layers over the skin at `offsets` (decimetres), each sparser (noise above a rising threshold) and
    lighter than the one below; `vary` makes their distance uneven."""
    t = figure.t
    T, at, n = t.head_triangles, t.canonical, len(offsets)
    T = T[(field[T] > -0.03).any(1)]
    uneven = 1 + vary * t.noise.fbm(at, 2.1, 2)
    rise = uneven * np.clip(field * 4 + 0.35, 0.15, 1)
    field, parts = field.astype(np.float32), []
    for i, offset in enumerate(offsets):
        share = i / max(1, n - 1)
        world = figure.on_head(figure.V + figure.rest_normals * (offset * rise)[:, None])
        cut = threshold[0] + (threshold[1] - threshold[0]) * share if i else None
        alpha = _sparse(t.noise, at * np.array(stretch), T, field, frequency, cut)
        material = _hair_material(t.noise, person, dark + (1 - dark) * share)
        parts.append(Part(
            "shell", world, T, material, L.HEAD_HAIR, alpha=alpha, attributes={"at": at},
            casts=i in (0, n - 1), occludes=i == 0, two_sided=True,
        ))  # fmt: skip
    return parts


def _sparse(noise, at, T, field, frequency, threshold):
    """Keeps what is inside the field and, above the lowest shell, where noise exceeds a threshold."""
    at = at.astype(np.float32)

    def alpha(tri, a, b, c):
        inside = interpolate(field, T[tri], a, b, c)
        if threshold is None:
            return inside > 0.02
        points = interpolate(at, T[tri], a, b, c)
        tuft = noise(points, frequency) * 0.65 + noise(points, frequency * 2.3) * 0.35
        return (inside > 0.02 * tuft) & (tuft > threshold)

    return alpha


def _hair_material(noise, person: Person, dark: float):
    colour = np.array(person.hair_rgb)

    def material(fragments: Fragments) -> Surface:
        at = fragments.at
        streaks = 0.8 + 0.3 * noise(at * np.array([40, 6, 40]), 1.0) + 0.15 * noise(at, 5)
        albedo = np.clip(colour * streaks[:, None], 0.004, 0.9) * dark
        return Surface(albedo, roughness=0.7, specular=0.015)

    return material
