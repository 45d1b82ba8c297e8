"""The pictures of a shard, one after the other, each decoded once."""

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from accord.checks.matching.keypoints import Keypoints, keypoints
from accord.imaging import bundle as bundles
from accord.imaging.decode import decode
from accord.imaging.fingerprint import thumbnail
from accord.models.detectors import Found, faces_yunet


class Picture:
    """A file of a bundle and what is made of it, each once, when it is first asked for.

    Raises AccordError where the file does not decode, has more than `max_pixels` pixels, or is not as it was written.
    """

    def __init__(self, bundle: Path, row: Any, max_pixels: int) -> None:
        self._bundle, self._row, self._max_pixels = bundle, row, max_pixels

    @cached_property
    def data(self) -> bytes:
        """The file."""
        return bundles.read(self._bundle, self._row)

    @cached_property
    def pixels(self) -> np.ndarray:
        """Upright, uint8 RGB (H, W, 3)."""
        return decode(self.data, self._max_pixels)

    @cached_property
    def thumbnail(self) -> np.ndarray:
        """Its longer side at 512 px or less, uint8 RGB (h, w, 3)."""
        return thumbnail(self.pixels)

    @cached_property
    def faces(self) -> list[Found]:
        """Those that YuNet finds in the whole picture."""
        return faces_yunet(self.pixels)

    @cached_property
    def keypoints(self) -> Keypoints:
        """Of the thumbnail."""
        return keypoints(self.thumbnail)


class Shown:
    """The pictures of a bundle for several to look at: each is decoded once until `forget` is called."""

    def __init__(self, bundle: Path, max_pixels: int) -> None:
        self._bundle, self._max_pixels = bundle, max_pixels
        self._pictures: dict[str, Picture] = {}

    def of(self, row: Any) -> Picture:
        """The picture of a row of table Images."""
        return self._pictures.setdefault(row.image, Picture(self._bundle, row, self._max_pixels))

    def forget(self) -> None:
        """Free the memory of the pictures that were looked at."""
        self._pictures.clear()


def shown(images: pd.DataFrame, bundle: Path | Shown, max_pixels: int) -> Iterator[tuple[Any, Picture]]:
    """The row of table Images, and the picture, of each image, by image id."""
    for row in images.sort_values("image").itertuples():
        yield row, bundle.of(row) if isinstance(bundle, Shown) else Picture(bundle, row, max_pixels)


def pictures(images: pd.DataFrame, bundle: Path | Shown, max_pixels: int) -> Iterator[tuple[Any, bytes, np.ndarray]]:
    """The row of table Images, the file and the upright pixels, uint8 RGB (H, W, 3), of each image, by image id.

    `images` are those that decode (`known` says which). Raises AccordError where one does not, has more than
    `max_pixels` pixels, or is not as it was written.
    """
    for row, picture in shown(images, bundle, max_pixels):
        yield row, picture.data, picture.pixels


def by_image(rows: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """The rows of each image that has any."""
    return dict(list(rows.groupby("image")))
