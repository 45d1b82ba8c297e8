"""The pictures of a shard, one after the other, each decoded once."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from accord import bundle as bundles
from accord.decode import decode
from accord.errors import AccordError


def pictures(images: pd.DataFrame, bundle: Path, max_pixels: int) -> Iterator[tuple[Any, bytes, np.ndarray]]:
    """The row of table Images, the file and the upright pixels, uint8 RGB (H, W, 3), of each image that decodes.

    By image id. Those that do not decode are left out: the step `decode` says so. Raises AccordError where the bundle
    is not as it was written.
    """
    for row in images.sort_values("image").itertuples():
        data = bundles.read(bundle, row)
        try:
            pixels = decode(data, max_pixels)
        except AccordError:
            continue
        yield row, data, pixels
