"""Pictures as a detector sees them: decoded, square, of one side, with the published mean and standard deviation."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from accord.engine import table
from accord.errors import AccordError, Problem
from accord.imaging import bundle, decode
from accord.release.tables import Derivatives

KINDS = ("face_crop", "downsampled")
"""Kinds of derivatives that a detector is shown, the first that there is: a face cut out, or else the whole picture."""
MOST_HELD = 2 * 1024**3
"""Bytes of pictures that are decoded once and held; of more, each is decoded whenever it is asked for."""
THREADS = 16


class Place(NamedTuple):
    """A picture's file: its bundle, and its row of Derivatives."""

    files: Path
    row: Any


def places(images: Sequence[str], derivatives: Sequence[Path], files: Sequence[Path]) -> list[Place]:
    """Where the picture of each image lies. derivatives, files: of each shard, in the same order.

    Raises AccordError with how many images have none.
    """
    if len(derivatives) != len(files):
        what = f"{len(derivatives)} tables of derivatives for {len(files)} bundles"
        raise AccordError(Problem("training pictures", what, "give both of each shard, in the same order"))
    found = {
        image: Place(bundled, row)
        for path, bundled in zip(derivatives, files, strict=True)
        for image, row in of_each(table.read(path, Derivatives), set(images))
    }
    if lacking := len(set(images) - found.keys()):
        what = f"{lacking} of {len(set(images))} have no {' or '.join(KINDS)}"
        raise AccordError(Problem("training pictures", what, "derive them again"))
    return [found[image] for image in images]


def of_each(derivatives: pd.DataFrame, images: set[str]) -> list[tuple[str, Any]]:
    """(image, row) of the picture of each image that a detector is shown."""
    some = derivatives[derivatives["image"].isin(images) & derivatives["kind"].isin(KINDS)]
    ordered = some.assign(rank=some["kind"].map(KINDS.index)).sort_values(["image", "rank", "subject"])
    first = ordered.drop_duplicates("image").drop(columns="rank")
    return [(row.image, row) for row in first.itertuples(index=False)]


def square(pixels: np.ndarray, side: int) -> np.ndarray:
    """A picture (height, width, 3) uint8 at `side` x `side` px."""
    import cv2

    if pixels.shape[:2] == (side, side):
        return pixels
    smaller = min(pixels.shape[:2]) >= side
    return cv2.resize(pixels, (side, side), interpolation=cv2.INTER_AREA if smaller else cv2.INTER_LINEAR)


def normalised(pixels: np.ndarray, mean: Sequence[float], std: Sequence[float]) -> np.ndarray:
    """Pictures (n, side, side, 3) uint8 as (n, 3, side, side) float32: (value / 255 - mean) / std of each channel."""
    scaled = (pixels.astype(np.float32) / 255 - np.asarray(mean, np.float32)) / np.asarray(std, np.float32)
    return np.ascontiguousarray(scaled.transpose(0, 3, 1, 2))


class Pictures:
    """Pictures by number, (n, 3, side, side) float32: held where all of them fit in `most` bytes."""

    def __init__(self, where: Sequence[Place], spec: dict[str, Any], most: int = MOST_HELD):
        self.where, self.side, self.mean, self.std = where, spec["side"], spec["mean"], spec["std"]
        fits = len(where) * self.side**2 * 3 <= most
        self.held = self._decoded(range(len(where))) if fits else None

    def __len__(self) -> int:
        return len(self.where)

    def of(self, numbers: Sequence[int] | np.ndarray) -> np.ndarray:
        """The pictures of some numbers, in their order."""
        shown = self._decoded(numbers) if self.held is None else self.held[np.asarray(numbers, dtype=int)]
        return normalised(shown, self.mean, self.std)

    def _decoded(self, numbers: Sequence[int] | np.ndarray | range) -> np.ndarray:
        """(n, side, side, 3) uint8."""
        with ThreadPoolExecutor(THREADS, thread_name_prefix="decode") as pool:
            found = list(pool.map(self._one, numbers))
        return np.stack(found) if found else np.zeros((0, self.side, self.side, 3), np.uint8)

    def _one(self, number: int) -> np.ndarray:
        place = self.where[int(number)]
        return square(decode.decode(bundle.read(place.files, place.row)), self.side)
