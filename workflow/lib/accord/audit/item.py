"""Items: which files of a lineage hold rows of an image, and how many images and people a file rests on."""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from accord.audit.lineage import Node

IMAGE = ("image", "left", "right")
"""Columns that name an image."""


class Rest(NamedTuple):
    """What a file rests on: the tables of items that are next upstream, and how many images and people they have."""

    tables: list[str]
    images: int
    subjects: int


def names(path: Path) -> list[str]:
    """The columns of a table; none where it can't be read."""
    try:
        return pq.read_schema(path).names
    except (OSError, pa.ArrowException):
        return []


def rows(path: Path, wanted: dict[str, str], columns: Iterable[str] | None = None) -> list[dict]:
    """The rows of a table in which columns, as text, have the values that are wanted.

    Columns that the table lacks are left alone. Lists are left out.
    """
    have = names(path)
    table = pq.read_table(path, columns=[c for c in columns if c in have] if columns else None, partitioning=None)
    for column, value in wanted.items():
        if column in table.column_names:
            table = table.filter(pc.equal(pc.cast(table[column], pa.string()), value))
    plain = [field.name for field in table.schema if not pa.types.is_list(field.type)]
    return table.select(plain).to_pylist()


def count(path: Path, image: str) -> int:
    """How many rows of a table name an image."""
    columns = [column for column in IMAGE if column in names(path)]
    if not columns:
        return 0
    table = pq.read_table(path, columns=columns, partitioning=None)
    return max(pc.sum(pc.equal(table[column], image)).as_py() or 0 for column in columns)


def rest(root: Node) -> Rest:
    """What a file rests on: a table with images rests on itself, another on those that it was made from."""
    tables, seen, queue = [], set(), [root]
    while queue:
        node = queue.pop(0)
        if node.path in seen:
            continue
        seen.add(node.path)
        if node.path.endswith(".parquet") and "image" in names(Path(node.path)):
            tables.append(node.path)
        else:
            queue += node.inputs
    images, subjects = set(), set()
    for path in tables:
        for row in rows(Path(path), {}, ("image", "subject")):
            images.add(row["image"])
            subjects.add(row.get("subject") or "")
    return Rest(sorted(tables), len(images), len(subjects - {""}))
