"""What the inpainting model learns from: crops of scenes without people, holes, and captions."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.random import Generator

from accord.privacy.painting.diffusion import SIDE

SETTINGS = ("outdoor", "indoor")
SMALLEST_CROP = 96
NULL_CAPTIONS = 0.15


def render_scenes(path: Path, count: int, side: int = 512) -> np.ndarray:
    """Scenes without people, uint8 (count, side, side, 3), settings alternating; rendered once, then mapped."""
    if not path.exists():
        from accord_demo.render import empty_scene

        partial = path.with_suffix(".partial.npy")
        scenes = np.lib.format.open_memmap(partial, "w+", np.uint8, (count, side, side, 3))
        for seed in range(count):
            scenes[seed] = empty_scene(seed, SETTINGS[seed % 2], side, side).pixels
        scenes.flush()
        partial.rename(path)
    return np.load(path, mmap_mode="r")


def example(scenes: np.ndarray, prompts: dict, rng: Generator) -> tuple[np.ndarray, np.ndarray, str]:
    """A crop (uint8, SIDE x SIDE x 3), its hole (bool) and its caption."""
    number = int(rng.integers(len(scenes)))
    return crop(scenes[number], rng), hole(rng), caption(SETTINGS[number % 2], prompts, rng)


def crop(scene: np.ndarray, rng: Generator) -> np.ndarray:
    """A random window, mirrored half of the time, its colours and brightness varied."""
    import cv2

    side = scene.shape[0]
    size = np.exp(rng.uniform(np.log(SMALLEST_CROP), np.log(side)))
    ratio = np.exp(rng.uniform(-0.25, 0.25))
    height, width = (int(np.clip(size * r, SMALLEST_CROP, side)) for r in (ratio, 1 / ratio))
    y, x = rng.integers(side - height + 1), rng.integers(side - width + 1)
    window = np.ascontiguousarray(scene[y : y + height, x : x + width])
    small = cv2.resize(window, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
    if rng.random() < 0.5:
        small = small[:, ::-1]
    gain = rng.normal(1, 0.08, 3) * rng.normal(1, 0.12)
    return np.clip(small * gain + 0.5, 0, 255).astype(np.uint8)


def hole(rng: Generator) -> np.ndarray:
    """A random hole, bool (SIDE, SIDE): one or two people's outlines, ellipses or tilted rectangles."""
    import cv2

    mask = np.zeros((SIDE, SIDE), np.uint8)
    for _ in range(1 + (rng.random() < 0.25)):
        centre = rng.uniform(0.2, 0.8, 2) * SIDE
        size = rng.uniform(0.12, 0.62, 2) * SIDE
        kind = rng.integers(3)
        if kind == 0:
            for part in person_outline(centre, 1.35 * size, rng):
                cv2.fillPoly(mask, [part], 1)
        elif kind == 1:
            cv2.ellipse(mask, (tuple(centre), tuple(size), float(rng.uniform(0, 180))), 1, -1)
        else:
            box = cv2.boxPoints((tuple(centre), tuple(size), float(rng.normal(0, 12))))
            cv2.fillPoly(mask, [box.astype(np.int32)], 1)
    return mask.astype(bool)


def person_outline(centre: np.ndarray, size: np.ndarray, rng: Generator) -> list[np.ndarray]:
    """Polygons of a standing figure: head, trunk, arms and legs, a little irregular."""
    tall, wide = max(size[1], 0.3 * SIDE), 0.5 * max(size[0], 0.2 * SIDE)
    turn = np.linspace(0, 2 * np.pi, 12, endpoint=False)
    head = np.stack([0.16 * tall * 0.5 * np.cos(turn), 0.09 * tall * np.sin(turn) - 0.42 * tall], 1)
    trunk = np.array([[-0.5, -0.33], [0.5, -0.33], [0.42, 0.1], [-0.42, 0.1]]) * [wide, tall]
    arms = np.array([[-0.5, -0.33], [0.5, -0.33], [0.8, 0.1], [0.6, 0.12], [-0.6, 0.12], [-0.8, 0.1]]) * [wide, tall]
    legs = np.array([[-0.42, 0.05], [0.42, 0.05], [0.5, 0.5], [0.15, 0.5], [0, 0.15], [-0.15, 0.5], [-0.5, 0.5]])
    parts = [head, trunk, legs * [wide, tall]] + ([arms] if rng.random() < 0.5 else [])
    return [(part + centre + rng.normal(0, 1.2, part.shape)).astype(np.int32) for part in parts]


def caption(setting: str, prompts: dict, rng: Generator) -> str:
    """Words of the setting and of a region, in part; or, for guidance, a caption that says nothing of the image.

    The negative prompt's words describe no image of the training set: they stand for "no caption", so that at
    sampling time guidance leads away from the unconditional estimate, as with an empty negative prompt.
    """
    if rng.random() < NULL_CAPTIONS:
        return some_words(prompts["negative"], rng) if rng.random() < 0.6 else ""
    region = str(rng.choice(list(prompts["regions"].values())))
    return f"{region}, {some_words(prompts['scenes'][setting], rng)}"


def some_words(phrase: str, rng: Generator) -> str:
    """Each comma-separated part with probability 0.8, in order."""
    return ", ".join(part for part in phrase.split(", ") if rng.random() < 0.8)
