"""Pictures of a shard, decoded ahead of the model that looks at them, and handed out in batches."""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from accord.imaging import bundle, decode

MOST_THREADS = 16

Batch = tuple[Sequence[Any], list[Any]]
Prepare = Callable[[Any, np.ndarray], Any]
"""A row and its picture -> what the caller gets in the picture's place."""


def stream(files: Path, rows: pd.DataFrame, size: int, prepare: Prepare | None = None) -> Iterator[Batch]:
    """Batches of at most `size` (rows, pictures), of rows of release's Derivatives.

    A picture is (height, width, 3) uint8 RGB. Pictures of one size come together, so that a network that pads a batch
    to its largest picture has little to pad; else they come in the order of `rows`. While the caller works on a batch,
    the next one is decoded in threads, and prepared there where `prepare` is given; no more than these two are in
    memory. Raises AccordError, in the place of its batch, where a picture can't be decoded.
    """
    ordered = list(rows.sort_values(["height", "width"], kind="stable").itertuples(index=False))
    pool = ThreadPoolExecutor(threads(size), thread_name_prefix="decode")
    try:
        coming: tuple[list, list[Future]] | None = None
        for start in range(0, len(ordered), size):
            some = ordered[start : start + size]
            following = some, [pool.submit(_made, files, row, prepare) for row in some]
            if coming:
                yield _ready(*coming)
            coming = following
        if coming:
            yield _ready(*coming)
    finally:
        pool.shutdown(cancel_futures=True)


def threads(size: int) -> int:
    """How many threads decode: one for each processor that this process may use, and picture of a batch."""
    # Where a cluster gives a job some of a node's processors, Linux knows which.
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(usable, size, MOST_THREADS)


def _made(files: Path, row: Any, prepare: Prepare | None) -> Any:
    picture = _decoded(files, row)
    return prepare(row, picture) if prepare else picture


def _decoded(files: Path, row: Any) -> np.ndarray:
    return decode.decode(bundle.read(files, row))


def _ready(some: list, pictures: list[Future]) -> Batch:
    return some, [picture.result() for picture in pictures]


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
