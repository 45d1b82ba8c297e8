"""How a picture looks, as a whole and in its corners; and which pictures look most alike in any of them.

The corners are averages over parts of one feature map, so that they cost no second pass (after Tolias, Sicre and
Jegou, "Particular object retrieval with integral max-pooling of CNN activations", 2016).
"""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from accord.checks.matching import stored_looks
from accord.checks.matching.index import searching
from accord.checks.matching.index.alike import alike_with
from accord.checks.matching.index.proposing import Proposing
from accord.checks.matching.index.searching import Likely
from accord.engine.table_files import each, readable
from accord.statistics.distinct import distinct_pairs

REGIONS = 5
CORNER_SHARE = 4 / 7
BLOCK = 256
COLUMNS = ["image", "subject", "vector"]
PROPOSING = Proposing(short=96, wider=16, probes=96, compared=50_000)


class Seen(NamedTuple):
    """The images and subjects of n pictures, in the order of images, and (n, 5, d) float32 unit vectors of them."""

    images: np.ndarray
    subjects: np.ndarray
    regions: np.ndarray


def regions(maps: np.ndarray) -> np.ndarray:
    """(5, channels) float32 unit vectors of a (channels, height, width) feature map: whole, then the four corners."""
    height, width = maps.shape[1:]
    tall, wide = round(CORNER_SHARE * height), round(CORNER_SHARE * width)
    parts = [maps, *(maps[:, y : y + tall, x : x + wide] for y in (0, height - tall) for x in (0, width - wide))]
    means = np.array([part.mean(axis=(1, 2), dtype=np.float64) for part in parts])
    lengths = np.linalg.norm(means, axis=1, keepdims=True)
    return (means / np.where(lengths > 0, lengths, 1)).astype(np.float32)


def read_regions(paths: Iterable[Path], wanted: Iterable[str]) -> Seen:
    """The vectors of the `wanted` images that are in the tables Looks at `paths`; nothing else of them is read."""
    ids, files = pa.array(list(wanted), pa.string()), list(paths)
    read = dict(zip(files, each(files, lambda path: _read(path, ids)), strict=True))
    held = [path for path in files if read[path].num_rows]
    if not held:
        return Seen(np.empty(0, str), np.empty(0, str), np.empty((0, REGIONS, 1), np.float32))
    length = _vectors(held[0], read).shape[2]
    found = each(held, lambda path: _vectors(path, read, length))
    both, lengths = pa.concat_tables([read[path].select(["image", "subject"]) for path in held]), [*map(len, found)]
    stored_looks.once(both["image"], np.repeat(np.arange(len(held)), lengths), held)
    order = pc.sort_indices(both, sort_keys=[("image", "ascending")])
    images, subjects = (np.array(of.take(order).to_pylist(), dtype=str) for of in both.columns)
    vectors = np.empty((len(order), REGIONS, length), np.float32)
    places = np.split(np.argsort(order.to_numpy()), np.cumsum(lengths)[:-1])
    for there, one in zip(places, found, strict=True):
        vectors[there] = one
    return Seen(images, subjects, vectors)


def _read(path: Path, ids: pa.Array) -> pa.Table:
    with readable(path):
        table = stored_looks.opened_looks(path, COLUMNS).read(columns=COLUMNS)
        return table.filter(pc.is_in(table["image"], ids)).combine_chunks()


def _vectors(path: Path, read: dict[Path, pa.Table], length: int | None = None) -> np.ndarray:
    with readable(path):
        return stored_looks.sound(read[path]["vector"].chunk(0), REGIONS, length)


def likely(paths: list[Path], wanted: Iterable[str], most: int, least: float, all_pairs_up_to: int) -> Likely:
    """`likely_pairs` of those wanted images that are in the tables Looks at `paths`.

    Up to some number all are compared with all, and their vectors (26 kB each) held in memory. Of more they are not
    (accord.checks.matching.index.searching): cells propose whom each is compared with, which leaves out some pairs.
    """
    ids = list(wanted)
    if len(ids) <= all_pairs_up_to:
        seen = read_regions(paths, ids)
        return Likely(seen.images, likely_pairs(seen.regions, most, least), [], np.arange(len(seen.images)))
    shown = stored_looks.pictures(paths, ids)
    return searching.likely(shown, REGIONS, most, least, PROPOSING)


def likely_pairs(regions: np.ndarray, most: int, least: float) -> np.ndarray:
    """(m, 2) int64 positions, left < right, sorted: each picture with the `most` others in a part of which the whole
    of it is seen, or the other way round, with a cosine of at least `least`.

    regions: (n, 5, d). All are compared with all, in blocks: n^2 * 10 * d multiplications.
    """
    count = len(regions)
    found = [np.empty((0, 2), np.int64)]
    wholes = np.ascontiguousarray(regions[:, 0])
    for start in range(0, count, BLOCK):
        some = regions[start : start + BLOCK]
        alike = alike_with(some, regions, wholes)
        rows = np.arange(len(some))
        alike[rows, start + rows] = -np.inf
        best = np.argsort(-alike, axis=1, kind="stable")[:, :most]
        near = np.take_along_axis(alike, best, axis=1) >= least
        pairs = np.stack([np.repeat(start + rows, near.sum(axis=1)), best[near]], axis=1)
        found.append(np.sort(pairs, axis=1))
    return distinct_pairs(np.concatenate(found))
