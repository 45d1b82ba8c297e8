"""Copies: which pictures show the same, and which of them is kept.

Pictures are ranked: more pixels, then with EXIF data, then less lost in encoding, then sharper, then taken earlier,
then the vendor's own order. Sharpness comes late, since the blocks of a bad JPEG look sharp. Going down the ranks, a
picture is kept unless it is a copy of one that is kept already. So no two kept pictures are copies of each other, every
other one is a copy of a kept one directly (never by way of a third), and the order of rows plays no part.
"""

from typing import NamedTuple

import numpy as np
import pandas as pd

from accord.checks.tables.findings import Pairs
from accord.engine import table
from accord.imaging.fingerprint import MIN_QUALITY
from accord.imaging.hamming import WORDS, close_across, close_pairs, distances, transposed, words

EARLIER = ["captured_at", "vendor", "delivery", "source", "image"]
UNKNOWN_TIME = "~"  # sorts after every date
TURNED_RADIUS = 23
"""Most bits by which a copy in another of the eight forms may differ: the largest radius for which a third of the keys
do. Turned copies that are re-encoded or resized lie below 19, those cut by 1% mostly."""


class Copies(NamedTuple):
    """`pairs`: copies and what they copy. `kept`: image -> the image that is kept for it (itself, if it is none)."""

    pairs: pd.DataFrame
    kept: pd.Series


def find_copies(
    images: pd.DataFrame, fingerprints: pd.DataFrame, max_distance: int, *, within_subjects: bool = False
) -> Copies:
    """The copies among the images (table Images) that have fingerprints: equal pixels, or PDQ hashes at most
    `max_distance` bits apart, or the hash of the worse one turned, mirrored or both at most `TURNED_RADIUS` (and
    `max_distance`) bits from that of the better one.

    Pictures with one and the same hash are compared with the best of them alone, so that a thousand copies are a
    thousand pairs. `within_subjects` leaves out pairs of two subjects.
    """
    ranked = ranked_by_quality(images, fingerprints)
    leader = _leaders(ranked, within_subjects)
    near = _near(ranked, leader, max_distance)
    if within_subjects:
        near = near[_same(ranked["subject"], near)]
    keeper = keepers(len(ranked), near[["left", "right"]].to_numpy())
    members = np.flatnonzero(leader != np.arange(len(ranked)))
    stars = pd.DataFrame({"left": leader[members], "right": members, "distance": 0})
    ids = ranked["image"].to_numpy()
    kept = pd.Series(ids[keeper[leader]], index=pd.Index(ids, name="image"), name="kept", dtype="str")
    return Copies(_pairs(ranked, pd.concat([stars, near], ignore_index=True)), kept.sort_index())


def bits_apart(left: pd.DataFrame, right: pd.DataFrame) -> np.ndarray:
    """Differing bits of the PDQ hashes of two tables of fingerprints, row by row; for `right` in the closest form."""
    hashes = words(left["pdq"])
    return np.min([distances(hashes, form) for form in (words(right["pdq"]), *turned_forms(right))], axis=0)


def turned_forms(fingerprints: pd.DataFrame) -> list[np.ndarray]:
    """The hashes, (n, 4) uint64 each, of the pictures in the seven forms besides their own."""
    three = words(fingerprints["turned"]).reshape(-1, 3, WORDS)
    flipped = [np.ascontiguousarray(three[:, form]) for form in range(3)]
    return [*flipped, *(transposed(hashes) for hashes in (words(fingerprints["pdq"]), *flipped))]


def ranked_by_quality(images: pd.DataFrame, fingerprints: pd.DataFrame) -> pd.DataFrame:
    """The fingerprints of the images, the best picture first."""
    both = fingerprints.merge(images[[*EARLIER, "has_exif"]], on="image")
    time = both["captured_at"].replace("", UNKNOWN_TIME)
    good = [both["width"] * both["height"], both["has_exif"].astype(int), both["encoding"], both["sharpness"]]
    worse = {f"worse{place}": -value for place, value in enumerate(good)}
    return both.assign(captured_at=time, **worse).sort_values([*worse, *EARLIER], ignore_index=True)


def _leaders(ranked: pd.DataFrame, within_subjects: bool) -> np.ndarray:
    """For each row the best row with the same hash; with the same pixels and size where the hash says little."""
    flat = ranked["pixels"] + "/" + ranked["width"].astype(str)
    key = ranked["pdq"].where(ranked["pdq_quality"] >= MIN_QUALITY, flat)
    keys = [key, ranked["subject"]] if within_subjects else [key]
    return pd.Series(np.arange(len(ranked))).groupby([values.to_numpy() for values in keys]).transform("min").to_numpy()


def _near(ranked: pd.DataFrame, leader: np.ndarray, max_distance: int) -> pd.DataFrame:
    """left, right (rows, the better one first) and distance of the leaders with close hashes."""
    trusted = np.flatnonzero((leader == np.arange(len(ranked))) & (ranked["pdq_quality"] >= MIN_QUALITY))
    prints = ranked.loc[trusted, ["pdq", "turned"]]
    hashes, radius = words(prints["pdq"]), min(max_distance, TURNED_RADIUS)
    found = [close_pairs(hashes, max_distance)]
    found += [close_across(hashes, form, radius) for form in turned_forms(prints)]
    parts = [pd.DataFrame({"left": trusted[f.left], "right": trusted[f.right], "distance": f.distance}) for f in found]
    both = pd.concat(parts, ignore_index=True)
    both = both[both["left"] < both["right"]].sort_values(["right", "left", "distance"])
    return both.drop_duplicates(["left", "right"]).reset_index(drop=True)


def keepers(count: int, pairs: np.ndarray) -> np.ndarray:
    """For each row the row that is kept for it; `pairs` (better, worse) come in the order of the worse one."""
    keeper = np.arange(count)
    for better, worse in pairs:
        if keeper[worse] == worse and keeper[better] == better:
            keeper[worse] = better
    return keeper


def _same(column: pd.Series, pairs: pd.DataFrame) -> np.ndarray:
    values = column.to_numpy()
    return values[pairs["left"]] == values[pairs["right"]]


def _pairs(ranked: pd.DataFrame, rows: pd.DataFrame) -> pd.DataFrame:
    ids = ranked["image"].to_numpy()[rows[["left", "right"]].to_numpy()].reshape(-1, 2)
    exact = _same(ranked["pixels"], rows) & _same(ranked["width"], rows)
    low, high = np.where(ids[:, :1] < ids[:, 1:], ids, ids[:, ::-1]).T
    found = {
        "left": low,
        "right": high,
        "kind": np.where(exact, "exact", "near"),
        "distance": rows["distance"],
        "score": np.nan,
    }
    pairs = pd.DataFrame({**found, "same_subject": _same(ranked["subject"], rows)})
    return table.check(pairs.sort_values(["left", "right"]), Pairs, "pairs of copies")
