"""Which likely pairs of pictures hold: parts of both are one and the same, by their keypoints.

Keypoints of all pictures don't fit in memory. So pictures are taken in blocks, as their tables lie, and two blocks at a
time are held against each other; of the second, only what its pairs need is kept.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from accord.checks.matching.keypoints import Keypoints, Match, match, unpacked

AT_ONCE = 30_000
"""Pictures of a block: their keypoints take 40 to 60 kB each."""
COLUMNS = ["image", "points", "descriptors", "luma", "luma_width", "luma_scale"]


class Limits(NamedTuple):
    """The fewest keypoints that must agree on one place, and the least correlation of the pixels there."""

    inliers: int
    correlation: float


class Block(NamedTuple):
    """Tables Looks that lie next to each other, and the positions of the pictures in them."""

    files: list[Path]
    places: np.ndarray


def verified(
    files: list[Path], images: np.ndarray, pairs: np.ndarray, limits: Limits
) -> list[tuple[tuple[str, str], Match]]:
    """(left, right) ids and the Match of those of the pairs that hold, sorted by their ids.

    images: sorted ids; pairs: (m, 2) positions in them, left < right; files: tables Looks that have the pictures.
    """
    blocks = _blocks(files, images, np.unique(pairs))
    lies = np.full(len(images), -1)
    for number, block in enumerate(blocks):
        lies[block.places] = number
    pairs = pairs[(lies[pairs] >= 0).all(axis=1)]
    low, high = np.sort(lies[pairs], axis=1).T
    found = []
    for one, block in enumerate(blocks):
        mine = pairs[low == one]
        known = _keypoints(block, images, np.unique(mine[lies[mine] == one]))
        for other in np.unique(high[low == one]).tolist():
            some = pairs[(low == one) & (high == other)]
            needed = np.unique(some[lies[some] == other])
            both = known if one == other else known | _keypoints(blocks[other], images, needed)
            found += _that_hold(some, both, limits)
    return sorted(((str(images[left]), str(images[right])), made) for (left, right), made in found)


def _that_hold(
    pairs: np.ndarray, known: dict[int, Keypoints], limits: Limits
) -> Iterator[tuple[tuple[int, int], Match]]:
    for left, right in pairs.tolist():
        made = match(known[left], known[right], limits.inliers)
        if made.inliers >= limits.inliers and made.correlation >= limits.correlation:
            yield (left, right), made


def _blocks(files: list[Path], images: np.ndarray, wanted: np.ndarray) -> list[Block]:
    """Blocks of files with about AT_ONCE of the wanted pictures."""
    ids = pa.array(images[wanted].tolist(), pa.string())
    held = [pq.read_table(path, columns=["image"], partitioning=None)["image"].combine_chunks() for path in files]
    every = pc.fill_null(pc.index_in(pa.concat_arrays([pa.array([], pa.string()), *held]), ids), -1).to_numpy()
    blocks, some, places, count = [], [], [], 0
    for path, at in zip(files, np.split(every, np.cumsum([len(one) for one in held]))[:-1], strict=True):
        at = at[at >= 0]
        some, places, count = [*some, path], [*places, wanted[at]], count + len(at)
        if count >= AT_ONCE:
            blocks.append(Block(some, np.concatenate(places)))
            some, places, count = [], [], 0
    return [*blocks, Block(some, np.concatenate(places))] if some else blocks


def _keypoints(block: Block, images: np.ndarray, needed: np.ndarray) -> dict[int, Keypoints]:
    """Keypoints of the needed pictures of a block, by their position."""
    ids, known = pa.array(images[needed].tolist(), pa.string()), {}
    for path in block.files:
        rows = pq.read_table(path, columns=COLUMNS, partitioning=None)
        some = rows.filter(pc.is_in(rows["image"], ids))
        places = needed[pc.index_in(some["image"], ids).to_numpy()].tolist()
        known.update((place, unpacked(row)) for place, row in zip(places, some.to_pandas().itertuples(), strict=True))
    return known
