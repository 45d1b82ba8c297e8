"""Traces of what was done to a picture after it was taken: programs, panoramas, saving again, enlarging."""

from __future__ import annotations

import re

import numpy as np

from accord.checks.files.programs import EDITORS
from accord.imaging.decode import opened, parts
from accord.imaging.formats import exif_block

JPEG = "image/jpeg"
PANORAMA = re.compile(rb"GPano:(?:ProjectionType|FullPanoWidthPixels|UsePanoramaViewer)")
FLASH = 0x9209
HEADER = 1 << 18
"""Bytes at the start of a file in which metadata are looked for."""
# Coefficients of a block that are looked at (row, column), how far their values go, and how many must not be zero.
COEFFICIENTS = ((0, 1), (1, 0), (1, 1), (0, 2), (2, 0), (1, 2), (2, 1))
REACH, FEWEST, LOWEST_WAVE = 60, 400, 8
CROP, ENLARGED = 512, 1.5
DCT = np.array(
    [[np.sqrt((1 if k == 0 else 2) / 8) * np.cos(np.pi * (2 * n + 1) * k / 16) for n in range(8)] for k in range(8)]
)


def editor(software: str) -> bool:
    """Whether a picture was last written by a program that changes pictures."""
    return EDITORS.search(software) is not None


def flashed(data: bytes) -> bool:
    """Whether a file says that a flash fired (EXIF 2.32, tag Flash, bit 0): its exposure tells of the flash, then."""
    value = exif_block.read(parts(data).exif).photo.get(FLASH)
    return isinstance(value, int) and bool(value & 1)


def panorama(data: bytes) -> bool:
    """Whether a file says that it was stitched from several pictures (XMP GPano, Google's Photo Sphere schema)."""
    return PANORAMA.search(data[:HEADER]) is not None


def saved_twice(data: bytes, media: str) -> float | None:
    """How strongly the values of a JPEG's coefficients repeat: 2 to 3.8 after one saving; None: can't be told.

    Saving again, more finely, leaves gaps or peaks at regular places in the histogram of each coefficient, which its
    Fourier transform shows (Popescu and Farid 2004). The highest peak over the median, of the coefficient with the
    most. Saving again at the same or a lower quality mostly leaves none, and a change of size moves them.
    """
    if media != JPEG:
        return None
    import simplejpeg

    tables = getattr(opened(data), "quantization")  # noqa: B009 - Pillow's class of JPEG files has it, `Image` hasn't
    grey = simplejpeg.decode_jpeg(data, "gray")[..., 0]
    blocks = _blocks(_middle(grey, 2 * CROP))
    peaks = [_peak(blocks, at, tables[0][8 * at[0] + at[1]]) for at in COEFFICIENTS]
    return max((peak for peak in peaks if peak is not None), default=None)


def detail(grey: np.ndarray) -> float:
    """How much of a picture's fine detail is lost at 1 / 1.5 of its size, uint8 (H, W): little where it was enlarged.

    Root mean square of what is lost over the standard deviation of all that is finer than 4 px; of the middle 512 px.
    """
    import cv2

    part = _middle(grey, CROP).astype(np.float32)
    small = cv2.resize(part, None, fx=1 / ENLARGED, fy=1 / ENLARGED, interpolation=cv2.INTER_AREA)
    back = cv2.resize(small, part.shape[::-1], interpolation=cv2.INTER_CUBIC)
    fine = float((part - cv2.GaussianBlur(part, (0, 0), 4)).std())
    return float(np.sqrt(((part - back) ** 2).mean())) / max(fine, 1e-6)


def _peak(blocks: np.ndarray, at: tuple[int, int], step: int) -> float | None:
    values = np.round(np.einsum("nij,i,j->n", blocks, DCT[at[0]], DCT[at[1]]) / step).astype(int)
    values = values[(np.abs(values) <= REACH) & (values != 0)]
    if len(values) < FEWEST:
        return None
    counts = np.bincount(values + REACH, minlength=2 * REACH + 1).astype(float)
    counts[REACH] = (counts[REACH - 1] + counts[REACH + 1]) / 2
    smooth = np.convolve(counts, np.ones(5) / 5, "same")
    waves = np.abs(np.fft.rfft((counts - smooth) / np.sqrt(smooth + 1)))[LOWEST_WAVE:]
    return float(waves.max() / max(float(np.median(waves)), 1e-9))


def _blocks(grey: np.ndarray) -> np.ndarray:
    """The 8 x 8 blocks of a picture, float (n, 8, 8)."""
    height, width = (side // 8 * 8 for side in grey.shape)
    whole = grey[:height, :width].astype(float) - 128
    return whole.reshape(height // 8, 8, width // 8, 8).transpose(0, 2, 1, 3).reshape(-1, 8, 8)


def _middle(grey: np.ndarray, side: int) -> np.ndarray:
    """The middle of a picture, at most `side` px wide and high, from where a block of 8 px starts."""
    top, left = (max(0, (length - side) // 2) // 8 * 8 for length in grey.shape)
    return grey[top : top + side, left : left + side]
