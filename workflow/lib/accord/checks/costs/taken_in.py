"""The images that a run took in, and their pixels, by the tables of its shards."""

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from accord.engine.table_files import each, opened, readable
from accord.errors import AccordError, Problem
from accord.imaging.decode import MAX_PIXELS
from accord.shards import SHARD
from accord.text.nouns import counted

ROOMS = ("intake", "consent", "checks", "privacy", "release")
"""Rooms whose results have a folder for each shard."""
TABLE, PEOPLE = "images.parquet", "people.parquet"
SIDES = ("width", "height")
AGAIN = "delete it and run the workflow again; if it was copied, check that the copy is complete"


class Taken(NamedTuple):
    """How many images, how many pixels they have together, and in how many shards they are."""

    images: int
    pixels: float
    shards: int


def shards_of(results: Path) -> list[str]:
    """The names of a run's shards, by the folders of any room: one may lack what it is to hold."""
    folders = (folder for room in ROOMS for folder in (results / room).glob("*/"))
    return sorted({folder.name for folder in folders if SHARD.fullmatch(folder.name)})


def taken_in(results: Path) -> Taken:
    """What all shards took in. Raises AccordError where that is nothing, and with every table that is missing, damaged
    or can't be right."""
    files = [results / "intake" / shard / TABLE for shard in shards_of(results)]
    sizes = each(files, _pixels) if any(file.is_file() for file in files) else []
    images = sum(map(len, sizes))
    if not images:
        hint = "give the results of a whole run, or leave --measured out to estimate from the demo's"
        raise AccordError(Problem(str(results), "has no images that were taken in", hint))
    return Taken(images, sum(float(some.sum()) for some in sizes), len(files))


def _pixels(file: Path) -> np.ndarray:
    """(n,) of each image of a shard."""
    if not file.is_file():
        raise AccordError(Problem(str(file), "is missing: its shard can't be counted", "run the workflow to its end"))
    with readable(file), opened(file) as table:
        width, height = (_numbers(table.read(columns=[side])[side]) for side in SIDES)
    wrong = int((~(width > 0) | ~(height > 0) | ~(width * height <= MAX_PIXELS)).sum())
    if wrong:
        what = f"{counted(wrong, 'image')} of {len(width):,} without a width and a height above 0, or too large"
        raise AccordError(Problem(str(file), what, AGAIN))
    if not len(width) and _has_rows(file.with_name(PEOPLE)):
        raise AccordError(Problem(str(file), f"has no images, but {PEOPLE} beside it has people in them", AGAIN))
    return width * height


def _numbers(column: pa.ChunkedArray) -> np.ndarray:
    """(n,) float, NaN for none. Raises ValueError where it holds something else."""
    if not (pa.types.is_integer(column.type) or pa.types.is_floating(column.type)):
        raise ValueError("not numbers")
    return column.to_numpy().astype(float)


def _has_rows(file: Path) -> bool:
    if not file.is_file():
        return False
    with readable(file), opened(file) as table:
        return table.metadata.num_rows > 0
