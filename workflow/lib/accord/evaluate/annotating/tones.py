"""The tone of a face on Monk's scale, from the colour of most of its skin (Lin et al., 2025)."""

from typing import NamedTuple

import numpy as np

from accord.imaging.cielab import lab, linear
from accord.vocabularies import FACE_PARTS

SWATCHES = np.array([[int(code[place : place + 2], 16) for place in (0, 2, 4)] for code in (
    "f6ede4", "f3e7db", "f7ead0", "eadaba", "d7bd96", "a07e56", "825c43", "604134", "3a312a", "292420",
)])  # fmt: skip
"""sRGB of Monk's ten tones, the lightest first (Monk, 2019)."""
SKIN = tuple(FACE_PARTS.index(part) for part in ("skin", "nose"))
"""Labels of a face's oval less eyes, brows and lips."""
CLUSTERS = 3
LEAST = 50
"""Pixels of skin: fewer give no colour."""


class Tone(NamedTuple):
    """The centre of the largest cluster of skin, sRGB 0 to 255; Monk's tones, 1 to 10, whose swatches are nearest to it
    in RGB and in CIE L*a*b*; the share of the skin that is in the cluster, and the skin's pixels."""

    red: float
    green: float
    blue: float
    tone_rgb: int
    tone_lab: int
    share: float
    pixels: int


def tone(picture: np.ndarray, labels: np.ndarray, seed: int) -> Tone | None:
    """The tone of a face, None where fewer than 50 pixels are skin.

    picture: (height, width, 3) uint8 RGB; labels: (height, width), of FACE_PARTS. Of equally large clusters the
    brighter one counts.
    """
    skin = picture[np.isin(labels, SKIN)].astype(float)
    if len(skin) < LEAST:
        return None
    centres, counts = _clusters(skin, seed)
    best = max(range(len(centres)), key=lambda k: (counts[k], centres[k].sum()))
    centre = centres[best]
    red, green, blue = map(float, centre)
    return Tone(red, green, blue, *nearest(centre), float(counts[best] / len(skin)), len(skin))


def nearest(colour: np.ndarray) -> tuple[int, int]:
    """Monk's tones nearest to an sRGB colour: by distance in RGB, and in CIE L*a*b*."""
    in_rgb = np.linalg.norm(SWATCHES - colour, axis=1)
    in_lab = np.linalg.norm(lab(linear(SWATCHES)) - lab(linear(colour)), axis=1)
    return int(in_rgb.argmin()) + 1, int(in_lab.argmin()) + 1


def _clusters(skin: np.ndarray, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Centres (k, 3) and sizes (k,) of K-means with K = 3, or of all colours where there are fewer."""
    from sklearn.cluster import KMeans

    colours, sizes = np.unique(skin, axis=0, return_counts=True)
    if len(colours) <= CLUSTERS:
        return colours, sizes
    found = KMeans(CLUSTERS, n_init=1, random_state=seed).fit(colours, sample_weight=sizes)
    return found.cluster_centers_, np.bincount(found.labels_, weights=sizes, minlength=CLUSTERS)
