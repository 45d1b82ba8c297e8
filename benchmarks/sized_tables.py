"""Tables of any number of images for `sized_gathers.py`: those of a finished run, as many times as it takes.

Rows are those of the run, under other ids, with other hashes, and with vectors turned, so that copies are no duplicates
of each other (looks of pictures along the axes along which those of the run vary, so that few numbers tell as much of
them as of the run's); and taken at other seconds and places, of people of another height, so that copies aren't
suspicious.
There are no pixels: every picture of the release is the same one. A shard's rows are copies of one shard of the run, so
that Parquet holds what they share (keypoints of pictures, thumbnails) once; vectors are rounded to the 8 bits of
bfloat16, which halves them. The bytes on disk are therefore fewer than those of real tables, in memory
they are as many.

A copy of a picture has its keypoints, so that one is found in the other. Where keypoints are dealt, it has those of any
picture of its shard: of pictures that look alike, few are then found in one another, as in a delivery.
"""

import hashlib
import os
import random
import re
import shutil
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from accord.checks.matching.stored_keypoints import COLUMNS as KEYPOINTS
from accord.imaging.decode import encode_png

ROOT = Path(__file__).resolve().parents[1]
ID, DIGEST = re.compile(r"(?<![0-9a-f])[0-9a-f]{16}(?![0-9a-f])"), re.compile(r"[0-9a-f]{64}")
HERE, TAIL, ODD = "\0", 6, 0x9E3779
"""What stands in a text for the last digits of an id, how many they are, and what spreads them."""
HEIGHT = "\1"
"""What stands behind a whole number of cm or kg for its decimals."""
SAME = ("model_sha256", "notice_sha256")
HASHES, REFERENCES = ("pdq", "turned", "phash"), ("source", "reference")
PIXEL = encode_png(np.zeros((1, 1, 3), np.uint8))
"""The file of every picture."""
VERDICTS = "verdicts.parquet"
"""Of all shards: which images pass."""
ONCE = ("forms.parquet", "annotators.parquet", VERDICTS)
"""Tables with people and annotators whom several of the run's shards name; and with images that were refused, whose ids
stay as they are."""
LOOKS, LENGTH = "looks.parquet", 1280
"""Tables of vectors of pictures, and numbers in each of their parts."""
DICTIONARY = 1 << 28
"""Bytes of distinct values of a column up to which each is written once."""
TIME, AWAY = "captured_at", {"gps_latitude": 1e-3}
"""When pictures were taken; degrees between the places of two copies."""


class Known(NamedTuple):
    """What is the same for all copies: the ids of the run; axes of looks, of `_axes`; whether keypoints are dealt."""

    ids: frozenset[str]
    axes: np.ndarray
    dealt: bool


def write(
    run: Path, folder: Path, wanted: list[str], images: int, shards: list[str], writers: int, dealt: bool
) -> None:
    """Write the tables of all shards, and what the steps read besides, with so many processes."""
    _begin(folder)
    known = Known(_ids(run, wanted), _axes(run, wanted), dealt)
    children = []
    for writer in range(writers):
        if not (child := os.fork()):
            _write_shards(run, folder, wanted, images, shards, writer, writers, known)
            os._exit(0)
        children.append(child)
    for path in (path for path in wanted if "{}" not in path):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        if path.endswith(VERDICTS):
            _save(_Copied(run / path, known), _copies(run, images), folder / path)
        else:
            shutil.copy(run / path, folder / path)
    if any(os.waitpid(child, 0)[1] for child in children):
        raise SystemExit("tables could not be written")


def _begin(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in ("config", "tests", "workflow"):
        (folder / name).symlink_to(ROOT / name)
    (folder / "weights").mkdir()


def _parts(run: Path) -> list[str]:
    """Names of the run's shards."""
    return sorted(path.name for path in (run / "results/intake").iterdir())


def _ids(run: Path, wanted: list[str]) -> frozenset[str]:
    """All ids of the run: other runs of 16 hexadecimal digits are numbers and masks."""
    found: set[str] = set()
    for path in (path for path in wanted if "{}" in path and path.endswith(".parquet")):
        for part in _parts(run):
            names = [f.name for f in pq.read_schema(run / path.format(part)) if pa.types.is_string(f.type)]
            columns = pq.read_table(run / path.format(part), columns=names)
            for column in columns.itercolumns():
                found |= {value for value in pc.unique(column).to_pylist() if value and ID.fullmatch(value)}
    return frozenset(found)


def _copies(run: Path, images: int) -> range:
    """The numbers of the copies that have so many images in all."""
    had = sum(pq.read_metadata(run / f"results/intake/{part}/images.parquet").num_rows for part in _parts(run))
    return range(-(-images // had))


def _write_shards(
    run: Path, folder: Path, wanted: list[str], images: int, shards: list[str], writer: int, writers: int,
    known: Known,
) -> None:  # fmt: skip
    parts, copies = _parts(run), _copies(run, images)
    for path in (path for path in wanted if "{}" in path and "/packed/" not in path):
        read = {part: _Copied(run / path.format(part), known) for part in parts if path.endswith(".parquet")}
        for at, shard in [*enumerate(shards)][writer::writers]:
            target = folder / path.format(shard)
            target.parent.mkdir(parents=True, exist_ok=True)
            of = at % len(parts)
            numbers = copies[at // len(parts) :: len(range(of, len(shards), len(parts)))]
            if path.endswith("files.tar"):
                target.write_bytes(PIXEL)
            elif read:
                _save(read[parts[of]], numbers, target)


class _Copied:
    """A table of the run, and its copies under other ids."""

    def __init__(self, path: Path, known: Known):
        self.rows = pq.read_table(path).combine_chunks()
        self.pictures = {"source_sha256", "kind"} <= set(self.rows.column_names)
        self.texts = {}
        self.axes = known.axes if path.name == LOOKS else None
        self.dealt = known.dealt
        for name in self.rows.column_names:
            column = self.rows.column(name)
            if pa.types.is_string(column.type) and name not in SAME:
                coded = pc.dictionary_encode(column.combine_chunks())
                marked = [_marked(value, name, known.ids) for value in coded.dictionary.to_pylist()]
                self.texts[name] = (pa.array(marked, pa.string()), coded.indices)

    def copies(self, numbers: range) -> Iterator[pa.Table]:
        """The rows once for each number; those of copy 0 are as they are."""
        for number in numbers:
            rows = self.rows
            for at, name in enumerate(rows.column_names):
                rows = rows.set_column(at, rows.schema.field(name), self._column(name, number))
            yield rows

    def _column(self, name: str, number: int) -> pa.Array | pa.ChunkedArray:
        column = self.rows.column(name)
        if self.pictures and name in ("offset", "size", "sha256"):
            value = {"offset": 0, "size": len(PIXEL), "sha256": hashlib.sha256(PIXEL).hexdigest()}[name]
            return pa.repeat(pa.scalar(value, column.type), len(column))
        if name == "vector" and len(column):
            return _turned(column.combine_chunks(), number, self.axes)
        if name in AWAY:
            return pc.add(column, AWAY[name] * number)
        if self.dealt and number and name in KEYPOINTS:
            return column.take(pa.array(np.random.default_rng(number).permutation(len(column))))
        if number == 0 or name not in self.texts:
            return column
        values, indices = self.texts[name]
        if name in HASHES or name == TIME:
            change = _later if name == TIME else _masked
            return pa.array([change(value, name, number) for value in values.to_pylist()], pa.string()).take(indices)
        height = pc.replace_substring(values, HEIGHT, f".{number:04}")
        return pc.replace_substring(height, HERE, f"{number * ODD % 16**TAIL:0{TAIL}x}").take(indices)


def _marked(value: str | None, name: str, known: frozenset[str]) -> str | None:
    """The text with the last digits of its ids taken out."""
    if not value or name in HASHES:
        return value
    if name == "value" and value.isdecimal():
        return value + HEIGHT
    if name in REFERENCES:
        return f"{HERE}-{value}"
    if DIGEST.fullmatch(value):
        return value[:-TAIL] + HERE
    return ID.sub(lambda found: found[0][:-TAIL] + HERE if found[0] in known else found[0], value)


def _masked(value: str, name: str, number: int) -> str:
    """Another hash of the same length, as far from other hashes of this copy as it was."""
    mask = random.Random(f"{name} {number}").getrandbits(4 * len(value))
    return f"{int(value, 16) ^ mask:0{len(value)}x}" if value else value


def _later(value: str, name: str, number: int) -> str:
    """So many seconds later."""
    return (datetime.fromisoformat(value) + timedelta(seconds=number)).isoformat() if value else value


def _axes(run: Path, wanted: list[str]) -> np.ndarray:
    """(d, d) axes along which the looks of the run vary, most first: of their uncentred second moments."""
    paths = [run / path.format(part) for path in wanted if Path(path).name == LOOKS for part in _parts(run)]
    moments = np.zeros((LENGTH, LENGTH))
    for path in paths:
        flat = pq.read_table(path, columns=["vector"])["vector"].combine_chunks().flatten().to_numpy()
        moments += flat.reshape(-1, LENGTH).T.astype(np.float64) @ flat.reshape(-1, LENGTH)
    return np.linalg.eigh(moments)[1][:, ::-1].astype(np.float32)


def _turned(column: pa.ListArray, number: int, axes: np.ndarray | None) -> pa.ListArray:
    """Vectors that are turned alike for all of a copy, and rounded: mirrored along some of the axes, but not the first,
    which is their mean; without axes, with their numbers in another order."""
    flat = column.flatten().to_numpy().reshape(len(column), -1)
    flat = flat.reshape(-1, LENGTH if flat.shape[1] % LENGTH == 0 else flat.shape[1])
    rng = np.random.default_rng(number)
    if number and axes is not None:
        signs = np.r_[1, rng.choice([-1, 1], LENGTH - 1)].astype(np.float32)
        flat = flat @ ((axes * signs) @ axes.T)
    elif number:
        flat = flat[:, rng.permutation(flat.shape[1])]
    rounded = (flat.ravel().view(np.uint32) + np.uint32(0x8000)) & np.uint32(0xFFFF0000)
    return pa.ListArray.from_arrays(column.offsets, pa.array(rounded.view(np.float32)), column.type)


def _save(table: _Copied, numbers: range, target: Path) -> None:
    rows = pa.concat_tables([*table.copies(numbers)] or [table.rows.slice(0, 0)])
    if target.name in ONCE:
        key = ["image"] if target.name == VERDICTS else None
        rows = pa.Table.from_pandas(rows.to_pandas().drop_duplicates(key), rows.schema, preserve_index=False)
    texts = [name for name in rows.column_names if name != "vector"]
    split = {"vector.list.element": "BYTE_STREAM_SPLIT"} if "vector" in rows.column_names else None
    pq.write_table(
        rows, target, compression="zstd", use_dictionary=texts, column_encoding=split,
        dictionary_pagesize_limit=DICTIONARY,
    )  # fmt: skip


def withdraw(folder: Path, wanted: list[str]) -> None:
    """Take the rows of a person, and of images that she is in, out of all tables."""
    people = pq.read_table(next(folder.glob("results/release/*/people.parquet"))).to_pandas()
    subject = people["subject"].iloc[0]
    gone = pa.array(sorted(set(people.loc[people["subject"] == subject, "image"]) | {subject}), pa.string())
    for path in (path for name in wanted for path in folder.glob(name.format("*")) if path.suffix == ".parquet"):
        names = {"image", "subject", "left", "right"} & set(pq.read_schema(path).names)
        keys = pq.read_table(path, columns=sorted(names))
        kept = np.ones(keys.num_rows, bool)
        for name in sorted(names):
            kept &= ~pc.is_in(keys[name], gone).to_numpy(zero_copy_only=False)
        if not kept.all():
            pq.write_table(pq.read_table(path).filter(pa.array(kept)), path, compression="zstd")
