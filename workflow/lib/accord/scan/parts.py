"""Parts: what an opened thing hands on to be looked at."""

from typing import NamedTuple

import numpy as np


class Part(NamedTuple):
    """Bytes inside something. `span`: where they lie in it unchanged, so that they aren't searched twice."""

    name: str
    data: memoryview
    span: tuple[int, int] | None = None


class Rows(NamedTuple):
    """Numbers inside something, (n, d): perhaps embeddings."""

    name: str
    values: np.ndarray


class Picture(NamedTuple):
    """Pixels inside something: (height, width, 3) uint8 RGB."""

    name: str
    pixels: np.ndarray


Inside = Part | Rows | Picture
