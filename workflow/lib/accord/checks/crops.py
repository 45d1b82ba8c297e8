"""Find pictures that are cut out of others, and pictures that others are pasted into, for people to decide."""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from pandera.typing import DataFrame

from accord.checks.matching.copies import bits_apart, keepers, ranked_by_quality
from accord.checks.matching.known_pairs import extended
from accord.checks.matching.looks import likely
from accord.checks.matching.verified import Compared, Limits, verified
from accord.checks.settling.local import unstopped
from accord.checks.tables.findings import CropRecall, Findings, Pairs
from accord.checks.tables.views import Prints, Ranked, Stopping
from accord.engine import table
from accord.findings import REVIEW

CANDIDATES = 10
MIN_COSINE = 0.4
AT_ONCE = 50_000
"""Pairs that hold whose fingerprints are in memory twice at once."""
CHECK = "duplicate_crop"


class Crops(NamedTuple):
    """Findings on the pictures that would go; the pairs so far: copies, and these; how much of the likely ones were
    compared."""

    findings: DataFrame[Findings]
    pairs: DataFrame[Pairs]
    recall: DataFrame[CropRecall]


def run(
    images: DataFrame[Ranked],
    fingerprints: DataFrame[Prints],
    looks: list[Path],
    findings: DataFrame[Stopping],
    pairs: DataFrame[Pairs],
    *,
    min_inliers: int,
    min_correlation: float,
    all_pairs_up_to: int,
) -> Crops:
    """Finding duplicate_crop, `review`: parts of two pictures are one and the same.

    Of the images that `findings` (of copies) leave, each is held against the ten that look most alike in any part;
    at least `min_inliers` keypoints must agree on one place, and the pixels there correlate; or, of blurred and plain
    pictures that have hardly any keypoints, all pixels. The better picture
    (accord.checks.matching.copies) stays unquestioned; two such are compared where what is found in one is in the
    other, too. `looks`: tables Looks. `pairs` are copies; the new ones are
    added. Of more than `all_pairs_up_to` pictures an index proposes the ten, and `recall` tells what it misses.
    """
    ranked = ranked_by_quality(unstopped(images, findings), fingerprints)["image"]
    pa.default_memory_pool().release_unused()  # what ranking took, as much as the tables of a million images
    near = likely(looks, ranked, CANDIDATES, MIN_COSINE, all_pairs_up_to)
    shown = Compared(looks, near.images, near.order, _places(near.images, ranked))
    held = verified(shown, near.pairs, Limits(min_inliers, min_correlation))
    rows = np.sort(shown.ranks[held.pairs], axis=1)
    order = np.lexsort([rows[:, 0], rows[:, 1]])
    rows, inliers = rows[order], held.inliers[order]
    keeper = keepers(len(ranked), rows)
    gone = np.flatnonzero(keeper != np.arange(len(ranked)))
    agreed = inliers[_row_of(rows, np.column_stack([keeper[gone], gone]), len(ranked))]
    lost = zip(keeper[gone].tolist(), gone.tolist(), agreed.tolist(), strict=True)
    made = [_finding(ranked, *one, min_inliers) for one in lost]
    known = extended(pairs, _pairs(ranked, fingerprints, rows, inliers))
    compared = table.rows([one._asdict() for one in near.recalls], CropRecall)
    return Crops(table.rows(sorted(made), Findings), known, compared)


def _places(images: Iterable[str], among: pd.Series) -> np.ndarray:
    """Where each of the images is among others. Arrow's index of a million texts is smaller than that of pandas."""
    return pc.index_in(pa.array(images, pa.string()), pa.array(among, pa.string())).to_numpy()


def _row_of(pairs: np.ndarray, wanted: np.ndarray, count: int) -> np.ndarray:
    """Where among `pairs`, (better, worse) sorted by the worse one, each of the `wanted` ones is."""
    number, sought = (of[:, 1].astype(np.int64) * count + of[:, 0] for of in (pairs, wanted))
    return np.searchsorted(number, sought)


def _finding(ids: pd.Series, kept: int, gone: int, inliers: int, least: int) -> tuple:
    measured = (float(inliers), float(least)) if inliers else (None, None)
    seen = f"{inliers} matching points and similar pixels in" if inliers else "hardly any points, but the pixels of"
    return ids[gone], CHECK, *measured, REVIEW, f"{seen} {ids[kept]}; which one should be kept?"


def _pairs(ranked: pd.Series, fingerprints: pd.DataFrame, rows: np.ndarray, inliers: np.ndarray) -> pd.DataFrame:
    """rows: (m, 2) of the better and of the worse picture among the ranked ones; made AT_ONCE at a time."""
    places = _places(ranked, fingerprints["image"])[rows]
    starts = range(0, max(len(places), 1), AT_ONCE)
    parts = [_some_pairs(fingerprints, places[at : at + AT_ONCE], inliers[at : at + AT_ONCE]) for at in starts]
    return pd.concat(parts, ignore_index=True)


def _some_pairs(fingerprints: pd.DataFrame, places: np.ndarray, inliers: np.ndarray) -> pd.DataFrame:
    better, worse = (fingerprints.iloc[side] for side in places.T)
    ids = np.sort(np.column_stack([better["image"], worse["image"]]).astype(str), axis=1).reshape(-1, 2)
    made = {"left": ids[:, 0], "right": ids[:, 1], "kind": "crop", "distance": bits_apart(better, worse)}
    same = better["subject"].to_numpy() == worse["subject"].to_numpy()
    return pd.DataFrame(made | {"score": np.where(inliers > 0, inliers, np.nan), "same_subject": same})
