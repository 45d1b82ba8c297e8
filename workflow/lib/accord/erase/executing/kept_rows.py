"""Tables of kept rows, and the bundles that they tell of: they stay, without what names a person who is erased.

Their rows of everybody else need not be computed again (accord.engine.kept). All other results are deleted. What was
rewritten is what the next run takes rows from, no more: its job runs again, and says anew what it was made from. Done
again after a crash, it ends in the same bytes.
"""

import io
import json
import os
import re
import tarfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from accord.engine import table
from accord.erase.planning import closure
from accord.errors import AccordError
from accord.files import PARTIAL, replace
from accord.imaging import bundle
from accord.imaging.bundle import BundleWriter, Member

PLACES = frozenset(Member._fields)
NOTHING = r"[^\s\S]"
"""A pattern that is nowhere, for Python's expressions and Arrow's."""


class Folder(NamedTuple):
    """What stays of a folder. tables: path -> the table as it will be, where its files lie apart; bundles: path ->
    member -> sha256 of those that stay."""

    tables: dict[Path, pa.Table]
    bundles: dict[Path, dict[str, str]]

    @property
    def paths(self) -> list[str]:
        return sorted(map(str, (*self.tables, *self.bundles)))


def staying(paths: Iterable[str], ids: Iterable[str]) -> Iterator[Folder]:
    """Those of some results that stay without what names the ids, folder by folder."""
    by_folder: dict[Path, list[Path]] = {}
    for path in map(Path, sorted(paths)):
        by_folder.setdefault(path.parent, []).append(path)
    for inside in by_folder.values():
        tables = {path: rows for path in inside if (rows := without(path, ids)) is not None}
        told = {path: _told(path, tables.values()) for path in inside if path.suffix == ".tar"}
        found = Folder(tables, {path: members for path, members in told.items() if members is not None})
        if found.paths:
            yield found


def prune(folder: Folder) -> None:
    """Write what stays of a folder: bundles before the tables that tell where their members lie.

    A bundle whose content is not what its table says is deleted: nothing can be taken from it.
    """
    places: dict[str, tuple[int, int]] = {}
    for path, members in folder.bundles.items():
        _rewrite(path, members)
        places |= _members(path) or {}
    for path, rows in folder.tables.items():
        written = io.BytesIO()
        table.save(_placed(rows, places), written)
        if written.getbuffer() != path.read_bytes():
            replace(path, written.getvalue())


def without(path: Path, ids: Iterable[str]) -> pa.Table | None:
    """A table of kept rows without all rows of the items (images) of which the footer or a row names one of the ids.

    None where the file is no such table, is broken, or names one elsewhere.
    """
    if path.suffix != ".parquet":
        return None
    try:
        read = pq.read_table(path, partitioning=None, page_checksum_verification=True)
        footer = dict(read.schema.metadata or {})
        digests = json.loads(footer.pop(table.MADE_FROM, b"null"))
    except (pa.ArrowException, OSError, ValueError):
        return None
    naming = re.compile("|".join(map(re.escape, closure.telling(ids))) or NOTHING)
    told_elsewhere = any(naming.search(value.decode(errors="replace")) for value in footer.values())
    # The values of a dictionary stay in the file when their rows go.
    has_dictionary = any(pa.types.is_dictionary(field.type) for field in read.schema)
    if not isinstance(digests, dict) or told_elsewhere or has_dictionary:
        return None
    falls, items = _falling(read, naming, frozenset(ids), digests.keys())
    left = {item: digest for item, digest in digests.items() if item not in items}
    footer[table.MADE_FROM] = json.dumps(left, sort_keys=True).encode()
    return _plain(read.filter(pa.array(~falls)).combine_chunks()).replace_schema_metadata(footer)


def _plain(rows: pa.Table) -> pa.Table:
    """The table with the names that Arrow gives to what is in a list, which Parquet changes."""
    kinds = [pa.list_(field.type.value_type) if pa.types.is_list(field.type) else field.type for field in rows.schema]
    return rows.cast(pa.schema(list(zip(rows.column_names, kinds, strict=True))))


def _falling(
    read: pa.Table, naming: re.Pattern[str], ids: frozenset[str], known: Iterable[str]
) -> tuple[np.ndarray, set[str]]:
    """Which rows fall, and which of the items that the footer knows: an item falls whole, whatever column names it.

    An id that is too short to be looked for in a text is a whole cell, or an item.
    """
    known = set(known)
    items = {item for item in known if item in ids or naming.search(item)}
    texts = [column for column in read.columns if pa.types.is_string(column.type) or pa.types.is_binary(column.type)]
    named = _any(read, [pc.match_substring_regex(column, naming.pattern) for column in texts])
    texts = [column for column in texts if pa.types.is_string(column.type)]
    named |= _any(read, [pc.is_in(column, pa.array(sorted(ids), pa.string())) for column in texts])
    while True:
        falls = named | _any(read, [pc.is_in(column, pa.array(sorted(items), pa.string())) for column in texts])
        told = {text for column in texts for text in column.filter(pa.array(falls)).unique().to_pylist()}
        if told & known <= items:
            return falls, items
        items |= told & known


def _any(read: pa.Table, hits: list[pa.ChunkedArray]) -> np.ndarray:
    found = np.zeros(read.num_rows, bool)
    for hit in hits:
        found |= pc.fill_null(hit, False).to_numpy().astype(bool)
    return found


def _told(path: Path, tables: Iterable[pa.Table]) -> dict[str, str] | None:
    """Member -> sha256 of the files of a bundle that tables beside it tell of; None where none tells of it."""
    there, found = _members(path), None
    if there is None:
        return None
    for rows in tables:
        if set(rows.column_names) >= PLACES:
            rows = rows.filter(pc.not_equal(rows["member"], ""))  # of what gave no file
            told = dict(zip(rows["member"].to_pylist(), rows["sha256"].to_pylist(), strict=True))
            if told.keys() <= there.keys():
                found = {**(found or {}), **told}
    return found


def _members(path: Path) -> dict[str, tuple[int, int]] | None:
    """Member -> where it lies in a bundle, as it lies there now: offset, size; None where it can't be read."""
    try:
        with tarfile.open(path, "r:") as archive:
            return {member.name: (member.offset_data, member.size) for member in archive}
    except (tarfile.TarError, OSError):
        return None


def _rewrite(path: Path, told: dict[str, str]) -> None:
    """Drop all members of a bundle but those that were told; their order stays."""
    there = _members(path) or {}
    if there.keys() <= told.keys():
        return
    partial = path.with_name(f"{path.name}{PARTIAL}")
    try:
        with BundleWriter(partial) as writer:
            for member, place in there.items():
                if member in told:
                    file = bundle.window(path, Member(member, *place, told[member]))
                    with file.open() as opened:
                        writer.copy(member, opened, file.size)
        with partial.open("rb") as file:
            os.fsync(file.fileno())
    except AccordError:
        partial.unlink()
        path.unlink()
    else:
        partial.replace(path)


def _placed(rows: pa.Table, places: dict[str, tuple[int, int]]) -> pa.Table:
    """A table with the offsets of the files that it tells of, where these lie now."""
    if not set(rows.column_names) >= PLACES:
        return rows
    was = zip(rows["member"].to_pylist(), rows["offset"].to_pylist(), strict=True)
    offsets = [places.get(member, (offset,))[0] for member, offset in was]
    number, field = rows.schema.get_field_index("offset"), rows.schema.field("offset")
    return rows.set_column(number, field, pa.array(offsets, field.type))
