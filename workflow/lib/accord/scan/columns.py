"""Tables: Parquet, Arrow, SQLite."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import numpy as np

from accord.scan.limits import Budget
from accord.scan.parts import Inside, Part, Rows

BLOB = 64
"""Bytes from which a binary value is looked into by itself."""


def is_parquet(data: memoryview) -> bool:
    return bytes(data[:4]) == b"PAR1" and bytes(data[-4:]) == b"PAR1"


def parquet(data: memoryview, budget: Budget) -> Iterator[Inside]:
    """The columns of each row group: texts joined by line breaks, binary values, lists of numbers."""
    import pyarrow
    import pyarrow.parquet as pq

    with pq.ParquetFile(pyarrow.BufferReader(pyarrow.py_buffer(data))) as file:
        for group in range(file.num_row_groups):
            budget.spend(file.metadata.row_group(group).total_byte_size)
            read = file.read_row_group(group)
            for name, column in zip(read.column_names, read.columns, strict=True):
                for chunk in column.chunks:
                    yield from _column(name, chunk, budget)


def is_arrow(data: memoryview) -> bool:
    return bytes(data[:6]) == b"ARROW1"


def arrow(data: memoryview, budget: Budget) -> Iterator[Inside]:
    """The columns of each batch of an Arrow (Feather) file."""
    import pyarrow

    with pyarrow.ipc.open_file(pyarrow.py_buffer(data)) as file:
        for index in range(file.num_record_batches):
            batch = file.get_batch(index)
            for name, column in zip(batch.schema.names, batch.columns, strict=True):
                yield from _column(name, column, budget)


def _column(name: str, column: Any, budget: Budget) -> Iterator[Inside]:
    """What an Arrow array holds, whatever it is nested in."""
    import pyarrow.types as kinds

    budget.spend(column.nbytes)
    kind = column.type
    if hasattr(kind, "storage_type"):
        yield from _column(name, column.storage, budget)
    elif kinds.is_dictionary(kind):
        yield from _column(name, column.dictionary, budget)
    elif kinds.is_struct(kind):
        for field, inner in zip(kind, column.flatten(), strict=True):
            yield from _column(f"{name}.{field.name}", inner, budget)
    elif kinds.is_map(kind):
        for inner in (column.keys, column.items):
            yield from _column(name, inner, budget)
    elif kinds.is_list(kind) or kinds.is_large_list(kind) or kinds.is_fixed_size_list(kind):
        yield from _lists(name, column, budget)
    elif kinds.is_string(kind) or kinds.is_large_string(kind) or kinds.is_string_view(kind):
        yield Part(name, memoryview("\n".join(t for t in column.unique().to_pylist() if t).encode()))
    elif kinds.is_binary(kind) or kinds.is_large_binary(kind) or kinds.is_fixed_size_binary(kind):
        yield from _values(name, (value.as_py() for value in column.unique()))


def _lists(name: str, column: Any, budget: Budget) -> Iterator[Inside]:
    import pyarrow.compute as pc
    import pyarrow.types as kinds

    inner = column.flatten()
    if not (kinds.is_floating(inner.type) or kinds.is_integer(inner.type)):
        yield from _column(name, inner, budget)
        return
    lengths = pc.fill_null(pc.list_value_length(column), 0).to_numpy(zero_copy_only=False)
    values = inner.to_numpy(zero_copy_only=False)
    for length in np.unique(lengths[lengths > 0]):
        yield Rows(name, values[np.repeat(lengths == length, lengths)].reshape(-1, int(length)))


def _values(name: str, values: Iterator) -> Iterator[Part]:
    """Long binary values one by one; short ones and texts joined by line breaks."""
    short = []
    for number, value in enumerate(values):
        if isinstance(value, bytes) and len(value) >= BLOB:
            yield Part(f"{name}[{number}]", memoryview(value))
        elif isinstance(value, bytes | str) and value:
            short.append(value if isinstance(value, bytes) else value.encode(errors="surrogateescape"))
    yield Part(name, memoryview(b"\n".join(short)))


def is_sqlite(data: memoryview) -> bool:
    return bytes(data[:16]) == b"SQLite format 3\0"


def sqlite(data: memoryview, budget: Budget) -> Iterator[Inside]:
    """The values of each table of a database, joined from whatever pages they are spread over."""
    copy = bytearray(data)
    copy[18:20] = b"\x01\x01"  # a database in memory has no WAL; what a file's WAL holds is a file of its own
    with closing(sqlite3.connect(":memory:")) as database:
        database.deserialize(bytes(copy))
        database.text_factory = lambda text: text.decode(errors="surrogateescape")
        database.execute("PRAGMA trusted_schema = OFF")
        tables = database.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0").fetchall()
        for (table,) in tables:
            quoted = table.replace('"', '""')
            rows = database.execute(f'SELECT * FROM "{quoted}"')
            yield from _values(quoted, _cells(rows, budget))


def _cells(rows: sqlite3.Cursor, budget: Budget) -> Iterator[bytes | str]:
    for row in rows:
        cells = [cell for cell in row if isinstance(cell, bytes | str)]
        budget.spend(sum(map(len, cells)))
        yield from cells
