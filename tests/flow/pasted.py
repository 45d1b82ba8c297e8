"""What is pasted into photographs: people who were cut out of others, plates, screens, signs; and where it then is."""

from typing import NamedTuple

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

Polygon = list[list[float]]
SOFT = 1.0
"""Px of blur: edges in photographs are no sharper."""
GRAIN = 2.0
"""Standard deviation of the noise, colour levels."""
GREY, INK, PAPER, BLUE = "#3a3d42", "#17181a", "#f2f2ee", "#2447a0"


class Thing(NamedTuple):
    """Something that is pasted: `kind` of region; left, top, width, height in px; the lines that it says."""

    kind: str
    box: tuple[int, int, int, int]
    lines: tuple[str, ...] = ()


def person(
    picture: np.ndarray, cut: tuple[np.ndarray, list[Polygon]], left: float, foot: float, height: float
) -> tuple[np.ndarray, list[Polygon]]:
    """The picture, uint8 (H, W, 3), with a person in it, and the polygons around them, px.

    cut: a picture, and the polygons around the person in it; left, foot: where their outline begins, and ends; height:
    of the person, px.
    """
    source, outline = cut
    corners = [np.reshape(polygon, (-1, 2)) for polygon in outline]
    every = np.concatenate(corners)
    scale = height / np.ptp(every[:, 1])
    shift = np.array([left, foot]) - np.array([every[:, 0].min(), every[:, 1].max()]) * scale
    placed = [corner * scale + shift for corner in corners]
    size = [round(side * scale) for side in source.shape[1::-1]]
    small = Image.fromarray(source).resize(size, Image.Resampling.LANCZOS)
    canvas = Image.fromarray(picture)
    layer = canvas.copy()
    layer.paste(small, tuple(int(v) for v in np.round(shift)))
    return _laid(canvas, layer, placed), [corner.round(1).tolist() for corner in placed]


def thing(picture: np.ndarray, what: Thing) -> tuple[np.ndarray, Polygon]:
    """The picture with a plate, a screen or a sign in it, and the polygon around it, px."""
    left, top, width, height = what.box
    canvas = Image.fromarray(picture)
    layer = canvas.copy()
    layer.paste(DRAWN[what.kind](what, (width, height)), (left, top))
    corners = np.array([[left, top], [left + width, top], [left + width, top + height], [left, top + height]], float)
    noise = np.random.default_rng(sum(what.box)).normal(0, GRAIN, picture.shape)
    layer = Image.fromarray((np.asarray(layer) + noise).clip(0, 255).astype(np.uint8))
    return _laid(canvas, layer, [corners]), corners.tolist()


def _laid(below: Image.Image, above: Image.Image, polygons: list[np.ndarray]) -> np.ndarray:
    """What is above within polygons, with soft edges."""
    mask = Image.new("L", below.size)
    draw = ImageDraw.Draw(mask)
    for polygon in polygons:
        draw.polygon([tuple(corner) for corner in polygon], fill=255)
    return np.asarray(Image.composite(above, below, mask.filter(ImageFilter.GaussianBlur(SOFT))))


def _plate(what: Thing, size: tuple[int, int]) -> Image.Image:
    made = Image.new("RGB", size, PAPER)
    draw = ImageDraw.Draw(made)
    draw.rectangle((0, 0, size[0] * 0.1, size[1]), fill=BLUE)
    draw.rectangle((0, 0, size[0] - 1, size[1] - 1), outline=INK, width=2)
    _written(draw, what.lines, (size[0] * 0.12, 0, size[0], size[1]), INK)
    return made


def _screen(what: Thing, size: tuple[int, int]) -> Image.Image:
    made = Image.new("RGB", size, INK)
    draw = ImageDraw.Draw(made)
    frame = round(0.04 * size[0])
    draw.rectangle((frame, frame, size[0] - frame, size[1] - frame), fill="#dfe8f4")
    _written(draw, what.lines, (2 * frame, 2 * frame, size[0] - 2 * frame, size[1] - 2 * frame), INK)
    return made


def _sign(what: Thing, size: tuple[int, int]) -> Image.Image:
    made = Image.new("RGB", size, BLUE)
    _written(ImageDraw.Draw(made), what.lines, (0, 0, *size), PAPER)
    return made


def _written(draw: ImageDraw.ImageDraw, lines: tuple[str, ...], box: tuple[float, float, float, float], ink) -> None:
    """Lines in the middle of a box, as large as fit."""
    left, top, right, bottom = box
    row = (bottom - top) / len(lines)
    size = row * 0.8
    widest = max(ImageFont.load_default(size=size).getlength(line) for line in lines)
    font = ImageFont.load_default(size=min(size, size * (right - left) * 0.92 / widest))
    for number, line in enumerate(lines):
        draw.text(((left + right) / 2, top + (number + 0.5) * row), line, fill=ink, font=font, anchor="mm")


DRAWN = {"license_plate": _plate, "screen": _screen, "logo": _sign}
