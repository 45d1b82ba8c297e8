"""Names and shapes painted into photographs as signs: turned, at a slant, small, faint or partly hidden."""

from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

LETTERS = 120
SIDE = 1600
"""Px of the longer side of a photograph."""
HEIGHTS = (0.02, 0.10)
"""Of a sign, of the photograph's longer side."""
TURN, SLANT = 20.0, 0.15
FAINT, CLEAR = (40, 90), (120, 220)
"""Grey levels between letters and ground."""
GAP, TRIES = 60, 200
"""Px between two signs at least; tries to find room for one."""
HIDDEN = 0.2
"""Share of a sign's width that something hides, from one side, where it does."""


class Sign(NamedTuple):
    """How a sign is painted. height: of the letters, px; turn: degrees; contrast: grey levels; hidden: share of its
    width; plate: whether on a ground of its own."""

    height: float
    turn: float
    slant: np.ndarray
    contrast: float
    hidden: float
    plate: bool


def drawn(rng: np.random.Generator, side: int) -> Sign:
    """A sign by lot: a quarter are faint, a quarter partly hidden, half have a plate."""
    height = side * float(np.exp(rng.uniform(*np.log(HEIGHTS))))
    contrast = rng.uniform(*(FAINT if rng.random() < 0.25 else CLEAR))
    hidden = HIDDEN * rng.random() if rng.random() < 0.25 else 0.0
    slant = rng.uniform(-SLANT, SLANT, (4, 2))
    return Sign(height, rng.uniform(-TURN, TURN), slant, contrast, hidden, bool(rng.random() < 0.5))


def fonts(folders: list[Path]) -> list[Path]:
    """The fonts in folders, those apart that are no letters."""
    found = [path for folder in folders for path in folder.rglob("*") if path.suffix in (".ttf", ".otf")]
    return sorted(path for path in found if "Math" not in path.name and "Mono" not in path.name)


def lettering(text: str, font: Path) -> np.ndarray:
    """A text as float (H, W), 1 where there is ink."""
    face = ImageFont.truetype(str(font), LETTERS)
    left, top, right, bottom = face.getbbox(text)
    picture = Image.new("L", (round(right - left) + 8, round(bottom - top) + 8))
    ImageDraw.Draw(picture).text((4 - left, 4 - top), text, fill=255, font=face)
    return np.asarray(picture, np.float32) / 255


def photograph(path: Path) -> np.ndarray:
    """uint8 RGB (H, W, 3), its longer side brought to SIDE px."""
    picture = Image.open(path).convert("RGB")
    scale = SIDE / max(picture.size)
    return np.asarray(picture.resize([round(length * scale) for length in picture.size], Image.Resampling.LANCZOS))


def place(ink: np.ndarray, sign: Sign, size: tuple[int, int], taken: list[np.ndarray],
          rng: np.random.Generator) -> np.ndarray | None:  # fmt: skip
    """Corners of a sign, (4, 2) px, within a scene of a size (W, H), apart from the signs that are there already; None
    where no room is left."""
    high, wide = ink.shape[:2]
    scale = min(sign.height / high, 0.6 * size[0] / wide)
    corners = _corners(wide * scale, high * scale, sign)
    corners = corners - corners.min(axis=0)
    room = np.array(size) - corners.max(axis=0)
    for _ in range(TRIES if (room > 0).all() else 0):
        moved = corners + rng.uniform(0, 1, 2) * room
        if all(_apart(moved, other) for other in taken):
            return moved
    return None


def paint(scene: np.ndarray, ink: np.ndarray, sign: Sign, corners: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The scene with the sign in it."""
    high, wide = ink.shape[:2]
    source = np.float32([[0, 0], [wide, 0], [wide, high], [0, high]])
    there, size = cv2.getPerspectiveTransform(source, corners.astype(np.float32)), scene.shape[1::-1]
    visible = np.ones((high, wide), np.float32)
    visible[:, : round(sign.hidden * wide)] = 0
    seen = ink * (visible if ink.ndim == 2 else visible[..., None])
    moved, ground = (cv2.warpPerspective(one, there, size, flags=cv2.INTER_AREA) for one in (seen, visible))
    return _mixed(scene, moved, ground, sign, rng)


def finished(scene: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A scene with a camera's blur and noise over all that was painted."""
    soft = cv2.GaussianBlur(scene.astype(np.float32), (0, 0), 0.7)
    return np.clip(soft + rng.normal(0, 3, scene.shape), 0, 255).astype(np.uint8)


def _apart(corners: np.ndarray, other: np.ndarray) -> bool:
    return bool((corners.min(axis=0) > other.max(axis=0) + GAP).any() or
                (other.min(axis=0) > corners.max(axis=0) + GAP).any())  # fmt: skip


def _corners(wide: float, high: float, sign: Sign) -> np.ndarray:
    corners = np.array([[-wide, -high], [wide, -high], [wide, high], [-wide, high]]) / 2
    corners += sign.slant * high
    angle = np.deg2rad(sign.turn)
    return corners @ np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])


def _mixed(scene: np.ndarray, ink: np.ndarray, ground: np.ndarray, sign: Sign, rng: np.random.Generator) -> np.ndarray:
    """Letters of a colour that is `contrast` grey levels from the plate, or from the mean of what is behind them."""
    picture = scene.astype(np.float32)
    if ink.ndim == 3:
        mixed = picture * (1 - ground[..., None]) + ink * ground[..., None]
    else:
        plate = rng.uniform(0, 255, 3)
        if sign.plate:
            picture = picture * (1 - ground[..., None]) + plate * ground[..., None]
        behind = plate.mean() if sign.plate else picture[ground > 0.5].mean()
        level = behind + sign.contrast if behind < 128 else behind - sign.contrast
        colour = np.clip(level + rng.uniform(-20, 20, 3), 0, 255)
        mixed = picture * (1 - ink[..., None]) + colour * ink[..., None]
    return np.clip(mixed, 0, 255).astype(np.uint8)
