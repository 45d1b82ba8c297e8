"""Tables written piece by piece, as they are made: whole ones of a million images do not fit in memory."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import pandas as pd
import pyarrow
import pyarrow.parquet as pq

from accord.engine.parameter_types import Pieces
from accord.engine.table import Table, arrow_schema, check
from accord.engine.table_files import FORMAT

ROWS_AT_ONCE = 1 << 20
"""Rows of a row group, as PyArrow has them of a whole table: so the bytes of the file are those of one."""


def write(pieces: Pieces, model: type[Table], path: Path | BinaryIO, provenance: dict[str, Any] | None = None) -> None:
    """Write a table to Parquet, checked piece by piece, its provenance in the footer: the bytes of `table.write`."""
    footer = {b"provenance": json.dumps(provenance or {}, sort_keys=True).encode()}
    schema = arrow_schema(model).with_metadata(footer)
    with pq.ParquetWriter(path, schema, **FORMAT) as file:
        for rows in _groups(_checked(pieces, model), schema):
            file.write_table(rows, row_group_size=ROWS_AT_ONCE)


def _checked(pieces: Pieces, model: type[Table]) -> Iterator[pd.DataFrame]:
    """The pieces as the model has them. No row of one may be of the last item of another: so keys that are unique in
    each are unique in all."""
    last: Any = None
    for piece in pieces.rows:
        valid = check(piece, model, model.__name__)
        items = valid[pieces.by]
        if len(items):
            assert last is None or items.min() > last, f"pieces of {model.__name__} overlap"
            last = items.max()
        yield valid


def _groups(pieces: Iterator[pd.DataFrame], schema: pyarrow.Schema) -> Iterator[pyarrow.Table]:
    """The same rows, so many at a time; without any, an empty table."""
    held, wrote = schema.empty_table(), False
    for piece in pieces:
        rows = pyarrow.Table.from_pandas(piece, schema=schema, preserve_index=False)
        held = pyarrow.concat_tables([held, rows.replace_schema_metadata(schema.metadata)])
        while held.num_rows >= ROWS_AT_ONCE:
            yield held.slice(0, ROWS_AT_ONCE).combine_chunks()
            held, wrote = held.slice(ROWS_AT_ONCE), True
    if held.num_rows or not wrote:
        yield held.combine_chunks()
