"""Items: which files of a lineage hold rows of an image, and how many images and people a file rests on.

Tables that can't be read count as empty: that they were changed is told by their sha256.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from accord.audit.evidence.lineage import Node
from accord.audit.telling import reading
from accord.engine import kept as kept_tables

IMAGE = ("image", "left", "right")
"""Columns that name an image."""


class Rest(NamedTuple):
    """What a file rests on: the tables of items that are next upstream, and how many images and people they have."""

    tables: list[str]
    images: int
    subjects: int


def names(path: Path) -> list[str]:
    """The columns of a table."""
    return list(reading.columns(path) or ()) if path.suffix == ".parquet" else []


def rows(path: Path, wanted: dict[str, str], columns: Iterable[str] | None = None) -> list[dict]:
    """The rows of a table in which columns, as text, have the values that are wanted.

    Columns that the table lacks are left alone. Lists are left out.
    """
    have = names(path)
    try:
        table = pq.read_table(path, columns=[c for c in columns if c in have] if columns else None, partitioning=None)
        for column, value in wanted.items():
            if column in table.column_names:
                table = table.filter(pc.equal(pc.cast(table[column], pa.string()), value))
        plain = [field.name for field in table.schema if not pa.types.is_list(field.type)]
        return table.select(plain).to_pylist()
    except reading.UNREADABLE:
        return []


def named(path: Path, column: str = "image") -> list[str]:
    """The values of a column of a table, row by row; nothing where the table lacks it, or can't be read."""
    if column not in names(path):
        return []
    try:
        return pq.read_table(path, columns=[column], partitioning=None)[column].to_pylist()
    except reading.UNREADABLE:
        return []


def kept(path: Path) -> frozenset[str]:
    """The images of which a table says from what their rows were made (accord.engine.kept)."""
    try:
        told = kept_tables.digests(path) if "image" in names(path) else None
    except reading.UNREADABLE:
        return frozenset()
    return frozenset(told if isinstance(told, dict) else ())


def count(path: Path, image: str) -> int:
    """How many rows of a table name an image."""
    columns = [column for column in IMAGE if column in names(path)]
    found = [row for row in rows(path, {}, columns) if image in row.values()] if columns else []
    return len(found)


def of_items(nodes: Iterable[Node]) -> list[Path]:
    """Those of some files that are tables with a row for each image."""
    return [path for path in (Path(node.path) for node in nodes) if "image" in names(path)]


def rest(root: Node) -> Rest:
    """What a file rests on: a table with images rests on itself, another on the next ones that it was made from."""
    level, seen = [root], {root.path}
    while level and not of_items(level):
        level = [child for node in level for child in node.inputs if child.path not in seen]
        seen |= {node.path for node in level}
    tables = sorted({path.as_posix() for path in of_items(level)})
    told = [row for path in tables for row in rows(Path(path), {}, ("image", "subject"))]
    subjects = {row.get("subject") or "" for row in told} - {""}
    return Rest(tables, len({row["image"] for row in told}), len(subjects))
