"""Woven materials: colour, pattern, weave and folds over canonical coordinates."""

import numpy as np

from accord_demo.people.noise import ValueNoise
from accord_demo.scene.part import Fragments, Surface


def cloth(noise: ValueNoise, colour, second, pattern: str = "plain", weave: float = 26.0, label_of=None):
    """A cloth of two colours; `weave` in threads per decimetre; `label_of(at)` gives labels by place."""
    colour, second = np.array(colour), np.array(second)

    def material(fragments: Fragments) -> Surface:
        at = fragments.at
        albedo = _pattern(pattern, at[:, 0], at[:, 1], colour, second)
        threads = noise(at * weave, 1.0)
        border = np.clip(1 - fragments.attributes["field"] / 0.03, 0, 1)
        albedo = albedo * (1 + 0.10 * threads + 0.08 * noise(at, 2.2))[:, None] * (1 - 0.25 * border)[:, None]
        folds = noise.fbm(at * np.array([1.3, 0.7, 1.3]) + 9, 1.7, 2)
        return Surface(
            np.clip(albedo, 0.005, 0.9),
            None if label_of is None else label_of(at),
            roughness=0.85,
            specular=0.015,
            bump=0.0015 * threads + 0.030 * folds,
        )

    return material


def _pattern(name, x, y, colour, second):
    if name == "stripes":
        return np.where((np.sin(y * 16) > 0.2)[:, None], second, colour)
    if name == "check":
        share = (0.5 * (np.sin(x * 14) > 0.3) + 0.5 * (np.sin(y * 14) > 0.3))[:, None]
        return colour * (1 - share) + second * share
    if name == "dots":
        inside = np.hypot((x * 3.2) % 1 - 0.5, (y * 3.2) % 1 - 0.5) < 0.22
        return np.where(inside[:, None], second, colour)
    return np.tile(colour, (len(x), 1))
