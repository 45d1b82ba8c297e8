"""Copies: which pictures show the same, and which of them is kept.

Pictures are ranked: more pixels, then sharper, then taken earlier, then the vendor's own order. Going down the ranks,
a picture is kept unless it is a copy of one that is kept already. So no two kept pictures are copies of each other,
every other one is a copy of a kept one directly (never by way of a third), and the order of rows plays no part.
"""

from typing import NamedTuple

import numpy as np
import pandas as pd

from accord import table
from accord.checks.hamming import close_pairs, distances, words
from accord.checks.tables import Pairs

MIN_QUALITY = 50  # PDQ's authors advise against trusting hashes of less: flat pictures are all alike
EARLIER = ["captured_at", "vendor", "delivery", "source", "image"]
UNKNOWN_TIME = "~"  # sorts after every date
MIRROR = np.full(4, 0x5555555555555555, np.uint64)
"""A mirrored picture's DCT has the signs of its odd columns turned, and so most of their bits in the hash. The hash
itself moves up to 26 bits besides, since its median moves."""


class Copies(NamedTuple):
    """`pairs`: copies and what they copy. `kept`: image -> the image that is kept for it (itself, if it is none)."""

    pairs: pd.DataFrame
    kept: pd.Series


def find_copies(
    images: pd.DataFrame, fingerprints: pd.DataFrame, max_distance: int, *, within_subjects: bool = False
) -> Copies:
    """The copies among the images (table Images) that have fingerprints: equal pixels, or PDQ hashes, also mirrored,
    at most `max_distance` bits apart.

    Pictures with one and the same hash are compared with the best of them alone, so that a thousand copies are a
    thousand pairs. `within_subjects` leaves out pairs of two subjects.
    """
    ranked = _ranked(images, fingerprints)
    leader = _leaders(ranked, within_subjects)
    hashes = words(ranked["pdq"])
    near = _near(ranked, leader, hashes, max_distance)
    if within_subjects:
        near = near[_same(ranked["subject"], near)]
    keeper = _keepers(len(ranked), near[["left", "right"]].to_numpy())
    members = np.flatnonzero(leader != np.arange(len(ranked)))
    stars = pd.DataFrame({"left": leader[members], "right": members, "distance": 0})
    ids = ranked["image"].to_numpy()
    kept = pd.Series(ids[keeper[leader]], index=pd.Index(ids, name="image"), name="kept", dtype="str")
    return Copies(_pairs(ranked, pd.concat([stars, near], ignore_index=True)), kept.sort_index())


def bits_apart(left: pd.Series, right: pd.Series) -> np.ndarray:
    """Differing bits of two columns of PDQ hashes, row by row; of the mirrored hash where that is closer."""
    first, second = words(left), words(right)
    return np.minimum(distances(first, second), distances(first, second, MIRROR))


def _ranked(images: pd.DataFrame, fingerprints: pd.DataFrame) -> pd.DataFrame:
    """The fingerprints of the images, the best picture first."""
    both = fingerprints.merge(images[EARLIER], on="image")
    area, time = both["width"] * both["height"], both["captured_at"].replace("", UNKNOWN_TIME)
    ordered = both.assign(worse=-area, blurred=-both["sharpness"], captured_at=time)
    return ordered.sort_values(["worse", "blurred", *EARLIER], ignore_index=True)


def _leaders(ranked: pd.DataFrame, within_subjects: bool) -> np.ndarray:
    """For each row the best row with the same hash; with the same pixels and size where the hash says little."""
    flat = ranked["pixels"] + "/" + ranked["width"].astype(str)
    key = ranked["pdq"].where(ranked["pdq_quality"] >= MIN_QUALITY, flat)
    keys = [key, ranked["subject"]] if within_subjects else [key]
    return pd.Series(np.arange(len(ranked))).groupby([values.to_numpy() for values in keys]).transform("min").to_numpy()


def _near(ranked: pd.DataFrame, leader: np.ndarray, hashes: np.ndarray, max_distance: int) -> pd.DataFrame:
    """left, right (rows, the better one first) and distance of the leaders with close hashes."""
    trusted = np.flatnonzero((leader == np.arange(len(ranked))) & (ranked["pdq_quality"] >= MIN_QUALITY))
    found = [close_pairs(hashes[trusted], max_distance, offset) for offset in (None, MIRROR)]
    parts = [pd.DataFrame({"left": trusted[f.left], "right": trusted[f.right], "distance": f.distance}) for f in found]
    both = pd.concat(parts, ignore_index=True).sort_values(["right", "left", "distance"])
    return both.drop_duplicates(["left", "right"]).reset_index(drop=True)


def _keepers(count: int, pairs: np.ndarray) -> np.ndarray:
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
    found = {"left": low, "right": high, "kind": np.where(exact, "exact", "near"), "distance": rows["distance"]}
    pairs = pd.DataFrame({**found, "same_subject": _same(ranked["subject"], rows)})
    return table.check(pairs.sort_values(["left", "right"]), Pairs, "pairs of copies")
