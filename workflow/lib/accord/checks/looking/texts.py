"""Read what is written in the images of a shard: on plates, cards, screens, signs and clothes."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from pandera.typing import DataFrame

from accord.checks.files.pixels import Shown, pictures
from accord.checks.tables.findings import Images, Texts
from accord.engine import table
from accord.models import ocr

SURE = 0.5
"""Lines that are read with less are texture taken for letters (RapidOCR's own limit)."""
MOST = 100
"""Places that are read in an image, the surest ones: a page of print tells no more by its last lines."""


def run(images: DataFrame[Images], bundle: Path | Shown, *, text_side: int, max_pixels: int) -> DataFrame[Texts]:
    """The lines of text in each image, from top to bottom, with where they are and how surely they were read.

    Each image is searched with its longer side brought down to `text_side` px, and read at its own resolution. What
    is read can be personal data. Raises AccordError where an image does not decode, has more than `max_pixels` pixels
    or is not as it was written, or the networks are not installed.
    """
    read = pictures(images, bundle, max_pixels)
    return table.rows((line for row, _, pixels in read for line in lines(row.image, pixels, text_side)), Texts)


def lines(image: str, pixels: np.ndarray, text_side: int) -> Iterator[tuple]:
    """The rows of Texts of one picture, upright uint8 RGB (H, W, 3), as `run` reads it."""
    sure = (line for line in ocr.read(pixels, text_side, MOST) if line.score >= SURE)
    for number, line in enumerate(sure):
        polygon = [round(float(value), 1) for value in line.corners.ravel()]
        yield image, number, polygon, line.text, round(line.score, 4)
