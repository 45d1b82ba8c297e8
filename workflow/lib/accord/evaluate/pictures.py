"""Pictures of a shard, decoded once and handed out in batches."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from accord import bundle, decode


def stream(files: Path, rows: pd.DataFrame, size: int) -> Iterator[tuple[Sequence[Any], list[np.ndarray]]]:
    """Batches of at most `size` (rows, pictures), in the order of `rows` (of release's Derivatives).

    A picture is (height, width, 3) uint8 RGB. No more than one batch is in memory.
    """
    for start in range(0, len(rows), size):
        some = list(rows.iloc[start : start + size].itertuples(index=False))
        yield some, [decode.decode(bundle.read(files, row)) for row in some]


def of_kind(derivatives: pd.DataFrame, kind: str) -> pd.DataFrame:
    """The derivatives of one kind, by image and subject."""
    return derivatives[derivatives["kind"] == kind].sort_values(["image", "subject"], kind="stable")


def person_boxes(people: pd.DataFrame) -> pd.DataFrame:
    """image, subject, x0, y0, x1, y1 of the people whose person box is annotated, px of the downsampled picture."""
    return _boxes(people, "person")


def face_boxes(people: pd.DataFrame) -> pd.DataFrame:
    """image, subject, x0, y0, x1, y1 of the people whose face box is annotated, px of the downsampled picture."""
    return _boxes(people, "face")


def _boxes(people: pd.DataFrame, part: str) -> pd.DataFrame:
    x, y, width, height = (f"{part}_{side}" for side in ("x", "y", "width", "height"))
    boxed = people.dropna(subset=[x, y, width, height])
    ends = {"x1": boxed[x] + boxed[width], "y1": boxed[y] + boxed[height]}
    return boxed[["image", "subject"]].assign(x0=boxed[x], y0=boxed[y], **ends)
