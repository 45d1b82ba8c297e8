"""Fingerprints of a picture: what tells whether two pictures are the same, and how good it is."""

import hashlib
from typing import NamedTuple

import numpy as np

LONGEST_SIDE = 512
MIRROR = np.full(4, 0x5555555555555555, np.uint64)
"""A mirrored picture's DCT has the signs of its odd columns turned, and so most of their bits in the hash. It is an
estimate, where only the hash is known: up to 26 bits move besides, since the median and the sampling grid move."""


MIN_QUALITY = 50
"""PDQ's authors advise against trusting hashes of less: flat pictures are all alike."""


class Fingerprint(NamedTuple):
    """What is measured on the pixels; the fields are those of the table of fingerprints."""

    pixels: str
    pdq: str
    turned: str
    pdq_quality: int
    phash: str
    width: int
    height: int
    sharpness: float
    brightness: float


def fingerprint(pixels: np.ndarray, small: np.ndarray | None = None) -> Fingerprint:
    """The fingerprints of an upright picture, (height, width, 3) uint8 RGB; small: its thumbnail, where there is one.

    Perceptual hashes, sharpness (variance of the Laplacian of the luma) and brightness (mean luma, 0-255) are taken
    on a thumbnail of at most 512 px: PDQ shrinks to 64 px anyway, and is seven times slower on 12 megapixels.
    """
    import cv2

    height, width = pixels.shape[:2]
    small = thumbnail(pixels) if small is None else small
    luma = cv2.cvtColor(small, cv2.COLOR_RGB2GRAY)
    hash_, quality = pdq(small)
    sharpness, brightness = float(cv2.Laplacian(luma, cv2.CV_64F).var()), float(luma.mean())
    digest = hashlib.sha256(np.ascontiguousarray(pixels).data).hexdigest()
    return Fingerprint(digest, hash_, turned(small), quality, phash(small), width, height, sharpness, brightness)


def thumbnail(pixels: np.ndarray) -> np.ndarray:
    """The picture with its longest side at 512 px or less, averaged over areas; never enlarged."""
    import cv2

    height, width = pixels.shape[:2]
    scale = LONGEST_SIDE / max(height, width)
    if scale >= 1:
        return pixels
    size = max(1, round(width * scale)), max(1, round(height * scale))
    return cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)


def pdq(pixels: np.ndarray) -> tuple[str, int]:
    """The PDQ hash, 64 hexadecimal digits (first bit first, as threatexchange writes it), and its quality, 0-100."""
    import pdqhash

    bits, quality = pdqhash.compute(np.ascontiguousarray(pixels))
    return np.packbits(bits.astype(np.uint8)).tobytes().hex(), int(quality)


def turned(pixels: np.ndarray) -> str:
    """The PDQ hashes of the picture mirrored, upside down, and both (a half turn): three times 64 digits.

    The hash of a transposed picture is the transposed hash, so these and the hash itself tell all eight forms. PDQ's
    own dihedral hashes are up to 34 bits off, since its sampling grid is not symmetric: turned pixels are hashed.
    """
    return "".join(pdq(form)[0] for form in (pixels[:, ::-1], pixels[::-1], pixels[::-1, ::-1]))


def phash(pixels: np.ndarray) -> str:
    """imagehash's perceptual hash, 16 hexadecimal digits: a second opinion beside PDQ."""
    import imagehash
    from PIL import Image

    return str(imagehash.phash(Image.fromarray(pixels)))
