"""Files of tables: how they are written, and opened so that what is damaged is told with its name."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import pyarrow
import pyarrow.parquet as pq

from accord.errors import AccordError, Problem, all_problems

FORMAT = {"compression": "zstd", "write_page_checksum": True}
"""How tables are written. A bit that turns over in a page is seen when it is read, not taken for a number."""
T = TypeVar("T")


class Unsound(ValueError):
    """What a table holds can't be. The words are ours and are told; those of other errors may hold data."""


def opened(path: Path, encoded_texts: list[str] | None = None) -> pq.ParquetFile:
    """A table's file. A page that is not as it was written is an OSError when it is read."""
    return pq.ParquetFile(path, read_dictionary=encoded_texts, page_checksum_verification=True)


def having(file: pq.ParquetFile, columns: pyarrow.Schema) -> pq.ParquetFile:
    """The file. Unsound: it lacks one of the columns, or has another type there."""
    own = file.schema_arrow
    for column in columns:
        if own.get_field_index(column.name) < 0:
            raise Unsound(f"no column '{column.name}'")
        if own.field(column.name).type != column.type:
            raise Unsound(f"column '{column.name}' is of another type than {column.type}")
    return file


def each(paths: Iterable[Path], read_one: Callable[[Path], T]) -> list[T]:
    """What is read of each file. Those that can't be are told together, as one AccordError."""
    found = []
    with all_problems() as problems:
        for path in paths:
            try:
                found.append(read_one(path))
            except AccordError as error:
                problems += error.problems
    return found


@contextmanager
def readable(path: Path) -> Iterator[None]:
    """What can't be read of a table in the block, or is not as its columns say, is told with its file."""
    try:
        yield
    except (pyarrow.ArrowException, OSError, ValueError, KeyError) as error:
        why = str(error) if isinstance(error, Unsound) else type(error).__name__
        hint = "delete it and rerun; if it was copied, check that the copy is complete"
        raise AccordError(Problem(str(path), f"not a readable table ({why})", hint)) from None
