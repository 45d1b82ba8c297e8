"""The masks of aligned faces that a release has, as a table: what FHIBE's public Evaluation API takes for the truth."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from pandera.typing import DataFrame

from accord.analyse.tables.scores import FaceMasks
from accord.engine.table import rows
from accord.errors import Collector, all_problems
from accord.imaging import bundle
from accord.models import rle
from accord.release.format.parsing import COMBINED
from accord.release.tables import Derivatives
from accord.vocabularies import FACE_PARTS


def run(derivatives: DataFrame[Derivatives], files: Path) -> DataFrame[FaceMasks]:
    """The labels of each mask `combined` of a shard. files: the bundle of `derivatives`.

    Raises AccordError with every mask that can't be read, or has other labels than CelebAMask-HQ's.
    """
    wanted = derivatives[(derivatives["kind"] == "mask") & (derivatives["part"] == COMBINED)]
    with all_problems() as problems:
        found = [row for mask in wanted.itertuples() for row in _labels(mask, files, problems)]
    return rows(found, FaceMasks)


def _labels(mask: Any, files: Path, problems: Collector) -> Iterator[tuple]:
    import cv2

    pixels = cv2.imdecode(np.frombuffer(bundle.read(files, mask), np.uint8), cv2.IMREAD_GRAYSCALE)
    if pixels is None or pixels.max() >= len(FACE_PARTS):
        what = "is not a valid picture" if pixels is None else f"has labels that are not 0 to {len(FACE_PARTS) - 1}"
        problems.add(f"image {mask.image}, mask {COMBINED}", what, "is the release complete and unchanged?")
        return
    for label in np.unique(pixels):
        yield mask.image, mask.subject, int(label), *pixels.shape, rle.encode(pixels == label)
