"""Find pictures that are cut out of others, and pictures that others are pasted into, for people to decide."""

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from pandera.typing import DataFrame

from accord.checks.matching.copies import bits_apart, keepers, ranked_by_quality
from accord.checks.matching.keypoints import Match
from accord.checks.matching.known_pairs import extended
from accord.checks.matching.looks import likely
from accord.checks.matching.verified import Limits, verified
from accord.checks.settling.local import unstopped
from accord.checks.tables.findings import Findings, Pairs
from accord.checks.tables.views import Prints, Ranked, Stopping
from accord.engine import table
from accord.findings import REVIEW

CANDIDATES = 10
MIN_COSINE = 0.4
RANKED = ["image", "subject", "pdq", "turned"]
"""What is needed of pictures once they are ranked."""
CHECK = "duplicate_crop"


class Crops(NamedTuple):
    """Findings on the pictures that would go, and the pairs so far: copies, and these."""

    findings: DataFrame[Findings]
    pairs: DataFrame[Pairs]


def run(
    images: DataFrame[Ranked],
    fingerprints: DataFrame[Prints],
    looks: list[Path],
    findings: DataFrame[Stopping],
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
    ranked = ranked_by_quality(unstopped(images, findings), fingerprints)[RANKED]
    shown, near = likely(looks, ranked["image"], CANDIDATES, MIN_COSINE)
    found = verified(looks, shown, near, Limits(min_inliers, min_correlation))
    ids = pa.array([image for pair, _ in found for image in pair], pa.string())
    rows = np.sort(pc.index_in(ids, pa.array(ranked["image"], pa.string())).to_numpy().reshape(-1, 2), axis=1)
    order = np.lexsort([rows[:, 0], rows[:, 1]])
    keeper, matches = (
        keepers(len(ranked), rows[order]),
        {tuple(row): m for row, (_, m) in zip(rows, found, strict=True)},
    )
    gone = np.flatnonzero(keeper != np.arange(len(ranked))).tolist()
    made = [_finding(ranked["image"], keeper[row], row, matches[keeper[row], row], min_inliers) for row in gone]
    more = _pairs(ranked, rows[order], [matches[tuple(row)] for row in rows[order]])
    return Crops(table.rows(sorted(made), Findings), extended(pairs, more))


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
