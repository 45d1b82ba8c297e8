"""The marks of age on a face: wrinkles and spots, stronger from 35 years on."""

import numpy as np

from accord_demo.people.noise import gaussian, smoothstep


def paint_age(c) -> None:
    """Darken and dent the canvas where age shows."""
    old = c.person.build.age
    if old <= 0.15:
        return
    lines = _forehead(c) + _crow_feet(c) + _folds(c)
    lines = lines * smoothstep(0.15, 0.9, old) * (0.8 + 0.6 * c.noise(c.at, 9))
    c.height -= 0.18 * lines
    c.albedo *= np.clip(1 - 0.30 * lines, 0.4, 1)[:, None]
    c.darken(0.25 * smoothstep(0.62, 0.8, c.noise(c.at + 21, 7)) * smoothstep(0.4, 0.9, old))


def _forehead(c):
    y = c.y + 0.03 * c.coarse
    lines = sum(gaussian(0, y, 0, height + 0.04 * np.cos(3 * c.x), 1, 0.009) for height in (7.62, 7.73, 7.84))
    frown = 0.8 * np.exp(-(((c.ax - 0.055) / 0.010) ** 2)) * gaussian(c.x, c.y, 0, 7.45, 1, 0.07)
    return (lines * smoothstep(0.6, 0.3, c.ax) + frown) * c.front


def _crow_feet(c):
    dx, dy, lines = c.ax - 0.50, c.y - 7.28, 0
    for angle in (-0.5, -0.17, 0.16, 0.49):
        across = dx * np.sin(angle) - dy * np.cos(angle)
        along = dx * np.cos(angle) + dy * np.sin(angle)
        ends = smoothstep(0, 0.04, along) * smoothstep(0.2, 0.1, along)
        lines = lines + np.exp(-((across / 0.008) ** 2)) * ends
    return lines


def _folds(c):
    """From the nose to the corners of the mouth, and under the eyes."""
    fold = np.interp(c.y, [6.45, 6.65, 6.95], [0.36, 0.34, 0.21])
    ends = smoothstep(6.4, 6.55, c.y) * smoothstep(7.0, 6.9, c.y)
    lines = 1.1 * np.exp(-(((c.ax - fold) / 0.016) ** 2)) * ends
    bag = (c.y - 7.13 + 0.25 * (c.ax - 0.3) ** 2 * 4) / 0.010
    return (lines + 0.8 * np.exp(-(bag**2)) * smoothstep(0.14, 0.2, c.ax) * smoothstep(0.48, 0.4, c.ax)) * c.front
