"""Pictures degraded as AI-Face's test of robustness has them: by a kind, at a degree, seeded for each picture.

A picture is drawn in the same direction at each degree of a kind, so that degrees can be compared.
"""

import hashlib
import re
from collections.abc import Callable

import numpy as np

from accord.errors import AccordError, Problem
from accord.evaluate.tables.predictions import PLAIN


def names(degrees: dict[str, list[int]]) -> list[str]:
    """The names of all degradations of the settings (kind -> degrees), `none` first."""
    return [PLAIN, *(f"{kind}{degree}" for kind, some in degrees.items() for degree in some)]


def degraded(pixels: np.ndarray, name: str, image: str, seed: int) -> np.ndarray:
    """A picture (height, width, 3) uint8, degraded; a crop is smaller. name: as `names` has it.

    Raises AccordError for an unknown name.
    """
    if name == PLAIN:
        return pixels
    found = re.fullmatch(r"([a-z]+)(\d+)", name)
    if not found or found[1] not in KINDS:
        raise AccordError(Problem(f"degradation {name}", "is unknown", f"use one of {', '.join(KINDS)}, and a degree"))
    kind, degree = found[1], int(found[2])
    digest = hashlib.blake2b(f"{seed}:{kind}:{image}".encode(), digest_size=8).digest()
    return KINDS[kind](pixels, degree, np.random.default_rng(int.from_bytes(digest, "big")))


def _jpeg(pixels: np.ndarray, quality: int, rng: np.random.Generator) -> np.ndarray:
    """Compressed at a quality, and decoded."""
    import simplejpeg

    return simplejpeg.decode_jpeg(simplejpeg.encode_jpeg(np.ascontiguousarray(pixels), quality))


def _blur(pixels: np.ndarray, side: int, rng: np.random.Generator) -> np.ndarray:
    """Blurred by a Gaussian kernel of `side` px; its standard deviation is OpenCV's for that side."""
    import cv2

    return cv2.GaussianBlur(pixels, (side, side), 0)


def _hsv(pixels: np.ndarray, most: int, rng: np.random.Generator) -> np.ndarray:
    """Hue (of 180), saturation and value (of 255) each shifted by up to `most`."""
    import cv2

    shift = rng.uniform(-1, 1, 3) * most
    hsv = cv2.cvtColor(pixels, cv2.COLOR_RGB2HSV).astype(float) + shift
    hue = np.round(hsv[..., :1]) % 180
    moved = np.concatenate([hue, np.round(hsv[..., 1:]).clip(0, 255)], axis=2).astype(np.uint8)
    return cv2.cvtColor(moved, cv2.COLOR_HSV2RGB)


def _light(pixels: np.ndarray, percent: int, rng: np.random.Generator) -> np.ndarray:
    """Contrast times 1 + a, brightness plus 255 b, a and b each up to `percent`."""
    a, b = rng.uniform(-1, 1, 2) * percent / 100
    return np.round(pixels * (1 + a) + 255 * b).clip(0, 255).astype(np.uint8)


def _crop(pixels: np.ndarray, percent: int, rng: np.random.Generator) -> np.ndarray:
    """A random part whose sides are `percent` of the picture's."""
    sides = [max(1, round(side * percent / 100)) for side in pixels.shape[:2]]
    top, left = (int(rng.integers(0, whole - side + 1)) for whole, side in zip(pixels.shape[:2], sides, strict=True))
    return np.ascontiguousarray(pixels[top : top + sides[0], left : left + sides[1]])


def _rotate(pixels: np.ndarray, most: int, rng: np.random.Generator) -> np.ndarray:
    """Turned about its middle by up to `most` degrees; what comes in at the edges is the mirrored picture."""
    import cv2

    height, width = pixels.shape[:2]
    turn = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), float(rng.uniform(-1, 1) * most), 1)
    return cv2.warpAffine(pixels, turn, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101)


KINDS: dict[str, Callable[[np.ndarray, int, np.random.Generator], np.ndarray]] = {
    "jpeg": _jpeg, "blur": _blur, "hsv": _hsv, "light": _light, "crop": _crop, "rotate": _rotate,
}  # fmt: skip
