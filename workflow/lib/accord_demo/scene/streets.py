"""Streets and parks: ground, houses, trees, a parked car, sun or clouds."""

import numpy as np

from accord_demo.people.noise import ValueNoise
from accord_demo.people.palette import linear
from accord_demo.scene.part import Fragments, Part, Surface
from accord_demo.scene.scenery import Scenery, random_colour, sphere_directions
from accord_demo.scene.shapes import box, paint, quad, scenery

CAR_TAIL = 21.6  # from a car's middle to its plate, decimetres
PLATE_HEIGHT = 4.0  # of a plate's middle over the ground


def make_street(seed: int, noise: ValueNoise, clear: bool) -> Scenery:
    """The street of a seed; a `clear` one has nothing near that could hide what stands in it."""
    rng = np.random.default_rng([seed, 11])
    parts, ground = _ground(rng, noise)
    for _ in range(rng.integers(2, 7)):
        parts.append(_house(rng, noise))
    for _ in range(rng.integers(2, 9)):
        parts += _tree(rng, noise)
    if rng.random() < 0.45 and not clear:
        x, z = rng.choice([-1, 1]) * rng.uniform(11, 22), -rng.uniform(12, 30)
        parts += car(x, z, random_colour(rng, 0.2, 0.6))
    return _lit(rng, parts, ground, noise, seed)


def _ground(rng, noise):
    """Grass or paving, fine near the camera and coarse to the horizon; also its mean colour."""
    if rng.random() < 0.5:
        colour = random_colour(rng, 0.25, 0.5) * np.array([0.75, 1, 0.5])
    else:
        colour = random_colour(rng, 0.3, 0.55)
    material = _turf(noise, colour) if colour[1] > colour[0] * 1.1 else _paving(noise, colour)
    near = quad((-30, 0, -45), (60, 0, 0), (0, 0, 90), 90, 120)
    far = quad((-700, -0.05, -900), (1400, 0, 0), (0, 0, 990), 60, 60)
    return [scenery("ground", near, material), scenery("far-ground", far, material)], colour


def _turf(noise, colour):
    def material(fragments: Fragments) -> Surface:
        at = fragments.at
        albedo = colour * (1 + noise.fbm(at, 0.6, 3) * 0.18 + noise(at, 7) * 0.30)[:, None]
        return Surface(np.clip(albedo, 0.01, 0.9), roughness=0.95)

    return material


def _paving(noise, colour):
    def material(fragments: Fragments) -> Surface:
        at = fragments.at
        albedo = colour * (1 + noise.fbm(at, 0.6, 3) * 0.18 + noise(at, 9) * 0.12)[:, None]
        joint = np.minimum((at[:, 0] / 5) % 1, (at[:, 2] / 5) % 1) < 0.02
        return Surface(np.clip(albedo * np.where(joint, 0.6, 1)[:, None], 0.01, 0.9), roughness=0.95)

    return material


def _house(rng, noise) -> Part:
    x, z = rng.uniform(-160, 160), -rng.uniform(110, 260)
    height, width = rng.uniform(60, 170), rng.uniform(40, 90)
    wall, pane = random_colour(rng, 0.3, 0.75), random_colour(rng, 0.1, 0.3)

    def material(fragments: Fragments) -> Surface:
        at = fragments.at
        across, up = ((at[:, 0] + at[:, 2]) / 9) % 1, (at[:, 1] / 12) % 1
        window = (across > 0.25) & (across < 0.75) & (up > 0.3) & (up < 0.75)
        plaster = wall * (1 + 0.06 * noise(at, 0.5))[:, None]
        return Surface(np.where(window[:, None], pane, plaster), roughness=0.9, specular=0.01)

    return scenery("house", box((x, height / 2, z), (width, height, width)), material)


def _tree(rng, noise) -> list[Part]:
    """A trunk and five lumps of leaves."""
    from scipy.spatial import ConvexHull

    x, z, height = rng.choice([-1, 1]) * rng.uniform(10, 90), -rng.uniform(25, 110), rng.uniform(30, 60)
    trunk = box((x, height * 0.3, z), (2, height * 0.6, 2))
    parts, green = [scenery("trunk", trunk, paint(linear("#4a3826")))], linear("#3f5c2a") * rng.uniform(0.6, 1.5)

    def leaves(fragments: Fragments) -> Surface:
        at = fragments.at
        albedo = green * (1 + 0.55 * noise(at, 1.1) + 0.3 * noise(at, 3))[:, None]
        return Surface(np.clip(albedo, 0.01, 0.9), roughness=1.0)

    directions = sphere_directions(90)
    T = ConvexHull(directions).simplices
    for lump in range(5):
        radius, centre = rng.uniform(5, 9), np.array([x, height * 0.75, z]) + rng.normal(0, 4, 3)
        P = directions * radius * (1 + 0.25 * noise(directions * 3 + lump, 1.0))[:, None] + centre
        normals, attributes = directions.astype(np.float32), {"at": P.astype(np.float32)}
        parts.append(Part("leaves", P, T, leaves, N=normals, attributes=attributes, casts=False))
    return parts


def car(x: float, z: float, colour) -> list[Part]:
    """A car seen from behind, without a plate."""
    blocks: list[tuple] = [
        ("car", ((x, 5.2, z), (17, 6.5, 42)), paint(colour, 0.3), True),
        ("cabin", ((x, 11, z - 3), (15, 5.5, 22)), paint(linear("#20262b"), 0.2), True),
        ("bumper", ((x, 2.5, z + 21), (17.2, 1.4, 1)), paint([0.05] * 3), False),
    ]
    for side in (-1, 1):
        lamp = ((x + side * 6.5, 5.8, z + 21.1), (2.4, 1.3, 0.3))
        blocks.append(("lamp", lamp, paint([0.5, 0.06, 0.05]), False))
    return [scenery(name, box(*block), material, casts) for name, block, material, casts in blocks]


def _lit(rng, parts, ground, noise, seed) -> Scenery:
    """Sun from the front half of the sky, or an overcast day."""
    azimuth, height = rng.uniform(-1.2, 1.2), rng.uniform(0.45, 1.2)
    sun = np.array([np.sin(azimuth) * np.cos(height), np.sin(height), np.cos(azimuth) * np.cos(height)])
    overcast = rng.random() < 0.4
    zenith = np.array([0.85, 0.88, 0.95]) if overcast else np.array([0.45, 0.62, 1.0]) * 0.9
    horizon = np.array([0.95, 0.97, 1.0])

    def gradient(d):
        return horizon + (zenith - horizon) * np.clip(d[:, 1:2], 0, 1) ** 0.5

    def environment(d):
        return np.where(d[:, 1:2] > 0, gradient(d), ground * 0.8) * 0.85

    def sky(d):
        clouds = noise.fbm(d * np.array([1, 3, 1]) * 3 + seed % 17, 1.0, 4)
        return gradient(d) * 1.05 * (1 + 0.25 * np.clip(clouds, 0, 1)[:, None])

    colour = np.array([1.0, 0.93, 0.82]) * (0.5 if overcast else 2.0)
    light, softness = ("overcast", 3) if overcast else ("sunny", 1)
    return Scenery(parts, environment, sun, colour, softness, light, -24.0, sky)
