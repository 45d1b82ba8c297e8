"""The pictures of a shard, one after the other, each decoded once."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from accord.imaging import bundle as bundles
from accord.imaging.decode import decode


def pictures(images: pd.DataFrame, bundle: Path, max_pixels: int) -> Iterator[tuple[Any, bytes, np.ndarray]]:
    """The row of table Images, the file and the upright pixels, uint8 RGB (H, W, 3), of each image, by image id.

    `images` are those that decode (the step `known` says which). Raises AccordError where one does not, has more than
    `max_pixels` pixels, or is not as it was written.
    """
    for row in images.sort_values("image").itertuples():
        data = bundles.read(bundle, row)
        yield row, data, decode(data, max_pixels)


def by_image(rows: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """The rows of each image that has any."""
    return dict(list(rows.groupby("image")))
