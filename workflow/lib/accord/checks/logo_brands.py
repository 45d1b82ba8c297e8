"""Logos by their names: lines of text that read like a brand of a list."""

import re
import unicodedata
from collections.abc import Iterable
from pathlib import Path

from accord.checks.lists import column
from accord.checks.proposals import Seen
from accord.errors import all_problems

DETECTOR = "brand_names"
ALIKE = 0.8
"""Least similarity of a name of five letters or more; shorter ones are too often other words, and must be exact."""
SHORT = 4
MARGIN = 0.25
"""Share of a line's height by which its region is larger than the letters."""


def read(path: Path) -> dict[str, int]:
    """Brands, plain -> how many words each has. A CSV with a column `brand`; AccordError where it has none."""
    with all_problems() as problems:
        names = column(path, "brand", "brands", problems)
    return {plain(name): len(_words(name)) for name in names if plain(name)}


def find(lines: Iterable[tuple[str, list[float], float]], brands: dict[str, int], threshold: float) -> list[Seen]:
    """What reads like a brand. `lines`: text, polygon (px) and score of OCR; the score is OCR's times the likeness."""
    found = []
    for text, polygon, sure in lines:
        score = sure * likeness(text, brands)
        if score >= threshold:
            reason = "its text reads like a brand of the list"
            found.append(Seen("logo", _grown(polygon), DETECTOR, round(score, 4), threshold, reason))
    return found


def likeness(text: str, brands: dict[str, int]) -> float:
    """The greatest similarity, 0 to 1, of a brand and as many neighbouring words of the text; 0 where none is alike."""
    from rapidfuzz.distance import Indel

    words, best = _words(text), 0.0
    for brand, count in brands.items():
        for start in range(max(0, len(words) - count) + 1 if words else 0):
            part = "".join(words[start : start + count])
            alike = Indel.normalized_similarity(part, brand)
            if alike == 1 or (alike >= ALIKE and min(len(brand), len(part)) > SHORT):
                best = max(best, alike)
    return best


def plain(text: str) -> str:
    """Letters and digits alone, lower case, without accents."""
    return "".join(_words(text))


def _words(text: str) -> list[str]:
    kept = "".join(c for c in unicodedata.normalize("NFKD", text) if unicodedata.category(c) != "Mn")
    return re.findall(r"[^\W_]+", kept.casefold())


def _grown(polygon: list[float]) -> tuple[float, ...]:
    """The upright box around a line, with its margin."""
    xs, ys = polygon[::2], polygon[1::2]
    margin = MARGIN * (max(ys) - min(ys))
    left, top, right, bottom = (
        round(v, 1) for v in (min(xs) - margin, min(ys) - margin, max(xs) + margin, max(ys) + margin)
    )
    return (left, top, right, top, right, bottom, left, bottom)
