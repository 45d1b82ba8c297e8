"""Find pictures that are cut out of others, and pictures that others are pasted into, for people to decide."""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pandera.typing import DataFrame

from accord.checks.matching.copies import bits_apart, keepers, ranked_by_quality
from accord.checks.matching.keypoints import Keypoints, Match, match, unpacked
from accord.checks.matching.known_pairs import extended
from accord.checks.matching.looks import likely
from accord.checks.settling.local import unstopped
from accord.checks.tables.findings import Findings, Fingerprints, Images, Pairs
from accord.engine import table
from accord.findings import REVIEW

CANDIDATES = 10
AT_ONCE = 10_000
"""Pictures whose keypoints (40 to 60 kB each) are in memory at once, twice."""
MIN_COSINE = 0.4
CHECK = "duplicate_crop"


class Crops(NamedTuple):
    """Findings on the pictures that would go, and the pairs so far: copies, and these."""

    findings: DataFrame[Findings]
    pairs: DataFrame[Pairs]


def run(
    images: DataFrame[Images],
    fingerprints: DataFrame[Fingerprints],
    looks: list[Path],
    findings: DataFrame[Findings],
    pairs: DataFrame[Pairs],
    *,
    min_inliers: int,
    min_correlation: float,
) -> Crops:
    """Finding duplicate_crop, `review`: parts of two pictures are one and the same.

    Of the images that `findings` (of copies) leave, each is held against the ten that look most alike in any part;
    at least `min_inliers` keypoints must agree on one place, and the pixels there correlate. The better picture
    (accord.checks.matching.copies) stays unquestioned. `looks`: tables Looks. `pairs` are copies; the new ones are
    added.
    """
    left = unstopped(images, findings)
    ranked = ranked_by_quality(left, fingerprints)
    place = pd.Series(np.arange(len(ranked)), index=ranked["image"])
    found = _verified(likely(looks, ranked["image"], CANDIDATES, MIN_COSINE), looks, min_inliers, min_correlation)
    rows = np.sort([[place[image] for image in pair] for pair, _ in found] or np.empty((0, 2), int), axis=1)
    order = np.lexsort([rows[:, 0], rows[:, 1]])
    keeper, matches = (
        keepers(len(ranked), rows[order]),
        {tuple(row): m for row, (_, m) in zip(rows, found, strict=True)},
    )
    gone = np.flatnonzero(keeper != np.arange(len(ranked))).tolist()
    made = [_finding(ranked["image"], keeper[row], row, matches[keeper[row], row], min_inliers) for row in gone]
    more = _pairs(ranked, rows[order], [matches[tuple(row)] for row in rows[order]])
    return Crops(table.rows(sorted(made), Findings), extended(pairs, more))


def _verified(pairs: np.ndarray, looks: Iterable[Path], least: int, correlation: float) -> list[tuple]:
    """(left, right) ids and their Match, of the likely pairs that hold."""
    ids, places = np.unique(pairs, return_inverse=True)
    files = list(looks)
    block = _blocks(ids, files)[places.reshape(pairs.shape)]
    found = []
    for one, other in np.unique(np.sort(block, axis=1), axis=0):
        some = pairs[(np.sort(block, axis=1) == (one, other)).all(axis=1)]
        known = _read_keypoints(files, np.unique(some))
        tried = [(tuple(pair), match(known[pair[0]], known[pair[1]], least)) for pair in some]
        found += [(pair, made) for pair, made in tried if made.inliers >= least and made.correlation >= correlation]
    return sorted(found, key=lambda one: one[0])


def _blocks(ids: np.ndarray, looks: Iterable[Path]) -> np.ndarray:
    """The number of each image's block: AT_ONCE of the images, as they lie in the files."""
    read = [pq.read_table(path, columns=["image"], partitioning=None)["image"].to_pylist() for path in looks]
    lying = {image: number for number, image in enumerate(image for images in read for image in images)}
    ranks = np.argsort(np.argsort([lying[image] for image in ids], kind="stable"), kind="stable")
    return ranks // AT_ONCE


def _read_keypoints(looks: Iterable[Path], wanted: np.ndarray) -> dict[str, Keypoints]:
    columns = ["image", "points", "descriptors", "luma", "luma_width", "luma_scale"]
    known, ids = {}, pa.array(wanted.tolist(), pa.string())
    for path in looks:
        held = pq.read_table(path, columns=["image"], partitioning=None)["image"]
        if not pc.any(pc.is_in(held, ids)).as_py():
            continue
        rows = pq.read_table(path, columns=columns, partitioning=None)
        some = rows.filter(pc.is_in(rows["image"], ids)).to_pandas()
        known.update((row.image, unpacked(row)) for row in some.itertuples())
    return known


def _finding(ids: pd.Series, kept: int, gone: int, made: Match, least: int) -> tuple:
    reason = f"{made.inliers} matching points and similar pixels in {ids[kept]}; which one should be kept?"
    return ids[gone], CHECK, float(made.inliers), float(least), REVIEW, reason


def _pairs(ranked: pd.DataFrame, rows: np.ndarray, matches: list[Match]) -> pd.DataFrame:
    better, worse = ranked.loc[rows[:, 0]], ranked.loc[rows[:, 1]]
    ids = np.sort(np.column_stack([better["image"], worse["image"]]).astype(str), axis=1).reshape(-1, 2)
    made = {"left": ids[:, 0], "right": ids[:, 1], "kind": "crop", "distance": bits_apart(better, worse)}
    same = better["subject"].to_numpy() == worse["subject"].to_numpy()
    made |= {"score": [float(one.inliers) for one in matches], "same_subject": same}
    return pd.DataFrame(made)
