"""Rooms: floor, walls and ceiling, a window, pictures, shelves and furniture."""

import numpy as np

from accord_demo.people.noise import ValueNoise
from accord_demo.people.palette import linear
from accord_demo.scene.part import Fragments, Surface
from accord_demo.scene.scenery import Scenery, random_colour
from accord_demo.scene.shapes import box, paint, picture, quad, scenery

CEILING = 34.0


def make_room(seed: int, noise: ValueNoise, clear: bool) -> Scenery:
    """The room of a seed; a `clear` one is deep and has nothing that could hide what stands in it."""
    rng = np.random.default_rng([seed, 11])
    back, half = -rng.uniform(9, 22), rng.uniform(26, 40)
    if clear:
        back = min(back, -19.0)
    parts = _shell(rng, noise, back, half)
    if rng.random() < 0.55:
        parts += _window(rng.uniform(-12, 6), back)
    for _ in range(rng.integers(0, 3)):
        parts.append(_poster(rng, back))
    if rng.random() < 0.6:
        parts += _shelf(rng, noise, back)
    if rng.random() < 0.5 and not clear:
        parts += _sofa(rng, noise, back * 0.45)
    if rng.random() < 0.3 and not clear:
        parts += _desk(rng, noise, back * 0.6)
    return _lit(rng, parts, back)


def _shell(rng, noise, back, half):
    wall, floor = random_colour(rng, 0.45, 0.92), random_colour(rng, 0.2, 0.6)
    plaster, across, up, depth = _plaster(noise, wall, rng.integers(0, 3)), (2 * half, 0, 0), (0, CEILING, 0), 60
    meshes = [
        ("floor", quad((-half, 0, back), across, (0, 0, depth), 60, 60), _planks(noise, floor)),
        ("wall", quad((-half, 0, back), across, up, 20, 20), plaster),
        ("wall-left", quad((-half * 0.62, 0, back), (0, 0, depth), up, 10, 10), plaster),
        ("wall-right", quad((half * 0.62, 0, back), (0, 0, depth), up, 10, 10), plaster),
        ("ceiling", quad((-half, CEILING, back), across, (0, 0, depth), 4, 4), paint([0.75, 0.74, 0.72])),
    ]
    return [scenery(*mesh) for mesh in meshes]


def _plaster(noise, colour, style):
    """Plain, striped or panelled walls with a skirting board."""

    def material(fragments: Fragments) -> Surface:
        at = fragments.at
        albedo = np.tile(colour, (len(at), 1)) * (1 + 0.02 * noise(at, 1.5))[:, None]
        if style == 1:
            albedo = albedo * np.where((at[:, 0] * 0.9) % 2 < 1, 1, 0.88)[:, None]
        if style == 2:
            albedo = np.where((at[:, 1] < 9)[:, None], albedo * 0.62, albedo)
        albedo = np.where((at[:, 1] < 1.0)[:, None], 0.75, albedo)
        return Surface(albedo, roughness=0.9, specular=0.01)

    return material


def _planks(noise, colour):
    def material(fragments: Fragments) -> Surface:
        at = fragments.at
        across = at[:, 0] / 1.4
        plank, gap = np.floor(across), np.minimum(across % 1, 1 - across % 1)
        tone = noise(np.stack([plank * 3.7, plank * 0, at[:, 2] * 0.1], 1), 1.0)
        grain = noise(at * np.array([4, 1, 0.35]), 2)
        albedo = colour * (1 + 0.22 * tone + 0.10 * grain)[:, None]
        return Surface(albedo * np.where(gap < 0.02, 0.5, 1)[:, None], roughness=0.45, specular=0.03)

    return material


def _window(x, back):
    frame = paint([0.8] * 3)
    pane = paint([1.0, 1.05, 1.15], emission=1.1)
    bars = [box((x + q, 14, back + 0.2), (0.35, 12, 0.3)) for q in (0, 4, 8)]
    bars += [box((x + 4, q, back + 0.2), (8.3, 0.35, 0.3)) for q in (8, 14, 20)]
    glass = scenery("window", quad((x, 8, back + 0.1), (8, 0, 0), (0, 12, 0)), pane)
    return [glass, *(scenery("frame", bar, frame) for bar in bars)]


def _poster(rng, back):
    """An abstract picture without any text."""
    from PIL import Image, ImageDraw

    image = Image.new("RGB", (256, 340), tuple(int(q) for q in rng.integers(40, 230, 3)))
    draw = ImageDraw.Draw(image)
    for _ in range(6):
        x0, y0, x1, y1 = (int(q) for q in rng.integers(0, 256, 4))
        corners = [min(x0, x1), min(y0, y1), max(x0, x1) + 4, max(y0, y1) + 80]
        shape = draw.ellipse if rng.random() < 0.5 else draw.rectangle
        shape(corners, fill=tuple(int(q) for q in rng.integers(0, 255, 3)))
    origin = (rng.uniform(-14, 10), rng.uniform(11, 14), back + 0.12)
    return scenery("poster", quad(origin, (4, 0, 0), (0, 5.4, 0)), picture(image))


def _shelf(rng, noise, back):
    x = rng.choice([-1, 1]) * rng.uniform(6, 12)
    wood = paint(linear("#6b4a2e"), mottle=0.2, noise=noise)
    parts = [scenery("shelf", box((x, 8, back + 1.2), (8, 16, 2.4)), wood, casts=True)]
    for level in range(5):
        left = x - 3.5
        while left < x + 3.3:
            width, height = rng.uniform(0.3, 0.8), rng.uniform(1.6, 2.4)
            centre = (left + width / 2, 1.2 + level * 3.1 + height / 2, back + 2.5)
            book = box(centre, (width * 0.92, height, 0.4))
            parts.append(scenery("book", book, paint(random_colour(rng, 0.1, 0.7))))
            left += width
    return parts


def _sofa(rng, noise, z):
    x, colour = rng.choice([-1, 1]) * rng.uniform(7, 12), random_colour(rng, 0.2, 0.6)
    blocks = [((x, 2.1, z), (13, 4.2, 8)), ((x, 5, z - 3), (13, 9, 2))]
    blocks += [((x + side * 6.5, 3.4, z), (1.8, 6.4, 8)) for side in (-1, 1)]
    cover = paint(colour, mottle=0.12, noise=noise, frequency=2)
    return [scenery("sofa", box(*block), cover, casts=True) for block in blocks]


def _desk(rng, noise, z):
    """A desk with a screen that shows bars, no text."""
    from PIL import Image, ImageDraw

    x = rng.choice([-1, 1]) * rng.uniform(5, 9)
    image = Image.new("RGB", (160, 90), "#16324f")
    draw = ImageDraw.Draw(image)
    for row in range(6):
        end = int(rng.integers(50, 150))
        fill = tuple(int(q) for q in rng.integers(120, 255, 3))
        draw.rectangle([8, 10 + 12 * row, end, 15 + 12 * row], fill=fill)
    screen = quad((x - 3.2, 9, z), (6.4, 0, 0), (0, 3.6, 0))
    wood = paint(linear("#8a6a48"), mottle=0.15, noise=noise)
    board = scenery("desk", box((x, 7.2, z), (9, 0.5, 4)), wood, casts=True)
    return [scenery("monitor", screen, picture(image, emission=1.2)), board]


def _lit(rng, parts, back) -> Scenery:
    """Light of a lamp or window from one side, warm or neutral."""
    warm = rng.uniform(-0.08, 0.15)
    towards = np.array([rng.choice([-1, 1]) * rng.uniform(0.5, 1), rng.uniform(0.1, 0.7), rng.uniform(0.1, 0.9)])
    towards /= np.linalg.norm(towards)
    even, beam = rng.uniform(0.25, 0.5), rng.uniform(1.2, 2.6)
    tint = np.array([1 + warm, 1, 1 - warm])

    def environment(d):
        return tint * (even + 0.18 * d[:, 1:2] + beam * np.clip(d @ towards, 0, 1)[:, None] ** 3)

    key = np.array([towards[0] * rng.uniform(0.4, 1.3), rng.uniform(0.6, 1.3), rng.uniform(0.5, 1.4)])
    light = "indoor_warm" if warm > 0.04 else "indoor_neutral"
    colour = tint * rng.uniform(0.5, 1.5)
    return Scenery(parts, environment, key / np.linalg.norm(key), colour, 2, light, back)
