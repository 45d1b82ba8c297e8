"""The picture of a failure, with what annotators and the model say: read from the results when it is shown."""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow
import pyarrow.parquet as pq
from pycocotools import mask as coco

from accord.errors import AccordError, Problem
from accord.imaging import bundle, decode, marks
from accord.imaging.boxes import corners
from accord.imaging.marks import Mark
from accord.imaging.person_masks import union
from accord.look.failures.worst import Failure

SHOWN = "downsampled"
SIDES = ("x", "y", "width", "height")
BOXES = {"face_localization": "face", "person_localization": "person"}
GONE = Problem("picture", "is not in the results any more", "run the workflow again, and start `accord look` anew")


class Sources(NamedTuple):
    """Where the results of a run lie; which model was asked, and in which task."""

    results: Path
    model: str
    task: str


class Wanted(NamedTuple):
    """What is to be drawn, and the longest side of the picture, px."""

    truth: bool
    predicted: bool
    side: int


def picture(of: Sources, shard: str, failure: Failure, wanted: Wanted) -> np.ndarray:
    """A picture of the release, (height, width, 3) uint8, its marks drawn.

    It is the painted one, not what was delivered. Raises AccordError where it is gone, or its bundle was changed.
    """
    folder = of.results / "release" / shard
    filters = [("image", "=", failure.image), ("kind", "=", SHOWN)]
    found = _rows(folder / "derivatives.parquet", filters)
    if not found:
        raise AccordError(GONE)
    row = bundle.Member(*(found[0][name] for name in bundle.Member._fields))
    pixels = decode.reduced(bundle.read(folder / "files.tar", row), wanted.side)
    drawn = [
        *(truth(of, shard, failure) if wanted.truth else ()),
        *(predictions(of, shard, failure) if wanted.predicted else ()),
    ]
    return marks.drawn(pixels, drawn, pixels.shape[1] / found[0]["width"])


def truth(of: Sources, shard: str, failure: Failure) -> list[Mark]:
    """What annotators drew of the person that the score is about: what the task compares, else the person's box."""
    folder = of.results / "release" / shard
    mine = [("image", "=", failure.image), ("subject", "=", failure.subject)]
    if of.task == "keypoint_estimation":
        points = _rows(folder / "keypoints.parquet", mine)
        return [Mark((one["x"], one["y"]), is_truth=True) for one in points if one["visible"]]
    if of.task == "person_parsing":
        polygons = [row["polygon"] for row in _rows(folder / "segments.parquet", mine)]
        (size,) = _rows(folder / "derivatives.parquet", [("image", "=", failure.image), ("kind", "=", SHOWN)])
        return _together(polygons, size["height"], size["width"])
    part = BOXES.get(of.task, "person")
    boxes = ([row[f"{part}_{side}"] for side in SIDES] for row in _rows(folder / "people.parquet", mine))
    return [Mark(tuple(corners(*box)), is_truth=True) for box in boxes if all(_is_number(one) for one in box)]


def predictions(of: Sources, shard: str, failure: Failure) -> list[Mark]:
    """What the model says of the image: its boxes, masks, or the keypoints of that person; of other tasks nothing."""
    file = of.results / "evaluate" / shard / f"{of.model}.parquet"
    image = [("image", "=", failure.image)]
    if of.task in BOXES:
        return [_box(row) for row in _rows(file, image)]
    if of.task == "keypoint_estimation":
        return [Mark((row["x"], row["y"])) for row in _rows(file, [*image, ("subject", "=", failure.subject)])]
    if of.task == "person_parsing":
        return [mark for row in _rows(file, image) for mark in _mask(row)]
    return []


def _box(row: dict) -> Mark:
    return marks.of_box([row[name] for name in ("x0", "y0", "x1", "y1")], f"{row['label']} {row['score']:.2f}")


def _mask(row: dict) -> list[Mark]:
    filled = coco.decode({"size": [row["height"], row["width"]], "counts": row["counts"].encode()})
    return marks.of_mask(filled.astype(bool), f"{row['label']} {row['score']:.2f}")


def _together(polygons: Iterable[list[float]], height: int, width: int) -> list[Mark]:
    return marks.of_mask(coco.decode(union(map(np.asarray, polygons), height, width)).astype(bool), "", True)


def _is_number(value: float | None) -> bool:
    return value is not None and bool(np.isfinite(value))


def _rows(file: Path, filters: list[tuple]) -> list[dict]:
    try:
        return pq.read_table(file, filters=filters, partitioning=None).to_pylist()
    except (OSError, pyarrow.ArrowException):
        raise AccordError(GONE) from None
