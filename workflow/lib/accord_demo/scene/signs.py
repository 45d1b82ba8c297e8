"""The pictures of things that must be found and painted out: plates, cards, screens, logos. All fictitious."""

from dataclasses import dataclass
from typing import Any

import numpy as np

BRANDS = ("Kaleido", "Norwell", "Quillon", "Tavora", "Umbrix", "Zephra")
SURNAMES = ("MUSTER", "DOE", "EXEMPLAR")
MAIL = ("jo.doe", "a.muster", "kim.exemplar")
STREETS = ("Mill Lane", "Example Road", "Test Street")
INK, PAPER = "#1b1b1b", "#f4f4ef"


@dataclass(frozen=True)
class Sign:
    """A flat thing with text: its picture, and how wide it may be drawn as a share of the frame."""

    kind: str
    text: str
    image: Any  # Pillow image
    widest: float
    narrowest: float
    emission: float = 0.0


def make_sign(kind: str, rng: np.random.Generator) -> Sign:
    """A sign of a kind with random content."""
    return {"plate": _plate, "card": _card, "screen": _screen, "logo": _logo}[kind](rng)


def _canvas(width, height, colour):
    from PIL import Image, ImageDraw

    image = Image.new("RGB", (width, height), colour)
    return image, ImageDraw.Draw(image)


def _write(draw, at, text, size, fill=INK, fit=None):
    """Text in Pillow's own font, shrunk until it is at most `fit` pixels wide."""
    from PIL import ImageFont

    font = ImageFont.load_default(size=size)
    while fit is not None and draw.textlength(text, font=font) > fit:
        size -= 2
        font = ImageFont.load_default(size=size)
    draw.text(at, text, fill=fill, font=font, stroke_width=max(1, size // 40), stroke_fill=fill)


def _plate(rng) -> Sign:
    letters = "".join(chr(65 + int(q)) for q in rng.integers(0, 26, 4))
    text = f"{letters[:2]}-{rng.integers(100, 1000)}-{letters[2:]}"
    image, draw = _canvas(520, 124, PAPER)
    draw.rectangle([0, 0, 44, 124], fill="#1c3f9e")
    _write(draw, (64, 12), text, 92, fit=440)
    draw.rectangle([0, 0, 519, 123], outline=INK, width=5)
    return Sign("plate", text, image, 1.0, 0.12)


def _card(rng) -> Sign:
    name, day = SURNAMES[int(rng.integers(3))], f"{rng.integers(1, 29):02d}.{rng.integers(1, 13):02d}"
    lines = [f"Name {name}", f"Born {day}.{rng.integers(1950, 2000)}", f"No. X{rng.integers(10**6):06d}"]
    image, draw = _canvas(520, 330, "#dfe9f2")
    draw.rectangle([0, 0, 520, 66], fill="#31507a")
    _write(draw, (16, 10), "ID CARD SPECIMEN", 46, "#ffffff", fit=488)
    draw.rectangle([16, 92, 136, 246], fill="#9fb2c4")
    draw.ellipse([46, 110, 106, 176], fill="#6d8195")
    draw.ellipse([28, 184, 124, 300], fill="#6d8195")
    draw.rectangle([16, 247, 136, 306], fill="#dfe9f2")
    for row, line in enumerate(lines):
        _write(draw, (152, 84 + 56 * row), line, 46, fit=356)
    _write(draw, (16, 264), f"I<UTO{name}<<SPECIMEN<<<", 42, fit=490)
    return Sign("card", "\n".join(["ID CARD SPECIMEN", *lines]), image, 0.45, 0.24)


def _screen(rng) -> Sign:
    mail = f"{MAIL[int(rng.integers(3))]}@example.org"
    street = f"{rng.integers(1, 90)} {STREETS[int(rng.integers(3))]}"
    image, draw = _canvas(560, 280, "#0d0f12")
    draw.rectangle([12, 12, 547, 267], fill="#f2f5f8")
    draw.rectangle([12, 12, 547, 60], fill="#2a5d8f")
    _write(draw, (26, 14), "Contact", 38, "#ffffff")
    _write(draw, (26, 82), mail, 62, fit=506)
    _write(draw, (26, 172), street, 62, fit=506)
    return Sign("screen", f"{mail}\n{street}", image, 0.5, 0.28, emission=0.5)


def _logo(rng) -> Sign:
    brand = BRANDS[int(rng.integers(len(BRANDS)))]
    ink = ("#b3261e", "#1f4fa3", "#17784a", "#5b2a86")[int(rng.integers(4))]
    image, draw = _canvas(520, 200, "#fafafa")
    shape = int(rng.integers(3))
    if shape == 0:
        draw.ellipse([24, 40, 144, 160], outline=ink, width=24)
    elif shape == 1:
        draw.polygon([(84, 34), (148, 160), (20, 160)], fill=ink)
    else:
        draw.rectangle([28, 44, 140, 156], fill=ink)
        draw.ellipse([58, 74, 110, 126], fill="#fafafa")
    _write(draw, (164, 46), brand, 96, ink, fit=340)
    return Sign("logo", brand, image, 0.42, 0.2)
