"""Typed, strict tables: what steps hand to each other, checked on the way in and on the way out."""

import json
from collections.abc import Iterable, Set
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO, Literal

import pandas as pd
import pandera.pandas as pa
import pyarrow
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pandera.errors import SchemaErrors

from accord.engine import encoded
from accord.engine.conforming import conforming
from accord.engine.table_files import FORMAT, each, opened, readable
from accord.engine.violations import problems
from accord.errors import AccordError

MADE_FROM = b"made_from"
FILTER, ONLY = "filter", "only"
LIST_OF_FLOATS = {"arrow": "list<double>"}
FLOAT_VECTOR = {"arrow": "list<float>"}
BYTES = {"arrow": "binary"}
HEXADECIMAL = r"^[0-9a-f]*$"
ARROW_LISTS = {
    "list<double>": pyarrow.list_(pyarrow.float64()),
    "list<float>": pyarrow.list_(pyarrow.float32()),
    "binary": pyarrow.binary(),
}


class Table(pa.DataFrameModel):
    """A table whose columns, types, ranges and keys are stated; nothing else may be in it.

    A column of lists is annotated `object` with `metadata=LIST_OF_FLOATS` or `FLOAT_VECTOR`, one of bytes with `BYTES`;
    texts of which each is kept once, with a number in each row, with `pd.CategoricalDtype` (`accord.engine.encoded`).
    A model with `strict = "filter"` is a view: of a file no other columns are read, and with `metadata = {ONLY: ...}`
    (an expression of pyarrow) no other rows are kept.
    """

    class Config:
        strict: bool | Literal["filter"] = True
        coerce = True
        ordered = False
        metadata: dict[str, Any] | None = None


def check(table: pd.DataFrame, model: type[Table], where: str) -> pd.DataFrame:
    """The table with the model's columns, in the model's order and types.

    Raises AccordError with every violation. Values are left out of the message: they can be personal data.
    """
    if (valid := conforming(table, model)) is not None:
        return valid
    try:
        valid = model.validate(table.reset_index(drop=True), lazy=True)  # pandera can't tell rows of one label apart
    except SchemaErrors as error:
        raise AccordError(problems(error, model, where)) from None
    return valid[list(arrow_schema(model).names)].reset_index(drop=True)


def empty(model: type[Table]) -> pd.DataFrame:
    """A table of the model without rows."""
    return _empty(model).copy(deep=False)


@cache
def _empty(model: type[Table]) -> pd.DataFrame:
    return check(arrow_schema(model).empty_table().to_pandas(), model, model.__name__)


def rows(records: Iterable, model: type[Table]) -> pd.DataFrame:
    """A table of the model from dicts or tuples; without any, an empty one."""
    names = list(arrow_schema(model).names)
    records = list(records)
    return check(pd.DataFrame(records, columns=names), model, model.__name__) if records else empty(model)


def read(paths: Path | Iterable[Path], model: type[Table], only: pc.Expression | None = None) -> pd.DataFrame:
    """One table from one or several Parquet files, of the rows for which `only` holds.

    Raises AccordError where a file is no table of the model.
    """
    paths = [Path(path) for path in ([paths] if isinstance(paths, str | Path) else paths)]
    files = each(paths, lambda path: _read_one(path, model, only))
    schema = arrow_schema(model)
    if files and all(file.schema.equals(schema) for file in files):
        joined = conforming(encoded.sorted_texts(pyarrow.concat_tables(files).to_pandas()), model)
        if joined is not None:
            return joined
    tables = [check(file.to_pandas(), model, str(path)) for path, file in zip(paths, files, strict=True)]
    filled = [table for table in tables if len(table)]
    if not filled:
        return empty(model)
    return encoded.sorted_texts(check(pd.concat(filled, ignore_index=True), model, model.__name__))


def is_in(values: pd.Series, wanted: Iterable[str]) -> pd.Series:
    """What `values.isin(wanted)` says of texts, which holds each of the wanted ones several times meanwhile."""
    texts = wanted if isinstance(wanted, pd.Series) else list(wanted)
    held = pc.is_in(_texts(values), _texts(texts))
    return pd.Series(held.to_numpy(zero_copy_only=False), values.index, bool, values.name)


def _texts(values: Any) -> pyarrow.Array:
    made = pyarrow.array(values, pyarrow.large_string(), from_pandas=True)
    return made.combine_chunks() if isinstance(made, pyarrow.ChunkedArray) else made


def among(values: pd.Series, wanted: Set[str]) -> pd.Series:
    """Which values are wanted, of a shard's few among all: `isin` would prepare all of them for each shard anew."""
    return values.isin([value for value in values.unique() if value in wanted])


def write(
    table: pd.DataFrame,
    model: type[Table],
    path: Path | BinaryIO,
    provenance: dict | None = None,
    made_from: dict[str, str] | None = None,
) -> None:
    """Write a checked table to Parquet, its provenance in the footer. The same table gives the same bytes.

    made_from: item -> digest of what its rows were made from, for the footer (accord.engine.kept).
    """
    valid = check(table, model, model.__name__)
    arrow = pyarrow.Table.from_pandas(valid, schema=arrow_schema(model), preserve_index=False)
    footer = {b"provenance": json.dumps(provenance or {}, sort_keys=True).encode()}
    if made_from is not None:
        footer[MADE_FROM] = json.dumps(made_from, sort_keys=True).encode()
    save(arrow.replace_schema_metadata(footer), path)


def save(arrow: pyarrow.Table, path: Path | BinaryIO) -> None:
    """Write an Arrow table to Parquet, its metadata in the footer. The same table gives the same bytes."""
    pq.write_table(arrow, path, **FORMAT)


@cache
def arrow_schema(model: type[Table]) -> pyarrow.Schema:
    """The Arrow schema that a table model stands for. Once in a process: pandera copies all columns to tell them."""
    columns = model.to_schema().columns
    return pyarrow.schema([(name, _arrow_type(column)) for name, column in columns.items()])


def _arrow_type(column: Any) -> pyarrow.DataType:
    kind = (column.metadata or {}).get("arrow")
    if kind:
        return ARROW_LISTS[kind]
    dtype = str(column.dtype).lower()
    if dtype == "category":
        return encoded.TEXTS
    if dtype.startswith("str"):
        return pyarrow.string()
    return pyarrow.from_numpy_dtype(dtype) if dtype != "bool" else pyarrow.bool_()


@cache
def _view(model: type[Table]) -> tuple[list[str] | None, pc.Expression | None]:
    """The columns that are read of a file (None: all), and of which rows (None: all)."""
    schema = model.to_schema()
    return (list(schema.columns), (model.Config.metadata or {}).get(ONLY)) if schema.strict == FILTER else (None, None)


def _read_one(path: Path, model: type[Table], only: pc.Expression | None) -> pyarrow.Table:
    names, of_view = _view(model)
    with readable(path):
        # read_table prepares a data set of many files, for each of many small ones: that takes longer than to read it.
        with opened(path, encoded.columns(arrow_schema(model))) as file:
            rows = file.read(columns=names)
        if not set(arrow_schema(model).names) <= set(rows.column_names):
            return rows
        rows = rows if names is None else rows.select(names)
        for wanted in (of_view, only):
            rows = rows if wanted is None else rows.filter(wanted)
        return rows
