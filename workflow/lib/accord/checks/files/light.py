"""What a picture says of light, focus and skin."""

from __future__ import annotations

import numpy as np

from accord.imaging.cielab import lab, linear

SIDE = 512
BLACK, WHITE = 3, 252
FEWEST, EDGE = 500, 0.995
"""Pixels from which a colour or a sharpness is told; which edges count as the strongest."""


def small(picture: np.ndarray) -> np.ndarray:
    """A picture, or a mask, with its longer side at most SIDE px."""
    import cv2

    scale = min(1.0, SIDE / max(picture.shape[:2]))
    size = [max(1, round(length * scale)) for length in picture.shape[1::-1]]
    return cv2.resize(picture, size, interpolation=cv2.INTER_AREA)


def sharpness(grey: np.ndarray) -> float:
    """Variance of the Laplacian (Pech-Pacheco et al. 2000)."""
    import cv2

    return float(cv2.Laplacian(grey, cv2.CV_32F).var())


def crispness(grey: np.ndarray, mask: np.ndarray) -> float | None:
    """How strong the strongest edges in a mask are: the Laplacian that one pixel in 200 exceeds; None where it has too
    few. Edges count and not how many there are, so that a plain wall is not taken for a blurred one."""
    import cv2

    edges = np.abs(cv2.Laplacian(grey, cv2.CV_32F))
    inner = cv2.erode(mask.astype(np.uint8), np.ones((7, 7), np.uint8)).astype(bool)
    return float(np.quantile(edges[inner], EDGE)) if inner.sum() >= FEWEST else None


def clipped(grey: np.ndarray) -> float:
    """The larger one of the shares of pixels that are black and that are white."""
    return float(max((grey <= BLACK).mean(), (grey >= WHITE).mean()))


def exposure_value(aperture: float, shutter: float, iso: float) -> float:
    """EV at ISO 100 (ISO 2720), from APEX aperture and shutter speed: how bright it was; NaN where one is unknown.

    Rooms are at 4 to 8, streets in daylight at 11 to 16.
    """
    return float(aperture + shutter - np.log2(iso / 100)) if iso > 0 else float("nan")


def ita(colours: np.ndarray) -> float | None:
    """The individual typology angle, degrees, of the median of sRGB colours, uint8 (n, 3): arctan((L* - 50) / b*).

    Chardon, Cretois and Hourseau 1991: over 55 very light, under -30 dark. In a photograph light and white balance move
    it by tens of degrees.
    """
    if len(colours) < FEWEST:
        return None
    lightness, _, yellow = lab(linear(np.median(colours, axis=0)))
    return float(np.degrees(np.arctan2(lightness - 50, max(yellow, 1e-6))))
