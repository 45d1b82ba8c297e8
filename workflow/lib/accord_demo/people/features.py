"""The paint of lips, lash lines and eyebrows."""

import numpy as np

from accord_demo import labels as L
from accord_demo.people.noise import gaussian, smoothstep

BROW_X = (0.105, 0.22, 0.36, 0.47, 0.55)  # decimetres from the face's middle
BROW_Y = np.array([7.428, 7.462, 7.485, 7.460, 7.412])
MOUTH_Y = 6.61


def paint_lips(c) -> None:
    """Lips with their seam; the corners of the mask are thinned."""
    x, y, z, skin = c.ax, c.y, c.z, c.person.skin
    lips = c.atlas.lips * (1 - 0.25 * smoothstep(0.2, 0.28, x))
    streaks = 1 + 0.12 * c.noise(c.at * np.array([3, 0.6, 1]), 22)
    colour = c.base * np.array(skin.lip) * streaks[:, None]
    if skin.lipstick is not None:
        colour = 0.35 * colour + 0.65 * np.array(skin.lipstick) * (1 + 0.08 * c.middle)[:, None]
    cover = smoothstep(0.15, 0.75, lips)
    c.blend(cover, colour)
    c.height = c.height * (1 - cover)
    seam = np.exp(-(((y - 6.612) / 0.012) ** 2)) * smoothstep(0.29, 0.24, x) * (z > 1.0)
    c.darken(0.45 * seam)
    c.label[(lips > 0.4) & (y >= MOUTH_Y)] = L.UPPER_LIP
    c.label[(lips > 0.4) & (y < MOUTH_Y)] = L.LOWER_LIP
    inside = (z < 1.33) & (x < 0.3) & (y > 6.5) & (y < 6.72) & (z > 0.75) & (lips < 0.2)
    c.label[inside] = L.INNER_MOUTH


def paint_eyes(c) -> None:
    """The line of the lashes, darker above, and eye shadow."""
    x, y, skin = c.ax - 0.315, c.y - 7.285, c.person.skin
    line = np.exp(-(((np.hypot(x / 0.155, y / 0.072) - 0.93) / 0.13) ** 2)) * (c.z > 0.9)
    c.darken(np.clip(line * (0.35 + 0.5 * smoothstep(-0.02, 0.03, y)) * skin.lash, 0, 0.93))
    if skin.eye_shadow is not None:
        c.blend(gaussian(c.ax, c.y, 0.32, 7.37, 0.16, 0.045) * 0.55, skin.eye_shadow)


def paint_eyebrows(c) -> None:
    """Strokes along a curve, and their labels by side."""
    brow, x, y = c.person.brow, c.ax, c.y
    middle = np.interp(x, BROW_X, BROW_Y + brow.raised + brow.arch * np.array([0, 0, 1, 1, 0]))
    thick = np.interp(x, BROW_X, [0.040, 0.040, 0.034, 0.024, 0.008]) * brow.thick
    ends = smoothstep(0.07, 0.13, x) * smoothstep(0.57, 0.50, x) * (c.z > 0.75)
    shape = np.exp(-(np.abs((y - middle) / thick) ** 2.6)) * ends
    slanted = np.stack([x - 0.55 * (y - 7.45), y * 0.55, c.z * 0], -1)
    hairs = 0.5 + 0.5 * c.noise(slanted, 75)
    cover = np.clip(shape * (0.35 + 0.9 * hairs) * brow.dense, 0, 0.96)
    c.darken(cover)
    c.albedo = c.albedo + np.array(c.person.brow_rgb) * cover[:, None] * 0.9
    on = shape > 0.4
    c.label[on] = np.where(c.x > 0, L.LEFT_EYEBROW, L.RIGHT_EYEBROW)[on]
