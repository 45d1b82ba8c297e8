"""Tables Looks that memory does not hold at once: which pictures are where in them, and vectors, some at a time."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from accord.checks.matching.unit_length import of_unit_length
from accord.checks.tables.findings import Looks
from accord.engine.table import arrow_schema
from accord.engine.table_files import Unsound, each, having, opened, readable
from accord.errors import Problem, all_problems
from accord.text.nouns import counted

ROWS = 1000
"""Rows of a table that are in memory at once."""


class Table(NamedTuple):
    """A table Looks: its file, and the position among all pictures of each of its rows, -1 where it isn't wanted."""

    path: Path
    places: np.ndarray

    def vectors(self, regions: int, length: int | None = None) -> Iterator[np.ndarray]:
        """(n, regions, d) vectors of the wanted pictures, in the order of rows; d must be `length` if that is given."""
        start = 0
        with readable(self.path):
            for batch in opened_looks(self.path, ["vector"]).iter_batches(ROWS, columns=["vector"]):
                wanted = self.places[start : start + len(batch)] >= 0
                start += len(batch)
                if wanted.any():
                    made = sound(batch.column("vector"), regions, length)
                    length = made.shape[2]
                    yield made if wanted.all() else made[wanted]


class Pictures(NamedTuple):
    """The ids of all wanted pictures, sorted; the tables that have them."""

    images: np.ndarray
    tables: list[Table]

    @property
    def places(self) -> np.ndarray:
        """The position of each picture, as they lie in the tables: their numbers."""
        places = np.concatenate([table.places for table in self.tables])
        return places[places >= 0]


def pictures(paths: list[Path], wanted: list[str]) -> Pictures:
    """Which of the wanted pictures are in the tables Looks, and where."""
    found = each(paths, names)
    every, lengths = pa.concat_arrays([pa.array([], pa.string()), *found]), [len(one) for one in found]
    mine = pc.is_in(every, pa.array(wanted, pa.string()))
    images = every.filter(mine)
    once(images, np.repeat(np.arange(len(paths)), lengths)[mine.to_numpy(zero_copy_only=False)], paths)
    images = images.take(pc.array_sort_indices(images))
    places = pc.fill_null(pc.index_in(every, images), -1).to_numpy(zero_copy_only=False)
    ends = np.cumsum(lengths, dtype=int)
    tables = [Table(path, held) for path, held in zip(paths, np.split(places, ends)[:-1], strict=True)]
    return Pictures(np.array(images.to_pylist(), dtype=str), tables)


def once(images: pa.Array | pa.ChunkedArray, table: np.ndarray, paths: list[Path]) -> None:
    """AccordError: some images of tables Looks are there more than once. table: (n,) which of the tables each is of."""
    if len(images) == pc.count_distinct(images).as_py():
        return
    again = np.bincount(table[pd.Series(images.to_pylist()).duplicated()], minlength=len(paths))
    with all_problems() as problems:
        for path, more in zip(paths, again.tolist(), strict=True):
            if more:
                what = f"has {counted(more, 'image')} that it, or a table of looks before it, has already"
                problems.append(Problem(str(path), what, "delete it and rerun"))


def opened_looks(path: Path, columns: list[str]) -> pq.ParquetFile:
    """The file of a table Looks. Unsound: it lacks some of the columns, or has others in their place."""
    return having(opened(path), pa.schema([_schema().field(name) for name in columns]))


@cache
def _schema() -> pa.Schema:
    return arrow_schema(Looks)


def sound(column: pa.ListArray, regions: int, length: int | None = None) -> np.ndarray:
    """(rows, regions, d) vectors of a column of one row or more. Unsound: they are of different lengths, or not of
    `length`, or neither zero nor of length 1, or have something else than numbers."""
    lengths = pc.fill_null(pc.list_value_length(column), -1).to_numpy(zero_copy_only=False)
    whole = regions * length if length is not None else int(lengths[0])
    if whole <= 0 or whole % regions or (lengths != whole).any():
        raise Unsound("vectors are of different lengths")
    vectors = column.flatten().to_numpy(zero_copy_only=False).reshape(len(column), regions, whole // regions)
    squares = np.einsum("ijk,ijk->ij", vectors, vectors)
    if not np.isfinite(squares).all():
        raise Unsound("vectors have something else than numbers")
    if not of_unit_length(squares[squares > 0]).all():
        raise Unsound("vectors are not of length 1")
    return vectors


def names(path: Path) -> pa.Array:
    """The ids of all images of a table Looks, in the order of rows."""
    with readable(path):
        images = opened_looks(path, ["image"]).read(columns=["image"])["image"].combine_chunks()
        if images.null_count:
            raise Unsound("an image has no id")
        return images
